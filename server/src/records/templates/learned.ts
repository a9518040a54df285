import { foldedText } from '../../kit/ground/fold.ts'
import type { TemplateStage, TemplateTask } from '../../model/templates/config.ts'
import type { PastProject, PastTask } from './past.ts'
import { median } from './past.ts'
import { mostOften } from './statistics.ts'

type Stage = TemplateStage & { tasks: TemplateTask[] }

/** Whether so many of some projects are enough to add a task to a plan, or to leave one out. */
const isUsual = (count: number, of: number) => count >= 2 && 2 * count >= of

/**
 * A plan with what past projects teach: offsets and durations are the medians of what was finished, tasks that no project
 * kept are left out, those that half of them or more got besides are in it, and each task says on what it rests. A
 * stage overlaps the one before only where it did so in the plan.
 */
export function learned(plan: TemplateStage[], past: PastProject[]): TemplateStage[] {
  const of = past.length
  const found = byTitle(past)
  const base = plan.flatMap((stage): Stage[] =>
    (stage.milestones?.length ? stage.milestones : [stage]).map((milestone) => ({
      ...(milestone === stage ? stage : {}),
      ...milestone,
      tasks: milestone.tasks ?? [],
    })),
  )
  const planned = new Set(base.flatMap(({ tasks }) => tasks.map((task) => keyOf(task))))
  const added = [...found].filter(([key, its]) => !planned.has(key) && isUsual(its.length, of))
  const stages = base.map((stage) => {
    const kept = stage.tasks.flatMap((task): Line[] => {
      const its = found.get(keyOf(task)) ?? []
      if (!its.length && of >= 2) return []
      const had = `${its.length} of ${of} projects`
      return [lineOf(task, its, its.length ? `in ${had}` : 'of the template')]
    })
    const more = added.flatMap(([, its]): Line[] => {
      const where = foldedText(mostOften(its.map(({ milestone }) => milestone)))
      const isHere = where === foldedText(stage.name)
      const task = { title: its[0]?.title ?? '' }
      return isHere ? [lineOf(task, its, `added in ${its.length} of ${of} projects`)] : []
    })
    return { stage, lines: [...kept, ...more] }
  })
  return placed(stages.filter(({ stage, lines }) => lines.length || !stage.tasks.length))
}

type Line = { task: TemplateTask; start: number | null; days: number }

function keyOf({ title, name }: TemplateTask): string {
  return foldedText(title ?? name ?? '')
}

/** The tasks of past projects by their titles, one of each project. */
function byTitle(past: PastProject[]): Map<string, PastTask[]> {
  const found = new Map<string, PastTask[]>()
  for (const { tasks } of past) {
    const seen = new Set<string>()
    for (const task of tasks) {
      if (seen.has(task.key)) continue
      seen.add(task.key)
      found.set(task.key, [...(found.get(task.key) ?? []), task])
    }
  }
  return found
}

function lineOf(task: TemplateTask, its: PastTask[], evidence: string): Line {
  const start = median(its.flatMap((each) => each.start ?? []))
  const took = its.flatMap((each) => each.days ?? [])
  const days = median(took) ?? Math.max(1, task.duration_days ?? 1)
  const measured = took.length ? `, took ${days} ${days === 1 ? 'day' : 'days'} in the middle` : ''
  return { task: { ...task, evidence: `${evidence}${measured}` }, start, days }
}

/** Stages one behind the other, as their plan had them; days of a stage without finished tasks are the planned ones. */
function placed(list: { stage: Stage; lines: Line[] }[]): TemplateStage[] {
  const stages: TemplateStage[] = []
  let end = 0
  let before: { start: number; end: number; from: number } | undefined
  for (const { stage, lines } of list) {
    const planned = stage.start_offset_days ?? 0
    const plannedEnd = planned + Math.max(1, stage.duration_days ?? 1, ...stage.tasks.map(endOf))
    const starts = lines.flatMap(({ start }) => start ?? [])
    const first = starts.length ? Math.min(...starts) : undefined
    const overlaps = before !== undefined && planned < before.end
    const start = overlaps ? Math.max(first ?? end, before?.from ?? 0) : Math.max(first ?? end, end)
    const offset = ({ start: own, task }: Line) =>
      own === null || first === undefined ? (task.start_offset_days ?? 0) : own - first
    const tasks = lines.map((line) => ({
      ...line.task,
      start_offset_days: Math.max(0, offset(line)),
      duration_days: line.days,
    }))
    const duration = Math.max(1, ...tasks.map(endOf))
    const { milestones: _, ...rest } = stage as TemplateStage
    stages.push({ ...rest, start_offset_days: start, duration_days: duration, tasks })
    before = { start: planned, end: plannedEnd, from: start }
    end = Math.max(end, start + duration)
  }
  return withoutLost(stages)
}

function endOf({ start_offset_days = 0, duration_days = 1 }: TemplateTask): number {
  return start_offset_days + Math.max(1, duration_days)
}

/** Without dependencies on tasks that are left out, and without parents that are. */
function withoutLost(stages: TemplateStage[]): TemplateStage[] {
  const refs = new Set(
    stages.flatMap(({ tasks = [] }) => tasks.flatMap(({ id, title, name }) => [id, title ?? name])),
  )
  return stages.map((stage) => ({
    ...stage,
    tasks: (stage.tasks ?? []).map(({ depends_on, parent, ...task }) => {
      const links = depends_on?.filter((each) =>
        refs.has(typeof each === 'string' ? each : each.id),
      )
      return {
        ...task,
        ...(links?.length ? { depends_on: links } : {}),
        ...(parent !== undefined && refs.has(parent) ? { parent } : {}),
      }
    }),
  }))
}
