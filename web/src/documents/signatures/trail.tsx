import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { browserOf } from '../../data/browser-of.ts'
import type { AuditEntry, Recipient } from '../../data/signatures.ts'
import type { Format } from '../../records/field/format.ts'
import { instant } from '../../records/field/format.ts'
import { useFormat } from '../../records/field/use-format.ts'
import { fileSize } from '../../records/files/describe.ts'
import { ReadFault } from '../../records/read-fault.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import type { IconName } from '../../ui/icons.tsx'
import { Icon } from '../../ui/icons.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import styles from './signatures.module.css'
import { t } from '../../locales/text.ts'

type Props = {
  id: string
  audit: UseQueryResult<AuditEntry[]>
  recipients: Recipient[]
}

/** What happened to the signatures of a document in all its versions, the latest first. */
export function Trail({ id, audit, recipients }: Props) {
  const [isWhole, setWhole] = useState(false)
  if (audit.isPending) return <SkeletonRows count={4} />
  if (audit.error && !audit.data) {
    const { error, refetch } = audit
    return (
      <ReadFault
        small
        title={t('What happened could not be read')}
        error={error}
        onRetry={refetch}
      />
    )
  }
  const entries = audit.data ?? []
  if (!entries.length) return null
  const hasAddresses = entries.some(({ address }) => address)
  return (
    <section>
      <header className={styles.head}>
        <h3>{t('What happened')}</h3>
        <span className={styles.tools}>
          {hasAddresses ? (
            <Button
              variant="quiet"
              icon={isWhole ? 'eye-off' : 'eye'}
              aria-pressed={isWhole}
              onClick={() => setWhole(!isWhole)}
            >
              {t('Whole addresses')}
            </Button>
          ) : null}
          <ButtonLink
            variant="quiet"
            icon="download"
            href={`/api/documents/${encodeURIComponent(id)}/signature/audit/`}
            download="signatures.json"
          >
            {t('Download the trail')}
          </ButtonLink>
        </span>
      </header>
      <ul className={styles.trail}>
        {entries.toReversed().map((entry, at) => (
          // entries have no ids, and are only added, at the beginning
          <Entry key={entries.length - at} {...{ entry, recipients, isWhole }} />
        ))}
      </ul>
    </section>
  )
}

type EntryProps = { entry: AuditEntry; recipients: Recipient[]; isWhole: boolean }

function Entry({ entry, recipients, isWhole }: EntryProps) {
  const format = useFormat()
  const { who, did, icon } = sentenceOf(entry, recipients, format)
  const details = [
    entry.reason ? `“${entry.reason}”` : null,
    entry.file_hash ? `SHA-256 ${entry.file_hash}` : null,
    entry.user_agent ? browserOf(entry.user_agent) : null,
    entry.address ? (isWhole ? entry.address : shortened(entry.address)) : null,
  ].filter((each) => each !== null)
  return (
    <li>
      <span className={styles.sign}>
        <Icon name={icon} size={14} />
      </span>
      <p>
        {who ? <b dir="auto">{who} </b> : null}
        {did}
        {details.map((each) => (
          <small key={each}> · {each}</small>
        ))}
      </p>
      <time dateTime={entry.at}>{instant(entry.at, format)}</time>
    </li>
  )
}

type Sentence = { who?: string | null; did: string; icon: IconName }

function sentenceOf(entry: AuditEntry, recipients: Recipient[], format: Format): Sentence {
  const { name: who = null, asked, reminded = [], title } = entry
  switch (entry.step) {
    case 'requested':
      return {
        who,
        did: asked
          ? t('sent it to one person | sent it to {count} people', { count: asked })
          : t('sent it to several people'),
        icon: 'send',
      }
    case 'reminded': {
      const names = reminded.map(
        (email) => recipients.find((each) => each.email === email)?.name ?? email,
      )
      return { who, did: t('reminded {names}', { names: names.join(', ') }), icon: 'bell' }
    }
    case 'delegated':
      return {
        who: entry.former_name,
        did: t('handed over to {name}, {email}, by a new link', {
          name: who,
          email: entry.email,
        }),
        icon: 'users',
      }
    case 'corrected':
      return {
        who,
        did: t('corrected the address {former_email} to {email}, by a new link', {
          former_email: entry.former_email ?? '',
          email: entry.email ?? '',
        }),
        icon: 'pencil',
      }
    case 'confirmed':
      return { who, did: t('entered the mailed code'), icon: 'key' }
    case 'viewed':
      return { who, did: t('opened the document'), icon: 'eye' }
    case 'attached':
      return {
        who,
        did: t('attached {file} ({size})', {
          file: entry.file_name ?? '',
          size: fileSize(entry.file_size ?? 0, format.locale),
        }),
        icon: 'paperclip',
      }
    case 'signed':
      return { who, did: t('signed [past]'), icon: 'pencil' }
    case 'approved':
      return { who, did: t('approved [past]'), icon: 'circle-check' }
    case 'declined':
      return { who, did: t('declined [past]'), icon: 'circle-x' }
    case 'completed':
      return { did: t('Everybody has signed'), icon: 'circle-check' }
    case 'withdrawn':
      return { who, did: t('withdrew the request'), icon: 'circle-x' }
    case 'expired':
      return { did: t('The time to sign was over'), icon: 'clock' }
    default:
      return { did: title, icon: 'info' }
  }
}

/** `90.63.12.17` → `90.63.••.17`, and the first two groups of an IPv6 address. */
function shortened(address: string): string {
  const parts = address.split('.')
  if (parts.length === 4) return `${parts[0]}.${parts[1]}.••.${parts[3]}`
  return `${address.split(':').slice(0, 2).join(':')}:••`
}
