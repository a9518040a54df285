import type { Context } from '../../kit/ground/context.ts'
import { isObject } from '../../kit/ground/object.ts'
import { lookUpMany, nameable } from '../../kit/read/look-up.ts'
import type { Facts, Known } from '../../kit/record/fields.ts'
import { reference } from '../../kit/record/fields.ts'

/**
 * A link to a user, shown as the specification's OwnerRef. Bodies may name the user by e-mail, and by
 * name as its own examples do; of several with the same name it is the oldest.
 */
export function person<F extends Facts<string> = {}>(facts?: F & Known<F>) {
  return reference<typeof link, F>(link, facts)
}

/** The view of users that everybody sees, and may be named by. */
export const people = {
  table: 'people',
  stored: 'users',
  isCaller: true,
  label: { name: 'full_name' },
} as const

const link = {
  ...people,
  isCached: true,
  title: 'OwnerRef',
  shows: {
    user_id: { column: 'id', kind: 'text', isNullable: false },
    full_name: { column: 'full_name', kind: 'text', isNullable: false },
    email: { column: 'email', kind: 'text' },
    role: { column: 'role_name', kind: 'text', isOfView: true },
    profile_image: { column: 'profile_image', kind: 'text' },
  },
  by: {
    user_id: { column: 'id' },
    id: { column: 'id' },
    profile_id: { column: 'id' },
    email: { column: 'email_key', fold: folded },
    full_name: { column: 'full_name', fold: folded, anyCase: true, name: 'full_name' },
    name: { column: 'full_name', fold: folded, anyCase: true, name: 'full_name' },
  },
} as const

/** Who wrote an entry of the log, which shows no e-mail: nobody finds by it whom they may not look up. */
export function author() {
  const { user_id, full_name } = link.shows
  return reference({ ...link, shows: { user_id, full_name } })
}

/** The people whom the caller may find by e-mail or name, as a condition over `t`; undefined for all. */
export function nameablePeople(ctx: Context) {
  return nameable(ctx, link)
}

/** Who created the record; a body cannot set it. */
export function createdBy() {
  return person({
    readOnly: true,
    nullable: true,
    isSystem: true,
    refusal: 'is whoever created the record',
  })
}

/** A list of people with the `user_id` added to those named by e-mail, if the caller may look them up. */
export async function withIds<P>(ctx: Context, people: P[]): Promise<(P | Named)[]> {
  const addresses = people.map((each) => {
    const { user_id, id, email } = namedBy(each)
    return user_id === undefined && id === undefined && typeof email === 'string'
      ? folded(email)
      : undefined
  })
  const named = addresses.filter((address) => address !== undefined)
  if (!named.length) return people
  const known = await lookUpMany(ctx, person(), 'email', named)
  return people.map((each, i) => {
    const user_id = known.get(addresses[i] ?? '')
    return user_id === undefined ? each : { ...namedBy(each), user_id }
  })
}

function namedBy(each: unknown): Named {
  if (typeof each === 'string') return each.includes('@') ? { email: each } : { id: each }
  return isObject(each) ? each : {}
}

type Named = { [key: string]: unknown }

function folded(word: string): string {
  return word.trim().toLowerCase()
}
