import type { Context } from '../../kit/ground/context.ts'
import { claimUnique } from '../../kit/record/custom.ts'
import { Failure, badField } from '../../kit/ground/errors.ts'
import { newId } from '../../kit/ground/ids.ts'
import type { Input, Operation } from '../../kit/ground/operation.ts'
import { Answer } from '../../kit/ground/operation.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { readSchema } from '../../kit/record/schema.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { differences } from '../../kit/write/changes.ts'
import { announce } from '../../kit/write/announce.ts'
import { lock, write } from '../../kit/write/write.ts'
import { reaches } from '../cycle.ts'
import type { Changed, Stored, Strategy } from './fields.ts'
import { mergeFields, strategies } from './fields.ts'
import { linksTo } from '../links.ts'
import type { Moved } from './move.ts'
import { moveLinks } from './move.ts'
import type { JSONSchema } from '../../kit/ground/json-schema.ts'
import type { Change } from '../../kit/ground/event.ts'

/** What keeps two records of a kind apart: null where nothing does. */
export type KeyOf = (row: Stored) => string | null

const mostMerged = 50

/**
 * Merges records into one, all or nothing: its fields by `strategy`, what points to the others, their
 * activity. The others are deleted and lead to it from then on. Needs the right to update the one
 * and to delete the others. `dry_run` gives the same answer and leaves nothing behind.
 */
export function mergeOf(record: AnyRecord, keyOf: KeyOf): Operation {
  const { module, word } = record
  return {
    name: `merge_${module}`,
    summary: `Merge ${module} into one: fields by strategy, links and activity move to it`,
    description:
      '`primary_wins` keeps the fields of the primary, `fill_empty` (the default) fills what it ' +
      'lacks from the others in their order, `newest_wins` takes for each field what was last ' +
      'updated and is not empty. Tags are united. It can be undone for 30 days.',
    can: { module, action: 'update' },
    writes: true,
    input: {
      body: {
        type: 'object',
        properties: {
          primary_id: {
            type: 'string',
            minLength: 1,
            maxLength: 25,
            description: `the ${word} that stays`,
          },
          merge_ids: {
            type: 'array',
            items: { type: 'string', minLength: 1, maxLength: 25 },
            minItems: 1,
            maxItems: mostMerged,
            description: `the ${module} that become part of it`,
          },
          strategy: { type: 'string', enum: [...strategies], description: 'fill_empty if none' },
          dry_run: { type: 'boolean', description: 'tell what would happen, and do nothing' },
        },
        required: ['primary_id', 'merge_ids'],
      },
    },
    output: outcomeSchema(record, {
      merge_id: { type: ['string', 'null'], description: 'for the undo; null of a dry run' },
      merged_ids: { type: 'array', items: { type: 'string' } },
      strategy: { type: 'string', enum: [...strategies] },
      dry_run: { type: 'boolean' },
      moved: movedSchema,
      changes: changesSchema,
    }),
    async run(ctx: Context, { body, ifMatch }: Input) {
      const { primary_id, merge_ids, strategy = 'fill_empty', dry_run = false } = body
      checkIds(primary_id, merge_ids)
      if (!dry_run)
        return answer(await merge(ctx, record, keyOf, primary_id, merge_ids, strategy, ifMatch))
      // the very same writes, so that it tells the truth, taken back and told to nobody
      await ctx.run(sql`savepoint dry_run`)
      const quiet = { ...ctx, emit: () => '' }
      const outcome = await merge(quiet, record, keyOf, primary_id, merge_ids, strategy, ifMatch)
      await ctx.run(sql`rollback to savepoint dry_run`)
      return answer({ ...outcome, merge_id: null, dry_run: true })
    },
  }
}

/** The record as a read gives it, with what else an answer says beside its fields. */
export function outcomeSchema(record: AnyRecord, more: { [name: string]: JSONSchema }): JSONSchema {
  const { properties, required } = readSchema(record)
  return {
    type: 'object',
    properties: { ...(properties as object), ...more },
    required: [...(required as string[]), ...Object.keys(more)],
  }
}

