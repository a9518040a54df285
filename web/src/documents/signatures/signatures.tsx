import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { notify } from '../../data/notices.ts'
import type { AnyRecord } from '../../data/record.ts'
import { idOf } from '../../data/record.ts'
import { useMayOf } from '../../data/session.ts'
import type { AuditEntry, Recipient } from '../../data/signatures.ts'
import {
  auditQuery,
  hasActed,
  latestQuery,
  mustAct,
  nextReminder,
  recipientsOf,
  remindRecipient,
  remindSigners,
  waitedFor,
  withdrawRequest,
} from '../../data/signatures.ts'
import { useSubmit } from '../../data/use-submit.ts'
import type { SectionProps } from '../../records/definition.ts'
import { addressIn } from '../../records/definition.ts'
import type { Format } from '../../records/field/format.ts'
import { instant, relative } from '../../records/field/format.ts'
import { namesOf } from '../../records/field/signer-words.ts'
import { SignersBar } from '../../records/field/signers.tsx'
import { useFormat } from '../../records/field/use-format.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { ProblemBanner } from '../../ui/problem-banner.tsx'
import { later } from '../../records/later.tsx'
import { PrepareLink } from './prepare-link.tsx'
import { Seal } from './seal.tsx'
import { Signer } from './signer.tsx'
import styles from './signatures.module.css'
import { Trail } from './trail.tsx'
import { WithdrawDialog } from './withdraw-dialog.tsx'
import { t } from '../../locales/text.ts'

const Batches = later(() => import('../many/batches.tsx'), 'shown')

/** The signatures of a document: who waits since when, what happened, and what can be done about it. */
export default function Signatures({ module, record }: SectionProps) {
  const id = idOf(module, record)
  const recipients = recipientsOf(record)
  const audit = useQuery(auditQuery(id))
  const isSealing = record.signature_status === 'signed' && record.is_signed_version === false
  const isOld = record.latest_version === false || isSealing
  return (
    <div className={styles.page}>
      <div className={styles.main}>
        {isOld ? <Newer id={id} /> : null}
        {recipients.length ? (
          <Request id={id} record={record} recipients={recipients} entries={audit.data} />
        ) : (
          <Empty
            small
            icon="pencil"
            title={t('Nobody is asked to sign')}
            action={<PrepareLink id={id} record={record} />}
          >
            {t(
              'Once it is sent for signature, who has signed and who is waited for is shown here.',
            )}
          </Empty>
        )}
        <Batches id={id} />
        <Trail id={id} audit={audit} recipients={recipients} />
      </div>
      {recipients.length ? (
        <aside className={styles.side} aria-label={t('About the request')}>
          <About record={record} entries={audit.data} />
          <Seal id={id} record={record} />
          <Withdraw id={id} record={record} />
        </aside>
      ) : null}
    </div>
  )
}

type RequestProps = {
  id: string
  record: AnyRecord
  recipients: Recipient[]
  entries: AuditEntry[] | undefined
}

/** Who must sign, with what is waited for at the top. */
function Request({ id, record, recipients, entries }: RequestProps) {
  const mayUpdate = useMayOf('documents', record, 'update')
  const format = useFormat()
  const waiting = isOpen(record) ? waitedFor(recipients) : []
  const mayRemind = waiting.length > 0 && !waiting.some((each) => nextReminder(each))
  const remind = useSubmit(async () => {
    const [first, ...others] = waiting
    await (first && !others.length ? remindRecipient(id, first.id) : remindSigners(id))
    notify({ message: t('Reminded {names}', { names: namesOf(waiting.map(({ name }) => name)) }) })
  })
  return (
    <section>
      <header className={styles.head}>
        <div>
          <h3>{headingOf(record, recipients)}</h3>
          <Sent record={record} entries={entries} />
        </div>
        {mayUpdate && mayRemind ? (
          <Button variant="primary" icon="bell" busy={remind.isBusy} onClick={remind.submit}>
            {t('Remind {names}', { names: namesOf(waiting.map(({ name }) => name)) })}
          </Button>
        ) : null}
      </header>
      {remind.problem ? <ProblemBanner problem={remind.problem} /> : null}
      <div className={styles.bar}>
        <SignersBar of={recipients} />
      </div>
      <ol className={styles.signers}>
        {recipients.map((each) => (
          <Signer
            key={each.id}
            id={id}
            signer={each}
            isOpen={isOpen(record)}
            mayCorrect={mayUpdate}
          />
        ))}
      </ol>
      {waiting.length ? <p className={styles.note}>{lastReminder(entries ?? [], format)}</p> : null}
    </section>
  )
}

