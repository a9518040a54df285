import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { moduleQuery } from '../data/modules.ts'
import type { PlanMilestone, PlanTask } from '../data/project-plan.ts'
import { addMilestone, addPlanTask, projectPlanQuery } from '../data/project-plan.ts'
import { idOf } from '../data/record.ts'
import { isAllowed, useMay } from '../data/session.ts'
import type { SectionProps } from '../records/definition.ts'
import { later } from '../records/later.tsx'
import { day, today } from '../records/field/format.ts'
import { useFormat } from '../records/field/use-format.ts'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Status } from '../ui/status.tsx'
import { lateTasks } from './late.ts'
import { NewLine } from './new-line.tsx'
import { TaskLine } from './task-line.tsx'
import styles from './project.module.css'

const AddTemplate = later(() => import('../templates/add-template.tsx'), 'shown')

/** The tasks of a project by milestone, overdue ones on top; completed, dated and assigned in place. */
export default function Plan({ module, record, screens }: SectionProps) {
  const [isAdding, setAdding] = useState(false)
  const id = idOf(module, record)
  const format = useFormat()
  const { data: tasks } = useSuspenseQuery(moduleQuery('tasks'))
  const { data } = useQuery(projectPlanQuery(id))
  const mayChange = useMay('tasks', 'update')
  const mayCreate = useMay('tasks', 'create')
  const mayPlan = useMay('projects', 'update')
  const mayAdd = useMay('templates', 'read') && mayPlan && mayCreate
  if (!data) return <SkeletonRows count={8} />
  const { plan } = data
  const late = lateTasks(plan.tasks, today(format.timezone))
  const ids = new Set(plan.tasks.map(({ item_id }) => item_id))
  const children = Map.groupBy(plan.tasks, ({ parent_id }) => parent_id)
  const lines = (list: PlanTask[], depth = 0): React.ReactNode =>
    list.flatMap((task) => [
      <TaskLine
        key={task.item_id}
        {...{ task, depth }}
        mayChange={mayChange && isAllowed(task, 'update')}
        projectId={id}
        module={tasks}
      />,
      ...[lines(children.get(task.item_id) ?? [], depth + 1)].flat(),
    ])
  const tops = (milestone: string | null) =>
    plan.tasks.filter(
      ({ milestone_id, parent_id }) =>
        milestone_id === milestone && (parent_id === null || !ids.has(parent_id)),
    )
  const loose = tops(null)
  return (
    <div className={styles.plan}>
      {late.length ? (
        <section className={styles.late} aria-label="Late">
          <h3>Late</h3>
          <ul>
            {late.map((task) => (
              <TaskLine
                key={task.item_id}
                {...{ task, mayChange }}
                depth={0}
                projectId={id}
                module={tasks}
              />
            ))}
          </ul>
        </section>
      ) : null}
      {!plan.milestones.length && !plan.tasks.length ? (
        <Empty
          small
          icon="milestone"
          title="No plan yet"
          action={
            mayAdd ? (
              <Button icon="list-tree" onClick={() => setAdding(true)}>
                Choose a template
              </Button>
            ) : null
          }
        >
          Start from a template, or type the first milestone.
        </Empty>
      ) : null}
      {isAdding ? (
        <AddTemplate {...{ module, record, screens }} onClose={() => setAdding(false)} />
      ) : null}
      {plan.milestones.map((milestone) => (
        <section key={milestone.milestone_id} aria-label={milestone.name}>
          <MilestoneHead milestone={milestone} />
          <ul>{lines(tops(milestone.milestone_id))}</ul>
          {mayCreate ? (
            <NewLine
              label={`New task in ${milestone.name}`}
              placeholder="New task"
              onCreate={(title) => addPlanTask(tasks, id, title, milestone.milestone_id)}
            />
          ) : null}
        </section>
      ))}
      {loose.length || mayCreate ? (
        <section aria-label="Without a milestone">
          {loose.length && plan.milestones.length ? (
            <header className={styles.milestone}>
              <h3>Without a milestone</h3>
            </header>
          ) : null}
          <ul>{lines(loose)}</ul>
          {mayCreate ? (
            <NewLine
              label="New task without a milestone"
              placeholder="New task without a milestone"
              onCreate={(title) => addPlanTask(tasks, id, title, null)}
            />
          ) : null}
        </section>
      ) : null}
      {mayPlan ? (
        <NewLine
          label="New milestone"
          placeholder="New milestone"
          onCreate={(name) => addMilestone(id, name)}
        />
      ) : null}
    </div>
  )
}

function MilestoneHead({ milestone }: { milestone: PlanMilestone }) {
  const format = useFormat()
  const { name, status, due_date, tasks_count, completed_tasks_count } = milestone
  return (
    <header className={styles.milestone}>
      <h3>{name}</h3>
      <span className={styles.count}>
        {completed_tasks_count} of {tasks_count}
      </span>
      <span className={styles.space} />
      {status ? <Status color={status.color}>{status.status_name}</Status> : null}
      {due_date ? <time dateTime={due_date}>{day(due_date, format)}</time> : null}
    </header>
  )
}
