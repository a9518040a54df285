import type { Context } from '../kit/ground/context.ts'
import type { Change } from '../kit/ground/event.ts'
import { newId } from '../kit/ground/ids.ts'
import type { AnyRecord } from '../kit/record/record.ts'
import { additionsOf } from '../kit/record/record.ts'
import { readable } from '../kit/record/readable.ts'
import { columnsFor, joinsFor, shapeFor, textRows } from '../kit/read/json.ts'
import { readSchema } from '../kit/record/schema.ts'
import { levelOf, scope } from '../kit/record/scope.ts'
import { all, mine, sql } from '../kit/ground/sql.ts'
import { cutFor } from '../kit/read/cut.ts'
import { isInScope } from './access.ts'
import type { EventName } from './catalogue.ts'
import { permissionModulesOf, recordOf } from './catalogue.ts'
import { exampleOf } from './example.ts'
import type { Message } from './message.ts'
import type { JSONSchema } from '../kit/ground/json-schema.ts'

/** The JSON Schema of an event's delivery. */
export function messageSchema(event: EventName): JSONSchema {
  const record = recordOf(event)
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
  return object({
    id: { ...text, description: 'the webhook-id: the same on every attempt' },
    event_id: nullableText,
    type: { ...text, const: event },
    timestamp: { ...text, format: 'date-time' },
    subscription_id: nullableText,
    organization_id: text,
    source: {
      title: 'EventSource',
      ...text,
      enum: ['application', 'integration', 'import', 'job'],
    },
    actor: object(actor),
    data: dataSchema(record),
    changes: object(changes),
  })
}

/** A delivery that was never made, the same each time, for the catalogue. */
export function exampleMessage(event: EventName): Message {
  const data = exampleOf(dataSchema(recordOf(event))) as { [field: string]: unknown }
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
 * A delivery as it would be of the newest record that the caller may see, with what last happened
 * to it by this name; a made-up one where there is none, or where scope or rights are missing.
 */
export async function sampleFor(ctx: Context, event: EventName): Promise<Message> {
  const { actor, organization } = ctx
  const made = { ...exampleMessage(event), id: newId(), organization_id: organization.id }
  const record = recordOf(event)
  if (!maySee(ctx, event)) return made
  const shape = shapeFor(ctx, record)
  const rows = await ctx.cells(sql`
    select ${columnsFor(ctx, shape)} from ${sql.table(record.table)} t ${joinsFor(ctx, shape)}
    where ${all(scope(ctx, record, 'read'), readable(ctx, record.table))}
    order by t.id desc limit 1`)
  const [newest] = await textRows(ctx, shape, rows)
  if (!newest) return made
  const happened = await lastEvent(ctx, event, newest.id)
  return {
    ...made,
    event_id: null,
    occurred_at: ctx.now().toISOString(),
    source: ctx.source,
    actor_type: actor.app ? 'app' : 'user',
    actor_id: actor.user_id,
    actor_name: actor.full_name,
    changes: JSON.stringify(changesOf(event, JSON.parse(newest.text))),
    ...happened,
    data: newest.text,
    record_version: newest.version,
  }
}

/** Whether the caller's app, where there is one, and role would receive the event at all. */
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

/** The record as an integration read shows it: with its version, without what a user may do. */
function dataSchema(record: AnyRecord): JSONSchema {
  const schema = readSchema(record)
  const properties = Object.entries(schema.properties as { [name: string]: JSONSchema })
  const isRight = (name: string) => name === 'can' && additionsOf(record).includes('can')
  return {
    ...schema,
    properties: Object.fromEntries(properties.filter(([name]) => !isRight(name))),
  }
}

/** What such an event could have changed: the field that names the record. */
function changesOf(event: EventName, data: { [field: string]: unknown }) {
  const { title } = recordOf(event)
  if (event.endsWith('_deleted')) return []
  const from = event.endsWith('_created') ? null : `Former ${String(data[title])}`
  return [{ field: title, from, to: data[title] }]
}

/** What last happened to a record by this name, with the changes that the caller may see. */
async function lastEvent(
  ctx: Context,
  event: EventName,
  id: string,
): Promise<Partial<Message> | undefined> {
  const record = recordOf(event)
  const module_id = record.number
  const found = await ctx.one<Partial<Message> & { changes: Change[] | null }>(sql`
    select t.id as event_id, t.occurred_at, t.source, t.actor_type, t.actor_id, t.actor_name,
      t.changes
    from events t where ${mine(ctx)} and t.module_id = ${module_id} and t.reference_id = ${id}
      and t.type = ${event} order by t.id desc limit 1`)
  if (!found) return undefined
  const [cut] = await cutFor(ctx, record, [{ id, data: null, changes: found.changes ?? [] }])
  return { ...found, changes: JSON.stringify(cut?.changes ?? []) }
}