function headingOf(record: AnyRecord, recipients: Recipient[]): string {
  const signers = recipients.filter(mustAct)
  const done = signers.filter(hasActed).length
  const refusing = signers.find(({ status }) => status === 'declined')
  if (refusing) return t('Declined by {name}', { name: refusing.name })
  if (record.signature_status !== 'signed') {
    return t('Waiting for {waiting} of {all}', {
      waiting: signers.length - done,
      all: signers.length,
    })
  }
  return t('Signed | Signed by all {count}', { count: signers.length })
}

/** Who sent the request and when, and until when it may be signed. */
function Sent({ record, entries }: Pick<RequestProps, 'record' | 'entries'>) {
  const format = useFormat()
  const sent = entries?.findLast(({ step }) => step === 'requested')
  const until = record.signature_expires_at
  const words = [
    sent
      ? sent.name
        ? t('sent {instant} by {name}', { instant: instant(sent.at, format), name: sent.name })
        : t('sent {instant}', { instant: instant(sent.at, format) })
      : null,
    isOpen(record) && typeof until === 'string'
      ? t('expires {relative}', { relative: relative(until, format) })
      : null,
  ].filter(Boolean)
  return <p>{words.join(', ')}</p>
}

/** Whether it can be signed now. */
function isOpen({ signature_status: status }: AnyRecord): boolean {
  return status === 'pending' || status === 'partial'
}

/** When people were last reminded, of the request that is open. */
function lastReminder(entries: AuditEntry[], format: Format): string {
  const from = entries.findLastIndex(({ step }) => step === 'requested')
  const reminders = entries.slice(Math.max(0, from)).filter(({ step }) => step === 'reminded')
  const last = reminders.at(-1)
  if (!last) return t('Nobody was reminded yet. Reminders go out by themselves every 3 days.')
  return t('Reminded once, last {relative}. | Reminded {count} times, last {relative}.', {
    count: reminders.length,
    relative: relative(last.at, format),
  })
}

function About({ record, entries }: Pick<RequestProps, 'record' | 'entries'>) {
  const format = useFormat()
  const until = record.signature_expires_at
  const message = record.signature_message
  const asked = entries?.findLast(({ step }) => step === 'requested')
  return (
    <Facts>
      <Fact label={t('Order [turn]')}>
        {record.is_sequential ? t('One after the other') : t('All at once')}
      </Fact>
      <Fact label={t('Expires')}>
        {typeof until === 'string' ? instant(until, format) : t('Never')}
      </Fact>
      <Fact label={t('Message')}>{typeof message === 'string' ? message : null}</Fact>
      <Fact label="SHA-256">
        {asked?.content_hash ? (
          <span title={asked.content_hash}>{shortHash(asked.content_hash)}</span>
        ) : null}
      </Fact>
    </Facts>
  )
}

function shortHash(hash: string): string {
  return `${hash.slice(0, 8)}…${hash.slice(-8)}`
}

function Withdraw({ id, record }: { id: string; record: AnyRecord }) {
  const [isOpened, setOpened] = useState(false)
  const mayUpdate = useMayOf('documents', record, 'update')
  const navigate = useNavigate()
  const again = useSubmit(async () => {
    await withdrawRequest(id, '')
    await navigate({ to: '/documents/$id/signatures/prepare', params: { id } })
  })
  if (!mayUpdate || record.signature_status === 'signed') return null
  const words = isOpen(record) ? t('Withdraw the request') : t('Take back to a draft')
  return (
    <div className={styles.part}>
      {isOpen(record) ? null : (
        <Button variant="primary" icon="send" busy={again.isBusy} onClick={again.submit}>
          {t('Correct and send again')}
        </Button>
      )}
      {again.problem ? <ProblemBanner problem={again.problem} /> : null}
      <Button icon="circle-x" className={styles.withdraw} onClick={() => setOpened(true)}>
        {words}
      </Button>
      {isOpened ? (
        <WithdrawDialog id={id} confirm={words} onClose={() => setOpened(false)} />
      ) : null}
    </div>
  )
}

/** Leads from an earlier version to the latest, which a sealed document is; it is made after the last signature. */
function Newer({ id }: { id: string }) {
  const { data } = useQuery({
    ...latestQuery(id),
    // the version that was signed does not change when it is sealed
    refetchInterval: ({ state }) => (state.data?.attach_id === id ? 3000 : false),
  })
  if (!data) return null
  if (data.attach_id === id) {
    return <Banner boxed>{t('Everybody has signed. The sealed PDF is being made.')}</Banner>
  }
  return (
    <Banner boxed>
      {data.is_signed_version
        ? `${t('It is signed and sealed.')} `
        : `${t('There is a later version.')} `}
      <Link
        to={addressIn({ address: '/documents' }, data.attach_id, 'signatures')}
        className={styles.link}
      >
        {data.is_signed_version ? t('Open the sealed version') : t('Open it')}
      </Link>
    </Banner>
  )
}
