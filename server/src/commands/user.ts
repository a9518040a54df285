import { mine, sql } from '../kit/ground/sql.ts'
import { checkTexts } from '../kit/record/validate.ts'
import { addUser } from '../records/users/create.ts'
import { newPassword, rolesOf } from '../provision.ts'
import { asOperator, onBehalf } from '../runtime.ts'
import { hashPassword } from '../secrets.ts'
import { asUsage, type Command, UsageError } from './command.ts'
import type { Config } from '../config.ts'
import { addressFor } from './servers.ts'
import { organizationNamed } from './named.ts'
import { withDatabase } from './open.ts'
import { ConfigError } from '../kit/ground/errors.ts'

/** `perennial user create` */
export const create: Command = {
  summary: 'create a user of an organization',
  about: `Creates a user who can sign in. Without --password, one is generated and shown once. Customers and partners
see only what belongs to their account: name it with --account. The server may be running.`,
  examples: [
    'perennial user create --email ada@acme.com --role admin',
    'perennial user create --org Acme --email guest@globex.com --role customer --account Globex',
  ],
  options: {
    org: { value: 'NAME', about: 'the organization, by name or id (the only one there is)' },
    email: { value: 'EMAIL', about: 'how the user signs in' },
    password: { value: 'PASSWORD', about: 'at least 8 characters (generated)' },
    name: { value: 'NAME', about: 'the full name (the part before the @)' },
    role: {
      value: 'ROLE',
      about:
        'admin, manager, member, customer, partner, observer or one of your own roles (member)',
    },
    account: { value: 'NAME', about: 'the account that the user belongs to, by name or id' },
  },
  environment: ['DATABASE_URL', 'DATA_DIR', 'SECRET_KEY'],
  async run({ config, text, needed, terminal }) {
    const email = needed('email')
    const supplied = text('password')
    if (supplied !== undefined && (supplied.length < 8 || supplied.length > 1000)) {
      throw new UsageError('--password must be 8 to 1000 characters')
    }
    try {
      checkTexts(emailSchema, { email })
    } catch (error) {
      asUsage(error)
    }
    const full_name = text('name')?.trim() || email.split('@')[0]!
    const role = text('role')?.trim() || 'member'
    const account = text('account')?.trim().toLowerCase()
    const password = supplied ?? newPassword()
    const password_hash = await hashPassword(password)

    const made = await withDatabase(config, terminal.note, async ({ runtime }) => {
      const organization = await organizationNamed(runtime, text('org'))
      const user_id = await asOperator(runtime, async (base) => {
        const ctx = onBehalf(base, { organization })
        const roles = await rolesOf(ctx)
        const role_id = roles.get(role.toLowerCase())
        if (!role_id) {
          throw new UsageError(`--role must be one of ${[...roles.keys()].join(', ')}`)
        }
        const known = account
          ? await ctx.one<{ id: string }>(sql`select id from accounts t
              where ${mine(ctx)} and deleted_at is null
                and (id = ${account} or lower(account_name) = ${account}) order by id limit 1`)
          : undefined
        if (account && !known) {
          throw new ConfigError(`${organization.name} has no account "${text('account')}"`)
        }
        const taken = await ctx.one(sql`select from users t where ${mine(ctx)}
          and deleted_at is null and email_key = ${email.toLowerCase()}`)
        if (taken) throw new ConfigError(`${organization.name} already has a user ${email}`)
        const account_id = known?.id ?? null
        return addUser(ctx, { email, full_name, password_hash, role_id, account_id })
      })
      return { organization, user_id }
    })
    const { organization, user_id } = made
    const secret = supplied === undefined ? { password } : {}
    return {
      json: { user_id, email, full_name, role, organization_id: organization.id, ...secret },
      text: [
        `Created the user ${email} (${user_id}), ${role} of ${organization.name}`,
        ...(supplied === undefined ? [`Password, shown only now: ${password}`] : []),
        signInText(config),
      ].join('\n'),
    }
  },
}

/** Where the new user signs in: a page, unless the workspace is switched off. */
export function signInText(config: Config): string {
  const address = addressFor(config)
  if (!address) return 'Sign in at the address that the server shows when it has started'
  return config.workspace === 'off'
    ? `Sign in with POST ${address}/api/login/`
    : `Sign in at ${address}`
}

const emailSchema = {
  type: 'object',
  properties: { email: { type: 'string', format: 'email', maxLength: 320 } },
}
