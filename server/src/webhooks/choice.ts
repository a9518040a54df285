import { Type } from 'typebox'
import type { Context } from '../kit/ground/context.ts'
import { badField, Failure } from '../kit/ground/errors.ts'
import type { Change } from '../kit/ground/event.ts'
import { arrayOf, orNull, schema } from '../kit/ground/json-schema.ts'
import { all, mine, sql } from '../kit/ground/sql.ts'
import { condition } from '../kit/read/condition.ts'
import { compiled } from '../kit/read/filter-registry.ts'
import { onlyMembers } from '../kit/read/members.ts'
import { versionNameOf } from '../kit/record/record.ts'
import type { EventName } from './catalogue.ts'
import { isEventName, recordOf } from './catalogue.ts'
import type { Claimed, Due } from './queue.ts'
import { messageSchema } from './sample.ts'

/** The conditions and fields that a subscription has chosen; null for all deliveries, and the whole record. */
export type Choice = { conditions: unknown[] | null; fields: string[] | null }

const most = 100

/** The choice in a body. */
export const choiceInput = {
  where: Type.Optional(
    schema<string | unknown[] | null>({
      type: ['array', 'string', 'null'],
      items: condition,
      description:
        'only events whose record meets these conditions, in the grammar of `filter`; every event is about a record that has their fields',
    }),
  ),
  fields: Type.Optional(
    schema<string | string[] | null>({
      type: ['array', 'string', 'null'],
      items: { type: 'string' },
      description:
        'the members of `data` and `changes` to deliver, as a list or with commas; its id and version are always there',
    }),
  ),
}

/** The choice in an answer. */
export const choiceOutput = {
  where: orNull(arrayOf(condition)),
  fields: orNull(arrayOf(Type.String())),
}

/**
 * Reads a body's choice for a reader of these events; omitted parts stay as in `before`.
 * 400 for conditions or fields that one of the events' records does not have.
 */
export async function choiceOf(
  reader: Context,
  events: readonly EventName[],
  { where, fields }: { where?: unknown; fields?: unknown },
  before: Choice = { conditions: null, fields: null },
): Promise<Choice> {
  const conditions = where === undefined ? before.conditions : conditionsOf(where)
  const names = fields === undefined ? before.fields : namesOf(fields)
  if (conditions) {
    for (const record of new Set(events.map(recordOf))) {
      await compiled(reader, record, conditions, 'where')
    }
  }
  if (names) {
    const known = new Set(events.flatMap(membersOfData))
    const unknown = names.filter((name) => !known.has(name))
    if (unknown.length) {
      throw badField('fields', `there is no ${unknown.join(', ')}; of ${[...known].join(', ')}`)
    }
  }
  return { conditions, fields: names }
}

function conditionsOf(where: unknown): unknown[] | null {
  let value = where
  if (typeof where === 'string' && where.trim()) {
    try {
      value = JSON.parse(where)
    } catch {
      throw badField('where', 'must be a JSON array of conditions')
    }
  }
  if (value === null || value === '') return null
  if (!Array.isArray(value)) throw badField('where', 'must be a JSON array of conditions')
  return value.length ? (value as unknown[]) : null
}

function namesOf(fields: unknown): string[] | null {
  const list: unknown = typeof fields === 'string' ? fields.split(',') : fields
  if (!Array.isArray(list)) return null
  const names = (list as unknown[]).map((name) => {
    if (typeof name !== 'string') throw badField('fields', 'must be names of fields')
    return name.trim()
  })
  const named = [...new Set(names)].filter(Boolean)
  if (named.length > most) throw badField('fields', `names more than ${most} fields`)
  return named.length ? named : null
}

function membersOfData(event: EventName): string[] {
  const { properties = {} } = messageSchema(event) as { properties?: { data?: object } }
  const { properties: members = {} } = (properties.data ?? {}) as { properties?: object }
  return Object.keys(members)
}

/** The reason for dropping a delivery whose record does not meet the subscription's conditions. */
export type Unwanted = 'filtered' | 'invalid_filter'

/**
 * The deliveries whose subscriptions do not want them, decided before the first attempt
 * by the record as its reader sees it then; one statement for all of them. Conditions
 * that can no longer be evaluated exclude everything: receivers would act on deliveries that were meant to be excluded.
 */
export async function unwanted(
  deliveries: readonly Claimed[],
  subscriptions: ReadonlyMap<string, Due>,
  readers: ReadonlyMap<string, Context>,
): Promise<Map<string, Unwanted>> {
  const not = new Map<string, Unwanted>()
  const filtered = deliveries.filter(
    ({ subscription_id, attempts }) =>
      attempts === 0 && subscriptions.get(subscription_id)?.conditions,
  )
  const groups = Map.groupBy(
    filtered,
    ({ subscription_id, type }) =>
      `${subscription_id} ${isEventName(type) ? recordOf(type).table : ''}`,
  )
  const selects = []
  let any: Context | undefined
  for (const group of groups.values()) {
    const [{ id, subscription_id, type }] = group as [Claimed, ...Claimed[]]
    const reader = readers.get(id)
    const conditions = subscriptions.get(subscription_id)?.conditions
    if (!reader || !isEventName(type)) continue
    any ??= reader
    const record = recordOf(type)
    const ids = group.flatMap(({ reference_id }) => reference_id ?? [])
    try {
      const condition = await compiled(reader, record, conditions, 'where')
      selects.push(sql`select ${subscription_id}::text as subscription_id, t.id
        from ${sql.table(record.table)} t
        where ${all(mine(reader), sql`t.id = any(${ids})`, condition)}`)
      for (const each of group) not.set(each.id, 'filtered')
    } catch (error) {
      if (!(error instanceof Failure) || error.status >= 500) throw error
      for (const each of group) not.set(each.id, 'invalid_filter')
    }
  }
  if (!any || !selects.length) return not
  const rows = await any.all<{ subscription_id: string; id: string }>(
    sql.join(selects, sql` union all `),
  )
  const met = new Set(rows.map(({ subscription_id, id }) => `${subscription_id} ${id}`))
  for (const { id, subscription_id, reference_id } of filtered) {
    if (met.has(`${subscription_id} ${reference_id}`)) not.delete(id)
  }
  return not
}

/** Reduces a delivery's record and changes to the chosen fields. */
export function cutToChoice(
  delivery: Pick<Claimed, 'type' | 'data' | 'changes'>,
  fields: readonly string[] | null,
): void {
  if (!fields || !isEventName(delivery.type)) return
  const record = recordOf(delivery.type)
  const shown = new Set([...fields, record.key, 'version', versionNameOf(record)])
  if (delivery.data !== null) {
    delivery.data = onlyMembers(delivery.data, (name) => shown.has(name))
  }
  if (delivery.changes !== null) {
    const changes = JSON.parse(delivery.changes) as Change[]
    // custom fields are chosen by their path
    const isShown = ({ field }: Change) =>
      shown.has(field) || shown.has(field.split('.', 1)[0] ?? '')
    delivery.changes = JSON.stringify(changes.filter(isShown))
  }
}
