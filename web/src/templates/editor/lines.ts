import type { components } from '../../api/schema.d.ts'
import type { TreeRow } from '../../projects/tree.ts'
import { rowsOf } from '../../projects/tree.ts'
import { capital } from '../../ui/capital.ts'

type Config = components['schemas']['TemplateConfig']
type Stage = NonNullable<Config['stages']>[number]
type Task = components['schemas']['TemplateTask']
export type Role = components['schemas']['TemplateRole']

/** A dependency of a line on another one. */
export type Link = {
  predecessor_id: string
  type: 'FS' | 'SS' | 'FF' | 'SF'
  lag_days: number
}

/** A task of a template; days are working days from the start of the project, from 0. */
export type TaskLine = {
  item_id: string
  title: string
  milestone_id: string
  parent_id: string | null
  start: number
  days: number
  role: string | null
  is_shared: boolean
  form_id: string | null
  document_id: string | null
  /** how long it is expected to take */
  minutes: number | null
  links: Link[]
  /** what the editor does not show */
  rest: Task
}

/** A milestone of a template; its days are those of its tasks, if it has any. */
export type MilestoneLine = {
  milestone_id: string
  name: string
  start: number
  days: number
  is_shared: boolean
  /** the stage around it, and whether it is that itself */
  stage: Stage
  isStage: boolean
}

/** The plan of a template as a tree of lines. */
export type Lines = { milestones: MilestoneLine[]; tasks: TaskLine[] }
export type LineRow = TreeRow<MilestoneLine, TaskLine>

/** The lines of a plan, each with an id: that of the plan, or its title. */
export function linesOf({ stages = [] }: Config): Lines {
  const taken = new Set<string>()
  const free = (wanted: string | number | undefined) => {
    const word = String(wanted ?? '')
    const id = word && word.length <= 100 && !taken.has(word) ? word : newRef()
    taken.add(id)
    return id
  }
  const lines: Lines = { milestones: [], tasks: [] }
  const named = new Map<string, string>()
  for (const stage of stages) {
    const isStage = !stage.milestones?.length
    for (const milestone of stage.milestones?.length ? stage.milestones : [stage]) {
      const own = isStage ? stage.stage_id : 'id' in milestone ? milestone.id : undefined
      const milestone_id = free(own ?? milestone.name)
      const start = milestone.start_offset_days ?? 0
      const { name, duration_days: days = 1, is_shared = false } = milestone
      lines.milestones.push({
        milestone_id,
        name,
        start,
        days: Math.max(1, days),
        is_shared,
        stage,
        isStage,
      })
      const within = new Map<string, string>()
      for (const task of milestone.tasks ?? []) {
        const title = task.title ?? task.name ?? ''
        const item_id = free(task.id ?? title)
        for (const ref of [task.id, title]) {
          if (ref && !named.has(ref)) named.set(ref, item_id)
        }
        lines.tasks.push({
          item_id,
          title,
          milestone_id,
          parent_id: within.get(task.parent ?? '') ?? null,
          start: start + (task.start_offset_days ?? 0),
          days: Math.max(1, task.duration_days ?? 1),
          role: task.assignee_role ?? null,
          is_shared: task.is_shared ?? false,
          form_id: task.form_id ?? null,
          document_id: task.document_id ?? null,
          minutes: task.estimate_minutes ?? null,
          links: [],
          rest: task,
        })
        for (const ref of [task.id, title]) if (ref) within.set(ref, item_id)
      }
    }
  }
  // those that name later tasks, too
  for (const line of lines.tasks) {
    line.links = (line.rest.depends_on ?? []).flatMap((each) => {
      const { id, type = 'FS', lag_days = 0 } = typeof each === 'string' ? { id: each } : each
      const predecessor_id = named.get(id)
      return predecessor_id === undefined ? [] : { predecessor_id, type, lag_days }
    })
  }
  return ranged(lines)
}

/** Another id, for a line that is new. */
export function newRef(): string {
  return crypto.randomUUID().slice(0, 8)
}

