import type { Context } from '../../kit/ground/context.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { rights, seenAmong } from '../../kit/record/scope.ts'
import { subjectsByModule } from '../by-module.ts'
import type { Change } from '../../kit/ground/event.ts'

type Entry = { raw_description: { [key: string]: unknown }; changes: Change[] }

/**
 * Entries without the changes that name records which the caller does not see, such as the one that
 * a contact reports to. One query for each kind of record that it sees in part.
 */
export async function withSeenChanges<E extends Entry>(ctx: Context, entries: E[]): Promise<E[]> {
  const asked = new Map<AnyRecord, Set<string>>()
  for (const entry of entries) {
    for (const change of entry.changes) {
      const target = targetOf(entry, change)
      if (!target || !rights(ctx, target, 'read')) continue
      const ids = asked.get(target) ?? new Set()
      asked.set(target, ids)
      for (const id of named(change)) ids.add(id)
    }
  }
  if (!asked.size) return entries
  const seen = new Map<AnyRecord, Set<string>>()
  for (const [target, ids] of asked) seen.set(target, await seenAmong(ctx, target, [...ids]))
  return entries.map((entry) => {
    const isSeen = (change: Change) => {
      const known = seen.get(targetOf(entry, change)!)
      return !known || named(change).every((id) => known.has(id))
    }
    return { ...entry, changes: entry.changes.filter(isSeen) }
  })
}

/** The record that a changed field links to. */
function targetOf({ raw_description }: Entry, { field }: Change): AnyRecord | undefined {
  const { module } = raw_description
  const isKnown = typeof module === 'string' && Object.hasOwn(subjectsByModule, module)
  const fields = isKnown ? subjectsByModule[module]!.fields : {}
  return Object.hasOwn(fields, field) ? fields[field]!.reference?.to?.() : undefined
}

/** The ids in a change of a link: themselves, or first in the object that a read shows. */
function named({ from, to }: Change): string[] {
  const ids = [from, to].map((value) =>
    typeof value === 'object' && value !== null ? Object.values(value)[0] : value,
  )
  return ids.filter((id) => typeof id === 'string')
}
