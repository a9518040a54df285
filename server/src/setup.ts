import type { Context, Organization, Queries } from './kit/ground/context.ts'
import { allOrganizations } from './kit/ground/context.ts'
import { conflict, notFound } from './kit/ground/errors.ts'
import { newId } from './kit/ground/ids.ts'
import { sql } from './kit/ground/sql.ts'
import { isNameTaken, namesLocked } from './model/organizations/names.ts'
import { createOrganization } from './records/organizations/organization.ts'
import { addUser } from './records/users/create.ts'
import type { Runtime } from './runtime.ts'
import { asOperator, onBehalf } from './runtime.ts'

/** How long the link of a start can be used, in milliseconds. */
const validity = 24 * 3_600_000
const purpose = 'setup'

/**
 * The address at which a browser makes the first organization. Only whoever started the service knows it; it ends after
 * a day, and as soon as there is an organization besides demonstrations.
 */
export function setupLink({ config, secrets, now }: Runtime): string {
  const expires_at = now().getTime() + validity
  return `${config.publicUrl}/setup/${secrets.seal({ expires_at }, purpose)}`
}

/** Whether the token of such a link can be used: it is ours, and has neither expired nor been used. */
export async function isSetupOpen(runtime: Runtime, token: string): Promise<boolean> {
  const read = runtime.secrets.unseal(token, purpose) as { expires_at: number } | undefined
  if (!read || read.expires_at <= runtime.now().getTime()) return false
  return !(await organizationsIn(runtime)).haveOwn
}

/** Whether there is an organization that is no demonstration, and any at all. */
export async function organizationsIn({ database }: Pick<Runtime, 'database'>) {
  const row = await database.reads(allOrganizations).one<{ own: boolean; any: boolean }>(sql`
    select exists(select from organizations where not is_demo_data) as own,
      exists(select from organizations) as any`)
  return { haveOwn: row?.own ?? false, haveAny: row?.any ?? false }
}

/** The demonstrations, by name. */
export async function demonstrations(
  queries: Pick<Queries, 'all'>,
): Promise<{ id: string; name: string }[]> {
  return queries.all(sql`select organization_id as id, name from organizations
    where is_demo_data order by name limit 100`)
}

/** The first organization with its administrator, as entered; the password is hashed already. */
export type FirstOrganization = {
  name: string
  timezone: string
  currency_unit: string
  full_name: string
  email: string
  password_hash: string
}

/**
 * Makes the first organization with its administrator, in one transaction. 404 if there is one by now, 409
 * `name_taken` for a name that looks like that of a demonstration.
 */
export async function makeFirst(
  runtime: Runtime,
  first: FirstOrganization,
): Promise<{ organization: Organization; user_id: string }> {
  const { name, timezone, currency_unit, full_name, email, password_hash } = first
  return asOperator(runtime, async (base) => {
    // the same lock as provisioning
    await base.run(namesLocked)
    const other = await base.one(sql`select from organizations where not is_demo_data limit 1`)
    if (other) throw notFound('A setup without an organization')
    if (await isNameTaken(base, name)) {
      throw conflict(`There is an organization whose name looks like "${name}"`, 'name_taken')
    }
    const organization = { id: newId(), name, timezone }
    const roles = await createOrganization(base, organization.id, {
      name,
      timezone,
      currency_unit,
    })
    const ctx: Context = onBehalf(base, { organization })
    const user_id = await addUser(ctx, { email, full_name, role_id: roles.admin, password_hash })
    return { organization, user_id }
  })
}