export const movedSchema: JSONSchema = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      module: { type: 'string' },
      field: { type: 'string', description: 'what points to the record' },
      count: { type: 'integer' },
      ids: { type: 'array', items: { type: 'string' }, description: 'the first hundred' },
    },
    required: ['module', 'field', 'count', 'ids'],
  },
}

const changesSchema: JSONSchema = {
  type: 'array',
  items: {
    type: 'object',
    properties: { field: { type: 'string' }, from: {}, to: {} },
    required: ['field', 'from', 'to'],
  },
}

/** The rows of a merge as they are stored, locked, by id. */
export async function storedRows(ctx: Context, record: AnyRecord, ids: string[]) {
  const found = await ctx.all<{ row: Stored }>(sql`select to_jsonb(t) as row
    from ${sql.table(record.table)} t where ${mine(ctx)} and t.id = any(${ids})
    order by t.id for update`)
  return new Map(found.map(({ row }) => [String(row.id), row]))
}

/** Values as columns take them: objects and arrays as JSON text. */
export function asColumns(values: Stored): Stored {
  const entries = Object.entries(values).map(([column, value]) => [
    column,
    typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
  ])
  return Object.fromEntries(entries)
}

/** The columns in which a record points to another of its kind. */
export function linksToItself(record: AnyRecord) {
  return (linksTo[record.table] ?? []).filter(({ table }) => table === record.table)
}

type Outcome = {
  record: { [field: string]: unknown }
  version: number
  merge_id: string | null
  merged_ids: string[]
  strategy: Strategy
  dry_run: boolean
  moved: Moved[]
  changes: Change[]
}

function answer({ record, version, ...outcome }: Outcome): Answer {
  return new Answer({ ...record, ...outcome }, { version })
}

function checkIds(primary_id: string, merge_ids: string[]) {
  if (merge_ids.includes(primary_id)) {
    throw badField('merge_ids', 'must not name the primary: nothing is merged into itself')
  }
  if (new Set(merge_ids).size < merge_ids.length) throw badField('merge_ids', 'names one twice')
}

async function merge(
  ctx: Context,
  record: AnyRecord,
  keyOf: KeyOf,
  primary_id: string,
  merged_ids: string[],
  strategy: Strategy,
  ifMatch: number[] | undefined,
): Promise<Outcome> {
  const before = await lockAll(ctx, record, primary_id, merged_ids, ifMatch)
  const stored = await storedRows(ctx, record, [primary_id, ...merged_ids])
  const primary = stored.get(primary_id)!
  const merged = merged_ids.map((id) => stored.get(id)!)
  const merge_id = newId()
  const changed = mergeFields(record, primary, merged, strategy)
  const after = { ...primary, ...valuesOf(changed) }
  if (keyOf(primary) !== keyOf(after)) {
    changed.unique_key = { from: primary.unique_key, to: keyOf(after) }
  }
  await clearCircles(ctx, record, primary, merged_ids, changed)
  await remember(ctx, record, { merge_id, primary_id, merged_ids, strategy, changed })
  await bury(ctx, record, primary, merged, before)
  const moved = await moveLinks(ctx, record, { merge_id, primary, merged })
  // alive it is already: without any column there would be nothing to write
  const columns = { ...asColumns(valuesOf(changed)), deleted_at: null }
  const written = await write(ctx, record, primary_id, columns)
  await claimUnique(
    ctx,
    record,
    primary_id,
    (written.row.custom_fields as { [key: string]: unknown } | undefined) ?? {},
  )
  const changes = differences(record, before.get(primary_id)!.row, written.row)
  const told = [...changes, { field: 'merged_ids', from: null, to: merged_ids }]
  await announce(ctx, record, 'merged', {
    id: primary_id,
    version: written.version,
    json: async () => written.json,
    changes: told,
    name: written.row[record.title],
    more: { merge_id, merged_ids, strategy },
  })
  // what people may see can hang on accounts, which may have moved
  ctx.forget()
  const { row, version } = written
  return { record: row, version, merge_id, merged_ids, strategy, dry_run: false, moved, changes }
}

