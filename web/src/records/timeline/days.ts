import type { TimelineEntry } from '../../data/timeline.ts'

/** Changes of one person to one record within so many milliseconds are told as one. */
const together = 10 * 60_000

/** An entry, with the earlier changes that are told with it, newest first. */
export type Told = { entry: TimelineEntry; more: TimelineEntry[] }

/** The entries with one line for what somebody has changed of a record in one go; all else stands alone. */
export function toldTogether(entries: TimelineEntry[]): Told[] {
  const told: Told[] = []
  for (const entry of entries) {
    const last = told.at(-1)
    if (last && areOne(last.entry, entry)) last.more.push(entry)
    else told.push({ entry, more: [] })
  }
  return told
}

function areOne(newer: TimelineEntry, older: TimelineEntry): boolean {
  return (
    newer.kind === 'change' &&
    older.kind === 'change' &&
    newer.actor.user_id !== null &&
    newer.actor.user_id === older.actor.user_id &&
    newer.record?.id === older.record?.id &&
    Date.parse(newer.at) - Date.parse(older.at) <= together
  )
}
