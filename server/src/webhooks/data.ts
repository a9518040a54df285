import { sql } from '../kit/ground/sql.ts'
import { readMany } from '../kit/write/announce-many.ts'
import type { EventData } from '../kit/record/record.ts'
import type { Context } from '../kit/ground/context.ts'
import type { Change } from '../kit/ground/event.ts'
import type { Runtime } from '../runtime.ts'
import { readingContext } from '../runtime.ts'
import { workerIn } from './caller.ts'
import { eventKind, isEventName } from './catalogue.ts'
import { withVersion } from './message.ts'
import type { Claimed } from './queue.ts'

/**
 * Adds the record to deliveries whose event was stored without it: those of a subscription that was
 * created on another process at the moment of the write (see `isAwaited`). It is read once, stored
 * with the delivery before anything is sent, and therefore the same on every attempt.
 */
export async function loadMissingData(
  runtime: Runtime,
  organization: string,
  deliveries: readonly Claimed[],
): Promise<void> {
  const missing = deliveries.filter(({ data, reference_id }) => data === null && reference_id)
  if (!missing.length) return
  const ctx = readingContext(runtime, await workerIn(runtime, organization))
  const found: { id: string; data: string }[] = []
  const store = (delivery: Claimed, text: string, version: number | null) => {
    delivery.data = withVersion(text, version)
    delivery.record_version = null
    found.push({ id: delivery.id, data: delivery.data })
  }
  for (const [type, list] of Map.groupBy(missing, (delivery) => delivery.type)) {
    if (!isEventName(type)) continue
    const { record, shows } = eventKind(type)
    const ids = list.flatMap(({ reference_id }) => reference_id ?? [])
    // including deleted ones, which are delivered with their last state
    const known = await readMany(ctx, record, ids)
    const texts = shows && (await shown(ctx, shows, list))
    for (const delivery of list) {
      const read = known.get(delivery.reference_id ?? '')
      const text = shows ? texts?.get(idIn(shows, delivery)) : read?.text
      if (read && text !== undefined) store(delivery, text, read.version)
    }
  }
  if (!found.length) return
  await runtime.database.transaction(organization, (queries) =>
    queries.run(sql`
      update deliveries d set data = o.data
      from json_to_recordset(${JSON.stringify(found)}) as o (id text, data text)
      where d.organization_id = ${organization} and d.id = o.id
        and d.id = any(${found.map(({ id }) => id)})`),
  )
}

/** The objects that deliveries contain instead of their record, by the ids in their changes. */
function shown(ctx: Context, shows: EventData, list: readonly Claimed[]) {
  return shows.read(
    ctx,
    list.map((delivery) => idIn(shows, delivery)),
  )
}

/** The id of the object that an event shows, from the text of its changes; empty if there is none. */
export function idIn(
  { key }: Pick<EventData, 'key'>,
  { changes }: Pick<Claimed, 'changes'>,
): string {
  const all = JSON.parse(changes ?? '[]') as Change[]
  const value = all.find(({ field }) => field === key)?.to
  return typeof value === 'string' ? value : ''
}
