import type { Context } from '../../kit/ground/context.ts'
import { badField, notFound } from '../../kit/ground/errors.ts'
import { newId } from '../../kit/ground/ids.ts'
import { isObject } from '../../kit/ground/object.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { isOrdinary } from '../../kit/crud.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { capitalized } from '../../kit/record/record.ts'
import { distinctTags, tagsWithout } from '../../kit/record/tag-list.ts'
import { ownValue } from '../../kit/write/changes.ts'
import { lockMany, removeMany } from '../../kit/write/many.ts'
import { lock } from '../../kit/write/write.ts'
import type { Failed } from './each.ts'
import { each } from './each.ts'
import type { BulkList } from './list.ts'
import { perform } from './list.ts'

export const bulkActions = ['update', 'delete', 'restore', 'add_tags', 'remove_tags'] as const
export type BulkAction = (typeof bulkActions)[number]

type Row = { [field: string]: unknown }

/** What was done to one record, for the undo. */
export type Done = { record_id: string; version: number | null; before: object | null }

export type Outcome = { updated: number; failed: Failed[]; bulk_id: string }

type Change = { action: BulkAction; ids: string[]; fields: Row; at: object }

/** Applies the same change to many records by their ordinary operations, and stores what the undo needs. */
export async function changeMany(
  ctx: Context,
  kind: BulkList,
  { action, ids, fields, at }: Change,
): Promise<Outcome> {
  const done: Done[] = []
  const { updated, failed } =
    action === 'delete' && isOrdinary(kind.operations.remove)
      ? await removeAll(ctx, kind.record, ids, done)
      : await each(ctx, ids, async (id) => {
          done.push({ record_id: id, ...(await changeOne(ctx, kind, { action, id, fields, at })) })
        })
  const failedIds = new Set(failed.map(({ id }) => id))
  const changed = done.filter(({ record_id }) => !failedIds.has(record_id))
  const bulk_id = await storeWrite(ctx, { list: kind.list, action, field: 'ids' }, changed)
  return { updated, failed, bulk_id }
}

/**
 * Stores what the undo of a write needs, under the name of its list; returns its id. 400 naming the field of the body
 * if that is more than a request may store.
 */
export async function storeWrite(
  ctx: Context,
  { list, action, field }: { list: string; action: BulkAction; field: string },
  done: Done[],
): Promise<string> {
  checkStored(ctx, field, done)
  const bulk_id = newId()
  await ctx.run(sql`insert into bulk_writes (organization_id, id, list, action, created_by,
      creation_time)
    values (${ctx.organization.id}, ${bulk_id}, ${list}, ${action}, ${ctx.actor.user_id},
      ${ctx.now().toISOString()})`)
  await ctx.run(sql`insert into bulk_write_records (organization_id, bulk_id, record_id, version, before)
    select o.organization_id, ${bulk_id}, r.record_id, r.version, r.before
    from organizations o, json_to_recordset(${JSON.stringify(done)})
      as r (record_id text, version integer, before jsonb)
    where ${mine(ctx, 'o')}`)
  return bulk_id
}

/** Deletes many in a fixed number of statements, if the record has only the kit's ordinary deletion. */
async function removeAll(ctx: Context, record: AnyRecord, ids: string[], done: Done[]) {
  const failed: Failed[] = []
  let updated = 0
  for (let at = 0; at < ids.length; at += batch) {
    const part = ids.slice(at, at + batch)
    const locked = await lockMany(ctx, record, part, 'delete')
    for (const id of part) {
      const error = !locked.has(id)
        ? notFound(capitalized(record.word)).message
        : `Your role may not delete this ${record.word}`
      if (!locked.get(id)?.isAllowed) failed.push({ id, error })
    }
    const rows = [...locked.values()].filter(({ isAllowed }) => isAllowed)
    await removeMany(ctx, record, rows)
    updated += rows.length
    done.push(...rows.map(({ id }) => ({ record_id: id, version: null, before: null })))
  }
  return { updated, failed }
}

/** The number of records in memory at a time. */
const batch = 100

type One = { action: BulkAction; id: string; fields: Row; at: object }

async function changeOne(
  ctx: Context,
  kind: BulkList,
  { action, id, fields, at }: One,
): Promise<{ version: number | null; before: Row | null }> {
  if (action === 'delete' || action === 'restore') {
    const version = await perform(ctx, kind, action === 'delete' ? 'remove' : 'restore', { at, id })
    return { version: version ?? null, before: null }
  }
  const { row } = await lock(ctx, kind.record, id, 'update')
  const body = action === 'update' ? structuredClone(fields) : taggedBody(action, row, fields)
  const before = replaced(kind.record, row, body)
  return { version: (await perform(ctx, kind, 'update', { at, id, body })) ?? null, before }
}

function taggedBody(action: 'add_tags' | 'remove_tags', row: Row, fields: Row): Row {
  const tags = fields.tags as string[]
  const now = (row.tags as string[] | null) ?? []
  if (action === 'remove_tags') return { tags: tagsWithout(now, tags) }
  return { tags: distinctTags([...now, ...tags]) }
}

/** Fields that change together with others, and are restored with them. */
const alongside: { [field: string]: string[] } = {
  stage_id: ['lost_reason'],
  pipeline_id: ['stage_id', 'lost_reason'],
  is_completed: ['status'],
}

/** The body that restores what a body replaces. */
function replaced({ fields, open }: AnyRecord, row: Row, body: Row): Row {
  const before: Row = {}
  const custom: Row = {}
  const names = Object.keys(body).flatMap((name) => [name, ...(alongside[name] ?? [])])
  for (const name of names) {
    if (name === 'custom_fields' && isObject(body[name])) {
      for (const key of Object.keys(body[name])) custom[key] = ownValue(ownCustom(row), key)
    } else if (Object.hasOwn(fields, name)) before[name] = row[name] ?? null
    else if (open) custom[name] = ownValue(ownCustom(row), name)
  }
  return Object.keys(custom).length ? { ...before, custom_fields: custom } : before
}

function ownCustom(row: Row): Row {
  return (row.custom_fields as Row | null | undefined) ?? {}
}

/** 400 if the data for the undo is more than a request may store. */
function checkStored({ limits }: Context, field: string, done: Done[]) {
  const most = limits.bulkBytes
  const bytes = done.reduce((sum, { before }) => sum + JSON.stringify(before).length, 0)
  if (!most || bytes <= most) return
  throw badField(
    field,
    `these records are too large: ${bytes} bytes would be replaced, at most ${most} are allowed`,
  )
}

/** The records of a bulk write that has not been undone, locked. */
export async function storedWrite(ctx: Context, bulk_id: string) {
  const found = await ctx.one<{
    list: string
    action: BulkAction
    undone_at: string | null
    created_by: string | null
    creation_time: string
  }>(sql`
    select t.list, t.action, t.undone_at, t.created_by, t.creation_time from bulk_writes t
    where ${mine(ctx)} and t.id = ${bulk_id} for update`)
  if (!found) return undefined
  const records = await ctx.all<Done>(sql`
    select t.record_id, t.version, t.before from bulk_write_records t
    where ${mine(ctx)} and t.bulk_id = ${bulk_id} order by t.record_id`)
  return { ...found, records }
}
