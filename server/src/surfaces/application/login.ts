import { Type } from 'typebox'
import { unauthorized } from '../../kit/ground/errors.ts'
import { operation } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { failuresOf } from '../address.ts'
import { rotateSession } from './refresh.ts'
import { startSession, verifyCredentials } from './sign-in.ts'

/** The answer to a sign-in: a pair of tokens and the user. */
export const sessionSchema = Type.Object({
  access_token: Type.String(),
  refresh_token: Type.String(),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer({ description: 'seconds until the access token expires' }),
  user: Type.Object({
    user_id: Type.String(),
    full_name: Type.String(),
    email: Type.String(),
    role: Type.String({ description: 'the name of the role' }),
    organization: Type.String({ description: 'the id of the organization' }),
  }),
})

/** The output of operations that only confirm. */
export const successSchema = Type.Object({ status: Type.Literal('success') })

export const login = operation({
  name: 'login',
  summary: 'Sign in with e-mail and password',
  can: 'anyone',
  writes: false,
  lane: 'sign_in',
  input: {
    body: Type.Object({
      email: Type.String({ minLength: 1, maxLength: 320 }),
      password: Type.String({ minLength: 1, maxLength: 1000 }),
      organization: Type.Optional(
        Type.String({
          maxLength: 255,
          description: 'id or name; needed where the e-mail belongs to several organizations',
        }),
      ),
    }),
  },
  output: sessionSchema,
  run: async (ctx, { body, address }) =>
    startSession(ctx, await verifyCredentials(ctx, address, body)),
})

export const refreshSession = operation({
  name: 'refresh_session',
  summary: 'Refresh a session',
  description: 'Exchanges a refresh token for a new pair of tokens.',
  can: 'anyone',
  writes: false,
  lane: 'sign_in',
  input: {
    body: Type.Object({ refresh_token: Type.String({ minLength: 1, maxLength: 500 }) }),
  },
  output: sessionSchema,
  async run(ctx, { body, address }) {
    const { failures } = ctx.services
    await failures.check(failuresOf(address))
    const session = await rotateSession(ctx, body.refresh_token)
    if (session) return session
    await failures.failed(failuresOf(address))
    throw unauthorized('The refresh token is not valid, sign in again', 'invalid_token')
  },
})

export const logout = operation({
  name: 'logout',
  summary: 'Sign out',
  description: 'Ends this session; its tokens stop working at once.',
  can: 'signed_in',
  writes: true,
  input: {},
  output: successSchema,
  async run(ctx) {
    await ctx.run(sql`update sessions t set revoked_at = ${ctx.now().toISOString()}
      where ${mine(ctx)} and id = ${ctx.actor.session_id}`)
    ctx.forget()
    return { status: 'success' }
  },
})
