import type { Context } from '../../kit/ground/context.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { rights, seenAmong } from '../../kit/record/scope.ts'
import { subjectsByModule } from '../by-module.ts'
import type { Change } from '../../kit/ground/event.ts'

type Entry = { raw_description: { [key: string]: unknown }; changes: Change[] }

/**
 * Entries without the changes that name records the caller does not see, such as the contact that
 * another reports to. One query for each kind of record whose rights limit the caller.
 */
export async function withVisibleChanges<E extends Entry>(
  ctx: Context,
  entries: E[],
): Promise<E[]> {
  const candidates = new Map<AnyRecord, Set<string>>()
  for (const entry of entries) {
    for (const change of entry.changes) {
      const target = targetOf(entry, change)
      if (!target || !rights(ctx, target, 'read')) continue
      const ids = candidates.get(target) ?? new Set()
      candidates.set(target, ids)
      for (const id of idsIn(change)) ids.add(id)
    }
  }
  if (!candidates.size) return entries
  const visible = new Map<AnyRecord, Set<string>>()
  for (const [target, ids] of candidates)
    visible.set(target, await seenAmong(ctx, target, [...ids]))
  return entries.map((entry) => {
    const isVisible = (change: Change) => {
      const target = targetOf(entry, change)
      const known = target && visible.get(target)
      return !known || idsIn(change).every((id) => known.has(id))
    }
    return { ...entry, changes: entry.changes.filter(isVisible) }
  })
}

/** The record that a changed field links to. */
function targetOf({ raw_description }: Entry, { field }: Change): AnyRecord | undefined {
  const { module } = raw_description
  const isKnown = typeof module === 'string' && Object.hasOwn(subjectsByModule, module)
  const fields = (isKnown && subjectsByModule[module]?.fields) || {}
  return Object.hasOwn(fields, field) ? fields[field]?.reference?.to?.() : undefined
}

/** The ids in a change of a link: themselves, or first in the object that a read shows. */
function idsIn({ from, to }: Change): string[] {
  const ids = [from, to].map((value): unknown =>
    typeof value === 'object' && value !== null ? (Object.values(value) as unknown[])[0] : value,
  )
  return ids.filter((id) => typeof id === 'string')
}
