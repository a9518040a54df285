import { isObject } from '../ground/object.ts'
import type { Context } from '../ground/context.ts'
import { hasSubscribers } from './events.ts'
import type { AnyRecord } from '../record/record.ts'
import type { Change, NewEvent, NewNotification } from '../ground/event.ts'
import { capitalized } from '../record/record.ts'

type Row = { [field: string]: unknown }

/** What happened to a record: the record after it, what changed, and who is notified. */
export type Announcement = {
  /** the record's id; null for what concerns a whole module */
  id: string | null
  /** its version afterwards, where there is one */
  version?: number
  /**
   * the full record, requested only if somebody subscribed to the event; each reader gets what their
   * own rights show of it
   */
  whole?: () => Promise<string>
  changes?: Change[]
  /** what the record is called, for sentences of the log and of notifications */
  name?: unknown
  project_id?: string | null
  notify?: NewNotification[]
  /** the title of the log entry, where it does not follow from what happened */
  title?: string
  /** the log's word for it, where it does not follow from what happened */
  action?: string
  /** more for the entry's `raw_description` */
  more?: { [key: string]: unknown }
}

/** What an entry of the log is about: a record, or a module that has none. */
export type Announced = Pick<AnyRecord, 'module' | 'word'> &
  Partial<Pick<AnyRecord, 'number'>> & { events?: Partial<AnyRecord['events']> }

/** The project that a record is or belongs to: subscriptions may be limited to one. */
export function projectOf(record: AnyRecord, id: string, row: Row): string | null {
  if (record.key === 'project_id') return id
  return 'project_id' in record.fields
    ? ((row.project_id as string | null | undefined) ?? null)
    : null
}

/** What an announcement names of a record in the state of this row. */
export function about(
  record: AnyRecord,
  { id, version, row, changes }: { id: string; version: number; row: Row; changes: Change[] },
) {
  return { id, version, changes, name: row[record.title], project_id: projectOf(record, id, row) }
}

/** Changes without an event of their own, which subscribers receive as an update. */
const updates = ['restored', 'unmerged']

/**
 * Writes the log entry of what happened and, where it is an event, its deliveries, in the caller's
 * transaction. `what` is the verb of an ordinary write (`created`), one of the record's events
 * (`task_assigned`), or a past participle that is only logged (`mailed`).
 */
export async function announce(
  ctx: Context,
  record: Announced,
  what: string,
  announcement: Announcement,
): Promise<void> {
  const type = eventOf(record, what)
  const { whole } = announcement
  const data = type && whole && (await hasSubscribers(ctx, type)) ? await whole() : undefined
  const notify = [...assignments(record, announcement), ...(announcement.notify ?? [])]
  ctx.emit({ ...eventOfWrite(record, what, announcement), data, notify })
}

/** Its event; null for what is only logged. */
export function eventOf(record: Pick<Announced, 'events'>, what: string) {
  if (isEvent(record, what)) return what
  const { on = {} } = record.events ?? {}
  return on[(updates.includes(what) ? 'updated' : what) as keyof typeof on] ?? null
}

/** Whether it is the name of one of the record's events, such as `task_assigned`. */
function isEvent({ events }: Pick<Announced, 'events'>, what: string): boolean {
  return Object.hasOwn(events?.kinds ?? {}, what)
}

/** What happened as an event, without the record's JSON and without notifications. */
export function eventOfWrite(
  record: Announced,
  what: string,
  { id, version, changes, name, project_id, title, action, more }: Announcement,
): NewEvent {
  const { word, module, number } = record
  const usual = isEvent(record, what)
    ? what.replaceAll('_', ' ')
    : `${word} ${what.replaceAll('_', ' ')}`
  return {
    type: eventOf(record, what),
    title: title ?? capitalized(usual),
    module_id: number ?? null,
    reference_id: id,
    changes,
    version,
    project_id,
    raw_description: {
      action: action ?? (isEvent(record, what) ? 'updated' : what),
      module,
      name: name ?? null,
      ...more,
    },
  }
}

/** Notifies the people to whom the record has just been assigned. */
function assignments(
  { events: { assignees = [] } = {}, word }: Announced,
  { changes = [], name }: Announcement,
): NewNotification[] {
  return changes.flatMap(({ field, to }) => {
    const user_id = isObject(to) ? to.user_id : to
    if (!assignees.includes(field) || typeof user_id !== 'string') return []
    const text = `The ${word} ${String(name ?? '')} is yours now`.slice(0, 255)
    return [{ user_id, notification_type: 2 as const, title: text, notification_obj: { field } }]
  })
}
