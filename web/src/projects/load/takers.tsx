import { useState } from 'react'
import type { Load, LoadPerson, LoadTask } from '../../data/load.ts'
import type { Format } from '../../records/field/format.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { fillOf, inHours, takersOf } from './figures.ts'
import styles from './load.module.css'
import type { Moved } from './moved.ts'
import { time } from './words.ts'
import { t } from '../../locales/text.ts'

/** People of a list of takers; more are found by their names. */
const most = 8

/** A task for which another person or week is chosen. */
export type ChoiceProps = {
  load: Load
  person: LoadPerson
  at: number
  task: LoadTask
  format: Format
  onPreview: (moved: Moved | undefined) => void
  onMove: (moved: Moved) => void
}

/** Who could take a task, each with the week as it would be then. */
export function LoadTakers({ load, person, at, task, format, onPreview, onMove }: ChoiceProps) {
  const [typed, setTyped] = useState('')
  const minutes = task.minutes ?? 0
  const word = typed.trim().toLocaleLowerCase(format.locale)
  const takers = takersOf(load.people, person, at)
    .filter(({ person: { user } }) =>
      `${user.full_name} ${user.designation}`.toLocaleLowerCase(format.locale).includes(word),
    )
    .slice(0, most)
  const own = person.weeks[at]
  return (
    <div className={styles.takers}>
      <p>
        {task.minutes === null
          ? t('Give “{title}”, without an estimate, to', { title: task.title })
          : t('Give “{title}”, {time}, to', { title: task.title, time: time(minutes, format) })}
      </p>
      <TextField
        label={t('Find a person')}
        placeholder={t('Name')}
        value={typed}
        onChange={setTyped}
        autoFocus
      />
      {own ? (
        <p className={styles.quiet}>
          {t('{person}: {before} → {after} of {capacity} h', {
            person: person.user.full_name,
            before: inHours(own.planned),
            after: inHours(own.planned - minutes),
            capacity: inHours(own.capacity),
          })}
        </p>
      ) : null}
      <ul>
        {takers.map(({ person: taker, week }) => {
          const moved = { task, from: person, to: taker, weeks: 0 }
          return (
            <li key={taker.user.user_id}>
              <button
                type="button"
                className={styles.taker}
                {...previewOf(moved, onPreview)}
                onClick={() => onMove(moved)}
              >
                <Avatar name={taker.user.full_name} size={20} />
                <span className={styles.task}>
                  <b>{taker.user.full_name}</b>
                  <small>{taker.user.designation}</small>
                </span>
                <span data-fill={fillOf({ ...week, planned: week.planned + minutes })}>
                  {t('{before} → {after} of {capacity} h', {
                    before: inHours(week.planned),
                    after: inHours(week.planned + minutes),
                    capacity: inHours(week.capacity),
                  })}
                </span>
              </button>
            </li>
          )
        })}
      </ul>
      {takers.length ? null : <p className={styles.quiet}>{t('Nobody found')}</p>}
    </div>
  )
}

/** Shows what a choice comes to while it is pointed at or has the focus. */
export function previewOf(moved: Moved, onPreview: ChoiceProps['onPreview']) {
  const show = () => onPreview(moved)
  const hide = () => onPreview(undefined)
  return { onFocus: show, onPointerEnter: show, onBlur: hide, onPointerLeave: hide }
}
