import pg from 'pg'
import { ConfigError } from '../kit/ground/errors.ts'

/** The role of the service: row-level security applies to it, and it owns nothing. */
export const serviceRole = 'perennial_service'

const schemas = ['perennial', 'perennial_jobs']

/** What a connection's user may do beyond what the service needs. */
export type Standing = {
  name: string
  /** it bypasses row-level security, or can create roles that do */
  isPowerful: boolean
  /** it owns tables of ours, or may become whoever does */
  isOwner: boolean
}

/** The permissions of a connection's user. */
export async function standingOf(client: pg.Client, user: string): Promise<Standing | undefined> {
  const { rows } = await client.query<{ is_powerful: boolean; is_owner: boolean }>(
    `select r.rolsuper or r.rolbypassrls or r.rolcreaterole or r.rolreplication as is_powerful,
       exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where n.nspname = any($2) and pg_has_role(r.oid, c.relowner, 'member')) as is_owner
     from pg_roles r where r.rolname = $1`,
    [user, schemas],
  )
  const found = rows[0]
  return found && { name: user, isPowerful: found.is_powerful, isOwner: found.is_owner }
}

/**
 * The role that the connecting user can set for the service, created if possible; null if there is
 * none. Several databases of one server share it, and may be set up at the same moment.
 */
export async function roleForOwner(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query<{ may_create: boolean; exists: boolean }>(
    `select rolsuper or rolcreaterole as may_create,
       exists (select from pg_roles where rolname = $1) as exists
     from pg_roles where rolname = current_user`,
    [serviceRole],
  )
  const [{ may_create, exists } = { may_create: false, exists: false }] = rows
  if (exists && (await isMember(client))) return serviceRole
  if (!may_create) return null
  await createRole(client)
  await client.query(`grant ${serviceRole} to current_user`)
  return serviceRole
}

/** Creates the role, unless it exists. */
async function createRole(client: pg.Client): Promise<void> {
  await client.query(`do $$ begin create role ${serviceRole} nologin noinherit;
    exception when duplicate_object or unique_violation then null; end $$`)
}

async function isMember(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ member: boolean }>(
    `select pg_has_role(current_user, $1, 'member') as member`,
    [serviceRole],
  )
  return rows[0]?.member ?? false
}

/**
 * Lets the role sign in, without a password: the coordinator of Citus connects to its workers as the role
 * that a statement runs as, in the way that the operator has set up between them.
 */
export async function allowLogin(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ may: boolean }>(
    'select rolcanlogin as may from pg_roles where rolname = $1',
    [serviceRole],
  )
  if (rows[0]?.may) return
  await client.query(`alter role ${serviceRole} login`).catch((error: Error) => {
    throw new ConfigError(
      `On Citus the role ${serviceRole} must be able to sign in to the workers: let an administrator run ` +
        `"alter role ${serviceRole} login" (${error.message})`,
    )
  })
}

/** Lets the role sign in by itself: of the embedded database, whose roles are all ours. */
export async function giveLogin(client: pg.Client, password: string): Promise<void> {
  const quoted = pg.escapeLiteral(password)
  for (let tries = 1; ; tries++) {
    try {
      await createRole(client)
      await client.query(`alter role ${serviceRole} nosuperuser nobypassrls nocreaterole nocreatedb
        noinherit login password ${quoted}`)
      return
    } catch (error) {
      // of two processes that start at once, on two databases of the server, one waits and finds this
      if (tries === 5 || !/concurrently updated/.test((error as Error).message)) throw error
    }
  }
}

/** The service reads and writes rows; it changes no table, and never what has happened. */
export async function grant(client: pg.Client, user: string): Promise<void> {
  const role = pg.escapeIdentifier(user)
  for (const schema of schemas) {
    await client.query(`
      grant usage on schema ${schema} to ${role};
      grant select, insert, update, delete on all tables in schema ${schema} to ${role};
      grant usage on all sequences in schema ${schema} to ${role};
      grant execute on all functions in schema ${schema} to ${role};`)
  }
  await client.query(`
    revoke update, delete on perennial.events from ${role};
    revoke insert, update, delete on perennial.migrations from ${role};
    revoke insert, delete on perennial_jobs.version from ${role};
  `)
}

/** Whether the user has been granted what the service needs. */
export async function isGranted(client: pg.Client, user: string): Promise<boolean> {
  const { rows } = await client.query<{ granted: boolean }>(
    `select bool_and(has_schema_privilege($1, name, 'usage')) as granted
     from unnest($2::text[]) as name`,
    [user, schemas],
  )
  return rows[0]?.granted ?? false
}

/** A ConfigError when the service's own user could do more than read and write rows. */
export async function checkService(client: pg.Client, user: string): Promise<void> {
  const standing = await standingOf(client, user)
  if (!standing) {
    throw new ConfigError(
      `DATABASE_URL names the user ${user}, which does not exist: create role ${user} login password '…'`,
    )
  }
  const { isPowerful, isOwner } = standing
  if (!isPowerful && !isOwner) return
  const why = isPowerful
    ? 'is a superuser, bypasses row-level security or may create roles'
    : 'owns the tables'
  throw new ConfigError(
    `The user ${user} of DATABASE_URL ${why}: name one there that owns nothing and bypasses nothing, ` +
      'and the owner in DATABASE_MIGRATE_URL',
  )
}
