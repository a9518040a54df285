import { shortDay } from '../records/field/format.ts'
import { personIn } from '../records/field/linked.ts'
import { useFormat } from '../records/field/use-format.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { Icon } from '../ui/icons.tsx'
import { Progress } from '../ui/progress.tsx'
import type { Trouble } from './late.ts'
import { Rated } from './rated.tsx'
import styles from './plan-list.module.css'
import type { PlanRow, TaskRow } from './tree.ts'
import type { Work } from './use-work.ts'
import { t } from '../locales/text.ts'

/** A milestone as a heading that closes what is below it. */
export function ListHeading({ row, onToggle }: { row: PlanRow; onToggle: () => void }) {
  return (
    <>
      <button
        type="button"
        aria-expanded={row.isOpen}
        className={styles.heading}
        onClick={onToggle}
      >
        <Icon name={row.isOpen ? 'chevron-down' : 'chevron-right'} />
        <span>{row.title}</span>
      </button>
      {row.kind === 'milestone' ? (
        <span className={styles.progress}>
          <Progress
            label={t('Completed of {title}', { title: row.title })}
            value={row.milestone.completed_tasks_count}
            max={row.milestone.tasks_count}
            text={t('{completed} of {tasks}', {
              completed: row.milestone.completed_tasks_count,
              tasks: row.milestone.tasks_count,
            })}
          />
        </span>
      ) : null}
      {row.kind === 'milestone' ? <Rated rating={row.milestone.rating} /> : null}
    </>
  )
}

type TaskProps = {
  row: TaskRow
  work: Work
  trouble: Trouble | undefined
  mayTick: boolean
  onOpen: () => void
}

/** A task in two lines. */
export function ListTask({ row, work, trouble, mayTick, onOpen }: TaskProps) {
  const format = useFormat()
  const { task, title } = row
  const owner = personIn(task.owner)
  const { actions, plan } = work
  const done = plan.tasks.filter(
    ({ parent_id, is_completed }) => parent_id === row.id && is_completed,
  )
  const line =
    trouble?.text ??
    [
      owner?.full_name,
      row.children
        ? t('{completed} of {count} subtask | {completed} of {count} subtasks', {
            completed: done.length,
            count: row.children,
          })
        : task.status?.status_name,
    ]
      .filter(Boolean)
      .join(' · ')
  return (
    <>
      <Checkbox
        label={t('Complete {title}', { title })}
        checked={task.is_completed}
        disabled={!mayTick}
        onChange={() => actions.quietly(actions.tick(row))}
      />
      <button
        type="button"
        className={styles.words}
        data-done={task.is_completed || undefined}
        onClick={onOpen}
      >
        <span>{title}</span>
        <small data-kind={trouble?.kind}>{line}</small>
      </button>
      {owner ? (
        <Avatar name={owner.full_name} image={owner.profile_image ?? null} size={24} />
      ) : null}
      {task.due_date ? (
        <time dateTime={task.due_date} data-late={trouble?.kind === 'late' || undefined}>
          {shortDay(task.due_date, format)}
        </time>
      ) : null}
    </>
  )
}
