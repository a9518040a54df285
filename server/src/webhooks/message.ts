import type { KeyObject } from 'node:crypto'
import { sign } from './signature.ts'

/** One event for one subscription, as stored; `data` and `changes` are JSON text. */
export type Message = {
  /** the webhook-id: the same for every attempt */
  id: string
  event_id: string | null
  type: string
  occurred_at: string
  subscription_id: string | null
  organization_id: string
  source: string
  actor_type: string
  actor_id: string | null
  actor_name: string
  data: string | null
  record_version: number | null
  changes: string | null
}

/** The stored source of a triggered test, whose body contains `"test": true`. */
export const testSource = 'test'

/**
 * The body of a delivery. It is built for each attempt from the stored data and always has the
 * same bytes: keys in a fixed order, as compact as `JSON.stringify` writes it, so that a receiver
 * that parses the body and serializes it again can still verify the signature.
 */
export function bodyOf(message: Message): string {
  const { actor_type: type, actor_id: id, actor_name: full_name } = message
  const isTest = message.source === testSource
  const head = JSON.stringify({
    id: message.id,
    event_id: message.event_id,
    type: message.type,
    timestamp: message.occurred_at,
    subscription_id: message.subscription_id,
    organization_id: message.organization_id,
    // only callers of the integration surface trigger tests
    source: isTest ? 'integration' : message.source,
    actor: { type, id, full_name },
  })
  const data = compact(withVersion(message.data, message.record_version))
  const test = isTest ? ',"test":true' : ''
  const changes = message.changes ? compact(changesOf(message.changes)) : noChanges
  return `${head.slice(0, -1)},"data":${data},"changes":${changes}${test}}`
}

const noChanges = '{"changed_fields":[],"from":{},"to":{}}'

/** The text after a receiver has parsed and serialized it. */
function compact(json: string): string {
  return JSON.stringify(JSON.parse(json))
}

/** The headers of one attempt (Standard Webhooks); `at` is when it is made. */
export function headersOf(
  id: string,
  body: string,
  secrets: readonly (string | KeyObject)[],
  at: Date,
): Record<string, string> {
  const timestamp = Math.floor(+at / 1000)
  return {
    'content-type': 'application/json',
    'user-agent': 'Perennial-Webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': sign({ id, timestamp, body, secrets }),
  }
}

/** The record with its version as the last key, as reads have it: `record_version` of documents. */
export function withVersion(data: string | null, version: number | null): string {
  if (!data) return 'null'
  if (version === null) return data
  const isOwn = data.includes('"version"') && Object.hasOwn(JSON.parse(data) as object, 'version')
  const members = data.slice(0, data.lastIndexOf('}'))
  const name = isOwn ? 'record_version' : 'version'
  return `${members}${members.trim() === '{' ? '' : ','}"${name}":${version}}`
}

type Changes = { field: string; from: unknown; to: unknown }[]

function changesOf(text: string): string {
  const changes = JSON.parse(text) as Changes
  // concatenated as text, because tenants choose the names of fields, even `__proto__` or numbers
  const side = (which: 'from' | 'to') =>
    changes.map((each) => `${JSON.stringify(each.field)}:${JSON.stringify(each[which] ?? null)}`)
  const fields = JSON.stringify(changes.map(({ field }) => field))
  return `{"changed_fields":${fields},"from":{${side('from').join()}},"to":{${side('to').join()}}}`
}
