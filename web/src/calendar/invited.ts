import type { components } from '../api/schema.d.ts'
import type { Person } from '../ui/avatar.tsx'

/** Somebody to invite, as a meeting stores them. */
export type Attendee = components['schemas']['Attendee']
type Invited = Pick<Attendee, 'type'> & { id?: string; email?: string }

/** With what the ids of chosen contacts and addresses begin; those of users are their own. */
export const contactPrefix = 'contact:'
export const addressPrefix = 'address:'

/** Chosen people as a meeting stores them. */
export function invitedOf({ id, name }: Person): Invited {
  if (id.startsWith(contactPrefix)) return { type: 'contact', id: id.slice(contactPrefix.length) }
  if (id.startsWith(addressPrefix)) return { type: 'external', email: name }
  return { type: 'user', id }
}
