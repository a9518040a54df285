import { useQuery } from '@tanstack/react-query'
import { projectPlanQuery } from '../data/project-plan.ts'
import { idOf } from '../data/record.ts'
import type { SectionProps } from '../records/definition.ts'
import { day, today } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { Figures } from '../ui/figures.tsx'
import { Progress } from '../ui/progress.tsx'
import { useNarrow } from '../ui/use-narrow.ts'
import { countLate } from './late.ts'
import styles from './project-head.module.css'

/** The head of a project: its progress, what is overdue, and what comes next. */
export default function ProjectHead({ module, record }: SectionProps) {
  const format = useFormat()
  const isNarrow = useNarrow()
  const { data } = useQuery(projectPlanQuery(idOf(module, record)))
  const { tasks = [], milestones = [] } = data?.plan ?? {}
  const done = tasks.filter(({ is_completed }) => is_completed).length
  const late = countLate(tasks, today(format.timezone))
  const next = milestones.find(({ completed_at }) => completed_at === null)
  const figures = [
    {
      label: 'Late',
      value: !data ? null : late ? `${late} ${late === 1 ? 'task' : 'tasks'}` : 'Nothing',
    },
    {
      label: 'Due',
      value: typeof record.due_date === 'string' ? day(record.due_date, format) : null,
    },
  ]
  const milestone = {
    label: 'Next milestone',
    value: next ? `${next.name}${next.due_date ? `, ${day(next.due_date, format)}` : ''}` : null,
  }
  return (
    <div className={styles.head}>
      <Progress
        label="Tasks completed"
        value={done}
        max={tasks.length}
        text={!data ? 'Tasks' : tasks.length ? `${done} of ${tasks.length} tasks` : 'No tasks yet'}
      />
      {isNarrow ? (
        // on a line of its own, so that a long name moves nothing when it arrives
        [figures, [milestone]].map((of, line) => <Figures key={line} of={of} />)
      ) : (
        <Figures of={[...figures, milestone]} />
      )}
    </div>
  )
}
