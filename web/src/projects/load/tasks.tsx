import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { LoadPerson, LoadTask } from '../../data/load.ts'
import { giveTask, loadTasksQuery } from '../../data/load.ts'
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
import { LoadTakers } from './takers.tsx'
import { time } from './words.ts'

type Props = {
  people: LoadPerson[]
  person: LoadPerson
  /** which of the weeks */
  at: number
  /** whether the first task is to be given to somebody at once */
  isGiving: boolean
  format: Format
  /** shows both weeks as they would be; nothing for nobody */
  onPreview: (to: string | undefined, minutes: number) => void
  onClose: () => void
}

/** What a week of a person is made of, by project, and who could take some of it. */
export function LoadTasks(props: Props) {
  const { people, person, at, isGiving, format, onPreview, onClose } = props
  const week = person.weeks[at]
  const query = useQuery(loadTasksQuery(person.user.user_id, week?.week ?? ''))
  const [chosen, setChosen] = useState<LoadTask>()
  const tasks = query.data ?? []
  const first = tasks.find(({ may_update: may }) => may)
  const given = chosen ?? (isGiving ? first : undefined)
  if (!week) return null
  const give = (task: LoadTask, to: LoadPerson) => {
    onClose()
    void giveTask(task, person.user, to.user)
  }
  const proposal = proposalFor(people, person, at, tasks)
  return (
    <div
      onKeyDown={(event) => {
        if (event.key !== 'a' || !first || given || event.ctrlKey || event.metaKey) return
        event.preventDefault()
        setChosen(first)
      }}
    >
      <div className={styles.whose}>
        <Avatar name={person.user.full_name} size={20} />
        <b>{person.user.full_name}</b>
        <span className={styles.quiet}>week of {shortDay(week.week, format)}</span>
        <b data-fill={fillOf(week)}>
          {inHours(week.planned)} of {inHours(week.capacity)} h
        </b>
      </div>
      {query.error ? (
        <ReadFault
          title="The tasks could not be read"
          error={query.error}
          onRetry={query.refetch}
        />
      ) : query.isPending ? (
        <SkeletonRows count={3} />
      ) : given ? (
        <LoadTakers {...{ people, person, at, format, onPreview }} task={given} onGive={give} />
      ) : (
        <>
          {tasks.length ? (
            <ul className={styles.tasks}>
              {byProject(tasks).map((task) => (
                <li key={task.item_id}>
                  <span className={styles.task}>
                    <b>{task.title}</b>
                    <small>{task.project_name ?? 'No project'}</small>
                  </span>
                  <span className={styles.quiet}>
                    {task.minutes === null ? 'no estimate' : time(task.minutes, format)}
                  </span>
                  {task.may_update ? (
                    <Button size="small" onClick={() => setChosen(task)}>
                      <Hidden>{task.title}: </Hidden>Give to…{' '}
                      {task === first ? <Kbd keys="a" plain /> : null}
                    </Button>
                  ) : null}
                </li>
              ))}
            </ul>
          ) : (
            <p className={styles.quiet}>Nothing is planned.</p>
          )}
          {proposal ? <Proposed {...{ proposal, format }} onGive={give} /> : null}
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
        <b>{name}</b> has {time(taker.free, format)} free that week and is {designation}, too.{' '}
        {rest
          ? `${time(rest, format)} would still be too many here.`
          : 'Both weeks would be within capacity.'}
      </p>
      <Button variant="primary" size="small" onClick={() => onGive(task, taker.person)}>
        {`Give ${minutes}`}
        <Hidden>{` of ${task.title} to ${name}`}</Hidden>
      </Button>
    </div>
  )
}

/** Tasks of the same project together, where the first of them is. */
function byProject(tasks: LoadTask[]): LoadTask[] {
  return [...Map.groupBy(tasks, ({ project_id }) => project_id).values()].flat()
}
