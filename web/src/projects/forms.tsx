import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../api/client.ts'
import type { components } from '../api/schema.d.ts'
import { keys } from '../data/keys.ts'
import { idOf } from '../data/record.ts'
import { levelOf, useSession } from '../data/session.ts'
import type { SectionProps } from '../records/definition.ts'
import { addressIn } from '../records/definition.ts'
import { day, instant, relative } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { ReadFault } from '../records/read-fault.tsx'
import { Empty } from '../ui/empty.tsx'
import { Hidden } from '../ui/field.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import type { Tone } from '../ui/status.tsx'
import { Status } from '../ui/status.tsx'
import styles from './forms.module.css'
import { t } from '../locales/text.ts'

type Form = components['schemas']['ProjectForm']

const states: { [state in Form['state']]: { word: string; tone: Tone } } = {
  open: { word: t('Open [state]'), tone: 'quiet' },
  draft: { word: t('Begun'), tone: 'warn' },
  answered: { word: t('Answered'), tone: 'good' },
}

/** The forms that the tasks of a project have: what became of each, and who is due or has answered. */
export default function ProjectForms({ module, record }: SectionProps) {
  const session = useSession()
  const id = idOf(module, record)
  const isAllowed = levelOf(session, 'tasks', 'read') !== 'none'
  const { data, error, isPending, refetch } = useQuery({
    // answers are changes of tasks
    queryKey: keys.list('tasks', { formsOf: id }),
    enabled: isAllowed,
    queryFn: async () =>
      (await api.get('/api/project/info/{id}/forms/', { path: { id } })).data.forms,
  })
  if (!isAllowed) return <Empty small icon="list" title={t('Your role may not read tasks')} />
  if (error && !data) {
    return (
      <ReadFault small title={t('The forms could not be read')} error={error} onRetry={refetch} />
    )
  }
  if (isPending) return <SkeletonRows count={3} />
  if (!data?.length) {
    return (
      <Empty small icon="list" title={t('No task has a form yet')}>
        {t('Tasks of a template can have one, and it is answered here or in the portal.')}
      </Empty>
    )
  }
  const done = data.filter(({ state }) => state === 'answered').length
  return (
    <section className={styles.forms} aria-label={t('Forms')}>
      <p className={styles.total}>
        {t('{done} of {count} answered', { done, count: data.length })}
      </p>
      <ul className={styles.list}>
        {data.map((form) => (
          <Row key={form.item_id} form={form} />
        ))}
      </ul>
    </section>
  )
}

function Row({ form }: { form: Form }) {
  const { item_id, title, form_name, state, owner_name, due_date } = form
  const { answered_by, answered_at, answer_count: count } = form
  const format = useFormat()
  const { word, tone } = states[state]
  const due = due_date ? t('due {day}', { day: day(due_date, format) }) : ''
  return (
    <li>
      <div className={styles.words}>
        <Link to={addressIn({ address: '/tasks' }, item_id, 'form')}>{title}</Link>
        {form_name && form_name !== title ? <small>{form_name}</small> : null}
      </div>
      <Status tone={tone}>{word}</Status>
      <div className={styles.who}>
        {state === 'answered' ? null : (
          <span>{[owner_name ?? t('Nobody yet'), due].filter(Boolean).join(' · ')}</span>
        )}
        {answered_by && answered_at && (count || state === 'answered') ? (
          <small>
            {state === 'answered'
              ? t('by {name}', { name: answered_by })
              : t('{count} answer by {name} | {count} answers by {name}', {
                  count,
                  name: answered_by,
                })}{' '}
            ·{' '}
            <time dateTime={answered_at} title={instant(answered_at, format)}>
              {relative(answered_at, format)}
            </time>
          </small>
        ) : null}
      </div>
      <Link className={styles.act} to={addressIn({ address: '/tasks' }, item_id, 'form')}>
        {state === 'answered' ? t('Read the answers') : t('Answer the form')}
        <Hidden>{title}</Hidden>
      </Link>
    </li>
  )
}
