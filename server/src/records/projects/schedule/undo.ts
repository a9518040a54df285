import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../../kit/ground/context.ts'
import { notFound } from '../../../kit/ground/errors.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import type { AnyRecord } from '../../../kit/record/record.ts'
import { capitalized } from '../../../kit/record/record.ts'
import { scope } from '../../../kit/record/scope.ts'
import { lockMany } from '../../../kit/write/many.ts'
import { Milestone } from '../../../model/milestones/milestone.ts'
import { ProjectOrDeal, recordOfType } from '../../../model/projects/project.ts'
import { Task } from '../../../model/tasks/task.ts'
import { changedSinceEach } from '../../activity/changes-since.ts'
import type { Done } from '../../bulk/change.ts'
import type { Failed } from '../../bulk/each.ts'
import { each } from '../../bulk/each.ts'
import type { UndoOutcome } from '../../bulk/undo.ts'
import type { LinkChange } from '../../tasks/links.ts'
import { checkCircles, lockDependencies, loggedLinkFields, writeLinks } from '../../tasks/links.ts'
import { checkConfined } from '../../tasks/update.ts'
import { updateProject } from '../update.ts'
import type { Replaced } from './write.ts'
import { fieldOf, projectBody, writeColumns, writeFields } from './write.ts'

/** A locked record; `error` where the caller may not change it. */
type Now = { record: AnyRecord; fields: { [field: string]: unknown }; error?: string }

/** A field that stays; `logged` are the names in the log of what keeps it. */
type Kept = { id: string; field: string; logged: string[]; record: AnyRecord; version: number }

/**
 * Undoes a change of a plan field by field: what was changed since stays as it is and is named under `kept`, and so is
 * a date that would be on the wrong side of one that was changed. Records that are gone, or that the caller may no
 * longer change, are under `failed`. 409 if it would close a cycle.
 */
export async function undoPlan(
  ctx: Context,
  { records }: { records: Done[] },
): Promise<UndoOutcome> {
  checkConfined(ctx, ['due_date'])
  const list = records.map(
    ({ record_id, version, before }) => ({ record_id, version, ...before }) as Replaced & Done,
  )
  if (list.some(({ links }) => links.some(({ from, to }) => from && !to))) {
    await lockDependencies(ctx)
  }
  const rows = await lockedRows(ctx, list)
  const failed: Failed[] = []
  const allowed = list.filter(({ record_id: id }) => {
    const error = rows.get(id)?.error
    if (error !== undefined) failed.push({ id, error })
    return error === undefined
  })
  const linksOf = await linksBack(ctx, allowed)
  const kept: Kept[] = []
  const back = allowed.flatMap((entry): Replaced[] => {
    const { record_id: id, version } = entry
    const row = rows.get(id)
    if (!row) return []
    const keep = (field: string, logged: string[]) =>
      kept.push({ id, field, logged, record: row.record, version: version ?? 0 })
    const fields: Replaced['fields'] = {}
    for (const [field, { from, to }] of Object.entries(entry.fields)) {
      const now = row.fields[fieldOf(entry.kind, field)]
      if (isDeepStrictEqual(now, to)) fields[field] = { from: to, to: from }
      else keep(field, [field])
    }
    for (const field of backwards(row.fields, fields)) {
      delete fields[field]
      keep(field, ['start_date', 'due_date'])
    }
    const links = linksOf(entry)
    if (links.length < entry.links.length) keep('dependencies', loggedLinkFields)
    return Object.keys(fields).length || links.length ? [{ ...entry, fields, links }] : []
  })
  for (const { kind, record_id, fields } of back) {
    const body = projectBody({ fields })
    if (kind !== 'project' || !Object.keys(body).length) continue
    const outcome = await each(ctx, [record_id], async (id) => {
      await updateProject(ctx, id, body)
    })
    failed.push(...outcome.failed)
  }
  await writeColumns(ctx, back)
  for (const [id, { message }] of await writeFields(ctx, back)) failed.push({ id, error: message })
  const refused = new Set(failed.map(({ id }) => id))
  const done = back.filter(({ record_id }) => !refused.has(record_id))
  const links = done.flatMap(({ record_id: task_id, links: its }) =>
    its.map((link) => ({ task_id, ...link })),
  )
  await checkCircles(ctx, links)
  await writeLinks(ctx, links)
  return { updated: done.length, failed, kept: await withAuthors(ctx, kept) }
}

