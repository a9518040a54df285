import type { Person } from '../ui/avatar.tsx'
import type { Attendee } from './invited.ts'
import { invitedOf } from './invited.ts'

type Named = Pick<Attendee, 'type' | 'id' | 'email'>

/** Whose time a chosen person's is. */
export function namedOf(person: Person): Named {
  return { id: null, email: person.email ?? null, ...invitedOf(person) }
}

/**
 * By what people are asked for when who is free is read, once each, 50 at most: by their address, and users without one
 * by their id. Of a contact without an address nothing is known.
 */
export function busyKeysOf(people: Named[]): string[] {
  const keys = people.flatMap(({ type, id, email }) => email ?? (type === 'user' ? id : null) ?? [])
  return [...new Set(keys)].slice(0, 50)
}
