import { sql } from '../kit/ground/sql.ts'
import { readMany } from '../kit/write/announce-many.ts'
import type { Runtime } from '../runtime.ts'
import { readingContext } from '../runtime.ts'
import { workerIn } from './caller.ts'
import { isEventName, recordOf } from './catalogue.ts'
import { withVersion } from './message.ts'
import type { Claimed } from './queue.ts'

/**
 * Gives their record to deliveries whose event was stored without: those of a subscription that was
 * made on another process in the very moment of the write (see `isAwaited`). It is read once, stored
 * with the delivery before anything is sent, and so the same on every attempt.
 */
export async function loadMissingData(
  runtime: Runtime,
  organization: string,
  deliveries: readonly Claimed[],
): Promise<void> {
  const missing = deliveries.filter(({ data, reference_id }) => data === null && reference_id)
  if (!missing.length) return
  const ctx = readingContext(runtime, await workerIn(runtime, organization))
  const byRecord = Map.groupBy(missing, ({ type }) =>
    isEventName(type) ? recordOf(type) : undefined,
  )
  const found: { id: string; data: string }[] = []
  for (const [record, list] of byRecord) {
    if (!record) continue
    const ids = list.flatMap(({ reference_id }) => reference_id ?? [])
    // deleted ones too: they are delivered with their last state
    const known = await readMany(ctx, record, ids)
    for (const delivery of list) {
      const read = known.get(delivery.reference_id!)
      if (!read) continue
      delivery.data = withVersion(read.text, read.version)
      delivery.record_version = null
      found.push({ id: delivery.id, data: delivery.data })
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
