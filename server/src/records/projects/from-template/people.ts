import type { Context } from '../../../kit/ground/context.ts'
import { badField } from '../../../kit/ground/errors.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { isInvited } from '../../../model/users/user.ts'
import type { TemplateRole } from '../../../model/templates/config.ts'
import { roleWord } from '../../templates/assignees.ts'
import { invitedByEmail } from '../../users/invite.ts'
import type { UseBody } from './input.ts'

/** A person as a plan needs them: who was invited and has not joined yet has not left. */
export type Person = { id: string; full_name: string; has_left: boolean }

/** The people with these ids, by their id. */
export async function peopleBy(ctx: Context, ids: string[]): Promise<Map<string, Person>> {
  if (!ids.length) return new Map()
  const found = await ctx.all<Person>(sql`
    select t.id, t.full_name,
      t.deleted_at is not null or not (t.is_active or ${sql.raw(isInvited)}) as has_left
    from users t where ${mine(ctx)} and t.id = any(${ids}::varchar[])`)
  return new Map(found.map((each) => [each.id, each]))
}

type Options = {
  named: TemplateRole[]
  account_id: string | null
  getsAccount: boolean
  at?: Date
  dry_run: boolean
}

/**
 * Who is to have which role, by the role's word; 400 for somebody who is not a user. Whoever is named by an address is
 * invited, customers into the project's account; a dry run has their address in place of an id.
 */
export async function chosenRoles(
  ctx: Context,
  roles: NonNullable<UseBody['roles']>,
  { named, account_id, getsAccount, ...options }: Options,
) {
  const chosen = new Map<string, string | null>()
  const invited = new Map<string, { id: string; full_name: string }>()
  const ids = Object.values(roles).flatMap((one) => (typeof one === 'string' ? one : []))
  const known = await peopleBy(ctx, ids)
  const ofCustomer = new Set(
    named.flatMap(({ key, side }) => (side === 'customer' ? roleWord(key) : [])),
  )
  for (const [role, one] of Object.entries(roles)) {
    const word = roleWord(role)
    const field = `roles.${role}`
    if (one === null || typeof one === 'string') {
      if (one !== null && !known.has(one)) throw badField(field, 'no such user')
      chosen.set(word, one)
      continue
    }
    const isCustomer = ofCustomer.has(word)
    if (isCustomer && account_id === null && !getsAccount) {
      throw badField(field, 'is of the customer: the project needs an account to invite them into')
    }
    const person = { ...one, ...(isCustomer && account_id !== null ? { account_id } : {}) }
    const address = one.email.toLowerCase()
    const before = invited.get(address)
    const { id = address, isNew } = before
      ? { id: before.id, isNew: false }
      : await invitedByEmail(ctx, { ...person, role: isCustomer ? 'customer' : 'member' }, options)
    if (isNew) invited.set(address, { id, full_name: one.full_name?.trim() ?? one.email })
    chosen.set(word, id)
  }
  return { chosen, invited: [...invited.values()] }
}
