import { Type } from 'typebox'
import { failuresOf } from '../../kit/ground/address.ts'
import type { Organization } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import { operation } from '../../kit/ground/operation.ts'
import { sql } from '../../kit/ground/sql.ts'
import { randomToken } from '../../secrets.ts'
import { beginOpenId, finishOpenId, openFlow, patience } from '../openid/flow.ts'
import { sessionSchema } from './session.ts'
import { startSession } from './sign-in.ts'

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength })

export const beginOpenIdLogin = operation({
  name: 'begin_openid_login',
  lane: 'sign_in',
  summary: 'Begin to sign in at the OpenID provider',
  description:
    'Open `authorization_url` in the browser and store `flow`. The provider sends the browser back to `/openid/callback`, which redirects to `/sign-in` with `code` and `state`.',
  can: 'anyone',
  writes: false,
  input: {
    body: Type.Object({
      organization: Type.String({ minLength: 1, maxLength: 255, description: 'id or name' }),
    }),
  },
  output: Type.Object(
    {
      authorization_url: Type.String(),
      flow: Type.String({ description: 'finishes this sign-in, once' }),
      expires_in: Type.Integer({ description: 'seconds' }),
    },
    { title: 'OpenIdLogin' },
  ),
  async run(ctx, { body, address }) {
    const { failures } = ctx.services
    await failures.check(failuresOf(address, 'openid'))
    const organization = await ctx.lookup.one<Organization>(sql`
      select o.organization_id as id, o.name, o.timezone from organizations o
      join openid_providers p on p.organization_id = o.organization_id
      where o.organization_id = ${body.organization} or lower(o.name) = lower(${body.organization})
      order by o.organization_id = ${body.organization} desc, o.organization_id limit 1`)
    if (!organization) {
      await failures.failed(failuresOf(address, 'openid'))
      throw badField('organization', 'must be one with an OpenID provider')
    }
    const state = randomToken()
    const begun = await beginOpenId(ctx, organization, state, state)
    return { ...begun, expires_in: patience }
  },
})

export const finishOpenIdLogin = operation({
  name: 'finish_openid_login',
  lane: 'sign_in',
  summary: 'Finish a sign-in at the OpenID provider',
  description: 'Takes what the provider sent back; works once. The answer is that of a sign-in.',
  can: 'anyone',
  writes: false,
  input: {
    body: Type.Object({
      flow: text(4000),
      code: text(4000),
      state: text(200),
      iss: Type.Optional(text(500)),
    }),
  },
  output: sessionSchema,
  async run(ctx, { body, address, user_agent }) {
    const { flow: sealed, ...answer } = body
    const flow = openFlow(ctx, sealed)
    const user = await finishOpenId(ctx, address, flow, {
      state: flow?.carried ?? '',
      answer: new URLSearchParams(answer),
    })
    return startSession(ctx, user, { address, user_agent, method: 'openid' })
  },
})