/** The records as they are now, locked in the order in which a change of a plan locks them. */
async function lockedRows(ctx: Context, list: Replaced[]): Promise<Map<string, Now>> {
  const rows = new Map<string, Now>()
  const kinds: [Replaced['kind'], AnyRecord][] = [
    ['project', ProjectOrDeal],
    ['milestone', Milestone],
    ['task', Task],
  ]
  for (const [kind, record] of kinds) {
    const ids = list.flatMap((entry) => (entry.kind === kind ? entry.record_id : [])).sort()
    for (let at = 0; at < ids.length; at += batch) {
      const part = ids.slice(at, at + batch)
      const locked = await lockMany(ctx, record, part, 'update')
      for (const id of part) {
        const { stored: fields = {}, isAllowed } = locked.get(id) ?? {}
        const own = kind === 'project' ? recordOfType(String(fields.project_type)) : record
        if (isAllowed) rows.set(id, { record: own, fields })
        else {
          const error = locked.has(id)
            ? `Your role may not update this ${own.word}`
            : notFound(capitalized(own.word)).message
          rows.set(id, { record: own, fields, error })
        }
      }
    }
  }
  return rows
}

/** The number of whole records in memory at a time. */
const batch = 100

/** Those of the dates to restore that would then be on the wrong side of the other one, which stays. */
function backwards(now: Now['fields'], fields: Replaced['fields']): string[] {
  if (fields.start_date && fields.due_date) return []
  const start = fields.start_date ? fields.start_date.to : now.start_date
  const due = fields.due_date ? fields.due_date.to : now.due_date
  const isBackwards = typeof start === 'string' && typeof due === 'string' && due < start
  return isBackwards ? ['start_date', 'due_date'].filter((field) => field in fields) : []
}

/**
 * How the dependencies of a task go back; those stay that were changed since, and those whose predecessor is gone or
 * hidden from the caller.
 */
async function linksBack(ctx: Context, list: Replaced[]) {
  const ids = list.flatMap(({ record_id, links }) => (links.length ? record_id : []))
  const wanted = list.flatMap(({ links }) =>
    links.flatMap(({ predecessor_id, from }) => (from ? predecessor_id : [])),
  )
  const now = ids.length
    ? await ctx.all<{
        task_id: string
        predecessor_id: string
        type: string
        lag_days: number
      }>(sql`
        select t.task_id, t.predecessor_id, t.type, t.lag_days from task_dependencies t
        where ${mine(ctx)} and t.task_id = any(${ids})`)
    : []
  const readable = wanted.length
    ? await ctx.all<{ id: string }>(sql`select t.id from tasks t
        where ${scope(ctx, Task, 'read')} and t.id = any(${wanted})`)
    : []
  const stored = new Map(now.map((link) => [`${link.task_id} ${link.predecessor_id}`, link]))
  const known = new Set(readable.map(({ id }) => id))
  return ({ record_id, links }: Replaced) => {
    return links.flatMap(({ predecessor_id, from, to }): Omit<LinkChange, 'task_id'>[] => {
      const link = stored.get(`${record_id} ${predecessor_id}`)
      const isAsLeft = link?.type === to?.type && link?.lag_days === to?.lag_days
      if (!isAsLeft || (from && !known.has(predecessor_id))) return []
      return [{ predecessor_id, from: to, to: from }]
    })
  }
}

/** With who changed these fields last, as far as the caller sees it in the log. */
async function withAuthors(ctx: Context, kept: Kept[]) {
  const changed = new Map<AnyRecord, Awaited<ReturnType<typeof changedSinceEach>>>()
  for (const [record, its] of Map.groupBy(kept, (entry) => entry.record)) {
    const versions = new Map(its.map(({ id, version }) => [id, { id, version }]))
    changed.set(record, await changedSinceEach(ctx, record, [...versions.values()]))
  }
  return kept.map(({ id, field, logged, record }) => {
    const fields = changed.get(record)?.get(id) ?? []
    const last = fields.find((one) => logged.includes(one.field))
    return { id, field, by: last?.by.full_name ?? null }
  })
}
