import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import pg from 'pg'
import { freshDatabase } from '../../test/support/database.ts'
import { newId } from '../kit/ground/ids.ts'
import { sql } from '../kit/ground/sql.ts'
import { checkMachines, machines } from './citus.ts'
import { migrate } from './migrate.ts'

const { url, database } = await freshDatabase()
const skip = database.isDistributed ? false : 'needs --engine citus'

// What is particular to Citus; everything else is tested there by the other files.
describe('Citus', { skip }, () => {
  const onCoordinator = async <T extends object>(text: string, values: unknown[] = []) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      return (await client.query<T>(text, values)).rows
    } finally {
      await client.end()
    }
  }

  test('has every table of organizations on the machine of the organization', async () => {
    const apart = await onCoordinator(
      `select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid
         and a.attname = 'organization_id' and not a.attisdropped
       left join pg_dist_partition p on p.logicalrelid = c.oid
       where c.relnamespace = 'perennial'::regnamespace and c.relkind = 'r'
         and p.colocationid is distinct from (select colocationid from pg_dist_partition
           where logicalrelid = 'perennial.organizations'::regclass)`,
    )
    assert.deepEqual(apart, [])
  })

  test('shows a transaction the rows of its organization alone, on every machine', async () => {
    const ids = Array.from({ length: 12 }, () => newId())
    for (const id of ids)
      await database.transaction(id, ({ run }) =>
        run(sql`insert into organizations (organization_id, name) values (${id}, ${id})`),
      )
    const all = await database.reads('*').all(sql`select organization_id from organizations`)
    assert.ok(all.length >= ids.length)
    for (const id of ids) {
      const found = await database
        .reads(id)
        .all(sql`select organization_id as id from organizations`)
      assert.deepEqual(
        found.map((each) => ({ ...each })),
        [{ id }],
      )
    }
    await assert.rejects(
      database.transaction(ids[0]!, ({ run }) =>
        run(sql`insert into organizations (organization_id, name) values (${newId()}, 'other')`),
      ),
      /row-level security/,
    )
  })

  test('a later migration has its table distributed, and its key to others holds', async () => {
    await onCoordinator(`set search_path = perennial, public;
      create table later_things (
        organization_id varchar(25) collate "C" not null, id varchar(25) collate "C" not null,
        tag_id varchar(25) collate "C", primary key (organization_id, id),
        constraint later_things_tag_id_fkey foreign key (organization_id, tag_id) references tags);
      select make_tenant('later_things')`)
    const { applied, isDistributed } = await migrate(url)
    assert.deepEqual([applied, isDistributed], [[], true])
    const [found] = await onCoordinator(
      `select 1 from pg_dist_partition where logicalrelid = 'perennial.later_things'::regclass`,
    )
    assert.ok(found)
    await assert.rejects(
      onCoordinator(
        `insert into perennial.later_things (organization_id, id, tag_id) values ('o', 'i', 'none')`,
      ),
      /later_things_tag_id_fkey/,
    )
  })

  test('a role that was there before the machines is named, with what to do', async () => {
    const stranger = `stranger_${newId()}`
    // as one from before: this database would pass it on
    await onCoordinator(
      `set citus.enable_create_role_propagation = off; create role ${stranger} login`,
    )
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      await assert.rejects(
        checkMachines(client, stranger),
        (error: Error) =>
          error.message.startsWith(`The role ${stranger} is unknown on `) &&
          error.message.includes('after citus_add_node'),
      )
      await checkMachines(client, undefined)
    } finally {
      await client.end()
      await onCoordinator(`drop role ${stranger}`)
    }
  })

  test('the machines answer, and the role of the service has its settings on each', async () => {
    const all = await database.reads('*').all<{ answers: boolean }>(sql.raw(machines))
    assert.ok(all.length && all.every(({ answers }) => answers))
    const found = await onCoordinator<{ result: string }>(
      `select result from run_command_on_workers($$select array_to_string(setconfig, ' ') from pg_db_role_setting s
         join pg_database d on d.oid = s.setdatabase where d.datname = current_database()$$)`,
    )
    assert.equal(found.length, all.length)
    for (const { result } of found) assert.match(result, /TimeZone=UTC.*enable_seqscan=off/)
  })

  test('refuses what it cannot do in one sentence', async () => {
    await assert.rejects(
      migrate(url, { only: new Set() }),
      /The database is Citus\. .*docs\/scale\.md/,
    )
  })
})
