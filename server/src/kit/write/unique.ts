import type { Context } from '../ground/context.ts'
import type { Failure } from '../ground/errors.ts'
import { conflict } from '../ground/errors.ts'
import { mine, sql } from '../ground/sql.ts'
import type { Definition } from '../record/field-types.ts'
import { definitions } from '../record/custom.ts'
import type { AnyRecord } from '../record/record.ts'
import { lockName, shareName } from './lock-name.ts'
import { hasCustom } from './plan.ts'

type Custom = { [key: string]: unknown }

/**
 * Lets one change of a module's fields and option sets through at a time in the organization, and not beside
 * writes of values of its custom fields.
 */
export async function lockFields(ctx: Context, module: string): Promise<void> {
  await lockName(ctx, fieldsLock(ctx, module))
}

const fieldsLock = ({ organization }: Context, module: string) =>
  `field config ${organization.id} ${module}`

/**
 * The definitions by which values were checked, which stay the same until the commit: a change of them waits for
 * it, and then sees the values. 409 if the cached definitions are out of date. The two statements add 13 % to the
 * processor time of a create with custom fields (`bench:compare`, 2026-11-27), and nothing to others.
 */
async function heldDefinitions(ctx: Context, record: AnyRecord, customs: Custom[]) {
  const known = await definitions(ctx, record.module)
  const keys = new Set(customs.flatMap((custom) => Object.keys(custom)))
  const relevant = [...known.values()].filter((each) => each.unique || keys.has(each.key))
  const asKnown = Object.fromEntries(
    relevant.map(({ key, type, unique, is_archived }) => [key, [type, unique, is_archived]]),
  )
  shareName(ctx, fieldsLock(ctx, record.module))
  const changed = sql`select from field_definitions t
    where ${mine(ctx)} and t.module = ${record.module} and (t.is_unique or t.key = any(${[...keys]}))
      and ${JSON.stringify(asKnown)}::jsonb -> t.key
        is distinct from jsonb_build_array(t.type, t.is_unique, t.is_archived)`
  // awaited: a refusal after the commit was sent would be too late
  if (await ctx.run(changed)) {
    throw conflict('The fields have just changed: try again', 'fields_changed')
  }
  return known
}

/**
 * Keeps the values of unique custom fields apart, those of a record that is written; 409 names the field and the
 * record in the way, or says that the fields have just changed.
 */
export async function claimUnique(ctx: Context, record: AnyRecord, id: string, custom: Custom) {
  const known = await heldDefinitions(ctx, record, [custom])
  const unique = [...known.values()].filter(isUnique)
  if (!unique.length) return
  await ctx.run(sql`delete from unique_values t where ${mine(ctx)} and module = ${record.module}
    and record_id = ${id}`)
  for (const { key } of unique) {
    if (!Object.hasOwn(custom, key)) continue
    const value = uniqueForm(custom[key])
    const claimed = await ctx.run(sql`
      insert into unique_values (organization_id, module, key, value, record_id)
      values (${ctx.organization.id}, ${record.module}, ${key}, ${value}, ${id})
      on conflict do nothing`)
    if (!claimed) {
      const holder = await ctx.one(sql`select record_id from unique_values t where ${mine(ctx)}
        and module = ${record.module} and key = ${key} and value = ${value}`)
      throw conflict(`custom_fields.${key}: this value is already taken`, 'duplicate', {
        [record.key]: holder?.record_id,
      })
    }
  }
}

/**
 * The same for many records. A value that another record has, or an earlier one of these, is not claimed, and
 * a refusal is returned for the record's id; if one of them loses a race, the whole write fails with 409.
 */
export async function claimUniqueMany(
  ctx: Context,
  record: AnyRecord,
  rows: { id: string; custom: Custom }[],
): Promise<Map<string, Failure>> {
  const refused = new Map<string, Failure>()
  if (!rows.length) return refused
  const customs = rows.map(({ custom }) => custom)
  const unique = [...(await heldDefinitions(ctx, record, customs)).values()].filter(isUnique)
  if (!unique.length) return refused
  const claims = rows.flatMap(({ id, custom }) =>
    unique
      .filter(({ key }) => Object.hasOwn(custom, key))
      .map(({ key }) => ({ id, key, value: uniqueForm(custom[key]) })),
  )
  const claimRows = sql`json_to_recordset(${JSON.stringify(claims)}::json) as w (id text, key text, value text)`
  const held = await ctx.all<{ key: string; value: string; record_id: string }>(sql`
    select t.key, t.value, t.record_id from unique_values t join ${claimRows}
      on t.key = w.key and t.value = w.value
    where ${mine(ctx)} and t.module = ${record.module}`)
  const slot = (key: string, value: string) => JSON.stringify([key, value])
  const holders = new Map(held.map((each) => [slot(each.key, each.value), each.record_id]))
  for (const { id, key, value } of claims) {
    const holder = holders.get(slot(key, value)) ?? id
    holders.set(slot(key, value), holder)
    if (holder !== id) {
      const data = { [record.key]: holder }
      refused.set(id, conflict(`custom_fields.${key}: this value is already taken`, taken, data))
    }
  }
  const free = claims.filter(({ id }) => !refused.has(id))
  const ids = rows.map(({ id }) => id).filter((id) => !refused.has(id))
  await ctx.run(sql`delete from unique_values t where ${mine(ctx)} and module = ${record.module}
    and record_id = any(${ids})`)
  const claimed = await ctx.run(sql`
    insert into unique_values (organization_id, module, key, value, record_id)
    select ${ctx.organization.id}, ${record.module}, w.key, w.value, w.id
    from json_to_recordset(${JSON.stringify(free)}::json) as w (id text, key text, value text)
    on conflict do nothing`)
  if (claimed < free.length) throw conflict('A unique value was taken meanwhile, try again', taken)
  return refused
}

/** Lets the values of deleted records be taken by others. */
export async function releaseUnique(ctx: Context, record: AnyRecord, ids: string[]) {
  if (!ids.length || !hasCustom(record)) return
  shareName(ctx, fieldsLock(ctx, record.module))
  await ctx.run(sql`delete from unique_values t where ${mine(ctx)} and module = ${record.module}
    and record_id = any(${ids})`)
}

/** Whether no two records may have the same value of a field; of archived fields they may. */
export function isUnique({ unique, is_archived }: Definition): boolean {
  return unique && !is_archived
}

const taken = 'duplicate'

/** How a unique value is compared: text case-folded. */
export function uniqueForm(value: unknown): string {
  return typeof value === 'string' ? value.toLowerCase() : JSON.stringify(value)
}
