import { domainToASCII } from 'node:url'
import { Type } from 'typebox'
import { failuresOf } from '../../kit/ground/address.ts'
import type { Organization, PublicContext } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import { operation } from '../../kit/ground/operation.ts'
import { anywhere, sql } from '../../kit/ground/sql.ts'
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
      organization: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 255,
          description: 'id, or a name that only one has',
        }),
      ),
      email: Type.Optional(
        Type.String({
          format: 'email',
          maxLength: 320,
          description: 'instead of it: an address at a mail domain that names the organization',
        }),
      ),
    }),
  },
  output: Type.Object(
    {
      authorization_url: Type.String(),
      organization: Type.Object({ organization_id: Type.String(), name: Type.String() }),
      provider_host: Type.String({
        description:
          'the host of the provider: show it with the name before the browser goes there',
      }),
      flow: Type.String({ description: 'finishes this sign-in, once' }),
      expires_in: Type.Integer({ description: 'seconds' }),
    },
    { title: 'OpenIdLogin' },
  ),
  async run(ctx, { body, address }) {
    const { failures } = ctx.services
    const { organization: named, email } = body
    if ((named === undefined) === (email === undefined)) {
      throw badField('organization', 'is required, or `email` instead of it')
    }
    await failures.check(failuresOf(address, 'openid'))
    const finding = email === undefined ? byName(ctx, named ?? '') : byDomain(ctx, email)
    const organization = await finding.catch(async (error: unknown) => {
      await failures.failed(failuresOf(address, 'openid'))
      throw error
    })
    const state = randomToken()
    const begun = await beginOpenId(ctx, organization, state, state)
    const { id: organization_id, name } = organization
    return { ...begun, organization: { organization_id, name }, expires_in: patience }
  },
})

type Found = Organization & { has_provider: boolean }

/** The organization with an id or name; 400 for a name of several, of which each could pose as another. */
async function byName(ctx: PublicContext, named: string): Promise<Organization> {
  const rows = await ctx.lookup.all<Found>(sql`
    select o.organization_id as id, o.name, o.timezone, p.organization_id is not null as has_provider
    from organizations o left join openid_providers p on ${anywhere('p')} and p.organization_id = o.organization_id
    where ${anywhere('o')} and (o.organization_id = ${named}
      or lower(normalize(btrim(o.name), nfkc)) = lower(normalize(btrim(${named}), nfkc)))
    order by o.organization_id = ${named} desc, o.organization_id limit 2`)
  const [first, second] = rows
  if (first && second && first.id !== named) {
    throw badField('organization', 'several organizations have this name: its id says which')
  }
  if (!first?.has_provider) throw badField('organization', 'must be one with an OpenID provider')
  const { has_provider: _has, ...organization } = first
  return organization
}

/** The most organizations that may claim one mail domain before nobody is sent to any of them. */
const mostClaims = 100

/** The organization with a provider for people of a mail domain, which the domain itself names. */
async function byDomain(ctx: PublicContext, email: string): Promise<Organization> {
  const domain = domainToASCII(email.slice(email.lastIndexOf('@') + 1)).toLowerCase()
  const claiming = await ctx.lookup.all<Organization>(sql`
    select o.organization_id as id, o.name, o.timezone from organizations o
    join openid_providers p on p.organization_id = o.organization_id
    where ${anywhere('p')} and ${anywhere('o')} and p.allowed_domains ? ${domain} order by o.organization_id limit ${mostClaims}`)
  const { mailDomains } = ctx.services
  const answers = await Promise.all(claiming.map(({ id }) => mailDomains.names(domain, id)))
  const [first, second] = claiming.filter((_, i) => answers[i])
  if (second) throw badField('email', 'several organizations have this mail domain: name one')
  if (!first) throw badField('email', 'must be at a mail domain that names an organization')
  return first
}

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
