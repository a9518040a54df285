import type { Context } from '../../../kit/ground/context.ts'
import { Failure } from '../../../kit/ground/errors.ts'
import type { Change } from '../../../kit/ground/event.ts'
import { newId } from '../../../kit/ground/ids.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import type { AnyRecord } from '../../../kit/record/record.ts'
import { announceEach } from '../../../kit/write/announce-many.ts'
import { updateMany } from '../../../kit/write/many.ts'
import { Milestone } from '../../../model/milestones/milestone.ts'
import { Task } from '../../../model/tasks/task.ts'
import type { MoveResult } from '../../../schedule/move.ts'
import { updateProject } from '../update.ts'
import type { Wanted } from './moves.ts'
import { textOf } from './moves.ts'
import type { StoredPlan } from './stored.ts'

/** A field that a change of a plan replaced. */
type Replaced = { [field: string]: { from: unknown; to: unknown } }
type StoredLink = { type: string; lag_days: number }

/** What a change of a plan did to one record, for the undo; links are those of a task to its predecessors. */
export type Done = {
  record_id: string
  kind: 'task' | 'milestone' | 'project'
  fields: Replaced
  links: { predecessor_id: string; from: StoredLink | null; to: StoredLink | null }[]
}

/** Writes a move as one bulk write: dates and pins, dependencies, and the start of the project. */
export async function writePlan(
  ctx: Context,
  stored: StoredPlan,
  wanted: Wanted,
  { moved }: MoveResult,
) {
  const done = new Map<string, Done>()
  const taskIds = new Set(stored.tasks.map(({ id }) => id))
  const doneOf = (record_id: string) => {
    const kind = taskIds.has(record_id) ? ('task' as const) : ('milestone' as const)
    const entry: Done = done.get(record_id) ?? { record_id, kind, fields: {}, links: [] }
    done.set(record_id, entry)
    return entry
  }
  for (const { id, from, to } of moved) {
    const { fields } = doneOf(id)
    if (from.start !== to.start)
      fields.start_date = { from: textOf(from.start), to: textOf(to.start) }
    if (from.due !== to.due) fields.due_date = { from: textOf(from.due), to: textOf(to.due) }
  }
  for (const row of stored.tasks) {
    const to = wanted.pins.get(row.id)
    if (to !== undefined && to !== row.is_pinned) {
      doneOf(row.id).fields.is_pinned = { from: row.is_pinned, to }
    }
  }
  for (const change of linkChanges(stored, wanted)) {
    const { task_id, ...link } = change
    doneOf(task_id).links.push(link)
  }
  const { project } = stored
  if (wanted.start !== null && wanted.start !== project.start_date) {
    const start_date = { from: project.start_date, to: wanted.start }
    done.set(project.id, {
      record_id: project.id,
      kind: 'project',
      fields: { start_date },
      links: [],
    })
    await updateProject(ctx, project.id, { start_date: wanted.start })
  }
  const list = [...done.values()]
  if (!list.length) return { bulk_id: null, rows: [] }
  const refused = await writeFields(ctx, list)
  const [failure] = refused.values()
  if (failure) throw failure
  await writeLinks(ctx, list)
  const bulk_id = newId()
  await ctx.run(sql`insert into bulk_writes (organization_id, id, list, action, created_by, creation_time)
    values (${ctx.organization.id}, ${bulk_id}, 'plan', 'update', ${ctx.actor.user_id},
      ${ctx.now().toISOString()})`)
  await ctx.run(sql`insert into bulk_write_records (organization_id, bulk_id, record_id, before)
    select o.organization_id, ${bulk_id}, r.record_id, r.before
    from organizations o, json_to_recordset(${JSON.stringify(list.map(asStored))})
      as r (record_id text, before jsonb)
    where ${mine(ctx, 'o')}`)
  return { bulk_id, rows: await writtenRows(ctx, list) }
}

function asStored({ record_id, ...before }: Done) {
  return { record_id, before }
}

