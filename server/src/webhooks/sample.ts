import type { Context } from '../kit/ground/context.ts'
import type { Change } from '../kit/ground/event.ts'
import { newId } from '../kit/ground/ids.ts'
import { additionsOf, versionNameOf } from '../kit/record/record.ts'
import { extend } from '../kit/ground/json-schema.ts'
import { isObject } from '../kit/ground/object.ts'
import { readable } from '../kit/record/readable.ts'
import { columnsFor, joinsFor, shapeFor, textRows } from '../kit/read/json.ts'
import { readSchema } from '../kit/record/schema.ts'
import { levelOf, scope } from '../kit/record/scope.ts'
import { all, mine, sql } from '../kit/ground/sql.ts'
import { cutFor } from '../kit/read/cut.ts'
import { isInScope } from './access.ts'
import type { EventName } from './catalogue.ts'
import { eventKind, permissionModulesOf, recordOf } from './catalogue.ts'
import { idIn } from './data.ts'
import { holds, withValues } from './example.ts'
import { exampleOf } from '../model/words/example.ts'
import type { Message } from './message.ts'
import type { JSONSchema } from '../kit/ground/json-schema.ts'

/** The JSON Schema of an event's delivery. */
export function messageSchema(event: EventName): JSONSchema {
  const nullableText = { type: ['string', 'null'] }
  const actor = {
    type: { title: 'ActorType', type: 'string', enum: ['user', 'app', 'system'] },
    id: nullableText,
    full_name: text,
  }
  const changes = {
    changed_fields: { type: 'array', items: text },
    from: { type: 'object', description: 'old values by field', additionalProperties: true },
    to: { type: 'object', description: 'new values by field', additionalProperties: true },
  }
  const schema = object({
    id: { ...text, description: 'the webhook-id: the same on every attempt' },
    event_id: nullableText,
    type: { ...text, const: event },
    timestamp: { ...text, format: 'date-time' },
    subscription_id: nullableText,
    organization_id: text,
    source: {
      title: 'EventSource',
      ...text,
      enum: ['application', 'integration', 'mcp', 'import', 'job'],
    },
    actor: object(actor),
    data: dataSchema(event),
    changes: object(changes),
  })
  const test = {
    type: 'boolean',
    const: true,
    description: 'only in deliveries of a triggered test',
  }
  return { ...schema, properties: { ...(schema.properties as object), test } }
}

/** The common properties of all deliveries; `data` is the record that the event is about. */
export function deliverySchema(): JSONSchema {
  const { properties, ...schema } = messageSchema('company_created')
  const { type: _, data: __, ...common } = properties as { [field: string]: JSONSchema }
  const data = { company_id: '03h9vqz0k4m2c0m5p8a1n6y3d', company_name: 'Northwind Traders' }
  return {
    ...schema,
    title: 'Delivery',
    properties: {
      type: { ...text, example: 'company_created' },
      data: { example: data },
      ...common,
    },
  }
}

/** A made-up delivery, the same each time, for the catalogue. */
export function exampleMessage(event: EventName): Message {
  const { after, sample } = eventKind(event)
  const made = exampleOf(dataSchema(event), {}) as Data
  const data = withValues(made, { ...after, ...sample })
  return {
    id: '03h9vqz0k4m2x7c5t8b1n6r3d',
    event_id: '03h9vqz0k4m2wp9f1s6y8j2va',
    type: event,
    occurred_at: '2026-01-15T09:30:00.000Z',
    subscription_id: '03h9vqz0k4m3b5h7q9u1e4xzc',
    organization_id: '03h9vqz0k4m1d2g6l8o3i5wye',
    source: 'application',
    actor_type: 'user',
    actor_id: '03h9vqz0k4m1k7n4p2r9t6xub',
    actor_name: 'Ada Example',
    data: JSON.stringify(data),
    record_version: null,
    changes: JSON.stringify(changesOf(event, data)),
  }
}

/**
 * A delivery for the newest record to which this event could have happened, with what last
 * happened to it by this name. If the caller only sees other records, one of these with what the event says
 * about a record; a made-up one if there is none, or if scope or rights are missing.
 */
export async function sampleFor(ctx: Context, event: EventName): Promise<Message> {
  const { actor, organization } = ctx
  const made = { ...exampleMessage(event), id: newId(), organization_id: organization.id }
  if (!maySee(ctx, event)) return made
  const found = eventKind(event).shows ? await newestShown(ctx, event) : await newestOf(ctx, event)
  if (!found) return made
  const { id, text, version, happened } = found
  return {
    ...made,
    event_id: null,
    occurred_at: ctx.now().toISOString(),
    source: ctx.source,
    actor_type: actor.app ? 'app' : 'user',
    actor_id: actor.user_id,
    actor_name: actor.full_name,
    changes: JSON.stringify(changesOf(event, JSON.parse(text) as Data)),
    ...(happened ?? (await lastEvent(ctx, event, id))),
    data: text,
    record_version: version,
  }
}

