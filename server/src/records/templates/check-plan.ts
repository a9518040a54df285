import { badField } from '../../kit/ground/errors.ts'
import type { TemplateConfig } from '../../model/templates/config.ts'
import { mostLevels, predecessorsOf } from '../../model/templates/config.ts'

/**
 * What the schema of a plan cannot state: at most 2,000 tasks, each named, depending only on tasks
 * earlier in the plan, and below earlier ones of their milestone. 400 names the place.
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
      // the level of each task of the milestone, by what names it
      const within = new Map<string, number>()
      for (const [t, task] of tasks.entries()) {
        const at = `template_config.${path}.tasks.${t}`
        const title = task.title ?? task.name
        if (!title) throw badField(`${at}.title`, 'is required')
        const missing = predecessorsOf(task).find(({ id }) => !seen.has(id))
        if (missing) throw badField(`${at}.depends_on`, `no earlier task is called ${missing.id}`)
        const level = task.parent === undefined ? 1 : (within.get(task.parent) ?? 0) + 1
        if (task.parent !== undefined && level === 1) {
          const message = `no earlier task of the milestone is called ${task.parent}`
          throw badField(`${at}.parent`, message)
        }
        if (level > mostLevels) {
          throw badField(`${at}.parent`, `would be more than ${mostLevels} levels deep`)
        }
        const refs = [task.id, title].filter((each) => each !== undefined)
        for (const ref of refs) {
          seen.add(ref)
          within.set(ref, level)
        }
        if (++count > 2000) throw badField('template_config', 'must have at most 2,000 tasks')
      }
    }
  }
}