/** How the dependencies differ from the stored ones. */
function linkChanges({ links }: StoredPlan, { links: added, unlinks }: Wanted) {
  const keyOf = (task: string, predecessor: string) => `${task} ${predecessor}`
  const before = new Map(
    links.map(({ task_id, predecessor_id, type, lag_days }) => [
      keyOf(task_id, predecessor_id),
      { type, lag_days },
    ]),
  )
  const after = new Map<string, StoredLink | null>()
  for (const { task, predecessor } of unlinks) after.set(keyOf(task, predecessor), null)
  for (const { task, predecessor, type, lag } of added) {
    after.set(keyOf(task, predecessor), { type, lag_days: lag })
  }
  return [...after].flatMap(([key, to]) => {
    const from = before.get(key) ?? null
    if (from?.type === to?.type && from?.lag_days === to?.lag_days) return []
    const [task_id = '', predecessor_id = ''] = key.split(' ')
    return { task_id, predecessor_id, from, to }
  })
}

/** Sets the fields of tasks and milestones; returns what was refused, by the record. */
export async function writeFields(ctx: Context, list: Done[]): Promise<Map<string, Failure>> {
  const refused = new Map<string, Failure>()
  const kinds: ['milestone' | 'task', AnyRecord][] = [
    ['milestone', Milestone],
    ['task', Task],
  ]
  for (const [kind, record] of kinds) {
    const rows = list.flatMap(({ kind: own, record_id: id, fields }) => {
      if (own !== kind || !Object.keys(fields).length) return []
      const body = Object.fromEntries(Object.entries(fields).map(([name, { to }]) => [name, to]))
      return { id, body }
    })
    const outcomes = rows.length ? await updateMany(ctx, record, rows) : []
    for (const [at, outcome] of outcomes.entries()) {
      if (outcome instanceof Failure) refused.set(rows[at]?.id ?? '', outcome)
    }
  }
  return refused
}

/** Sets and removes dependencies; each raises the version of its task, whose `is_blocked` follows from it. */
export async function writeLinks(ctx: Context, list: Done[]): Promise<void> {
  const links = list.flatMap(({ record_id: task_id, links: its }) =>
    its.map(({ predecessor_id, to }) => ({ task_id, predecessor_id, ...to })),
  )
  if (!links.length) return
  const rows = sql`json_to_recordset(${JSON.stringify(links)})
    as d (task_id text, predecessor_id text, type text, lag_days integer)`
  await ctx.run(sql`delete from task_dependencies t using ${rows}
    where ${mine(ctx)} and t.task_id = d.task_id and t.predecessor_id = d.predecessor_id
      and d.type is null`)
  await ctx.run(sql`
    insert into task_dependencies (organization_id, task_id, predecessor_id, type, lag_days)
    select ${ctx.organization.id}, d.task_id, d.predecessor_id, d.type, d.lag_days from ${rows}
    where d.type is not null
    on conflict (organization_id, task_id, predecessor_id)
    do update set type = excluded.type, lag_days = excluded.lag_days`)
  const ids = [...new Set(links.map(({ task_id }) => task_id))]
  await ctx.run(sql`update tasks t
    set version = version + 1, last_update_time = ${ctx.now().toISOString()}
    where ${mine(ctx)} and t.id = any(${ids})`)
  const changed = list.flatMap(({ record_id: id, links: its }) =>
    its.length ? { id, changes: its.flatMap(changesOf) } : [],
  )
  await announceEach(ctx, Task, 'updated', changed)
}

function changesOf({ predecessor_id, from, to }: Done['links'][number]): Change[] {
  if (!from || !to) {
    return [{ field: 'predecessor_id', from: from && predecessor_id, to: to && predecessor_id }]
  }
  const changes: Change[] = [
    { field: 'dependency_type', from: from.type, to: to.type },
    { field: 'lag_days', from: from.lag_days, to: to.lag_days },
  ]
  return changes.filter((each) => each.from !== each.to)
}

type WrittenRow = {
  id: string
  kind: 'task' | 'milestone'
  start_date: string | null
  due_date: string | null
  is_pinned: boolean
  version: number
}

function writtenRows(ctx: Context, list: Done[]): Promise<WrittenRow[]> {
  const ids = list.map(({ record_id }) => record_id)
  return ctx.all<WrittenRow>(sql`
    select t.id, 'task' as kind, t.start_date::text, t.due_date::text, t.is_pinned, t.version
    from tasks t where ${mine(ctx)} and t.id = any(${ids})
    union all
    select m.id, 'milestone', m.start_date::text, m.due_date::text, false, m.version
    from milestones m where ${mine(ctx, 'm')} and m.id = any(${ids})`)
}
