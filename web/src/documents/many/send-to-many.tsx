import { keepPreviousData, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { asProblem } from '../../api/problem.ts'
import type { BatchBody, BatchPlan } from '../../data/batches.ts'
import { batchPlanQuery, cancelBatch, startBatch } from '../../data/batches.ts'
import { notifyRefusal } from '../../data/change.ts'
import type { Clause } from '../../data/list.ts'
import { moduleQuery } from '../../data/modules.ts'
import { notify } from '../../data/notices.ts'
import { preparationQuery } from '../../data/preparations.ts'
import { countWords, useMay } from '../../data/session.ts'
import { useSubmit } from '../../data/use-submit.ts'
import { Filters } from '../../records/filters/filters.tsx'
import { useOnline } from '../../shell/online.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FilePicker } from '../../ui/file-picker.tsx'
import { Icon } from '../../ui/icons.tsx'
import { ProblemBanner } from '../../ui/problem-banner.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { usePaused } from '../../ui/use-paused.ts'
import { nameOf } from '../prepare/preparation.ts'
import { linesIn } from './lines.ts'
import styles from './many.module.css'
import { problemWords } from './problem-words.ts'
import { t } from '../../locales/text.ts'

/** How long it can be undone, in seconds. */
const hold = 30
/** The most people at once, and bytes of a list. */
const most = { people: 500, bytes: 1_000_000 }

/** Sends a document to many: each person gets a document and a request of their own. */
export default function SendToMany({ id, onClose }: { id: string; onClose: () => void }) {
  const mayFindContacts = useMay('contacts', 'read')
  const isOnline = useOnline()
  const prepared = useQuery(preparationQuery(id))
  const [from, setFrom] = useState<'list' | 'contacts'>('list')
  const [text, setText] = useState('')
  const [filter, setFilter] = useState<Clause[]>([])
  const [role, setRole] = useState<string | null>(null)
  const [fileFault, setFileFault] = useState<string>()
  const paused = usePaused(text, 500)
  const roles = (prepared.data?.recipients ?? []).map((each, at) => ({
    value: each.key,
    label: each.role_name?.trim() || nameOf(each, at),
    isOpen: !each.email.trim(),
  }))
  const own = role ?? (roles.find(({ isOpen }) => isOpen) ?? roles[0])?.value ?? null
  const others = roles.filter(({ value }) => value !== own)
  const list = linesIn(
    paused,
    others.map(({ label }) => label),
  )
  const tooMany = list.lines.length > most.people
  const chosen = own && roles.length ? { role: own } : {}
  const body: BatchBody | undefined =
    from === 'contacts'
      ? filter.length
        ? { contacts: { filter: filter as { [key: string]: unknown }[] }, ...chosen }
        : undefined
      : list.lines.length && !tooMany
        ? { lines: list.lines, ...chosen }
        : undefined
  const plan = useQuery({
    ...batchPlanQuery(id, prepared.data ? body : undefined),
    placeholderData: keepPreviousData,
  })
  const isCurrent = from === 'contacts' || paused === text
  const found = body && plan.data
  const { submit, isBusy, problem } = useSubmit(async () => {
    if (!body) return
    const started = await startBatch(id, { ...body, hold_seconds: hold })
    onClose()
    const { batch_id, ready_count: count } = started
    notify({
      message: t('Goes to {count} person in 30 seconds | Goes to {count} people in 30 seconds', {
        count,
      }),
      undo: () =>
        batch_id === null
          ? undefined
          : cancelBatch(id, batch_id)
              .then(() => notify({ message: t('Nothing was sent') }))
              .catch(notifyRefusal),
    })
  })
  const readFile = (file: File | undefined) => {
    setFileFault(undefined)
    if (!file) return
    if (file.size > most.bytes) setFileFault(t('A list may have 1 MB at most'))
    else void file.text().then(setText)
  }
  const wrong = plan.error ? asProblem(plan.error) : undefined
  const count = found?.ready_count ?? 0
  return (
    <Dialog
      open
      size="large"
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title={t('Send to many')}
      description={t('Each person gets a document of their own. Nobody sees the others.')}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button
            type="submit"
            variant="primary"
            icon="send"
            busy={isBusy}
            disabled={!count || !isCurrent || plan.isFetching || !isOnline}
          >
            {count ? t('Send to {count} person | Send to {count} people', { count }) : t('Send')}
          </Button>
        </>
      }
    >
      <ProblemBanner
        problem={problem ?? (prepared.error ? asProblem(prepared.error) : undefined)}
      />
      {isOnline ? null : <Banner boxed>{t('Needs a connection.')}</Banner>}
      {mayFindContacts ? (
        <SegmentedControl
          label={t('Who gets it')}
          value={from}
          onChange={setFrom}
          options={[
            { value: 'list', label: t('A list') },
            { value: 'contacts', label: t('Contacts') },
          ]}
        />
      ) : null}
      {from === 'list' ? (
        <>
          <Field
            label={t('People')}
            hint={t(
              'A name and an e-mail address in each line, or a table whose first line names its columns: name, e-mail, further roles, placeholders such as account.account_name.',
            )}
            error={
              fileFault ??
              (tooMany
                ? t('At most {most} people at once', { most: countWords(most.people) })
                : undefined)
            }
          >
            <TextArea
              value={text}
              onChange={setText}
              rows={5}
              maxLength={most.bytes}
              spellCheck={false}
            />
          </Field>
          <div className={styles.file}>
            <FilePicker
              label={t('Choose a CSV file')}
              accept=".csv,.tsv,.txt,text/csv,text/plain"
              onFiles={([file]) => readFile(file)}
            />
          </div>
          {list.unused.length ? (
            <Banner kind="warn" boxed>
              {t('Nothing is taken from: {columns}', { columns: list.unused.join(', ') })}
            </Banner>
          ) : null}
        </>
      ) : (
        <ContactsFilter filter={filter} onChange={setFilter} />
      )}
      {roles.length > 1 ? (
        <Field label={t('They are')}>
          <Choice
            value={own}
            options={roles.map(({ value, label }) => ({ value, label }))}
            onChange={setRole}
          />
        </Field>
      ) : null}
      {wrong ? (
        <Banner kind="bad" boxed>
          {wrong.fields.length
            ? wrong.fields.map((each) => problemWords(each)).join(' ')
            : wrong.message}
        </Banner>
      ) : null}
      {found && !wrong ? <Plan plan={found} /> : null}
    </Dialog>
  )
}