type Locked = Awaited<ReturnType<typeof lock>>

/** Locks all in one order, so that two merges wait for each other; 400 for ids that lead nowhere. */
async function lockAll(
  ctx: Context,
  record: AnyRecord,
  primary_id: string,
  merged_ids: string[],
  ifMatch: number[] | undefined,
) {
  const locked = new Map<string, Locked>()
  for (const id of [primary_id, ...merged_ids].toSorted()) {
    const isPrimary = id === primary_id
    try {
      const action = isPrimary ? 'update' : 'delete'
      locked.set(id, await lock(ctx, record, id, action, isPrimary ? ifMatch : undefined))
    } catch (error) {
      if (!(error instanceof Failure) || error.status !== 404) throw error
      const field = isPrimary ? 'primary_id' : 'merge_ids'
      throw badField(field, isPrimary ? 'no such record' : `no such record as ${id}`)
    }
  }
  return locked
}

type Remembered = {
  merge_id: string
  primary_id: string
  merged_ids: string[]
  strategy: Strategy
  changed: Changed
}

async function remember(ctx: Context, record: AnyRecord, merge: Remembered) {
  const { merge_id, primary_id, merged_ids, strategy, changed } = merge
  const { module } = record
  const organization = ctx.organization.id
  const now = ctx.now().toISOString()
  await ctx.run(sql`
    insert into merges (organization_id, id, module, primary_id, merged_ids, strategy, changed,
      created_by, creation_time)
    values (${organization}, ${merge_id}, ${module}, ${primary_id}, ${JSON.stringify(merged_ids)},
      ${strategy}, ${JSON.stringify(changed)}, ${ctx.actor.user_id}, ${now})`)
  await ctx.run(sql`
    insert into merged_records (organization_id, id, module, primary_id, merge_id, creation_time)
    select ${organization}, id, ${module}, ${primary_id}, ${merge_id}, ${now}
    from unnest(${merged_ids}::text[]) as id`)
}

/** Deletes the merged records, which keep their own fields and links for an undo. */
async function bury(
  ctx: Context,
  record: AnyRecord,
  primary: Stored,
  merged: Stored[],
  before: Map<string, Locked>,
) {
  const ids = merged.map(({ id }) => String(id))
  const now = ctx.now().toISOString()
  await ctx.run(sql`update ${sql.table(record.table)} t
    set deleted_at = ${now}, last_update_time = ${now}, version = version + 1
    where ${mine(ctx)} and t.id = any(${ids})`)
  for (const id of ids) {
    await claimUnique(ctx, record, id, {})
    const { json, row, version } = before.get(id)!
    await announce(ctx, record, 'deleted', {
      id,
      version: version + 1,
      json: async () => json,
      changes: [{ field: 'merged_into', from: null, to: primary.id }],
      name: row[record.title],
      more: { merged_into: primary.id },
    })
  }
}

/** A link of the primary to its own kind that would now go round is cleared. */
async function clearCircles(
  ctx: Context,
  record: AnyRecord,
  primary: Stored,
  merged_ids: string[],
  changed: Changed,
) {
  for (const link of linksToItself(record)) {
    const from = primary[link.column]
    const to = link.column in changed ? changed[link.column]!.to : from
    if (typeof to !== 'string') continue
    // what leads to a merged one will lead to the primary
    if (await reaches(ctx, link, to, [String(primary.id), ...merged_ids])) {
      changed[link.column] = { from, to: null }
    }
  }
}

function valuesOf(changed: Changed): Stored {
  return Object.fromEntries(Object.entries(changed).map(([column, { to }]) => [column, to]))
}
