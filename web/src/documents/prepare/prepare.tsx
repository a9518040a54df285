import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useReducer, useState } from 'react'
import { api } from '../../api/client.ts'
import { asProblem } from '../../api/problem.ts'
import { refreshRecord } from '../../data/cached.ts'
import { pdfAddress } from '../../data/documents.ts'
import { moduleQuery } from '../../data/modules.ts'
import { notify } from '../../data/notices.ts'
import type { AnyRecord } from '../../data/record.ts'
import { recordQuery, titleOf } from '../../data/record.ts'
import { useSession } from '../../data/session.ts'
import type { Saving } from '../../data/stored-draft.ts'
import { useSubmit } from '../../data/use-submit.ts'
import { addressIn } from '../../records/definition.ts'
import { today } from '../../records/field/format.ts'
import { usePageTitle } from '../../records/page-title.ts'
import { useShortcuts } from '../../shortcuts/keys.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { DateField } from '../../ui/date-field.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Fault as Failed } from '../../ui/fault.tsx'
import { Field } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Switch } from '../../ui/switch.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { useMayPrepare } from '../signatures/prepare-link.tsx'
import type { OpenPdf, Size } from '../view/pdf.ts'
import { usePdf } from '../view/use-pdf.ts'
import { Opening, UnreadableFile } from '../view/viewer.tsx'
import { CheckStep } from './check-step.tsx'
import { FieldsStep } from './fields-step.tsx'
import styles from './prepare.module.css'
import type { Fault, Preparation } from './preparation.ts'
import { faultsOf, nothing, requestOf } from './preparation.ts'
import { Recipients } from './recipients.tsx'
import { usePreparation } from './use-preparation.ts'
import { inSentence, t } from '../../locales/text.ts'

const steps = [
  { name: 'recipients', label: t('Recipients') },
  { name: 'fields', label: t('Fields') },
  { name: 'message', label: t('Message') },
  { name: 'check', label: t('Check and send') },
] as const
type Step = (typeof steps)[number]['name']

const words: { [saving in Saving]: string } = {
  saved: t('Saved'),
  waiting: t('Saving…'),
  saving: t('Saving…'),
  offline: t('Offline · your changes wait'),
  refused: t('Not saved'),
}

const documents = { address: '/documents' }

/** Prepares a document for signature: who signs, where on its pages, with which message; and sends it. */
export default function Prepare() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  return <Preparing key={id} id={id} />
}

