import type { Field } from '../../kit/record.ts'
import { reference } from '../../kit/record.ts'

/**
 * A link to a user, shown as the specification's OwnerRef. Bodies may name the user by e-mail, and by
 * name as its own examples do; of several of one name it is the oldest.
 */
export function person(column?: string): Field<unknown> {
  const link = {
    table: 'people',
    isRemembered: true,
    shows: {
      user_id: { column: 'id', kind: 'text' },
      full_name: { column: 'full_name', kind: 'text' },
      email: { column: 'email', kind: 'text' },
      role: { column: 'role_name', kind: 'text' },
      profile_image: { column: 'profile_image', kind: 'text' },
    },
    by: {
      user_id: { column: 'id' },
      id: { column: 'id' },
      profile_id: { column: 'id' },
      email: { column: 'email_key', fold: folded },
      full_name: { column: 'full_name', fold: folded, anyCase: true },
      name: { column: 'full_name', fold: folded, anyCase: true },
    },
  } as const
  return reference(link, column)
}

function folded(word: string): string {
  return word.trim().toLowerCase()
}
