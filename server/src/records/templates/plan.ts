import type {
  TemplateConfig,
  TemplateMilestone,
  TemplateTask,
} from '../../model/templates/config.ts'

/** A milestone of a plan with its tasks; its days count from the project's start. */
export type PlannedMilestone = {
  /** what names it in its template */
  ref: string
  name: string
  description: string | null
  role: string | undefined
  is_shared: boolean
  /** working days from the project's start; `end` is the first day after it */
  start: number
  end: number
  tasks: PlannedTask[]
}

/** A task of a plan, with its title and what names it in its template. */
export type PlannedTask = TemplateTask & { title: string; ref: string }

/** The milestones of a template in their order; a stage without milestones counts as one. */
export function planOf({ stages = [] }: TemplateConfig): PlannedMilestone[] {
  return stages.flatMap((stage) => {
    const milestones: TemplateMilestone[] = stage.milestones?.length ? stage.milestones : [stage]
    return milestones.map((milestone) => {
      const own = milestone === stage ? stage.stage_id : milestone.id
      const start = milestone.start_offset_days ?? 0
      const tasks = (milestone.tasks ?? []).map(titled)
      const ends = tasks.map(
        ({ start_offset_days = 0, duration_days = 1 }) =>
          start + start_offset_days + Math.max(1, duration_days),
      )
      return {
        ref: String(own ?? milestone.name),
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
  const title = task.title ?? task.name ?? 'Task'
  return { ...task, title, ref: task.id ?? title }
}