function Preparing({ id }: { id: string }) {
  const { data: module } = useSuspenseQuery(moduleQuery('documents'))
  const { data } = useSuspenseQuery(recordQuery(module, id))
  const record: AnyRecord = data
  const { organization } = useSession()
  const mayPrepare = useMayPrepare(record)
  const title = titleOf(module, record)
  usePageTitle(t('Prepare {title}', { title }))
  const work = usePreparation(id, mayPrepare)
  const now = work.now ?? nothing
  const [step, setStep] = useState<Step>('recipients')
  const [fault, setFault] = useState<Fault>()
  const isPdf = record.file_type === 'application/pdf' || isWritten(record)
  const pdf = usePdf(isPdf && mayPrepare ? pdfAddress(id, false) : null)
  const sizeOf = useSizes(pdf.pdf, now)
  const navigate = useNavigate()
  const send = useSubmit(async () => {
    const body = requestOf(now)
    await api.post('/api/documents/{id}/signature/request/', { path: { id }, body })
    work.end()
    await refreshRecord('documents', id)
    notify({ message: t('Sent') })
    await navigate({ to: addressIn(documents, id, 'signatures') })
  })
  useShortcuts([
    { keys: 'Mod+Z', label: t('Undo'), group: t('Preparation'), run: work.undo },
    { keys: 'Mod+Shift+Z', label: t('Redo'), group: t('Preparation'), run: work.redo },
  ])
  const isAsked = record.signature_status !== 'none'
  const isReusable = record.is_reusable === true
  if (!mayPrepare) {
    return (
      <Empty
        as="h1"
        icon="pencil"
        title={
          isAsked ? t('Signatures were requested already') : t('You cannot send this for signature')
        }
        action={
          <ButtonLink render={<Link to={addressIn(documents, id, 'signatures')} />}>
            {t('Open its signatures')}
          </ButtonLink>
        }
      >
        {isAsked
          ? t('Withdraw the request to prepare another one.')
          : t('You can read this document.')}
      </Empty>
    )
  }
  if (work.error) {
    const problem = asProblem(work.error)
    return (
      <Failed
        title={t('What is prepared cannot be read')}
        message={problem.message}
        onRetry={() => void work.refetch()}
      />
    )
  }
  if (!work.now) return <Opening />
  const faults = faultsOf(now, {
    pages: isPdf ? (pdf.pdf?.pages ?? Infinity) : null,
    today: today(organization.timezone),
    sizeOf,
    isReusable,
  })
  const goTo = (to: Step, about?: Fault) => {
    setStep(to)
    setFault(about)
  }
  const next = steps[steps.findIndex(({ name }) => name === step) + 1]
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <nav aria-label={t('Breadcrumb')}>
          <Link to={addressIn(documents, id)} aria-label={t('Back to {title}', { title })}>
            ←
          </Link>
          <h1>{title}</h1>
        </nav>
        <nav aria-label={t('Steps')} className={styles.steps}>
          {steps.map(({ name, label }, at) => (
            <button
              key={name}
              type="button"
              aria-current={name === step ? 'step' : undefined}
              onClick={() => goTo(name)}
            >
              <span aria-hidden="true">{at + 1}</span>
              {isReusable && name === 'check' ? t('Check and use') : label}
            </button>
          ))}
        </nav>
        <div className={styles.acts}>
          <span className={styles.saved} role="status">
            {work.hasChanged || work.saving !== 'saved' ? words[work.saving] : ''}
            {work.saving === 'refused' ? `: ${work.problem?.message ?? ''}` : ''}
          </span>
          <IconButton
            label={t('Undo')}
            icon="undo"
            shortcut="Mod+Z"
            disabled={!work.mayUndo}
            onClick={work.undo}
          />
          <IconButton
            label={t('Redo')}
            icon="redo"
            shortcut="Mod+Shift+Z"
            disabled={!work.mayRedo}
            onClick={work.redo}
          />
          {next ? (
            <Button variant="primary" onClick={() => goTo(next.name)}>
              {t('Next: {label}', {
                label: inSentence(
                  isReusable && next.name === 'check' ? t('Check and use') : next.label,
                ),
              })}
            </Button>
          ) : null}
        </div>
      </header>
      {step === 'recipients' ? (
        <Recipients signers={now.signers} change={work.change} isReusable={isReusable} />
      ) : step === 'fields' ? (
        !isPdf ? (
          <div className={styles.sheet}>
            <h2>{t('Fields')}</h2>
            <p>
              {t(
                'Fields are placed on the pages of a PDF. The signatures of this document stand on a page that is added to it.',
              )}
            </p>
          </div>
        ) : pdf.problem ? (
          <UnreadableFile id={id} problem={pdf.problem} onRetry={pdf.retry} />
        ) : pdf.pdf ? (
          <FieldsStep
            id={id}
            pdf={pdf.pdf}
            name={title}
            preparation={now}
            change={work.change}
            sizeOf={sizeOf}
            isWritten={isWritten(record)}
            start={fault?.field}
            onRecipients={() => goTo('recipients')}
          />
        ) : (
          <Opening />
        )
      ) : step === 'message' ? (
        <Message preparation={now} change={work.change} first={today(organization.timezone)} />
      ) : (
        <CheckStep
          id={id}
          isReusable={isReusable}
          flush={work.flush}
          preparation={now}
          faults={faults}
          isBusy={send.isBusy}
          problem={send.problem}
          onSend={send.submit}
          onFault={(found) => goTo(found.step, found)}
        />
      )}
    </div>
  )
}

/** Whether a document has a text of its own, which is shown as the pages that are signed. */
function isWritten({
  file_path: path,
  editor_html_content: html,
  editorjs_content: blocks,
}: AnyRecord): boolean {
  return !path && Boolean(html || blocks)
}

function Message({
  preparation: { message, expires, allow_delegation, check },
  change,
  first,
}: {
  preparation: Preparation
  change: (how: (before: Preparation) => Preparation) => void
  first: string
}) {
  return (
    <section className={styles.sheet} aria-labelledby="message">
      <h2 id="message">{t('Message')}</h2>
      <Field
        label={t('What the mail and the page say')}
        hint={t('Each reads it in the mail with their link.')}
        optional
      >
        <TextArea
          rows={6}
          maxLength={2000}
          value={message}
          onChange={(next) => change((before) => ({ ...before, message: next }))}
        />
      </Field>
      <Field
        label={t('Last day to sign')}
        hint={t('Without one the request does not expire.')}
        optional
      >
        <DateField
          min={first}
          value={expires}
          onChange={(next) => change((before) => ({ ...before, expires: next }))}
        />
      </Field>
      <Switch
        apart
        checked={allow_delegation}
        onChange={(next) => change((before) => ({ ...before, allow_delegation: next }))}
      >
        {t('Recipients may hand over to somebody else, once')}
      </Switch>
      <Switch
        apart
        checked={check === 'email_code'}
        onChange={(next) => change((before) => ({ ...before, check: next ? 'email_code' : null }))}
      >
        {t('The page opens with a code that is mailed to them')}
      </Switch>
    </section>
  )
}

/** The sizes of pages: those with fields are read at once, others when they are drawn. */
function useSizes(pdf: OpenPdf | undefined, { fields }: Preparation): (page: number) => Size {
  const [, showRead] = useReducer((times: number) => times + 1, 0)
  const wanted = [...new Set(fields.map(({ page }) => page))].join(' ')
  useEffect(() => {
    if (!pdf || !wanted) return undefined
    let isOver = false
    const read = async () => {
      // where a page cannot be read, it is taken to be like the first
      await Promise.allSettled(wanted.split(' ').map((page) => pdf.sizeOf(Number(page))))
      if (!isOver) showRead()
    }
    void read()
    return () => {
      isOver = true
    }
  }, [pdf, wanted])
  return (page) => pdf?.known(page) ?? { width: 595, height: 842 }
}
