import type { Context } from '../ground/context.ts'
import { hasSubscribers } from './events.ts'
import { modules } from '../record/modules.ts'
import type { AnyRecord } from '../record/record.ts'
import type { Written } from './write.ts'
import type { Change, NewEvent, NewNotification } from '../ground/event.ts'

type Row = { [field: string]: unknown }

/** What is told of a write: the record after it, what changed, and who hears of it beside. */
export type Announcement = Omit<Written, 'changed'> & {
  changes: Change[]
  title: unknown
  project_id?: string | null
  notify?: NewNotification[]
  /** more for the entry's `raw_description` */
  more?: { [key: string]: unknown }
}

/** The project that a record is or hangs on: subscriptions may be limited to one. */
export function projectOf(record: AnyRecord, id: string, row: Row): string | null {
  if (record.key === 'project_id') return id
  return 'project_id' in record.fields
    ? ((row.project_id as string | null | undefined) ?? null)
    : null
}

/** What has no event of its own is an update to those who are told. */
const updates = ['restored', 'unmerged']

/** The log entry and event of a write, in the same transaction. */
export async function announce(ctx: Context, record: AnyRecord, what: string, told: Announcement) {
  const type = eventOf(record, what)
  const data = type && (await hasSubscribers(ctx, type)) ? await told.json() : undefined
  const notify = [...assignments(record, told), ...(told.notify ?? [])]
  ctx.emit({ ...eventOfWrite(record, what, told), data, notify })
}

/** The event that a write of this kind is; null for what only the log keeps. */
export function eventOf({ events }: AnyRecord, what: string): string | null {
  return events?.[(updates.includes(what) ? 'updated' : what) as keyof typeof events] ?? null
}

/** What a write is as an event, without the record and whom to tell. */
export function eventOfWrite(
  record: AnyRecord,
  what: string,
  told: Omit<Announcement, 'json' | 'notify'>,
): NewEvent {
  const { word } = record
  return {
    type: eventOf(record, what),
    title: `${capitalized(word)} ${what}`,
    module_id: (modules as { [module: string]: number })[record.subject ?? record.module] ?? null,
    reference_id: told.id,
    changes: told.changes,
    version: told.version,
    project_id: told.project_id,
    raw_description: {
      action: what,
      module: record.module,
      name: told.title ?? null,
      ...told.more,
    },
  }
}

/** Whoever the record has just become the own of is told. */
function assignments(
  { assignees = [], word }: AnyRecord,
  { changes, title }: Announcement,
): NewNotification[] {
  return changes.flatMap(({ field, to }) => {
    const user_id = isObject(to) ? to.user_id : to
    if (!assignees.includes(field) || typeof user_id !== 'string') return []
    const text = `The ${word} ${String(title ?? '')} is yours now`.slice(0, 255)
    return [{ user_id, notification_type: 2 as const, title: text, notification_obj: { field } }]
  })
}

function isObject(value: unknown): value is { [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A record's word at the beginning of a sentence. */
export function capitalized(word: string): string {
  return word[0]!.toUpperCase() + word.slice(1)
}
