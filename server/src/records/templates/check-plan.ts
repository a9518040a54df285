import { badField } from '../../kit/ground/errors.ts'
import type { TemplateConfig } from '../../model/templates/config.ts'

/**
 * What the schema of a plan cannot state: at most 2,000 tasks, each named, depending only on tasks
 * earlier in the plan. 400 names the place.
 */
export function checkPlan(config: TemplateConfig | undefined) {
  const seen = new Set<string>()
  let count = 0
  for (const [s, stage] of (config?.stages ?? []).entries()) {
    const holders = [
      { tasks: stage.tasks ?? [], path: `stages.${s}` },
      ...(stage.milestones ?? []).map(({ tasks = [] }, m) => ({
        tasks,
        path: `stages.${s}.milestones.${m}`,
      })),
    ]
    for (const { tasks, path } of holders) {
      for (const [t, task] of tasks.entries()) {
        const at = `template_config.${path}.tasks.${t}`
        const title = task.title ?? task.name
        if (!title) throw badField(`${at}.title`, 'is required')
        const missing = task.depends_on?.find((ref) => !seen.has(ref))
        if (missing) throw badField(`${at}.depends_on`, `no earlier task is called ${missing}`)
        for (const ref of [task.id, title]) if (ref) seen.add(ref)
        if (++count > 2000) throw badField('template_config', 'must have at most 2,000 tasks')
      }
    }
  }
}
