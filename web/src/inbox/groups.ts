import type { Notification } from '../data/inbox.ts'
import type { Format } from '../records/field/format.ts'
import { dayLabel, today } from '../records/field/format.ts'

/** The record that a notification is about. */
export type About = { number: number; id: string; comment: string | null }

/** Notifications of a day about one record (or about none), the latest first. */
export type Bundle = { key: string; about: About | null; notifications: Notification[] }
export type Day = { day: string; label: string; bundles: Bundle[] }

/** The record that a notification is about; null if it has none. */
export function aboutOf({ notification_obj: object }: Notification): About | null {
  const { module_id, reference_id, interaction_id } = object as {
    module_id?: number | null
    reference_id?: string | null
    interaction_id?: string | null
  }
  if (!module_id || !reference_id) return null
  return { number: module_id, id: reference_id, comment: interaction_id ?? null }
}

/** Notifications by the day in the person's zone, and within it by record. */
export function daysOf(all: Notification[], format: Format, now = new Date()): Day[] {
  const days = Map.groupBy(all, (each) => today(format.timezone, new Date(each.notify_time)))
  return [...days].map(([day, its]) => {
    const bundles = Map.groupBy(its, (each) => {
      const about = aboutOf(each)
      return about ? `${about.number} ${about.id}` : each.notification_id
    })
    return {
      day,
      label: dayLabel(day, format, now),
      bundles: [...bundles].map(([key, notifications]) => ({
        key: `${day} ${key}`,
        about: notifications[0] ? aboutOf(notifications[0]) : null,
        notifications,
      })),
    }
  })
}
