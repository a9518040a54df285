import { readFileSync } from 'node:fs'
import type { Context } from './kit/ground/context.ts'
import { Failure, ConfigError } from './kit/ground/errors.ts'
import { newId } from './kit/ground/ids.ts'
import { mine, sql } from './kit/ground/sql.ts'
import { checkBody, checkStorable } from './kit/record/validate.ts'
import { type AppRequest, issueApp } from './records/apps/app.ts'
import { namedScopes } from './records/apps/scopes.ts'
import { addAccount } from './records/accounts/add.ts'
import { isNameTaken, namesLocked } from './model/organizations/names.ts'
import { createOrganization } from './records/organizations/organization.ts'
import { addUser, setUser } from './records/users/create.ts'
import { type Runtime, asOperator, onBehalf } from './runtime.ts'
import { hashPassword, randomToken, verifyPassword } from './secrets.ts'
import { allOrganizations } from './kit/ground/context.ts'

/** The file of PROVISION_FILE (contract 3 and 10): what must exist; it never removes anything. */
export type Provision = { organizations: ProvisionedOrganization[] }

type ProvisionedOrganization = {
  name: string
  timezone?: string
  currency_unit?: string
  accounts?: { account_name: string }[]
  users?: ProvisionedUser[]
  apps?: (Omit<AppRequest, 'scopes'> & { scopes?: string[] | 'all' })[]
}

type ProvisionedUser = {
  email: string
  password?: string
  full_name?: string
  role?: string
  account?: string
}

/** A generated secret that the file did not contain: shown only once. */
export type Generated = { organization: string; of: string; what: string; value: string }

/** Reads and checks the file. Throws a ConfigError that names the place. */
export function readProvision(file: string): Provision {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const why =
      (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'does not exist' : 'cannot be read'
    throw new ConfigError(`The provision file "${file}" ${why}`, { cause: error })
  }
  return checkProvision(file, parsed(file, text))
}

/** The same for parsed contents. */
export function checkProvision(file: string, value: unknown): Provision {
  try {
    checkStorable(value)
    checkBody(schema, value)
  } catch (error) {
    throw wrongAt(file, '', error)
  }
  const provision = value as Provision
  checkUnique(file, provision)
  return provision
}

/**
 * Applies the file to the database; idempotent. Properties that the file omits
 * and records that it does not name are not changed. Returns generated secrets. Safe
 * to run from several processes at once.
 */
export async function provision(
  runtime: Runtime,
  file: string,
  declared: Provision,
): Promise<Generated[]> {
  // before the transaction, because hashing takes long and idle transactions are ended
  const passwords = await preparePasswords(runtime, declared)
  return asOperator(runtime, async (base) => {
    await base.run(namesLocked)
    const generated: Generated[] = []
    for (const [i, each] of declared.organizations.entries()) {
      const at = `organizations[${i}]`
      const organization = await placeOrganization(base, each, `${file}: ${at}.name`)
      const ctx = onBehalf(base, { organization })
      const report = (of: string, what: string, value: string) =>
        generated.push({ organization: each.name, of, what, value })
      const accounts = await placeAccounts(ctx, each)
      const roles = await rolesOf(ctx)
      for (const [j, user] of (each.users ?? []).entries()) {
        const place = `${at}.users[${j}]`
        const role_id = roles.get(fold(user.role ?? 'member'))
        if (!role_id) {
          const known = [...roles.keys()].join(', ')
          throw new ConfigError(`${file}: ${place}.role "${user.role}" is not one of ${known}`)
        }
        const account_id = user.account && accounts.get(fold(user.account))
        if (user.account && !account_id) {
          throw new ConfigError(
            `${file}: ${place}.account "${user.account}" is no account of ${each.name}: list it in ${at}.accounts`,
          )
        }
        const known = { ...user, role_id, account_id, password: passwords.get(user) }
        const made = await placeUser(ctx, known)
        if (made) report(user.email, 'password', made)
      }
      for (const [j, app] of (each.apps ?? []).entries()) {
        const request = { ...app, scopes: app.scopes && namedScopes(app.scopes) }
        const issued = await issueApp(ctx, runtime.secrets, organization.id, request).catch(
          (error: unknown) => {
            throw wrongAt(file, `${at}.apps[${j}]`, error)
          },
        )
        if (!issued.is_new) continue
        if (!app.client_id) report(app.name, 'client_id', issued.client_id)
        if (!app.client_secret) report(app.name, 'client_secret', issued.client_secret!)
        if (!app.function_key) report(app.name, 'function_key', issued.function_key!)
      }
    }
    return generated
  })
}

