import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import { arrayOf, orNull } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import type { OpenIdProvider } from '../../kit/ground/services.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { announce } from '../../kit/write/announce.ts'
import { requireAdmin, standingOf } from '../../model/users/guards.ts'
import { notAdmin, securityEntries } from '../../model/organizations/security.ts'

const shown = {
  issuer: Type.String({ minLength: 1, maxLength: 500, description: 'the address of the provider' }),
  client_id: Type.String({ minLength: 1, maxLength: 500 }),
  allowed_domains: arrayOf(
    Type.String({
      pattern: '^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$',
      description: 'a mail domain whose people may sign in; if the list is empty, any domain',
    }),
  ),
  new_users_role_id: orNull(
    Type.String({
      maxLength: 25,
      description: 'the role of people who were not invited; null refuses them',
    }),
  ),
}
const bodySchema = Type.Partial(
  Type.Object({ ...shown, client_secret: Type.String({ minLength: 1, maxLength: 1000 }) }),
)
const output = Type.Object(
  {
    ...shown,
    issuer: orNull(Type.String({ description: 'null where there is no provider' })),
    client_id: orNull(Type.String()),
    redirect_uri: Type.String({ description: 'what to register at the provider' }),
    domain_record: Type.String({
      description:
        'the TXT record at `_perennial.` and a mail domain, such as `_perennial.example.com`, by which the domain confirms that its people are those of this organization: their addresses then lead to this provider',
    }),
  },
  { title: 'OpenIdSettings' },
)

type Stored = OpenIdProvider & { allowed_domains: string[]; new_users_role_id: string | null }
type Body = Static<typeof bodySchema>

const common = { topic: 'organization', can: { module: 'roles', action: 'update' } } as const

/** The OpenID Connect provider of the organization. */
export const openIdSettings = {
  read: operation({
    ...common,
    name: 'read_openid_settings',
    summary: 'Retrieve the OpenID provider',
    writes: false,
    input: {},
    output,
    run: async (ctx) => visible(ctx, await readProvider(ctx)),
  }),
  update: operation({
    ...common,
    name: 'update_openid_settings',
    needsSession: true,
    summary: 'Set the OpenID provider',
    description:
      'For admins. What is left out stays; the first time `issuer`, `client_id` and `client_secret` are required. The provider must be reachable.',
    writes: true,
    input: { body: bodySchema },
    output,
    async before(ctx, { body }) {
      await requireAdmin(ctx, notAdmin)
      const next = merged(await readProvider(ctx), body)
      if (body.issuer !== undefined) await ctx.services.openid.check(next)
    },
    run: (ctx, { body }) => update(ctx, body),
  }),
  remove: operation({
    ...common,
    name: 'remove_openid_settings',
    needsSession: true,
    summary: 'Remove the OpenID provider',
    description: 'For admins. Nobody signs in through it any more; sessions go on.',
    writes: true,
    input: {},
    output: null,
    async run(ctx) {
      await requireAdmin(ctx, notAdmin)
      const removed = await ctx.run(sql`delete from openid_providers t where ${mine(ctx)}`)
      if (!removed) return
      await ctx.run(sql`delete from openid_subjects t where ${mine(ctx)}`)
      const title = 'Sign-in by OpenID removed'
      await announce(ctx, securityEntries, 'removed', { id: null, title })
    },
  }),
}

/** The provider of the organization with its secret; undefined if there is none. */
export async function readProvider(ctx: Context): Promise<Stored | undefined> {
  const found = await ctx.one<Omit<Stored, 'client_secret'> & { client_secret: Buffer }>(sql`
    select t.issuer, t.client_id, t.client_secret, t.allowed_domains, t.new_users_role_id
    from openid_providers t where ${mine(ctx)}`)
  return found && { ...found, client_secret: ctx.secrets.decrypt(found.client_secret) }
}

function visible(ctx: Context, stored: Stored | undefined) {
  const { client_secret: _secret, ...known } = stored ?? { ...none, client_secret: '' }
  const domain_record = domainRecord(ctx.organization.id)
  return { ...known, redirect_uri: openIdRedirect(ctx), domain_record }
}

const none = { issuer: null, client_id: null, allowed_domains: [], new_users_role_id: null }

/** The redirect address for every provider. */
export function openIdRedirect({ public_url }: Pick<Context, 'public_url'>): string {
  return `${public_url}/openid/callback`
}

/** The TXT record by which a mail domain names its organization. Only the domain's owner can publish it. */
export function domainRecord(organization_id: string): string {
  return `perennial-organization=${organization_id}`
}

async function update(ctx: Context, body: Body) {
  const stored = await readProvider(ctx)
  const next = merged(stored, body)
  if (next.new_users_role_id !== null && !(await standingOf(ctx, next.new_users_role_id))) {
    throw badField('new_users_role_id', 'no such record')
  }
  const changes = differences(stored, next)
  if (!changes.length) return visible(ctx, next)
  const now = ctx.now().toISOString()
  await ctx.run(sql`
    insert into openid_providers (organization_id, issuer, client_id, client_secret,
      allowed_domains, new_users_role_id, creation_time, last_update_time)
    values (${ctx.organization.id}, ${next.issuer}, ${next.client_id},
      ${ctx.secrets.encrypt(next.client_secret)}, ${JSON.stringify(next.allowed_domains)},
      ${next.new_users_role_id}, ${now}, ${now})
    on conflict (organization_id) do update set issuer = excluded.issuer,
      client_id = excluded.client_id, client_secret = excluded.client_secret,
      allowed_domains = excluded.allowed_domains, new_users_role_id = excluded.new_users_role_id,
      last_update_time = excluded.last_update_time`)
  const title = 'Sign-in by OpenID changed'
  await announce(ctx, securityEntries, 'updated', { id: null, title, changes })
  return visible(ctx, next)
}

/** The stored settings merged with a body; 400 names what is missing. */
function merged(stored: Stored | undefined, body: Body): Stored {
  const next = { allowed_domains: [], new_users_role_id: null, ...stored, ...body }
  const { issuer, client_id, client_secret, ...rest } = next
  if (issuer === undefined) throw badField('issuer', 'is required')
  if (client_id === undefined) throw badField('client_id', 'is required')
  if (client_secret === undefined) throw badField('client_secret', 'is required')
  if (!URL.canParse(issuer) || !/^https?:$/.test(new URL(issuer).protocol)) {
    throw badField('issuer', 'must be an address such as https://accounts.example.com')
  }
  // otherwise everybody with an account at a public provider could join
  if (rest.new_users_role_id !== null && !rest.allowed_domains.length) {
    throw badField('allowed_domains', 'must name a mail domain where new users are let in')
  }
  return { issuer, client_id, client_secret, ...rest }
}

/** The settings as the log shows them; of the secret only that it changed. */
function differences(before: Stored | undefined, after: Stored) {
  const names = ['issuer', 'client_id', 'allowed_domains', 'new_users_role_id'] as const
  const changes: { field: string; from: unknown; to: unknown }[] = names
    .map((field) => ({ field, from: before?.[field] ?? null, to: after[field] }))
    .filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to))
  if (before?.client_secret !== after.client_secret) {
    changes.push({
      field: 'client_secret',
      from: before ? 'the one before' : null,
      to: 'a new one',
    })
  }
  return changes
}
