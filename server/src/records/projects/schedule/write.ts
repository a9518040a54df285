import type { Context } from '../../../kit/ground/context.ts'
import { Failure } from '../../../kit/ground/errors.ts'
import type { AnyRecord } from '../../../kit/record/record.ts'
import { lockMany, rewriteMany, updateMany } from '../../../kit/write/many.ts'
import { Milestone } from '../../../model/milestones/milestone.ts'
import { Project } from '../../../model/projects/project.ts'
import { Task } from '../../../model/tasks/task.ts'
import type { MoveResult } from '../../../schedule/move.ts'
import { storeWrite } from '../../bulk/change.ts'
import type { LinkChange } from '../../tasks/links.ts'
import { writeLinks } from '../../tasks/links.ts'
import { updateProject } from '../update.ts'
import type { Wanted } from './moves.ts'
import type { StoredPlan } from './stored.ts'
import { storedPlan, textOf, versionOf } from './stored.ts'

/** What a change of a plan replaced in one record, for the undo; links are those of a task to its predecessors. */
export type Replaced = {
  record_id: string
  kind: 'task' | 'milestone' | 'project'
  fields: { [field: string]: { from: unknown; to: unknown } }
  links: Omit<LinkChange, 'task_id'>[]
}

/** Writes a move as one bulk write: dates and pins, dependencies, and the days of the project. */
export async function writePlan(
  ctx: Context,
  stored: StoredPlan,
  wanted: Wanted,
  links: LinkChange[],
  { moved }: MoveResult,
) {
  const { project } = stored
  const list = replacedBy(stored, wanted, links, moved)
  if (!list.length) return { bulk_id: null, rows: [], plan_version: versionOf(stored) }
  const ofProject = list.find(({ kind }) => kind === 'project')
  if (ofProject) await updateProject(ctx, project.id, projectBody(ofProject))
  const refused = await writeFields(ctx, list)
  const [failure] = refused.values()
  if (failure) throw failure
  await writeLinks(ctx, links)
  const after = await storedPlan(ctx, project.id, 'readable')
  const rows = [
    ...after.tasks.map((row) => ({ ...row, kind: 'task' as const })),
    ...after.milestones.map((row) => ({ ...row, kind: 'milestone' as const })),
  ]
  const versions = new Map([...rows, after.project].map(({ id, version }) => [id, version]))
  const bulk_id = await storeWrite(
    ctx,
    { list: 'plan', action: 'update', field: 'ops' },
    list.map(({ record_id, ...before }) => ({
      record_id,
      version: versions.get(record_id) ?? null,
      before,
    })),
  )
  const written = new Set(list.map(({ record_id }) => record_id))
  return {
    bulk_id,
    rows: rows
      .filter(({ id }) => written.has(id))
      .map(({ id, kind, start_date, due_date, is_pinned, version }) => ({
        id,
        kind,
        start_date,
        due_date,
        is_pinned,
        version,
      })),
    plan_version: versionOf(after),
  }
}

function replacedBy(
  stored: StoredPlan,
  wanted: Wanted,
  links: LinkChange[],
  moved: MoveResult['moved'],
): Replaced[] {
  const list = new Map<string, Replaced>()
  const taskIds = new Set(stored.tasks.map(({ id }) => id))
  const of = (record_id: string) => {
    const kind = taskIds.has(record_id) ? 'task' : 'milestone'
    const entry: Replaced = list.get(record_id) ?? { record_id, kind, fields: {}, links: [] }
    list.set(record_id, entry)
    return entry
  }
  for (const { id, from, to } of moved) {
    const { fields } = of(id)
    if (from.start !== to.start)
      fields.start_date = { from: textOf(from.start), to: textOf(to.start) }
    if (from.due !== to.due) fields.due_date = { from: textOf(from.due), to: textOf(to.due) }
  }
  for (const row of stored.tasks) {
    const to = wanted.pins.get(row.id)
    if (to !== undefined && to !== row.is_pinned) {
      of(row.id).fields.is_pinned = { from: row.is_pinned, to }
    }
  }
  for (const { task_id, ...link } of links) of(task_id).links.push(link)
  const { id: record_id, start_date, due_date } = stored.project
  const fields: Replaced['fields'] = {}
  if (wanted.start !== null && wanted.start !== start_date) {
    fields.start_date = { from: start_date, to: wanted.start }
  }
  if (wanted.agreed !== null && wanted.agreed !== due_date) {
    fields.due_date = { from: due_date, to: wanted.agreed }
  }
  if (Object.keys(fields).length) {
    list.set(record_id, { record_id, kind: 'project', fields, links: [] })
  }
  return [...list.values()]
}

/** What no body sets, or checks: the kit's bulk writes leave it alone. */
const columnsAlone = ['priority', 'template_version', 'form_id', 'form_structure', 'item_type']

/** The body of the change of a project, or of its undo. */
export function projectBody({ fields }: Pick<Replaced, 'fields'>) {
  const day = (value: unknown) => (typeof value === 'string' ? value : null)
  const { start_date: start, due_date: due } = fields
  return {
    ...(start ? { start_date: day(start.to) } : {}),
    ...(due ? { due_date: day(due.to) } : {}),
  }
}

/** Sets the fields of tasks and milestones; returns what was refused, by the record. */
export async function writeFields(ctx: Context, list: Replaced[]): Promise<Map<string, Failure>> {
  const refused = new Map<string, Failure>()
  const kinds: ['milestone' | 'task', AnyRecord][] = [
    ['milestone', Milestone],
    ['task', Task],
  ]
  for (const [kind, record] of kinds) {
    const rows = list.flatMap(({ kind: own, record_id: id, fields }) => {
      if (own !== kind) return []
      const body = Object.fromEntries(
        Object.entries(fields).flatMap(([name, { to }]) =>
          columnsAlone.includes(name) ? [] : [[fieldOf(kind, name), to]],
        ),
      )
      return Object.keys(body).length ? { id, body } : []
    })
    const outcomes = rows.length ? await updateMany(ctx, record, rows) : []
    for (const [at, outcome] of outcomes.entries()) {
      if (outcome instanceof Failure) refused.set(rows[at]?.id ?? '', outcome)
    }
  }
  return refused
}

/** A milestone calls its title a name. */
export function fieldOf(kind: Replaced['kind'], name: string): string {
  return kind === 'milestone' && name === 'title' ? 'name' : name
}

/** Sets what no body sets, of those that the caller may change. */
export async function writeColumns(ctx: Context, list: Replaced[]): Promise<void> {
  for (const [kind, record] of [
    ['task', Task],
    ['project', Project],
  ] as const) {
    const columns = new Map<string, { [column: string]: unknown }>(
      list.flatMap(({ kind: own, record_id, fields }) => {
        const its = Object.entries(fields).filter(([name]) => columnsAlone.includes(name))
        const values = its.map(([name, { to }]) => [name, to])
        return own === kind && its.length ? [[record_id, Object.fromEntries(values)] as const] : []
      }),
    )
    const locked = await lockMany(ctx, record, [...columns.keys()].toSorted(), 'update')
    const rewrites = [...locked.values()].flatMap((before) =>
      before.isAllowed ? [{ before, columns: columns.get(before.id) ?? {} }] : [],
    )
    await rewriteMany(ctx, record, rewrites)
  }
}