/** Which contacts get it. */
function ContactsFilter({
  filter,
  onChange,
}: {
  filter: Clause[]
  onChange: (filter: Clause[]) => void
}) {
  const { data: module } = useSuspenseQuery(moduleQuery('contacts'))
  return (
    <div className={styles.filter} role="group" aria-label={t('Contacts')}>
      <Filters module={module} filter={filter} onChange={onChange} />
      {filter.length ? null : (
        <p>{t('Say which contacts get it: by company, role, tag or anything else.')}</p>
      )}
    </div>
  )
}

/** How many lines of each kind are shown. */
const shown = 100

/** Who gets it, and what is wrong, those first. */
function Plan({ plan }: { plan: BatchPlan }) {
  const isWrong = ({ problems }: BatchPlan['lines'][number]) => problems.length > 0
  const lines = [...plan.lines.filter(isWrong), ...plan.lines.filter((each) => !isWrong(each))]
  return (
    <section className={styles.plan} aria-label={t('Who gets it')}>
      <p role="status">
        {t('{count} person gets it. | {count} people get it.', { count: plan.ready_count })}{' '}
        {plan.wrong_count ? (
          <strong>
            {t('{count} line is left out. | {count} lines are left out.', {
              count: plan.wrong_count,
            })}
          </strong>
        ) : null}
      </p>
      <ul>
        {lines.slice(0, shown).map((each) => (
          <li key={each.line} data-wrong={isWrong(each) || undefined}>
            <Icon name={isWrong(each) ? 'circle-x' : 'check'} />
            <span className={styles.who}>
              <span>
                {each.name || t('Line {line}', { line: each.line + 1 })}
                {each.email && each.email !== each.name ? <small>{each.email}</small> : null}
                {each.account_name ? <small>{each.account_name}</small> : null}
              </span>
              {each.problems.map((problem) => (
                <em key={`${problem.field} ${problem.message}`}>{problemWords(problem)}</em>
              ))}
            </span>
          </li>
        ))}
      </ul>
      {lines.length > shown ? (
        <p>{t('And {count} more', { count: lines.length - shown })}</p>
      ) : null}
    </section>
  )
}
