import { capital } from '../ui/capital.ts'
import type { Template } from '../data/templates.ts'
import { t } from '../locales/text.ts'

/** A milestone of a template; its days are working days from the start, `end` is the first one after it. */
export type OutlineMilestone = {
  name: string
  start: number
  end: number
  tasks: number
  /** its tasks, by which a use of the template can leave them out */
  lines: { ref: string; title: string }[]
}

/** A template at a glance. */
export type Outline = {
  milestones: OutlineMilestone[]
  tasks: number
  days: number
  roles: string[]
}

/** What a card shows of a template's plan; dates are the server's. */
export function outlineOf({ template_config }: Pick<Template, 'template_config'>): Outline {
  const roles = new Map<string, string>()
  const milestones = (template_config.stages ?? []).flatMap((stage) => {
    const its = stage.milestones?.length ? stage.milestones : [stage]
    return its.map(({ name, start_offset_days: start = 0, duration_days = 1, tasks = [] }) => {
      for (const { assignee_role } of tasks) {
        if (assignee_role) roles.set(assignee_role.toLowerCase(), assignee_role)
      }
      const ends = tasks.map(
        (task) => start + (task.start_offset_days ?? 0) + Math.max(1, task.duration_days ?? 1),
      )
      const end = Math.max(start + Math.max(1, duration_days), ...ends)
      const lines = tasks.map(({ id, title, name: other }) => {
        const words = title ?? other ?? t('Task')
        return { ref: id ?? words, title: words }
      })
      return { name, start, end, tasks: tasks.length, lines }
    })
  })
  return {
    milestones,
    tasks: milestones.reduce((sum, { tasks }) => sum + tasks, 0),
    days: Math.max(0, ...milestones.map(({ end }) => end)),
    roles: [...roles.values()],
  }
}

/** A role in words: `project_owner` is "Project owner". */
export function roleLabel(role: string): string {
  return capital(role.replaceAll('_', ' ').trim())
}
