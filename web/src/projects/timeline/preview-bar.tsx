import { useState } from 'react'
import type { Follow, PlanChanges } from '../../data/plan-moves.ts'
import { tasksIn } from '../../data/plan-moves.ts'
import type { Format } from '../../records/field/format.ts'
import { shortDay } from '../../records/field/format.ts'
import { useFormat } from '../../records/field/use-format.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import styles from './preview-bar.module.css'
import type { Preview } from './use-preview.ts'
import { t } from '../../locales/text.ts'

const follows: { value: Follow; label: string }[] = [
  { value: 'use_gaps', label: t('Use up the gaps') },
  { value: 'keep_gaps', label: t('Keep the gaps') },
]

type Props = {
  preview: Preview
  onCancel: () => void
  onFree: (id: string) => void
  /** undefined for who may not */
  onAgree: ((day: string) => void) | undefined
}

/** What a change moves, before it does: what follows, whom it concerns, when the project goes live, and conflicts. */
export function PreviewBar({ preview, onCancel, onFree, onAgree }: Props) {
  const format = useFormat()
  const [isOpen, setOpen] = useState(false)
  const { pending, data, follow, setFollow, isBusy, isCurrent, problem } = preview
  if (!pending) return null
  const own = data?.moved.find(({ id }) => id === pending.id)
  const others = tasksIn(data?.moved.filter(({ id }) => id !== pending.id) ?? [])
  const all = tasksIn(data?.moved ?? [])
  const people = data?.people.length ?? 0
  const end = data?.go_live.to
  const agreed = data && data.project.from.due !== data.project.to.due ? data.project.to.due : null
  return (
    <section
      className={styles.preview}
      aria-label={t('Preview')}
      aria-busy={!isCurrent || undefined}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onCancel()
      }}
    >
      {isOpen && data ? <Moves data={data} format={format} /> : null}
      <div className={styles.line}>
        <strong>
          {pending.title}
          {own ? `: ${changeOf(own, format)}` : ''}
        </strong>
        <span role="status">
          {data
            ? others
              ? people
                ? t('{count} task moves, {people} | {count} tasks move, {people}', {
                    count: others,
                    people: t('{count} person | {count} people', { count: people }),
                  })
                : t('{count} task moves | {count} tasks move', { count: others })
              : people
                ? t('Nothing else moves, {count} person | Nothing else moves, {count} people', {
                    count: people,
                  })
                : t('Nothing else moves')
            : problem
              ? ''
              : t('Counting what follows…')}
        </span>
        {data ? <GoLiveChange data={data} format={format} /> : null}
        <span className={styles.space} />
        <SegmentedControl
          label={t('What follows')}
          value={follow}
          onChange={setFollow}
          options={follows}
        />
      </div>
      <div className={styles.line}>
        <ul className={styles.conflicts} aria-label={t('Conflicts')}>
          {problem ? <li role="alert">{problem}</li> : null}
          {agreed ? (
            <li>
              <Icon name="flag" size={14} />
              {t('Agreed go-live becomes {day}', { day: shortDay(agreed, format) })}
            </li>
          ) : null}
          {preview.isRecounted ? (
            <li>{t('The plan changed while you looked · Recalculated')}</li>
          ) : null}
          {data?.conflicts.map(({ kind, id, text }) => (
            <li key={`${kind} ${id}`}>
              <Icon
                name={kind === 'agreed' ? 'flag' : kind === 'pinned' ? 'pin' : 'warning'}
                size={14}
              />
              {text}
              {kind === 'agreed' && end && onAgree ? (
                <Button size="small" variant="quiet" onClick={() => onAgree(end)}>
                  {t('Propose {day}', { day: shortDay(end, format) })}
                </Button>
              ) : null}
              {kind === 'pinned' && id ? (
                <Button size="small" variant="quiet" onClick={() => onFree(id)}>
                  {t('Free it')}
                </Button>
              ) : null}
            </li>
          ))}
        </ul>
        <span className={styles.space} />
        {all ? (
          <Button size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? t('Hide the list') : t('Show all {count}', { count: all })}
          </Button>
        ) : null}
        {others ? (
          <Button
            size="small"
            disabled={!isCurrent}
            onClick={() => void preview.apply('none')}
            title={t('What waits for it stays where it is')}
          >
            {t('Only this one')}
          </Button>
        ) : null}
        <Button size="small" variant="quiet" onClick={onCancel}>
          {t('Cancel')} <Kbd keys="Escape" />
        </Button>
        <Button
          variant="primary"
          busy={isBusy}
          disabled={!isCurrent || !(all || agreed)}
          onClick={() => void preview.apply()}
        >
          {all > 1 ? t('Move {count} tasks', { count: all }) : all ? t('Move') : t('Agree')}{' '}
          <Kbd keys="Enter" />
        </Button>
      </div>
    </section>
  )
}

type Move = PlanChanges['moved'][number]

function changeOf({ from, to }: Move, format: Format): string {
  const shown = (day: string | null) => (day ? shortDay(day, format) : '–')
  return from.due === to.due
    ? t('start {before} → {after}', { before: shown(from.start), after: shown(to.start) })
    : t('due {before} → {after}', { before: shown(from.due), after: shown(to.due) })
}

function GoLiveChange({ data: { go_live }, format }: { data: PlanChanges; format: Format }) {
  const { from, to } = go_live
  if (!from || !to) return null
  return (
    <span className={styles.goLive}>
      <Icon name="flag" size={14} />
      {from === to ? (
        t('Go-live stays {day}', { day: shortDay(to, format) })
      ) : (
        <>
          {t('Go-live {day} →', { day: shortDay(from, format) })} <b>{shortDay(to, format)}</b>
        </>
      )}
    </span>
  )
}

function Moves({ data, format }: { data: PlanChanges; format: Format }) {
  const shown = ({ start, due }: Move['from']) =>
    [start, due].flatMap((day) => (day ? shortDay(day, format) : [])).join(' – ')
  return (
    <div className={styles.list}>
      <table aria-label={t('What moves')}>
        <tbody>
          {data.moved.map(({ id, number, title, owner, from, to, because }) => (
            <tr key={id}>
              <td>{number}</td>
              <th scope="row">{title}</th>
              <td>{owner?.full_name}</td>
              <td>{shown(from)}</td>
              <td>→ {shown(to)}</td>
              <td>{because ? t('after {title}', { title: because.title }) : ''}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
