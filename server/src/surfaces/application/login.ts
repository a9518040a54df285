import { Type } from 'typebox'
import { failuresOf } from '../../kit/ground/address.ts'
import { unauthorized } from '../../kit/ground/errors.ts'
import { operation } from '../../kit/ground/operation.ts'
import { endThisSession } from '../../records/users/sessions.ts'
import { signIn } from './codes.ts'
import { sessionSchema } from './session.ts'
import { rotateSession } from './refresh.ts'
import { startSession } from './sign-in.ts'

/** The output of operations that only confirm. */
export const successSchema = Type.Object({ status: Type.Literal('success') })

export const login = operation({
  name: 'login',
  summary: 'Sign in with e-mail and password',
  description:
    'A user with one-time codes is refused with 401 `code_required` and a `challenge` in `data`; `/api/login/code/` takes it with a code. Alternatively `code` is sent here at once.',
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
      code: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 50,
          description: 'a one-time or recovery code, of users who have set them up',
        }),
      ),
    }),
  },
  output: sessionSchema,
  async run(ctx, { body, address, user_agent }) {
    const from = { address, user_agent }
    const { user, method } = await signIn(ctx, from, body)
    return startSession(ctx, user, { ...from, method })
  },
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
  needsSession: true,
  enrols: true,
  description: 'Ends this session; its tokens stop working at once.',
  can: 'signed_in',
  writes: true,
  input: {},
  output: successSchema,
  async run(ctx) {
    await endThisSession(ctx)
    return { status: 'success' }
  },
})
