import { Type } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { newId } from '../../kit/ground/ids.ts'
import { arrayOf, enumeration, orNull } from '../../kit/ground/json-schema.ts'
import type { Input } from '../../kit/ground/operation.ts'
import { Answer, operation } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { pageOf, pageProperties } from '../../kit/read/page.ts'

/** Where a sign-in comes from: the caller's address and program. */
export type Origin = Pick<Input, 'address' | 'user_agent'>

/** How somebody signed in. */
export const signInMethods = [
  'password',
  'code',
  'recovery_code',
  'openid',
  'invitation',
  'link',
] as const
export type SignInMethod = (typeof signInMethods)[number]

const outcomes = [
  'succeeded',
  'wrong_password',
  'code_required',
  'wrong_code',
  'deactivated',
] as const
export type SignInOutcome = (typeof outcomes)[number]

/** The maximum number of a user's failures per hour that are stored, so that guessing passwords does not fill the disk. */
const mostFailures = 200

/** Writes a sign-in of a user into their security log, or a failed one. */
export async function recordSignIn(
  ctx: Context,
  user_id: string,
  entry: Origin & { method: SignInMethod; outcome: SignInOutcome },
): Promise<void> {
  const { method, outcome } = entry
  const { address, user_agent } = placeOf(entry)
  const now = ctx.now()
  const hourAgo = new Date(+now - 3_600_000).toISOString()
  await ctx.run(sql`
    insert into sign_ins (organization_id, id, user_id, outcome, method, address, user_agent,
      creation_time)
    select o.organization_id, ${newId()}, ${user_id}, ${outcome}, ${method}, ${address},
      ${user_agent}, ${now.toISOString()}
    from organizations o
    where ${mine(ctx, 'o')} and (${outcome === 'succeeded'} or (
      select count(*) < ${mostFailures} from sign_ins t where ${mine(ctx)}
        and t.user_id = ${user_id} and t.creation_time > ${hourAgo}))`)
}

/** An origin as stored: both texts come from the caller, so they are cut. */
export function placeOf({ address, user_agent }: Origin): {
  address: string
  user_agent: string | null
} {
  return { address: address.slice(0, 64), user_agent: user_agent?.slice(0, 500) ?? null }
}

export const signInLog = operation({
  name: 'list_sign_ins',
  summary: 'List your sign-ins',
  description:
    'Your sign-ins and the failed ones, newest first, for as long as they are stored (sign_in_log_days).',
  topic: 'sessions',
  needsSession: true,
  can: 'signed_in',
  writes: false,
  input: {
    query: Type.Object({
      page: pageProperties.page,
      items_per_page: pageProperties.items_per_page,
      outcome: Type.Optional(
        enumeration(outcomes, { title: 'SignInOutcome', description: 'only these' }),
      ),
    }),
  },
  output: arrayOf(
    Type.Object(
      {
        sign_in_id: Type.String(),
        outcome: enumeration(outcomes, { title: 'SignInOutcome' }),
        method: enumeration(signInMethods, { title: 'SignInMethod' }),
        address: orNull(Type.String({ description: 'the network address' })),
        user_agent: orNull(Type.String({ description: 'the program, as it names itself' })),
        creation_time: Type.String({ format: 'date-time' }),
      },
      { title: 'SignIn' },
    ),
  ),
  async run(ctx, { query }) {
    const { number, size, limit, skip } = pageOf(query)
    const rows = await ctx.all(sql`
      select t.id as sign_in_id, t.outcome, t.method, t.address, t.user_agent, t.creation_time
      from sign_ins t where ${mine(ctx)} and t.user_id = ${ctx.actor.user_id}
        and (${query.outcome ?? null}::text is null or t.outcome = ${query.outcome ?? null})
      order by t.creation_time desc, t.id desc limit ${limit} offset ${skip}`)
    return new Answer(rows.slice(0, size), { page: { number, size, more: rows.length > size } })
  },
})
