import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from 'typebox'
import { failuresOf } from '../../kit/ground/address.ts'
import type { Context, Organization, PublicContext } from '../../kit/ground/context.ts'
import { anywhere, sql } from '../../kit/ground/sql.ts'
import type { Person } from '../../records/users/password.ts'
import { system } from '../../runtime.ts'

/** A request takes at least this long whether or not there is anybody to mail, in milliseconds. */
const leastMs = 250

/** Whose account a link is requested for. */
export const accountBody = Type.Object({
  email: Type.String({ minLength: 1, maxLength: 320 }),
  organization: Type.Optional(Type.String({ maxLength: 255, description: 'id or name' })),
})

/**
 * Mails a link to each active user with the e-mail, by `offer`, unless they have had enough of them; the answer and its
 * time are the same if nobody is mailed. 429 after too many requests from a network address, for a new password and to
 * sign in together.
 */
export async function mailLinks(
  ctx: PublicContext,
  address: string,
  { email, organization }: { email: string; organization?: string },
  offer: (own: Context, person: Person) => Promise<void>,
): Promise<void> {
  const { failures } = ctx.services
  const counted = failuresOf(address, 'reset')
  await failures.check(counted)
  // every request counts, because each may send a mail to somebody else
  await failures.failed(counted)
  const key = email.trim().toLowerCase()
  await Promise.all([offerAll(ctx, key, organization, offer), sleep(leastMs)])
}

type Known = Person & { organization: Organization }

/** One transaction for each organization that knows the e-mail; nearly always there is one. */
async function offerAll(
  ctx: PublicContext,
  email_key: string,
  named: string | undefined,
  offer: (own: Context, person: Person) => Promise<void>,
) {
  const known = await ctx.lookup.all<Known>(sql`
    select u.id, u.full_name, u.email, json_build_object('id', o.organization_id, 'name', o.name,
      'timezone', o.timezone) as organization
    from users u join organizations o on o.organization_id = u.organization_id
    where ${anywhere('u')} and ${anywhere('o')} and u.email_key = ${email_key} and u.is_active and u.deleted_at is null
      and (${named ?? null}::text is null or o.organization_id = ${named ?? null}
        or lower(o.name) = lower(${named ?? null}))
    order by u.organization_id limit 20`)
  for (const { organization, ...person } of known) {
    await ctx.actAs({ organization, actor: system }).write((own) => offer(own, person))
  }
}
