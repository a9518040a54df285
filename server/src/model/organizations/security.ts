import { Type } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { conflict } from '../../kit/ground/errors.ts'
import { operation } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { announce } from '../../kit/write/announce.ts'
import { hasCodes } from '../users/one-time-codes/state.ts'
import { requireAdmin } from '../users/guards.ts'

/** Settings that decide who can sign in belong to the module of roles, and only admins change them. */
export const securityEntries = { module: 'roles', word: 'sign-in' }

/** The refusal of everybody else: whoever decides how people sign in could sign in as anybody. */
export const notAdmin = 'Only admins change how people sign in'

const security = Type.Object(
  {
    requires_one_time_codes: Type.Boolean({
      description: 'whether everybody who signs in with a password needs one-time codes',
    }),
  },
  { title: 'OrganizationSecurity' },
)

const common = { topic: 'organization', can: { module: 'roles', action: 'update' } } as const

/** How people sign in to the organization. */
export const organizationSecurity = {
  read: operation({
    ...common,
    name: 'read_organization_security',
    summary: 'Retrieve how people sign in',
    writes: false,
    input: {},
    output: security,
    run: readSecurity,
  }),
  update: operation({
    ...common,
    name: 'update_organization_security',
    needsSession: true,
    summary: 'Change how people sign in',
    description:
      'For admins. To require one-time codes, the admin must have set up their own. Users without codes can then only set them up.',
    writes: true,
    input: { body: Type.Partial(security) },
    output: security,
    async run(ctx, { body }) {
      await requireAdmin(ctx, notAdmin)
      const before = await readSecurity(ctx)
      const { requires_one_time_codes: to = before.requires_one_time_codes } = body
      const from = before.requires_one_time_codes
      if (to === from) return before
      if (to) await requireOwnCodes(ctx)
      await ctx.run(sql`update organizations t set requires_one_time_codes = ${to}
        where ${mine(ctx)}`)
      await announce(ctx, securityEntries, 'updated', {
        id: null,
        title: to ? 'One-time codes required' : 'One-time codes no longer required',
        changes: [{ field: 'requires_one_time_codes', from, to }],
      })
      ctx.forget()
      return { requires_one_time_codes: to }
    },
  }),
}

/** 409 for an admin who would lock themselves out. */
async function requireOwnCodes(ctx: Context): Promise<void> {
  const found = await ctx.one(sql`select from users u where ${mine(ctx, 'u')}
    and u.id = ${ctx.actor.user_id} and (${hasCodes} or exists (select from sessions s
      where s.organization_id = $organization and s.id = ${ctx.actor.session_id ?? null}
        and s.method = 'openid'))`)
  if (!found) throw conflict('Set up one-time codes of your own first', 'codes_missing')
}

async function readSecurity(ctx: Context): Promise<{ requires_one_time_codes: boolean }> {
  const found = await ctx.one<{ requires_one_time_codes: boolean }>(
    sql`select t.requires_one_time_codes from organizations t where ${mine(ctx)}`,
  )
  return found ?? { requires_one_time_codes: false }
}
