import { useQuery } from '@tanstack/react-query'
import type { components } from '../../api/schema.d.ts'
import type { AnyRecord } from '../../data/record.ts'
import { sealQuery } from '../../data/signatures.ts'
import { instant } from '../../records/field/format.ts'
import { useFormat } from '../../records/field/use-format.ts'
import { ReadFault } from '../../records/read-fault.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import styles from './signatures.module.css'
import { t } from '../../locales/text.ts'

type Checked = components['schemas']['CheckedSeal']

/** Whether the sealed file is what was signed, and where any file can be checked. */
export function Seal({ id, record }: { id: string; record: AnyRecord }) {
  const isSealed = record.is_signed_version === true && record.file_path !== null
  return (
    <section className={styles.part}>
      <h3>
        <Icon name="shield" /> {t('Seal')}
      </h3>
      {isSealed ? (
        <Proof id={id} />
      ) : (
        <p>
          {t(
            'When everybody has signed, the PDF is sealed with an electronic signature, so that any reader shows a later change.',
          )}
        </p>
      )}
      <ButtonLink icon="shield" href="/check" target="_blank" rel="noreferrer">
        {t('Check a sealed PDF')}
      </ButtonLink>
    </section>
  )
}

function Proof({ id }: { id: string }) {
  const format = useFormat()
  const { data, error, isPending, refetch } = useQuery(sealQuery(id))
  if (isPending) return <SkeletonRows count={2} />
  if (error) {
    return (
      <ReadFault small title={t('The seal could not be checked')} error={error} onRetry={refetch} />
    )
  }
  const { signer, signed_at, timestamp } = data
  return (
    <p data-state={data.state} className={styles.proof}>
      {states[data.state]}
      {signer
        ? ` ${sealedWords(signer, signed_at && instant(signed_at, format), timestamp?.authority)}`
        : ''}
    </p>
  )
}

const states: { [state in Checked['state']]: string } = {
  ours: t('Valid and unchanged.'),
  other: t('Valid and unchanged, sealed by somebody else.'),
  changed: t('Changed after it was sealed!'),
  unsigned: t('This file has no electronic signature.'),
}

function sealedWords(
  signer: string,
  at: string | null | undefined,
  authority: string | undefined,
): string {
  if (!at) return t('Sealed by {signer}.', { signer })
  return authority
    ? t('Sealed by {signer} on {instant}, time stamp by {authority}.', {
        signer,
        instant: at,
        authority,
      })
    : t('Sealed by {signer} on {instant}.', { signer, instant: at })
}