const name = { type: 'string', pattern: '\\S', maxLength: 255 }
const words = { type: 'array', items: { type: 'string', maxLength: 2000 }, maxItems: 100 }

function closed(required: string[], properties: object) {
  return { type: 'object', properties, required, additionalProperties: false }
}

const schema = closed(['organizations'], {
  organizations: {
    type: 'array',
    items: closed(['name'], {
      name,
      timezone: { type: 'string', format: 'time-zone' },
      currency_unit: { type: 'string', pattern: '^[A-Z]{3}$' },
      accounts: { type: 'array', items: closed(['account_name'], { account_name: name }) },
      users: {
        type: 'array',
        items: closed(['email'], {
          email: { type: 'string', format: 'email', maxLength: 320 },
          password: { type: 'string', minLength: 1, maxLength: 1000 },
          full_name: name,
          role: name,
          account: name,
        }),
      },
      apps: {
        type: 'array',
        items: closed(['name'], {
          name,
          description: { type: ['string', 'null'], maxLength: 2000 },
          client_id: { type: 'string', minLength: 1, maxLength: 200 },
          client_secret: { type: 'string', minLength: 1, maxLength: 500 },
          function_key: { type: 'string', minLength: 1, maxLength: 500 },
          redirect_uris: words,
          scopes: { anyOf: [words, { const: 'all' }] },
          endpoints: words,
          require_client_auth_on_refresh: { type: 'boolean' },
          standard_authorize: { type: 'boolean' },
          is_listed: { type: 'boolean' },
        }),
      },
    }),
  },
})

function parsed(file: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    // the message may quote the file, which contains secrets, so only the place is repeated
    const [place = ''] = /line \d+ column \d+/.exec((error as Error).message) ?? []
    throw new ConfigError(`The provision file "${file}" is not JSON${place && ` (${place})`}`)
  }
}

/** A refusal with the place in the file; anything else stays as it is. */
function wrongAt(file: string, at: string, error: unknown): unknown {
  if (!(error instanceof Failure)) return error
  const [first] = error.errors ?? []
  if (!first) return new ConfigError(`${file}: ${at ? `${at}: ` : ''}${error.message}`)
  const path = `${at}.${first.field}`.replace(/\.(\d+)(?=\.|$)/g, '[$1]').replace(/^\./, '')
  return new ConfigError(`${file}: ${path} ${first.message}`)
}

/** Refuses duplicates, which would change back and forth at each start. */
function checkUnique(file: string, { organizations }: Provision) {
  const once = (names: Set<string>, at: string, value: string) => {
    const key = value.trim().toLowerCase()
    if (names.has(key)) throw new ConfigError(`${file}: ${at} "${value}" is given twice`)
    names.add(key)
  }
  const names = new Set<string>()
  const clients = new Set<string>()
  organizations.forEach(({ name, accounts = [], users = [], apps = [] }, i) => {
    once(names, `organizations[${i}].name`, name)
    const [listed, people, unnamed] = [new Set<string>(), new Set<string>(), new Set<string>()]
    accounts.forEach(({ account_name }, j) =>
      once(listed, `organizations[${i}].accounts[${j}].account_name`, account_name),
    )
    users.forEach(({ email }, j) => once(people, `organizations[${i}].users[${j}].email`, email))
    apps.forEach((app, j) => {
      const at = `organizations[${i}].apps[${j}]`
      if (!app.client_id) return once(unnamed, `${at}.name`, app.name)
      if (clients.has(app.client_id)) {
        throw new ConfigError(`${file}: ${at}.client_id "${app.client_id}" is given twice`)
      }
      clients.add(app.client_id)
    })
  })
}

/** Passwords that are hashed at once: the other threads of the pool are for connections, whose sign-in needs them. */
const hashesAtOnce = 2

