import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { useRef, useState } from 'react'
import { request } from '../api/request.ts'
import { refreshModule } from '../data/cached.ts'
import { changeRecord, createRecord, notifyRefusal } from '../data/change.ts'
import { pipelinesQuery } from '../data/deal.ts'
import { listQuery } from '../data/list.ts'
import { moduleQuery } from '../data/modules.ts'
import { notify } from '../data/notices.ts'
import { queryClient } from '../data/query-client.ts'
import type { AnyRecord } from '../data/record.ts'
import { idOf, pathOf } from '../data/record.ts'
import { useMay, useMayOf, useSession } from '../data/session.ts'
import type { SectionProps } from '../records/definition.ts'
import { searchPeople } from '../records/field/choices.ts'
import { shortDay, today } from '../records/field/format.ts'
import { personIn } from '../records/field/linked.ts'
import { PersonName } from '../records/field/show.tsx'
import { useFormat } from '../records/field/use-format.ts'
import { ReadFault } from '../records/read-fault.tsx'
import { useShortcuts } from '../shortcuts/keys.ts'
import type { Person } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { DateField } from '../ui/date-field.tsx'
import { Icon } from '../ui/icons.tsx'
import { PersonField } from '../ui/person-field.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { TextField } from '../ui/text-field.tsx'
import { Needs } from './needs.tsx'
import styles from './next-step.module.css'
import { t } from '../locales/text.ts'

/** What is done next for an open deal: its first open task, or a line to type one. */
export default function NextStep(props: SectionProps) {
  const { record } = props
  const mayRead = useMay('tasks', 'read')
  return mayRead && !record.closed_at ? <Open {...props} /> : null
}

/** Reads the next step while the deal is read; whoever may not see tasks has none. */
export async function prefetch(id: string): Promise<void> {
  await Promise.all([
    queryClient.fetchQuery(nextQuery(id)),
    queryClient.prefetchQuery(pipelinesQuery),
  ])
}

function Open({ module, record }: SectionProps) {
  const id = idOf(module, record)
  const { data, error, refetch } = useQuery(nextQuery(id))
  const mayCreate = useMay('tasks', 'create')
  const next = data?.rows[0]
  return (
    <section className={styles.card} aria-label={t('Next step')}>
      <div className={styles.line}>
        {next ? (
          <Step task={next} />
        ) : data ? (
          mayCreate ? (
            <NewStep key={id} id={id} />
          ) : (
            <p className={styles.none}>{t('No next step')}</p>
          )
        ) : error ? (
          <ReadFault
            small
            title={t('The next step could not be read')}
            error={error}
            onRetry={refetch}
          />
        ) : (
          <Skeleton height={32} />
        )}
      </div>
      <Needs module={module} record={record} />
    </section>
  )
}

function Step({ task }: { task: AnyRecord }) {
  const format = useFormat()
  const mayUpdate = useMayOf('tasks', task, 'update')
  const id = String(task.item_id)
  const title = String(task.title)
  const owner = personIn(task.owner)
  const due = typeof task.due_date === 'string' ? task.due_date : null
  const isLate = due !== null && due.slice(0, 10) < today(format.timezone)
  const done = async () => {
    const tasks = await queryClient.ensureQueryData(moduleQuery('tasks'))
    await changeRecord(
      tasks,
      id,
      { is_completed: true },
      { message: t('{title} completed', { title }) },
    )
  }
  return (
    <>
      <Icon name="target" />
      <div className={styles.words}>
        <h2>{t('Next step')}</h2>
        <Link to="/tasks/$id/{-$tab}" params={{ id }}>
          {title}
        </Link>
      </div>
      {owner ? <PersonName name={owner.full_name} image={owner.profile_image} /> : null}
      {due ? (
        <time dateTime={due} data-late={isLate || undefined}>
          {isLate
            ? t('overdue since {day}', { day: shortDay(due, format) })
            : t('by {day}', { day: shortDay(due, format) })}
        </time>
      ) : null}
      {mayUpdate ? (
        <Button icon="check" onClick={() => void done().catch(notifyRefusal)}>
          {t('Done')}
        </Button>
      ) : null}
    </>
  )
}

/** A task in one line: what, when and who; Enter makes it. */
function NewStep({ id }: { id: string }) {
  const { user } = useSession()
  const [title, setTitle] = useState('')
  const [due, setDue] = useState<string | null>(null)
  const me = { id: user.user_id, name: user.full_name, image: user.profile_image }
  const [owner, setOwner] = useState<Person | null>(me)
  const [isBusy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  useShortcuts([
    { keys: 'n', label: t('Next step'), group: t('Deal'), run: () => field.current?.focus() },
  ])
  const make = async () => {
    const tasks = await queryClient.ensureQueryData(moduleQuery('tasks'))
    const values = { title: title.trim(), project_id: id, due_date: due, owner: owner?.id ?? null }
    const task = await createRecord(tasks, values, crypto.randomUUID())
    notify({
      message: t('Next step: {title}', { title: values.title }),
      undo: () =>
        request('DELETE', pathOf(tasks, task))
          .then(() => refreshModule('tasks'))
          .catch(notifyRefusal),
    })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!title.trim() || isBusy) return
    setBusy(true)
    // what was typed stays if it is refused
    void make()
      .catch(notifyRefusal)
      .finally(() => setBusy(false))
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextField
        ref={field}
        label={t('Next step')}
        placeholder={t('What happens next?')}
        icon="target"
        maxLength={255}
        value={title}
        onChange={setTitle}
      />
      <DateField label={t('By when')} value={due} onChange={setDue} />
      <PersonField label={t('By whom')} value={owner} onChange={setOwner} search={searchPeople} />
      <Button type="submit" busy={isBusy} disabled={!title.trim()}>
        {t('Add')}
      </Button>
    </form>
  )
}

function nextQuery(deal: string) {
  const query = listQuery(
    { module: 'tasks', path: '/api/tasks/' },
    {
      filter: [
        { field: 'project_id', operator: 'eq', value: deal },
        { field: 'is_completed', operator: 'eq', value: false },
      ],
      sort: 'due_date',
      size: 1,
      fields: ['item_id', 'title', 'due_date', 'owner', 'is_completed', 'version', 'can'],
    },
  )
  // the step of another deal is not that of this one, even for a moment
  return { ...query, placeholderData: undefined }
}
