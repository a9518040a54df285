import type { AnyRecord, EventKind as Declared } from '../kit/record/record.ts'
import { scopeWords } from '../kit/record/readable.ts'
import { wordOf } from '../kit/record/record.ts'
import { records } from '../model/all.ts'

/** One event that can be subscribed to. */
export type EventKind = {
  /** the record that it is about, which deliveries contain */
  record: AnyRecord
  /** the word of that record in the catalogue */
  module: string
  /** the scopes of which any one allows a subscription */
  scopes: readonly string[]
} & Omit<Declared, 'on'>

export type EventName = string

const catalogue = new Map<EventName, EventKind>()
for (const record of records) {
  const scopes = scopeWords(record).map((word) => `${word}.read`)
  for (const [name, { on: _, ...declared }] of Object.entries(record.events.kinds)) {
    catalogue.set(name, { record, module: wordOf(record), scopes, ...declared })
  }
}

/** Every event there is: `<resource>_<past participle>` (docs/contract/events-and-webhooks.md). */
export const eventNames: readonly EventName[] = [...catalogue.keys()]

/** Whether a text names an event of the catalogue. */
export function isEventName(name: string): name is EventName {
  return catalogue.has(name)
}

/** The event with this name; throws if the catalogue does not have it. */
export function eventKind(event: EventName): EventKind {
  const kind = catalogue.get(event)
  if (!kind) throw new Error(`there is no event ${event}`)
  return kind
}

/** The scopes of which any one allows a subscription to the event. */
export function scopesFor(event: EventName): readonly string[] {
  return eventKind(event).scopes
}

/** The record that an event is about. */
export function recordOf(event: EventName): AnyRecord {
  return eventKind(event).record
}

/** The permission modules of which one must be readable for an event. */
export function permissionModulesOf(event: EventName): string[] {
  const {
    rights: { follows },
    module,
  } = recordOf(event)
  return follows ?? [module]
}
