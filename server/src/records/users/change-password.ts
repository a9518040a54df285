import { Type } from 'typebox'
import { attemptOf, failuresOf } from '../../kit/ground/address.ts'
import type { Context } from '../../kit/ground/context.ts'
import { badRequest } from '../../kit/ground/errors.ts'
import type { Input } from '../../kit/ground/operation.ts'
import { operation } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { checkPassword } from './password-rules.ts'
import type { Person } from './password.ts'
import { self, setPassword } from './password.ts'

/** The new hash of each request, computed before its transaction, because hashing would occupy a connection. */
const hashes = new WeakMap<Input['body'], string>()

export const changePassword = operation({
  name: 'change_password',
  summary: 'Change your password',
  description: 'Ends your other sessions and notifies you by mail.',
  topic: 'sessions',
  needsSession: true,
  can: 'signed_in',
  writes: true,
  input: {
    body: Type.Object({
      current: Type.String({
        minLength: 1,
        maxLength: 1000,
        description: 'the current password',
      }),
      new: Type.String({ minLength: 8, maxLength: 1000 }),
    }),
  },
  output: null,
  async before(ctx, { body, address }) {
    const person = await requirePassword(ctx, address, 'current', body.current)
    const owner = { ...person, organization: ctx.organization.name }
    await checkPassword(body.new, owner, 'new')
    const attempt = attemptOf(address, person.email.toLowerCase())
    hashes.set(body, await ctx.services.passwords.hash(body.new, attempt))
  },
  async run(ctx, { body }) {
    const person = await self(ctx)
    const hash = hashes.get(body)
    if (!hash) throw new Error('the new password was not hashed')
    await setPassword(ctx, person, hash, { session: ctx.actor.session_id })
  },
})

/**
 * The caller, if the password is theirs; otherwise 400 `wrong_password` naming `field`, counted as a
 * failed sign-in. Callers who sign in with a provider and have no password need none.
 */
export async function requirePassword(
  ctx: Context,
  address: string,
  field: string,
  password: string | undefined,
): Promise<Person> {
  const { failures, passwords } = ctx.services
  const person = await ctx.one<Person & { password_hash: string | null }>(sql`
    select id, full_name, email, password_hash from users t
    where ${mine(ctx)} and t.id = ${ctx.actor.user_id}`)
  if (!person) throw new Error('the caller is no user')
  const keys = [failuresOf(address), `password ${person.id}`]
  await failures.check(...keys)
  const { password_hash, ...rest } = person
  if (password_hash === null) return rest
  const attempt = attemptOf(address, person.email.toLowerCase())
  if (password !== undefined && (await passwords.verify(password, password_hash, attempt)))
    return rest
  if (password !== undefined) await failures.failed(...keys)
  const message = 'must be your password'
  throw badRequest(`${field}: ${message}`, [{ field, message }], 'wrong_password')
}
