export type Change = { field: string; from: unknown; to: unknown }

/** An event as its write describes it; actor, time and organization come from the context. */
export type NewEvent = {
  /** the event's name, such as `company_created`; null for what is only logged */
  type: string | null
  title: string
  module_id: number | null
  reference_id: string | null
  project_id?: string | null
  changes?: Change[]
  /** the record as the integration surface gives it, as JSON text */
  data?: string
  version?: number
  raw_description?: { [key: string]: unknown }
  description?: string
  html_description?: string
  /** the id of the log entry where the caller supplies one; the event's id otherwise */
  log_id?: string
  /** it is only logged: no subscription hears of it */
  isQuiet?: boolean
  /** notifications; the actor is never notified of its own actions */
  notify?: NewNotification[]
}

/** What the live stream reads of an event; values of changes that are long are left out. */
export type StoredEvent = {
  id: string
  type: string | null
  module_id: number | null
  /** the module's word, and what was done, as the log has them */
  module: string | null
  action: string | null
  reference_id: string | null
  version: number | null
  actor_id: string | null
  changes: Change[]
}

/** A notification that an event makes (specification 2.3), once for each user and type. */
export type NewNotification = {
  user_id: string
  notification_type: NotificationType
  title: string
  description?: string
  /** what a client needs to show it, beside the event's `module_id` and `reference_id` */
  notification_obj?: { [key: string]: unknown }
  /** the person gets another mail about this, or already got one */
  isMailed?: boolean
  /** also where the actor is the person: a rule acts in their name, nobody did it themselves */
  isForActor?: boolean
}

/** `notification_type` and its word in `category`. */
export const notificationTypes = {
  1: 'mention',
  2: 'assignment',
  3: 'due',
  4: 'overdue',
  5: 'comment',
  6: 'signature',
  7: 'survey_response',
  8: 'meeting',
  9: 'system',
} as const

/**
 * When notifications of a category are mailed to people who have not chosen: those addressed to one person
 * immediately, the others once a day.
 */
export const usualMail: { [category in NotificationCategory]: 'immediately' | 'daily' } = {
  mention: 'immediately',
  assignment: 'immediately',
  due: 'immediately',
  overdue: 'daily',
  comment: 'immediately',
  signature: 'immediately',
  survey_response: 'immediately',
  meeting: 'immediately',
  system: 'daily',
}

/** The job that mails a notification to those who want it at once. */
export const notificationMailJob = { name: 'mail-notification' }

/** The job that creates the deliveries of events with many subscriptions. */
export const fanOutJob = { name: 'webhooks.fan_out' }
/** Its data: the events, by their ids, and when their deliveries are due. */
export type FanOut = { events: string[]; due: string }

export type NotificationType = keyof typeof notificationTypes
export type NotificationCategory = (typeof notificationTypes)[NotificationType]

/**
 * Writes the event with everything that must follow from it, in the caller's transaction; returns its
 * id.
 */
export type Emit = (happening: NewEvent) => string

/** Writes many events at once, with what must follow from each, in the caller's transaction; returns their ids. */
export type EmitMany = (happenings: NewEvent[]) => string[]
