import type { Context } from '../kit/ground/context.ts'
import type { Change } from '../kit/ground/event.ts'
import type { AnyRecord } from '../kit/record/record.ts'
import { cutFor } from '../kit/read/cut.ts'
import { isEventName, recordOf } from './catalogue.ts'
import type { Message } from './message.ts'

/**
 * Cuts deliveries to what their readers may see of the record and of its changes. Readers of
 * everything are sent what the write stored; for the others the work is done together for each reader
 * and record type, however many deliveries there are. On every attempt anew, by the rights of now.
 */
export async function cutToReaders<M extends Message & { reference_id: string | null }>(
  deliveries: readonly M[],
  readers: ReadonlyMap<string, Context>,
): Promise<void> {
  const groups = new Map<Context, Map<AnyRecord, M[]>>()
  for (const delivery of deliveries) {
    const reader = readers.get(delivery.id)
    if (!reader || !isEventName(delivery.type)) continue
    const record = recordOf(delivery.type)
    const its = groups.get(reader) ?? new Map<AnyRecord, M[]>()
    groups.set(reader, its)
    its.set(record, [...(its.get(record) ?? []), delivery])
  }
  for (const [reader, byRecord] of groups) {
    for (const [record, its] of byRecord) await cutGroup(reader, record, its)
  }
}

async function cutGroup<M extends Message & { reference_id: string | null }>(
  reader: Context,
  record: AnyRecord,
  deliveries: M[],
) {
  const contents = deliveries.map(({ reference_id: id, data, changes }) => ({
    id,
    data,
    changes: changes === null ? [] : (JSON.parse(changes) as Change[]),
  }))
  const cut = await cutFor(reader, record, contents)
  for (const [i, delivery] of deliveries.entries()) {
    const { data, changes } = cut[i] ?? { data: null, changes: [] }
    delivery.data = data
    if (delivery.changes !== null) delivery.changes = JSON.stringify(changes)
  }
}
