import type { Context } from '../../kit/ground/context.ts'
import type { Change } from '../../kit/ground/event.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { cutFor } from '../../kit/read/cut.ts'
import { subjectsByModule } from '../../model/by-module.ts'

type Entry = {
  reference_id: string | null
  raw_description: { [key: string]: unknown }
  changes: Change[]
}

/** Entries with their changes as the caller's own reads would have shown them; see `cutFor`. */
export async function withVisibleChanges<E extends Entry>(
  ctx: Context,
  entries: E[],
): Promise<E[]> {
  const visible = new Map<E, Change[]>()
  for (const [record, its] of Map.groupBy(entries, recordOf)) {
    if (!record) continue
    const contents = its.map(({ reference_id: id, changes }) => ({ id, data: null, changes }))
    const cut = await cutFor(ctx, record, contents)
    for (const [i, entry] of its.entries()) visible.set(entry, cut[i]?.changes ?? [])
  }
  return entries.map((entry) => ({ ...entry, changes: visible.get(entry) ?? entry.changes }))
}

/** The record that an entry is about; none for entries that callers wrote and those without changes. */
export function recordOf({ raw_description, changes }: Entry): AnyRecord | undefined {
  const { module } = raw_description
  const isKnown = typeof module === 'string' && Object.hasOwn(subjectsByModule, module)
  return isKnown && changes.length ? subjectsByModule[module] : undefined
}