type Data = { [field: string]: unknown }
type Found = { id: string; text: string; version: number; happened?: Partial<Message> }

/** The number of newest records among which a sample is searched. */
const looked = 20

/** The newest record that is in the state after the event, else the newest record changed to that state. */
async function newestOf(ctx: Context, event: EventName): Promise<Found | undefined> {
  const { record, after = {}, sample } = eventKind(event)
  const shape = shapeFor(ctx, record)
  const most = Object.keys(after).length ? looked : 1
  const rows = await ctx.cells(sql`
    select ${columnsFor(ctx, shape)} from ${sql.table(record.table)} t ${joinsFor(ctx, shape)}
    where ${all(scope(ctx, record, 'read'), readable(ctx, record.table))}
    order by t.id desc limit ${most}`)
  const [newest, ...older] = await textRows(ctx, shape, rows)
  if (!newest) return undefined
  const inState = ({ text }: Found) => holds(JSON.parse(text) as Data, after)
  const found = [newest, ...older].find(inState)
  if (found) return found
  const data = withValues(JSON.parse(newest.text) as Data, { ...after, ...sample })
  return { ...newest, text: JSON.stringify(data) }
}

/** The content of the last event of this name about a record that the caller may see. */
async function newestShown(ctx: Context, event: EventName): Promise<Found | undefined> {
  const { record, shows } = eventKind(event)
  const found = await ctx.one<{ id: string; version: number }>(sql`
    select t.id, t.version from ${sql.table(record.table)} t
    join lateral (select e.id from events e where ${mine(ctx, 'e')} and e.module_id = ${record.number}
      and e.reference_id = t.id and e.type = ${event} order by e.id desc limit 1) e on true
    where ${all(scope(ctx, record, 'read'), readable(ctx, record.table))}
    order by e.id desc limit 1`)
  const happened = found && (await lastEvent(ctx, event, found.id))
  if (!found || !shows || !happened) return undefined
  const shown = idIn(shows, { changes: happened.changes ?? null })
  const text = (await shows.read(ctx, [shown])).get(shown)
  return text === undefined ? undefined : { ...found, text, happened }
}

/** Whether the caller's app, if there is one, and role would receive the event at all. */
export function maySee({ actor }: Context, event: EventName): boolean {
  const levels = permissionModulesOf(event).map((module) => levelOf(actor, module, 'read'))
  return (
    levels.some((level) => level !== 'none') && (!actor.app || isInScope(event, actor.app.scopes))
  )
}

const text = { type: 'string' }

function object(properties: { [name: string]: JSONSchema }): JSONSchema {
  return { type: 'object', properties, required: Object.keys(properties) }
}

/** The record as in a read of the integration surface: with its version, without `can`. */
function dataSchema(event: EventName): JSONSchema {
  const { record, shows } = eventKind(event)
  const schema = readSchema(record)
  const properties = Object.entries(schema.properties as { [name: string]: JSONSchema })
  if (shows) {
    const version = versionNameOf(record)
    const its = schema.properties as { [name: string]: JSONSchema }
    return extend(shows.schema as never, { [version]: its[version] as never })
  }
  const isRight = (name: string) => name === 'can' && additionsOf(record).includes('can')
  return {
    ...schema,
    properties: Object.fromEntries(properties.filter(([name]) => !isRight(name))),
  }
}

/** The changes in such an event: those that it declares, else the field with the record's name. */
function changesOf(event: EventName, data: Data): Change[] {
  const { record, changes } = eventKind(event)
  if (changes) {
    return Object.entries(changes).map(([field, before]) => {
      const to = data[field] ?? null
      const from = isObject(before) && isObject(to) ? { ...to, ...before } : before
      return { field, from, to }
    })
  }
  if (event.endsWith('_deleted')) return []
  const { title } = record
  const from = event.endsWith('_created') ? null : `Former ${String(data[title])}`
  return [{ field: title, from, to: data[title] }]
}

/** The last event of this name about a record, with the changes that the caller may see. */
async function lastEvent(
  ctx: Context,
  event: EventName,
  id: string,
): Promise<Partial<Message> | undefined> {
  const record = recordOf(event)
  // modules without a public number are logged without one
  const { number } = record
  const module = number === null ? sql`t.module_id is null` : sql`t.module_id = ${number}`
  const found = await ctx.one<Partial<Message> & { changes: Change[] | null }>(sql`
    select t.id as event_id, t.occurred_at, t.source, t.actor_type, t.actor_id, t.actor_name,
      t.changes
    from events t where ${mine(ctx)} and ${module} and t.reference_id = ${id}
      and t.type = ${event} order by t.id desc limit 1`)
  if (!found) return undefined
  const [cut] = await cutFor(ctx, record, [{ id, data: null, changes: found.changes ?? [] }])
  return { ...found, changes: JSON.stringify(cut?.changes ?? []) }
}
