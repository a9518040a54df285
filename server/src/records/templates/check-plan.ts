import type { FieldError } from '../../kit/ground/errors.ts'
import { badField, badFields } from '../../kit/ground/errors.ts'
import { unknownKeys } from '../../kit/ground/nearest.ts'
import { keysIn } from '../../kit/ground/object.ts'
import type { TemplateConfig } from './config.ts'
import { planKeys } from './config.ts'

/** The most unknown keys that one refusal names. */
const mostNamed = 100

/**
 * What the schema of a plan cannot state: known keys, besides those that the stored plan has; at most 2,000
 * tasks, each named, depending only on tasks earlier in the plan. 400 names the place.
 */
export function checkPlan(config: TemplateConfig | undefined, stored?: TemplateConfig) {
  const unknown = [...unknownIn(config, keysIn(stored)).take(mostNamed)]
  if (unknown.length) throw badFields(unknown)
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

function* unknownIn({ stages = [] }: TemplateConfig = {}, stored: string[]): Generator<FieldError> {
  const within = (value: object, kind: keyof typeof planKeys, at: string) =>
    unknownKeys(value, [...planKeys[kind], ...stored], at)
  for (const [s, stage] of stages.entries()) {
    const at = `template_config.stages.${s}`
    yield* within(stage, 'stage', at)
    for (const [t, task] of (stage.tasks ?? []).entries()) {
      yield* within(task, 'task', `${at}.tasks.${t}`)
    }
    for (const [m, milestone] of (stage.milestones ?? []).entries()) {
      const path = `${at}.milestones.${m}`
      yield* within(milestone, 'milestone', path)
      for (const [t, task] of (milestone.tasks ?? []).entries()) {
        yield* within(task, 'task', `${path}.tasks.${t}`)
      }
    }
  }
}
