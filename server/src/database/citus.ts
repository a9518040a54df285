import pg from 'pg'
import { ConfigError } from '../kit/ground/errors.ts'

// Citus, the supported distributed engine (https://docs.citusdata.com): where its extension is in the
// database, the tables of organizations are distributed over the machines by `organization_id`.

/** The oldest version that the tests of this version ran on. */
const oldest = 13

/** All other tables of organizations are on the machine where this one has the same organization's row. */
const first = 'perennial.organizations'

/**
 * Where the tables of organizations are, or are to be: on `one` server, distributed over `many` machines of Citus, or
 * on its `coordinator` alone, where organizations were there before the extension: triggers would run again for rows
 * that are copied. A ConfigError for a version that is too old.
 */
export async function whereTablesAre(client: pg.Client): Promise<'one' | 'many' | 'coordinator'> {
  const { rows } = await client.query<{ version: string; place: string | null }>(
    `select extversion as version, to_regclass('${first}')::text as place
     from pg_extension where extname = 'citus'`,
  )
  const [found] = rows
  if (!found) return 'one'
  if (found.place !== null) {
    const { rowCount: known } = await client.query(
      'select from pg_dist_partition where logicalrelid = $1::regclass',
      [first],
    )
    if (!known && (await ofAll(client, `select from ${first} limit 1`)).length) return 'coordinator'
  }
  if (parseInt(found.version, 10) < oldest) {
    throw new ConfigError(`Citus ${oldest} or newer is needed; this database has ${found.version}`)
  }
  return 'many'
}

/**
 * The rows of a query over all organizations, outside of a transaction: the machines of Citus learn within one alone that
 * it is for all.
 */
export async function ofAll<T extends pg.QueryResultRow>(
  client: pg.Client,
  text: string,
): Promise<T[]> {
  for (const setting of [
    'begin',
    `set local citus.propagate_set_commands = 'local'`,
    `set local app.organization = '*'`,
  ])
    await client.query(setting)
  const { rows } = await client.query<T>(text)
  await client.query('commit')
  return rows
}

/** Whether the tables of organizations are, or are to be, distributed. */
export async function isOnCitus(client: pg.Client): Promise<boolean> {
  return (await whereTablesAre(client)) === 'many'
}

/** What an operator does with organizations that are on the coordinator alone. */
export const bringOver =
  'export each with perennial org export, start on an empty database with the extension, and bring them in with ' +
  'perennial org import (docs/scale.md)'

/** A machine of Citus beside the coordinator, by its address, and whether it answers the user of the statement. */
export type Machine = { place: string; answers: boolean }

/** Which machines answer; each is asked, and one that does not answer is no error. */
export const machines = `select nodename || ':' || nodeport as place, success as answers
  from run_command_on_workers('select 1') order by 1`

/** A ConfigError that says why a machine does not let in the user who migrates, or whom the service will be. */
export async function checkMachines(client: pg.Client, serving: string | undefined): Promise<void> {
  const { rows: silent } = await client.query<{ place: string; name: string }>(
    `select nodename || ':' || nodeport as place, current_user as name
     from run_command_on_workers('select 1') where not success order by 1`,
  )
  const order =
    'create roles on the coordinator, in this database and after citus_add_node, so that every machine gets them'
  const [one] = silent
  if (one) {
    const places = silent.map(({ place }) => place).join(' and ')
    throw new ConfigError(
      `The coordinator of Citus cannot sign in to ${places} as ${one.name}. A machine may be down, or lack that ` +
        `role or the database, or not let the coordinator in (pg_hba.conf): ${order}, as docs/scale.md shows`,
    )
  }
  if (serving === undefined) return
  const { rows: lacking } = await client.query<{ place: string }>(
    `select nodename || ':' || nodeport as place
     from run_command_on_workers(format('select count(*) from pg_roles where rolname = %L', $1::text))
     where result = '0' order by 1`,
    [serving],
  )
  if (!lacking.length) return
  throw new ConfigError(
    `The role ${serving} is unknown on ${lacking.map(({ place }) => place).join(' and ')}: ${order}, as docs/scale.md shows`,
  )
}

/**
 * What the sessions of the service need on every machine: how values are written as text, how long they wait, how they
 * plan. A setting of the role in this database, since a transaction would have to send each of them otherwise.
 */
export async function setOnMachines(
  url: string,
  role: string | null,
  settings: [name: string, value: string][],
): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'perennial settings' })
  await client.connect()
  try {
    if (role !== null) await client.query(`set role ${pg.escapeIdentifier(role)}`)
    const { rows } = await client.query<{ known: string[] | null; database: string; name: string }>(
      `select (select setconfig from pg_db_role_setting s join pg_roles r on r.oid = s.setrole
           join pg_database d on d.oid = s.setdatabase
         where r.rolname = current_user and d.datname = current_database()) as known,
         current_database() as database, current_user as name`,
    )
    const [{ known, database, name } = { known: null, database: '', name: '' }] = rows
    for (const [setting, value] of settings) {
      if (known?.includes(`${setting}=${value}`)) continue
      await client.query(
        `alter role ${pg.escapeIdentifier(name)} in database ${pg.escapeIdentifier(database)}
         set ${setting} = ${pg.escapeLiteral(value)}`,
      )
    }
  } finally {
    await client.end()
  }
}

