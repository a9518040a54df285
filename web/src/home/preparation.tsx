import { Link } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import type { Home } from '../data/home.ts'
import { today as dayIn, weekday } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { useAddressOf } from '../records/screens.ts'
import { htmlText } from '../records/html.tsx'
import { Icon } from '../ui/icons.tsx'
import styles from './preparation.module.css'
import type { RowActs } from './row.tsx'
import { t } from '../locales/text.ts'

type Preparation = NonNullable<Home['preparation']>
type Promises = Preparation['theirs']

type Props = { preparation: Preparation; today: string; acts: RowActs }

/** What to know before a meeting: who comes, what both sides have promised, what was done since the last one, and the agenda. */
export function MeetingPreparation({ preparation, today, acts }: Props) {
  const format = useFormat()
  const { meeting_id, people, theirs, ours, since, done, agenda } = preparation
  const text = agenda ? htmlText(agenda) : ''
  return (
    <dl className={styles.preparation}>
      <Side title={t('They promised')} promises={theirs} today={today} acts={acts} />
      <Side title={t('We promised')} promises={ours} today={today} acts={acts} />
      {since ? (
        <div>
          <dt>
            {t('Since {day}', {
              day: weekday(dayIn(format.timezone, new Date(since)), format),
            })}
          </dt>
          <dd>{t('{count} task done | {count} tasks done', { count: done })}</dd>
        </div>
      ) : null}
      {people.length ? (
        <div>
          <dt>{t('Invited')}</dt>
          <dd>{people.join(', ')}</dd>
        </div>
      ) : null}
      <div>
        <dt>{t('Agenda')}</dt>
        <dd>
          {text}{' '}
          <button
            type="button"
            className={styles.edit}
            onClick={() => acts.openRecord('calendar', meeting_id)}
          >
            {text ? t('Edit') : t('Add')}
          </button>
        </dd>
      </div>
    </dl>
  )
}

type SideProps = {
  title: string
  promises: Promises
  today: string
  acts: RowActs
}

function Side({ title, promises: { rows, count }, today, acts }: SideProps) {
  const format = useFormat()
  const addressOf = useAddressOf()
  const open = (id: string) => (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    acts.openRecord('tasks', id)
  }
  return (
    <div>
      <dt>{title}</dt>
      {rows.map(({ id, title: name, due }) => {
        const isLate = due !== null && due < today
        return (
          <dd key={id} data-late={isLate || undefined}>
            {isLate ? <Icon name="clock" size={14} /> : null}
            <Link to={addressOf('tasks', id) ?? '/'} onClick={open(id)}>
              {name}
            </Link>
            {due && isLate ? `, ${t('due {day}', { day: weekday(due, format) })}` : null}
            {due && !isLate ? `, ${weekday(due, format)}` : null}
          </dd>
        )
      })}
      {rows.length ? null : <dd>{t('Nothing is open')}</dd>}
      {count > rows.length ? (
        <dd>{t('and {count} more', { count: count - rows.length })}</dd>
      ) : null}
    </div>
  )
}
