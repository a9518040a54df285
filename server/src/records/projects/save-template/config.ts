import type { TemplateConfig, TemplateTask } from '../../../model/templates/config.ts'
import type { Day } from '../../../schedule/workdays.ts'
import { WorkDays, dayNumber } from '../../../schedule/workdays.ts'
import type { Span } from '../../templates/spans.ts'
import { actualSpans, plannedSpans, spanOf } from '../../templates/spans.ts'
import type { Replacement } from './names.ts'
import type { Source, SourceLink, SourceTask } from './source.ts'

/** What of a project its template keeps. */
export type Keeping = {
  /** whether tasks last as long as they really did */
  isActual: boolean
  hasRoles: boolean
  hasLinks: boolean
  hasDescriptions: boolean
  hasForms: boolean
  hasEstimates: boolean
}

const longest = 3660

/** The plan of a template from that of a project: without people and dates, which become roles and working days. */
export function configFrom(
  source: Source,
  keeping: Keeping,
  replaced: Replacement,
): TemplateConfig {
  const spans = keeping.isActual ? actualSpans(source) : plannedSpans(source.tasks)
  const groups = grouped(source)
  const whole = groups.map(({ milestone, tasks }) => {
    const own = milestone && spanOf(milestone, keeping.isActual)
    const inside = tasks.flatMap(({ id }) => spans.get(id) ?? [])
    // as long as it really took, which its tasks say
    return around(keeping.isActual && inside.length ? inside : [...inside, ...(own ? [own] : [])])
  })
  const starts = whole.flatMap((span) => span?.start ?? [])
  const planned = keeping.isActual || !source.start_date ? [] : [dayNumber(source.start_date)]
  const origin = Math.min(...starts, ...planned)
  const workdays = new WorkDays(source.rules, Number.isFinite(origin) ? origin : 0)
  const offset = (day: Day, from = 0) => Math.min(Math.max(workdays.from(day) - from, 0), longest)
  const days = ({ start, due }: Span) => Math.min(workdays.length(start, due), longest)
  const refs = new Map(
    groups.flatMap(({ tasks }, m) => tasks.map(({ id }, at) => [id, `${m + 1}.${at + 1}`])),
  )
  const linksOf = Map.groupBy(keeping.hasLinks ? source.links : [], ({ task_id }) => task_id)
  const role = (owner: string | null) => {
    const word = keeping.hasRoles && owner !== null ? source.roles.get(owner) : undefined
    return word === undefined ? {} : { assignee_role: word }
  }
  const described = (description: string | null) =>
    keeping.hasDescriptions && description
      ? { description: replaced.of(description).slice(0, 10_000) }
      : {}
  const task = (row: SourceTask, first: number): TemplateTask => {
    const span = spans.get(row.id)
    const parent = refs.get(row.parent_id ?? '')
    const depends_on = (linksOf.get(row.id) ?? []).flatMap((link) => dependency(link, refs))
    return {
      id: refs.get(row.id) ?? row.id,
      title: replaced.of(row.title).slice(0, 255),
      ...described(row.description),
      ...(span ? { start_offset_days: offset(span.start, first), duration_days: days(span) } : {}),
      ...role(row.owner),
      ...(parent ? { parent } : {}),
      ...(depends_on.length ? { depends_on } : {}),
      ...(row.priority ? { priority: row.priority } : {}),
      ...(row.tags?.length ? { tags: row.tags } : {}),
      ...(keeping.hasForms && row.form_id ? { form_id: row.form_id } : {}),
      ...(keeping.hasEstimates && row.estimate_minutes !== null
        ? { estimate_minutes: row.estimate_minutes }
        : {}),
      item_type: row.item_type,
      ...(row.asks_for_file ? { asks_for_file: true } : {}),
      is_shared: row.is_shared,
    }
  }
  return {
    stages: groups.map(({ milestone, tasks }, at) => {
      const span = whole[at]
      const first = span ? offset(span.start) : 0
      return {
        name: milestone ? replaced.of(milestone.title).slice(0, 255) : 'Without a milestone',
        ...described(milestone?.description ?? null),
        start_offset_days: first,
        duration_days: span ? days(span) : 1,
        ...role(milestone?.owner ?? null),
        is_shared: milestone?.is_shared ?? false,
        tasks: tasks.map((row) => task(row, first)),
      }
    }),
  }
}

function dependency({ predecessor_id, type, lag_days }: SourceLink, refs: Map<string, string>) {
  const id = refs.get(predecessor_id)
  if (id === undefined) return []
  return [type === 'FS' && !lag_days ? id : { id, type, lag_days }]
}

/** Milestones with their tasks, each before its subtasks, which are where their parents are. */
function grouped({ milestones, tasks }: Source) {
  const ids = new Set(tasks.map(({ id }) => id))
  const known = new Set(milestones.map(({ id }) => id))
  const children = Map.groupBy(tasks, ({ parent_id }) =>
    ids.has(parent_id ?? '') ? parent_id : null,
  )
  const below = (id: string | null): SourceTask[] =>
    (children.get(id) ?? []).flatMap((task) => [task, ...below(task.id)])
  const tops = Map.groupBy(children.get(null) ?? [], ({ milestone_id }) =>
    known.has(milestone_id ?? '') ? milestone_id : null,
  )
  const inside = (id: string | null) =>
    (tops.get(id) ?? []).flatMap((task) => [{ ...task, parent_id: null }, ...below(task.id)])
  const loose = inside(null)
  return [
    ...milestones.map((milestone) => ({ milestone, tasks: inside(milestone.id) })),
    ...(loose.length ? [{ milestone: undefined, tasks: loose }] : []),
  ]
}

function around(spans: Span[]): Span | undefined {
  if (!spans.length) return undefined
  return {
    start: Math.min(...spans.map(({ start }) => start)),
    due: Math.max(...spans.map(({ due }) => due)),
  }
}
