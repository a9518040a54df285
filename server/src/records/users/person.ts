import type { Field } from '../../kit/record.ts'
import { reference } from '../../kit/record.ts'

/** A link to a user, shown as the specification's OwnerRef. Bodies may name the user by e-mail. */
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
      email: { column: 'email_key', fold: (email: string) => email.trim().toLowerCase() },
    },
  } as const
  return reference(link, column)
}
