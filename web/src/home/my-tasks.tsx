import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { changeRecord, notifyRefusal } from '../data/change.ts'
import { moduleQuery } from '../data/modules.ts'
import { useMayOf, useSession } from '../data/session.ts'
import { addDays, day, today } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { Checkbox } from '../ui/checkbox.tsx'
import { Empty } from '../ui/empty.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Menu, type MenuItem } from '../ui/menu.tsx'
import styles from './home.module.css'
import { Section } from './section.tsx'
import { type Task, byDue, myTasksQuery } from './tasks.ts'

/** The person's tasks by due date; they can be completed and postponed here. */
export function MyTasks() {
  const { user } = useSession()
  const read = useQuery(myTasksQuery(user.user_id))
  const { data } = read
  const { data: module } = useQuery(moduleQuery('tasks'))
  const now = today(user.timezone)
  const groups = byDue(data?.rows ?? [], now)
  const change = (task: Task, values: { [field: string]: unknown }, message: string) => {
    if (module) void changeRecord(module, task.item_id, values, { message }).catch(notifyRefusal)
  }
  return (
    <Section
      title="My tasks"
      to="/tasks"
      search={{
        f: [
          { field: 'owner', operator: 'eq', value: user.user_id },
          { field: 'is_completed', operator: 'eq', value: false },
        ],
      }}
      count={data?.total ?? null}
      read={read}
    >
      {groups.length ? (
        groups.map(({ label, tone, tasks }) => (
          <div key={label} className={styles.group}>
            <h3 data-tone={tone}>{label}</h3>
            <ul>
              {tasks.map((task) => (
                <TaskLine
                  key={task.item_id}
                  task={task}
                  isLate={tone === 'bad'}
                  onTick={(isDone) =>
                    change(
                      task,
                      { is_completed: isDone },
                      isDone ? `${task.title} completed` : `${task.title} opened again`,
                    )
                  }
                  onDue={(due) => change(task, { due_date: due }, `${task.title} moved`)}
                  now={now}
                />
              ))}
            </ul>
          </div>
        ))
      ) : (
        <Empty small icon="circle-check" title="Nothing is waiting for you">
          Your tasks appear here, late ones first.
        </Empty>
      )}
    </Section>
  )
}

type LineProps = {
  task: Task
  isLate: boolean
  now: string
  onTick: (isDone: boolean) => void
  onDue: (due: string) => void
}

function TaskLine({ task, isLate, now, onTick, onDue }: LineProps) {
  const format = useFormat()
  const mayUpdate = useMayOf('tasks', task, 'update')
  const isConfined = useSession().role.is_confined
  const items: MenuItem[] = [
    { kind: 'heading', label: 'Move to' },
    { label: 'Today', icon: 'calendar', onSelect: () => onDue(now) },
    { label: 'Tomorrow', icon: 'calendar', onSelect: () => onDue(addDays(now, 1)) },
    { label: 'In a week', icon: 'calendar-days', onSelect: () => onDue(addDays(now, 7)) },
  ]
  return (
    <li className={styles.task}>
      <Checkbox
        label={`Complete ${task.title}`}
        round
        checked={task.is_completed === true}
        disabled={!mayUpdate}
        onChange={(checked) => onTick(checked)}
      />
      <span className={styles.words}>
        <Link to="/tasks/$id/{-$tab}" params={{ id: task.item_id }}>
          {task.title}
        </Link>
        {task.project_name ? <small>{task.project_name}</small> : null}
      </span>
      {task.due_date ? (
        <time dateTime={task.due_date} className={isLate ? styles.late : styles.due}>
          {day(task.due_date, format)}
        </time>
      ) : null}
      {mayUpdate && !isConfined ? (
        <Menu
          align="end"
          items={items}
          trigger={
            <IconButton
              size="small"
              label={`Move ${task.title} to another day`}
              icon="calendar-clock"
            />
          }
        />
      ) : null}
    </li>
  )
}
