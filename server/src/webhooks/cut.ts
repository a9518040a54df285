import type { Context } from '../kit/ground/context.ts'
import type { Change } from '../kit/ground/event.ts'
import type { AnyRecord } from '../kit/record/record.ts'
import { cutFor } from '../kit/read/cut.ts'
import { readsInternal } from '../kit/record/audience.ts'
import { isEventName, recordOf } from './catalogue.ts'
import type { Message } from './message.ts'

/**
 * Reduces deliveries to what their readers may see of the record and of its changes. Readers of
 * everything get what the write stored; for the others this is done together for each reader
 * and record type, however many deliveries there are, and on every attempt by the current rights.
 * Returns the ids of updates that changed nothing their reader, a customer or partner, may see.
 */
export async function cutToReaders<M extends Message & { reference_id: string | null }>(
  deliveries: readonly M[],
  readers: ReadonlyMap<string, Context>,
): Promise<Set<string>> {
  const empty = new Set<string>()
  for (const [reader, its] of Map.groupBy(deliveries, ({ id }) => readers.get(id))) {
    if (!reader) continue
    const byRecord = Map.groupBy(its, ({ type }) =>
      isEventName(type) ? recordOf(type) : undefined,
    )
    for (const [record, group] of byRecord) {
      if (record) await cutGroup(reader, record, group, empty)
    }
  }
  return empty
}

async function cutGroup<M extends Message & { reference_id: string | null }>(
  reader: Context,
  record: AnyRecord,
  deliveries: M[],
  empty: Set<string>,
) {
  const contents = deliveries.map(({ reference_id: id, data, changes }) => ({
    id,
    data,
    changes: changes === null ? [] : (JSON.parse(changes) as Change[]),
  }))
  const cut = await cutFor(reader, record, contents)
  for (const [i, delivery] of deliveries.entries()) {
    if (cut[i] === contents[i]) continue
    const { data, changes } = cut[i] ?? { data: null, changes: [] }
    delivery.data = data
    const isUpdate = delivery.type === record.events.on.updated && !readsInternal(reader.actor)
    if (isUpdate && contents[i]?.changes.length && !changes.length) empty.add(delivery.id)
    if (delivery.changes !== null) delivery.changes = JSON.stringify(changes)
  }
}
