import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Load, LoadPerson, LoadTask } from '../../data/load.ts'
import { loadTasksQuery } from '../../data/load.ts'
import type { Format } from '../../records/field/format.ts'
import { shortDay } from '../../records/field/format.ts'
import { ReadFault } from '../../records/read-fault.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Hidden } from '../../ui/field.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import type { Proposal } from './figures.ts'
import { fillOf, inHours, proposalFor } from './figures.ts'
import styles from './load.module.css'
import type { Moved } from './moved.ts'
import { LoadTakers } from './takers.tsx'
import { LoadWeeks } from './weeks.tsx'
import { time } from './words.ts'
import { t } from '../../locales/text.ts'

/** What can be done with a task: give it to another person, or move it to another week. */
export type TaskAct = 'give' | 'move'
const keysOfActs: { [key: string]: TaskAct } = { a: 'give', m: 'move' }

type Props = {
  load: Load
  person: LoadPerson
  /** which of the weeks */
  at: number
  /** what is to be done with the first task at once */
  act: TaskAct | undefined
  format: Format
  /** shows the weeks as they would be then */
  onPreview: (moved: Moved | undefined) => void
  onMove: (moved: Moved) => void
  /** a task is dragged from here, or no longer */
  onDrag: (task: LoadTask | undefined) => void
}

/** What a week of a person is made of, by project, and who could take some of it. */
export function LoadTasks(props: Props) {
  const { load, person, at, format, onPreview, onMove, onDrag } = props
  const week = person.weeks[at]
  const query = useQuery(loadTasksQuery(person.user.user_id, week?.week ?? ''))
  const [chosen, setChosen] = useState<{ task: LoadTask; act: TaskAct }>()
  const tasks = query.data ?? []
  const first = tasks.find(({ may_update: may }) => may)
  const asked = chosen ?? (props.act && first ? { task: first, act: props.act } : undefined)
  if (!week) return null
  const proposal = proposalFor(load.people, person, at, tasks)
  const shown = { load, person, at, format, onPreview, onMove }
  return (
    <div
      onKeyDown={(event) => {
        const act = keysOfActs[event.key]
        if (!act || !first || asked || event.altKey || event.ctrlKey || event.metaKey) return
        event.preventDefault()
        setChosen({ task: first, act })
      }}
    >
      <div className={styles.whose}>
        <Avatar name={person.user.full_name} size={20} />
        <b>{person.user.full_name}</b>
        <span className={styles.quiet}>
          {t('week of {day}', { day: shortDay(week.week, format) })}
        </span>
        <b data-fill={fillOf(week)}>
          {t('{planned} of {capacity} h', {
            planned: inHours(week.planned),
            capacity: inHours(week.capacity),
          })}
        </b>
      </div>
      {query.error ? (
        <ReadFault
          title={t('The tasks could not be read')}
          error={query.error}
          onRetry={query.refetch}
        />
      ) : query.isPending ? (
        <SkeletonRows count={3} />
      ) : asked?.act === 'give' ? (
        <LoadTakers {...shown} task={asked.task} />
      ) : asked ? (
        <LoadWeeks {...shown} task={asked.task} />
      ) : (
        <>
          {tasks.length ? (
            <ul className={styles.tasks}>
              {byProject(tasks).map((task) => (
                <li
                  key={task.item_id}
                  draggable={task.may_update}
                  onDragStart={(event) => {
                    event.dataTransfer.effectAllowed = 'move'
                    event.dataTransfer.setData('text/plain', task.title)
                    // once its picture is taken: what is dragged must stay where it is, but not cover the cells
                    requestAnimationFrame(() => onDrag(task))
                  }}
                  onDragEnd={() => onDrag(undefined)}
                >
                  <span className={styles.task}>
                    <b>{task.title}</b>
                    <small>{task.project_name ?? t('No project')}</small>
                  </span>
                  <span className={styles.quiet}>
                    {task.minutes === null ? t('no estimate') : time(task.minutes, format)}
                  </span>
                  {task.may_update ? (
                    <>
                      <Button size="small" onClick={() => setChosen({ task, act: 'give' })}>
                        <Hidden>{task.title}: </Hidden>
                        {`${t('Give to…')} `}
                        {task === first ? <Kbd keys="a" plain /> : null}
                      </Button>
                      <Button size="small" onClick={() => setChosen({ task, act: 'move' })}>
                        <Hidden>{task.title}: </Hidden>
                        {`${t('Move…')} `}
                        {task === first ? <Kbd keys="m" plain /> : null}
                      </Button>
                    </>
                  ) : null}
                </li>
              ))}
            </ul>
          ) : (
            <p className={styles.quiet}>{t('Nothing is planned.')}</p>
          )}
          {proposal ? (
            <Proposed
              {...{ proposal, format }}
              onGive={(task, to) => onMove({ task, from: person, to, weeks: 0 })}
            />
          ) : null}
        </>
      )}
    </div>
  )
}

type ProposedProps = {
  proposal: Proposal
  format: Format
  onGive: (task: LoadTask, to: LoadPerson) => void
}

function Proposed({ proposal, format, onGive }: ProposedProps) {
  const { task, taker, rest } = proposal
  const { full_name: name, designation } = taker.person.user
  const minutes = time(task.minutes ?? 0, format)
  return (
    <div className={styles.proposal}>
      <Icon name="zap" size={16} />
      <p>
        {rest
          ? t(
              '{person} has {time} free that week and is {job}, too. {rest} would still be too many here.',
              {
                person: name,
                time: time(taker.free, format),
                job: designation,
                rest: time(rest, format),
              },
            )
          : t(
              '{person} has {time} free that week and is {job}, too. Both weeks would be within capacity.',
              { person: name, time: time(taker.free, format), job: designation },
            )}
      </p>
      <Button
        variant="primary"
        size="small"
        aria-label={t('Give {time} of {title} to {person}', {
          time: minutes,
          title: task.title,
          person: name,
        })}
        onClick={() => onGive(task, taker.person)}
      >
        {t('Give {time}', { time: minutes })}
      </Button>
    </div>
  )
}

/** Tasks of the same project together, where the first of them is. */
function byProject(tasks: LoadTask[]): LoadTask[] {
  return [...Map.groupBy(tasks, ({ project_id }) => project_id).values()].flat()
}
