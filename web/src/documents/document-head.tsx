import { Link } from '@tanstack/react-router'
import { idOf, titleOf } from '../data/record.ts'
import type { SectionProps } from '../records/definition.ts'
import { addressIn } from '../records/definition.ts'
import { LazySigners } from '../records/field/lazy-signers.tsx'
import { Strip } from '../records/page/strip.tsx'
import { later } from '../records/later.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { FavouriteButton } from './folders/favourite-button.tsx'
import styles from './documents.module.css'
import { t } from '../locales/text.ts'

const UseReusable = later(() => import('./reusable/use-reusable.tsx'), 'shown')

/** The figures of a document, with the progress of its signatures, and its file. */
export default function DocumentHead({ module, record, screens }: SectionProps) {
  const text = (name: string) => (typeof record[name] === 'string' ? record[name] : null)
  const outside = text('external_file_url')
  const { signature_recipients: recipients } = record
  const signers =
    Array.isArray(recipients) && recipients.length ? (
      <Link to={addressIn(screens, idOf(module, record), 'signatures')} className={styles.signers}>
        <LazySigners record={record} />
      </Link>
    ) : undefined
  return (
    <Strip {...{ module, record }} notes={signers ? { signature_status: signers } : {}}>
      {record.is_reusable === true && record.latest_version !== false ? (
        <UseReusable id={idOf(module, record)} />
      ) : null}
      <FavouriteButton
        id={idOf(module, record)}
        isFavourite={record.is_favourite === true}
        name={titleOf(module, record)}
      />
      {text('file_path') ? (
        <ButtonLink icon="download" href={text('file_path') ?? ''} download>
          {t('Download')}
        </ButtonLink>
      ) : outside && /^https?:/.test(outside) ? (
        <ButtonLink icon="external-link" href={outside} target="_blank" rel="noreferrer noopener">
          {t('Open the file')}
        </ButtonLink>
      ) : null}
    </Strip>
  )
}
