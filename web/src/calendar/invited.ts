import type { components } from '../api/schema.d.ts'
import type { Person } from '../ui/avatar.tsx'

/** Somebody to invite, as a meeting stores them. */
export type Attendee = components['schemas']['Attendee']
type Invited = Pick<Attendee, 'type'> & { id?: string; email?: string }

/** With what the ids of chosen contacts and addresses begin; those of users are their own. */
export const prefixes = { contact: 'contact:', address: 'address:' }

const { contact, address } = prefixes

/** Chosen people as a meeting stores them. */
export function invitedOf({ id, name }: Person): Invited {
  if (id.startsWith(contact)) return { type: 'contact', id: id.slice(contact.length) }
  if (id.startsWith(address)) return { type: 'external', email: name }
  return { type: 'user', id }
}

/** Chosen people as attendees of a meeting that have not answered yet. */
export function attendeeOf(person: Person): Attendee {
  const { type, id = null, email = person.email ?? null } = invitedOf(person)
  const name = type === 'external' ? null : person.name
  return { type, id, email, name, is_optional: false, response: 'needs_action' }
}

/**
 * By what people are asked for when who is free is read, once each, 50 at most: by their address, and users without one
 * by their id. Of a contact without an address nothing is known.
 */
export function busyKeysOf(people: Pick<Attendee, 'type' | 'id' | 'email'>[]): string[] {
  const keys = people.flatMap(({ type, id, email }) => email ?? (type === 'user' ? id : null) ?? [])
  return [...new Set(keys)].slice(0, 50)
}