/**
 * What a transaction of a migration begins with on Citus: keys between tables are changed one part of a table after
 * the other, and the triggers that fill the entries of searches and filters are let through. These write beside
 * the row itself, on the same machine, which is what Citus cannot know of a trigger.
 */
export const migratingOnCitus = `set local citus.multi_shard_modify_mode = 'sequential';
  set local citus.enable_unsafe_triggers = on;`

/**
 * Distributes the tables of organizations that are not distributed yet, in the transaction of the
 * client: all of them the first time, and those that a later migration has added. What refuses to be distributed goes: statistics
 * of expressions, and triggers that notify, whose notifications would arrive on another machine. Processes are
 * notified of changes by a statement of their transaction (`cached-tables.ts`).
 */
export async function distribute(client: pg.Client): Promise<void> {
  await client.query(migratingOnCitus)
  await letRead(client)
  // the workers may know no tables yet that bodies name
  await client.query(`set local citus.propagate_set_commands = 'local'`)
  await client.query('set local check_function_bodies = off')
  await client.query(
    `select create_distributed_function(p.oid) from pg_proc p
     where p.pronamespace = 'perennial'::regnamespace and not exists (select from pg_dist_object d
       where d.classid = 'pg_proc'::regclass and d.objid = p.oid)`,
  )
  const tables = await undistributed(client)
  if (!tables.length) return
  await dropEach(
    client,
    `select format('drop statistics %s.%I', stxnamespace::regnamespace, stxname) as text
     from pg_statistic_ext where stxrelid = any($1::regclass[]) and stxexprs is not null`,
    tables,
  )
  await dropEach(
    client,
    `select format('drop trigger %I on %s', tgname, tgrelid::regclass) as text
     from pg_trigger where tgrelid = any($1::regclass[]) and tgname = 'tell'`,
    tables,
  )
  // a key leads from one distributed table to another: none may be there while only one of both is
  const { rows: keys } = await client.query<{ place: string; name: string; text: string }>(
    `select conrelid::regclass::text as place, quote_ident(conname) as name,
       pg_get_constraintdef(oid) as text
     from pg_constraint where contype = 'f' and conrelid = any($1::regclass[])`,
    [tables],
  )
  for (const { place, name } of keys) {
    await client.query(`alter table ${place} drop constraint ${name}`)
  }
  for (const table of tables) {
    await client.query(
      `select create_distributed_table($1::regclass, 'organization_id', colocate_with := $2)`,
      [table, table === first ? 'none' : first],
    )
  }
  for (const { place, name, text } of keys) {
    await client.query(`alter table ${place} add constraint ${name} ${text}`)
  }
}

/**
 * Lets functions read tables inside statements that are sent to a machine: those of the organization of the
 * statement, which are there. Citus refuses it otherwise, as it cannot know what a function reads.
 */
async function letRead(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select p.oid::regprocedure::text as name from pg_proc p
     where p.pronamespace = 'perennial'::regnamespace and p.prosecdef
       and p.prorettype <> 'trigger'::regtype
       and not coalesce(p.proconfig, '{}') @> array['citus.allow_nested_distributed_execution=on']`,
  )
  for (const { name } of rows) {
    await client.query(`alter function ${name} set citus.allow_nested_distributed_execution = on`)
  }
}

/** A ConfigError where a table of organizations is not distributed. */
export async function checkDistributed(client: pg.Client): Promise<void> {
  const tables = await undistributed(client)
  if (!tables.length) return
  throw new ConfigError(
    `Citus does not distribute ${tables.length} tables of this database yet, and the user of DATABASE_URL does ` +
      'not own them: name the owner in DATABASE_MIGRATE_URL, or run perennial migrate with it',
  )
}

/** The tables of organizations that Citus does not know yet, beginning with the one that the others are beside. */
async function undistributed(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select n.nspname || '.' || quote_ident(c.relname) as name
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id' and not a.attisdropped
     where n.nspname = 'perennial' and c.relkind = 'r'
       and not exists (select from pg_dist_partition p where p.logicalrelid = c.oid)
     order by c.relname <> 'organizations', c.relname`,
  )
  return rows.map(({ name }) => name)
}

async function dropEach(client: pg.Client, drops: string, tables: string[]): Promise<void> {
  const { rows } = await client.query<{ text: string }>(drops, [tables])
  for (const { text } of rows) await client.query(text)
}
