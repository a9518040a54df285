import { Type } from 'typebox'
import { byId } from '../../../kit/crud.ts'
import { badField } from '../../../kit/ground/errors.ts'
import { arrayOf, orNull } from '../../../kit/ground/json-schema.ts'
import { hintFor } from '../../../kit/ground/nearest.ts'
import { operation } from '../../../kit/ground/operation.ts'
import { tokenScopes } from './scopes.ts'
import { createToken, listTokens, revokeToken } from './token.ts'

const common = { topic: 'access tokens', can: 'signed_in', needsSession: true } as const

const fields = {
  access_token_id: Type.String(),
  name: Type.String({ description: 'what it is for' }),
  scopes: arrayOf(Type.String()),
  creation_time: Type.String({ format: 'date-time' }),
  expires_at: Type.String({ format: 'date-time' }),
  last_used_at: orNull(
    Type.String({ format: 'date-time', description: 'to some minutes; null before the first use' }),
  ),
}

/** Personal access tokens of the caller, for scripts on the application surface. */
export const accessTokens = {
  list: operation({
    ...common,
    name: 'list_access_tokens',
    summary: 'List your personal access tokens',
    description: 'The valid ones, newest first. The tokens themselves are not shown.',
    writes: false,
    input: {},
    output: arrayOf(Type.Object(fields, { title: 'AccessToken' })),
    run: (ctx) => listTokens(ctx),
  }),
  scopes: operation({
    ...common,
    name: 'list_access_token_scopes',
    summary: 'List the scopes of personal access tokens',
    description:
      '`all.read` reads what you may read, `all.write` does what you may do; those of a module are limited to it. A scope for writing includes reading.',
    writes: false,
    input: {},
    output: Type.Object({ results: arrayOf(Type.String()) }),
    run: async () => ({ results: tokenScopes() }),
  }),
  create: operation({
    ...common,
    name: 'create_access_token',
    summary: 'Create a personal access token',
    description:
      'Sent as `Authorization: Bearer pat_…`, it acts in your name on the application surface: your own rights, limited to its scopes. `token` is shown only now. It ends with `expires_in_days`, when you revoke it, and as your sessions are ended: with a new password, with a new e-mail, and when you are deactivated.',
    writes: true,
    input: {
      body: Type.Object(
        {
          name: Type.String({ minLength: 1, maxLength: 100, description: 'what it is for' }),
          scopes: Type.Array(Type.String({ maxLength: 100 }), {
            minItems: 1,
            maxItems: 100,
            description: 'such as all.read, or companies.read and contacts.write',
          }),
          expires_in_days: Type.Optional(
            Type.Integer({ minimum: 1, maximum: 366, description: '90 by default' }),
          ),
        },
        { additionalProperties: false },
      ),
    },
    output: Type.Object(
      { ...fields, token: Type.String({ description: 'the token itself; shown only now' }) },
      { title: 'NewAccessToken' },
    ),
    async run(ctx, { body }) {
      const { name, scopes, expires_in_days = 90 } = body
      const known = tokenScopes()
      const unknown = scopes.find((scope) => !known.includes(scope))
      if (unknown !== undefined) {
        throw badField('scopes', `${unknown} is not known; ${hintFor(unknown, known)}`)
      }
      if (!name.trim()) throw badField('name', 'must say what it is for')
      return createToken(ctx, {
        name: name.trim(),
        scopes: [...new Set(scopes)].toSorted(),
        expires_in_days,
      })
    },
  }),
  revoke: operation({
    ...common,
    name: 'revoke_access_token',
    summary: 'Revoke a personal access token',
    description: 'One of your own; it stops working at once.',
    writes: true,
    input: { params: byId },
    output: null,
    run: (ctx, { params }) => revokeToken(ctx, params.id),
  }),
}
