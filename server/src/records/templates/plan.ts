import type { TemplateConfig, TemplateTask } from '../../model/templates/config.ts'

/** A milestone of a plan with its tasks; its days count from the project's start. */
export type PlannedMilestone = {
  name: string
  description: string | null
  role: string | undefined
  is_shared: boolean
  /** working days from the project's start; `end` is the first day after it */
  start: number
  end: number
  tasks: PlannedTask[]
}

/** A task of a plan, with its title. */
export type PlannedTask = TemplateTask & { title: string }

/** The milestones of a template in their order; a stage without milestones counts as one. */
export function planOf({ stages = [] }: TemplateConfig): PlannedMilestone[] {
  return stages.flatMap((stage) => {
    const milestones = stage.milestones?.length ? stage.milestones : [stage]
    return milestones.map((milestone) => {
      const start = milestone.start_offset_days ?? 0
      const tasks = (milestone.tasks ?? []).map(titled)
      const ends = tasks.map(
        ({ start_offset_days = 0, duration_days = 1 }) =>
          start + start_offset_days + Math.max(1, duration_days),
      )
      return {
        name: milestone.name,
        description: milestone.description ?? null,
        role: milestone.assignee_role,
        is_shared: milestone.is_shared ?? false,
        start,
        end: Math.max(start + Math.max(1, milestone.duration_days ?? 1), ...ends),
        tasks,
      }
    })
  })
}

/** The title of a task, for which plans may also use `name`. */
function titled(task: TemplateTask): PlannedTask {
  return { ...task, title: task.title ?? task.name ?? 'Task' }
}
