import type { components } from '../api/schema.d.ts'
import { t } from '../locales/text.ts'

export type SuggestedConfig = components['schemas']['TemplateConfig']
type Task = components['schemas']['TemplateTask']

/** A task of a suggestion; days are working days from the start of the project, from 1. */
export type SuggestedLine = { key: string; title: string; first: number; last: number; why: string }
export type SuggestedStage = {
  key: string
  name: string
  first: number
  last: number
  lines: SuggestedLine[]
}

/** A suggestion as it is read and ticked; each stage and task has a key of its own. */
export function suggestedStages({ stages = [] }: SuggestedConfig): SuggestedStage[] {
  return stages.map((stage, at) => {
    const start = stage.start_offset_days ?? 0
    const lines = (stage.tasks ?? []).map((task, place) => {
      const first = start + (task.start_offset_days ?? 0) + 1
      const last = first + Math.max(1, task.duration_days ?? 1) - 1
      return { key: `${at}.${place}`, title: titleOf(task), first, last, why: task.evidence ?? '' }
    })
    const last = Math.max(start + Math.max(1, stage.duration_days ?? 1), ...lines.map(lastOf))
    return { key: String(at), name: stage.name, first: start + 1, last, lines }
  })
}

/**
 * The plan of what is ticked, without what it would wait for and is not, and without the evidence, which is about today.
 * A stage is in it with any of its tasks, or where it has none and is ticked itself.
 */
export function takenOver(
  { stages = [] }: SuggestedConfig,
  isLeft: (key: string) => boolean,
): SuggestedConfig {
  const kept = stages.flatMap((stage, at) => {
    const tasks = (stage.tasks ?? []).filter((_, place) => !isLeft(`${at}.${place}`))
    const isIn = tasks.length || (!stage.tasks?.length && !isLeft(String(at)))
    return isIn ? { ...stage, tasks } : []
  })
  const names = new Set(
    kept.flatMap(({ tasks }) => tasks.flatMap((task) => [task.id, titleOf(task)])),
  )
  return {
    stages: kept.map((stage) => ({
      ...stage,
      tasks: stage.tasks.map((each) => {
        const { evidence: _, depends_on, parent, ...task } = each
        const links = depends_on?.filter((link) =>
          names.has(typeof link === 'string' ? link : link.id),
        )
        return {
          ...task,
          ...(links?.length ? { depends_on: links } : {}),
          ...(parent !== undefined && names.has(parent) ? { parent } : {}),
        }
      }),
    })),
  }
}

function titleOf({ title, name }: Task): string {
  return title ?? name ?? t('Task')
}

function lastOf({ last }: SuggestedLine): number {
  return last
}
