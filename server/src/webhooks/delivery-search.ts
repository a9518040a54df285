import { Type } from 'typebox'
import { endOfDay, isDay, parseInstant, startOfDay } from '../kit/ground/dates.ts'
import type { Context, Query } from '../kit/ground/context.ts'
import { badField } from '../kit/ground/errors.ts'
import { enumeration } from '../kit/ground/json-schema.ts'
import { firstIdAt } from '../kit/ground/ids.ts'
import { all, sql } from '../kit/ground/sql.ts'
import { eventNames } from './catalogue.ts'

/** The statuses of a delivery. */
export const deliveryStatus = enumeration(
  ['pending', 'delivered', 'failing', 'exhausted', 'dropped'],
  {
    title: 'DeliveryStatus',
  },
)

/** The search parameters of the log of deliveries, on both surfaces. */
export const deliverySearch = {
  status: Type.Optional(deliveryStatus),
  event: Type.Optional(enumeration(eventNames, { title: 'EventName' })),
  event_id: Type.Optional(
    Type.String({ maxLength: 255, description: 'only those of this event, one a subscription' }),
  ),
  record_id: Type.Optional(
    Type.String({ maxLength: 255, description: 'only those about this record' }),
  ),
  response_status: Type.Optional(
    Type.Integer({
      minimum: 100,
      maximum: 599,
      description: 'only those whose last attempt was answered with this status',
    }),
  ),
  error: Type.Optional(
    Type.String({
      maxLength: 50,
      description: 'only those whose last attempt failed for this reason, such as timeout',
    }),
  ),
  from: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'made at this time or later, or from this day',
    }),
  ),
  to: Type.Optional(
    Type.String({ format: 'date-time', description: 'made before this time, or up to this day' }),
  ),
}

/** The values of such a search. */
export type DeliverySearch = {
  status?: string
  event?: string
  event_id?: string
  record_id?: string
  response_status?: number
  error?: string
  from?: string
  to?: string
}

/** The selection to which a cursor of such a search is bound. */
export function searchKey(of: DeliverySearch): string {
  const { status, event, event_id, record_id, response_status, error, from, to } = of
  return JSON.stringify([status, event, event_id, record_id, response_status, error, from, to])
}

/**
 * The name of the event of a delivery `d`, looked up by its key: only for deliveries on a page, or those
 * read until the page is full. As a join it made PostgreSQL read all events for each subscription.
 */
export const eventTypeOf = ofEvent('type')

const recordIdOf = ofEvent('reference_id')

function ofEvent(column: 'type' | 'reference_id'): Query {
  return sql`(select e.${sql.raw(column)} from events e
    where e.organization_id = $organization and e.id = d.event_id)`
}

/**
 * The search as a condition over `deliveries d`. Deliveries dropped because their reader may not see the record name
 * neither the event nor the record, and are not found by them.
 */
export function searched(ctx: Context, of: DeliverySearch): Query | undefined {
  const { status, event, event_id, record_id, response_status, error, from, to } = of
  const isNamed = sql`d.status <> 'dropped'`
  return all(
    status ? sql`d.status = ${status}` : undefined,
    event ? sql`${eventTypeOf} = ${event}` : undefined,
    event_id ? sql`d.event_id = ${event_id} and ${isNamed}` : undefined,
    record_id ? sql`${recordIdOf} = ${record_id} and ${isNamed}` : undefined,
    response_status ? sql`d.response_status = ${response_status}` : undefined,
    error ? sql`d.error = ${error}` : undefined,
    from ? sql`d.id >= ${idFrom('from', from, ctx)}` : undefined,
    to ? sql`d.id < ${idBefore('to', to, ctx)}` : undefined,
  )
}

/**
 * The instant that a time, or the beginning of a day in the organization's zone, is; 400 naming the field
 * where it is none since 1970.
 */
export function instantFrom(field: string, at: string, { organization }: Context): Date {
  return since1970(field, isDay(at) ? startOfDay(at, organization.timezone) : at, organization)
}

/** Ids of deliveries begin with the time of their event; where a time or a day begins among them. */
export function idFrom(field: string, at: string, ctx: Context): string {
  return idOf(instantFrom(field, at, ctx))
}

/** The id that those before a time, or up to the end of a day, come before. */
export function idBefore(field: string, at: string, { organization }: Context): string {
  const end = isDay(at) ? endOfDay(at, organization.timezone) : at
  return idOf(since1970(field, end, organization))
}

function idOf(instant: Date): string {
  return firstIdAt(instant).slice(0, 12)
}

function since1970(field: string, at: string, { timezone }: Context['organization']): Date {
  const time = Date.parse(parseInstant(at, timezone) ?? '')
  if (!(time >= 0)) throw badField(field, 'must be a day, or a date and time, since 1970')
  return new Date(time)
}