/** The plan of some lines, as templates are stored. */
export function configOf(lines: Lines): Config {
  const rows = rowsOf(lines)
  const stages: Stage[] = []
  let last: Stage | undefined
  for (const milestone of lines.milestones) {
    const { milestone_id, name, start, days, is_shared, stage, isStage } = milestone
    const tasks = rows.flatMap((row) =>
      row.kind === 'task' && row.task.milestone_id === milestone_id
        ? storedTask(row.task, start)
        : [],
    )
    const shared = { name, start_offset_days: start, duration_days: days, is_shared, tasks }
    if (isStage) {
      stages.push({ ...stage, stage_id: milestone_id, ...shared })
      last = undefined
      continue
    }
    const inner = stage.milestones?.find((each) => (each.id ?? each.name) === milestone_id)
    const own = { ...inner, id: milestone_id, ...shared }
    const around = stages.at(-1)
    if (last === stage && around) around.milestones?.push(own)
    else stages.push({ ...stage, milestones: [own] })
    last = stage
  }
  return { stages }
}

function storedTask(line: TaskLine, from: number): Task {
  const {
    name: _,
    depends_on: __,
    parent: ___,
    assignee_role: ____,
    form_id: _____,
    document_id: ______,
    estimate_minutes: _______,
    ...rest
  } = line.rest
  const depends_on = line.links.map(({ predecessor_id: id, type, lag_days }) =>
    type === 'FS' && !lag_days ? id : { id, type, lag_days },
  )
  return {
    ...rest,
    id: line.item_id,
    title: line.title,
    start_offset_days: Math.max(0, line.start - from),
    duration_days: line.days,
    is_shared: line.is_shared,
    ...(line.parent_id === null ? {} : { parent: line.parent_id }),
    ...(line.role === null ? {} : { assignee_role: line.role }),
    ...(line.form_id === null ? {} : { form_id: line.form_id }),
    ...(line.document_id === null ? {} : { document_id: line.document_id }),
    ...(line.minutes === null ? {} : { estimate_minutes: line.minutes }),
    ...(depends_on.length ? { depends_on } : {}),
  }
}

/** Lines whose milestones, and tasks with subtasks, are as long as what is in them. */
export function ranged(lines: Lines): Lines {
  const spans = new Map<string, { start: number; end: number }>()
  const widen = (id: string, start: number, end: number) => {
    const before = spans.get(id)
    spans.set(id, {
      start: Math.min(before?.start ?? start, start),
      end: Math.max(before?.end ?? end, end),
    })
  }
  for (const row of rowsOf(lines).toReversed()) {
    if (row.kind !== 'task' || row.above === null) continue
    const own = spans.get(row.id) ?? { start: row.task.start, end: row.task.start + row.task.days }
    widen(row.above, own.start, own.end)
  }
  const spanned = <Line extends { start: number; days: number }>(line: Line, id: string): Line => {
    const span = spans.get(id)
    if (!span || (span.start === line.start && span.end - span.start === line.days)) return line
    return { ...line, start: span.start, days: span.end - span.start }
  }
  return {
    milestones: lines.milestones.map((line) => spanned(line, line.milestone_id)),
    tasks: lines.tasks.map((line) => spanned(line, line.item_id)),
  }
}

/** The number of working days of a plan. */
export function lengthOf({ milestones }: Lines): number {
  return Math.max(0, ...milestones.map(({ start, days }) => start + days))
}

/** The declared roles of a template, and those that only its tasks name. */
export function rolesOf(declared: Role[], { tasks }: Lines): Role[] {
  const words = new Map(declared.map(({ key }) => [roleWord(key), key]))
  const named = tasks.flatMap(({ role }): Role[] => {
    if (role === null || words.has(roleWord(role))) return []
    words.set(roleWord(role), role)
    const name = role.replaceAll('_', ' ').trim()
    return [{ key: role, name: capital(name), side: 'ours' }]
  })
  return [...declared, ...named]
}

/** A role as it is compared. */
export function roleWord(role: string): string {
  return role.trim().toLowerCase().replaceAll(' ', '_')
}