/** The hash of each new or changed password; null if the stored one is right. */
async function preparePasswords({ database }: Runtime, { organizations }: Provision) {
  const hashes = new Map<ProvisionedUser, string | null>()
  const wanted = organizations.flatMap(({ name, users = [] }) =>
    users.flatMap((user) => {
      const { password, email } = user
      return password === undefined
        ? []
        : [{ user, password, name: fold(name), email: fold(email) }]
    }),
  )
  const stored = await database.reads(allOrganizations).all<{ at: number; hash: string | null }>(
    sql`select w.at::int as at, u.password_hash as hash
      from unnest(${wanted.map(({ name }) => name)}::text[],
        ${wanted.map(({ email }) => email)}::text[]) with ordinality w (name, email, at)
      join organizations o on lower(o.name) = w.name
      join users u on u.organization_id = o.organization_id and u.email_key = w.email
        and u.deleted_at is null
      order by o.organization_id desc`,
  )
  const known = new Map(stored.map(({ at, hash }) => [at - 1, hash]))
  const left = wanted.entries()
  const hashSome = async () => {
    for (const [at, { user, password }] of left) {
      const hash = known.get(at) ?? null
      const isRight = hash !== null && (await verifyPassword(password, hash))
      hashes.set(user, isRight ? null : await hashPassword(password))
    }
  }
  await Promise.all(Array.from({ length: hashesAtOnce }, hashSome))
  return hashes
}

async function placeOrganization(
  base: Context,
  { name, timezone, currency_unit }: ProvisionedOrganization,
  at: string,
): Promise<Context['organization']> {
  const known = await base.one<{ organization_id: string }>(sql`
    select organization_id from organizations where lower(name) = ${fold(name)}
    order by organization_id limit 1`)
  const id = known?.organization_id ?? newId()
  if (!known && (await isNameTaken(base, name))) {
    throw new ConfigError(`${at} "${name}" looks like the name of another organization`)
  }
  if (!known) await createOrganization(base, id, { name: name.trim(), timezone })
  await base.run(sql`update organizations
    set timezone = coalesce(${timezone ?? null}, timezone),
      currency_unit = coalesce(${currency_unit ?? null}, currency_unit)
    where organization_id = ${id} and (timezone <> ${timezone ?? null}
      or currency_unit <> ${currency_unit ?? null})`)
  const now = await base.one<Context['organization']>(sql`
    select organization_id as id, name, timezone from organizations where organization_id = ${id}`)
  return now!
}

/** The ids of the organization's accounts by their folded names. */
async function placeAccounts(
  ctx: Context,
  { accounts = [] }: ProvisionedOrganization,
): Promise<Map<string, string>> {
  const rows = await ctx.all<{ id: string; account_name: string }>(sql`
    select id, account_name from accounts t
    where ${mine(ctx)} and deleted_at is null order by id desc`)
  const ids = new Map(rows.map(({ id, account_name }) => [fold(account_name), id]))
  for (const { account_name } of accounts) {
    if (!ids.has(fold(account_name))) {
      ids.set(fold(account_name), await addAccount(ctx, account_name.trim()))
    }
  }
  return ids
}

/** The ids of the organization's roles by their folded names. */
export async function rolesOf(ctx: Context): Promise<Map<string, string>> {
  const rows = await ctx.all<{ id: string; role_name: string }>(sql`
    select id, role_name from roles t where ${mine(ctx)} and deleted_at is null order by id`)
  return new Map(rows.map(({ id, role_name }) => [fold(role_name), id]))
}

type PlacedUser = Omit<ProvisionedUser, 'password'> & {
  role_id: string
  account_id: string | undefined
  /** a hash, null to keep the stored one, undefined if the file has none */
  password: string | null | undefined
}

/** Creates or updates a user; returns the password generated for a new user without one. */
async function placeUser(ctx: Context, user: PlacedUser): Promise<string | undefined> {
  const { email, full_name, role, role_id, account_id, password } = user
  const known = await ctx.one<{ id: string }>(sql`select id from users t
    where ${mine(ctx)} and email_key = ${fold(email)} and deleted_at is null`)
  if (!known) {
    const made = password ? undefined : newPassword()
    await addUser(ctx, {
      email,
      full_name: full_name ?? email.split('@')[0] ?? email,
      role_id,
      account_id: account_id ?? null,
      password_hash: password ?? (await hashPassword(made!)),
    })
    return made
  }
  await setUser(ctx, known.id, {
    ...(full_name ? { full_name } : {}),
    ...(role ? { role_id } : {}),
    ...(account_id ? { account_id } : {}),
    ...(password ? { password_hash: password } : {}),
  })
  return undefined
}

/** A readable password of 95 bits: letters and digits, because one that begins with a dash would look like an option. */
export function newPassword(): string {
  return randomToken().replace(/[-_]/g, '').slice(0, 16)
}

function fold(text: string): string {
  return text.trim().toLowerCase()
}
