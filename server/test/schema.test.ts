import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import pg from 'pg'
import type { AnyRecord } from '../src/kit/record/record.ts'
import { linkedTable } from '../src/kit/record/record.ts'
import { expiredRecords } from '../src/jobs/deleted.ts'
import { records } from '../src/model/all.ts'
import { linksTo } from '../src/records/links/links.ts'
import { freshDatabase } from './support/database.ts'
import { atEnd } from './support/finally.ts'
import { connectApp } from './support/integration.ts'
import { makeOrganization, startService } from './support/service.ts'
import { sharedTables as shared } from './support/statement-rules.ts'

// Checks with PostgreSQL's catalog that the tables are safe and can be distributed by organization.

/** Tables that their owner reads in functions which restrict the organization themselves. */
const throughFunctions = ['search_entries', 'search_words', 'filter_entries']

/** Columns that end like an id but are not ours: ids of other systems, or numbers. */
const foreignWords = ['client_id', 'module_id', 'display_id']

/** Foreign keys along which records go together: replies with what they reply to. */
const together = ['interactions_parent_interaction_id_fkey', 'interactions_thread_id_fkey']

describe('the tables', () => {
  let client: pg.Client
  const rows = async <T = any>(text: string): Promise<T[]> => (await client.query(text)).rows

  before(async () => {
    const { url } = await freshDatabase()
    client = new pg.Client({ connectionString: url, options: '-c search_path=perennial' })
    await client.connect()
    atEnd(() => client.end())
  })

  test('belong to an organization, and row-level security says so on each', async () => {
    const tables = await rows(`
      select c.relname as name, c.relrowsecurity as enabled, c.relforcerowsecurity as forced,
        exists (select from pg_attribute a where a.attrelid = c.oid and attname = 'organization_id'
          and attnotnull) as is_tenant,
        (select json_agg(json_build_object('name', polname, 'command', polcmd, 'permissive', polpermissive,
          'using', pg_get_expr(polqual, polrelid), 'check', pg_get_expr(polwithcheck, polrelid)))
          from pg_policy p where p.polrelid = c.oid) as policies
      from pg_class c where relnamespace = 'perennial'::regnamespace and relkind in ('r', 'p')`)
    assert.ok(tables.length > 10)
    for (const { name, is_tenant, enabled, forced, policies } of tables) {
      assert.equal(is_tenant, !shared.includes(name), name)
      if (!is_tenant) continue
      assert.ok(enabled, `${name} is not under row-level security`)
      assert.equal(forced, !throughFunctions.includes(name), `row-level security of ${name}`)
      assert.equal(policies?.length, 1, name)
      const [policy] = policies
      assert.deepEqual([policy.name, policy.command, policy.permissive], ['tenant', '*', true])
      assert.match(policy.using, /organization_id.+app\.organization/s)
      // without a check of its own what is written must satisfy the same
      assert.equal(policy.check, null)
    }
  })

  test('are seen through views with the caller’s own rights', async () => {
    const views = await rows(`select relname as name, reloptions::text as options from pg_class
      where relnamespace = 'perennial'::regnamespace and relkind in ('v', 'm')`)
    for (const { name, options } of views)
      assert.match(options ?? '', /security_invoker=true/, name)
  })

  test('have keys that begin with the organization', async () => {
    const indexes = await rows(`
      select t.relname as table, i.relname as name, x.indisprimary as is_primary, a.attname as first
      from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
      left join pg_attribute a on a.attrelid = t.oid and a.attnum = x.indkey[0]
      where t.relnamespace = 'perennial'::regnamespace and x.indisunique`)
    for (const { table, name, first } of indexes) {
      if (!shared.includes(table)) assert.equal(first, 'organization_id', name)
    }
    const primary = indexes.filter(({ is_primary }) => is_primary).map(({ table }) => table)
    const tables = await rows(`select relname as name from pg_class
      where relnamespace = 'perennial'::regnamespace and relkind = 'r'`)
    for (const { name } of tables) assert.ok(primary.includes(name), `${name} has no primary key`)
  })

  test('refer to each other inside one organization', async () => {
    for (const { name, table, columns, target, target_columns } of await foreignKeys(rows)) {
      if (shared.includes(target)) continue
      assert.ok(!shared.includes(table), name)
      assert.equal(columns[0], 'organization_id', name)
      assert.equal(target_columns[0], 'organization_id', name)
    }
  })

  test('can have references checked at the end of a transaction', async () => {
    const found = await rows(`select conrelid::regclass::text || ' ' || conname as name
      from pg_constraint where contype = 'f' and not condeferrable
        and connamespace = current_schema()::regnamespace`)
    assert.deepEqual(found, [])
  })

  test('are never cleared by the database, which a distributed one cannot', async () => {
    const found = (await foreignKeys(rows)).filter(({ on_delete }) => 'nd'.includes(on_delete))
    assert.deepEqual(found, [])
  })

  test('have an index for every key by which bodies name a record', async () => {
    const indexes = await rows<{ definition: string }>(
      `select indexdef as definition from pg_indexes where schemaname = 'perennial'`,
    )
    const bare = new Set<string>()
    for (const { fields } of records) {
      for (const { reference } of Object.values(fields)) {
        for (const { column } of Object.values(reference?.by ?? {})) {
          if (!reference || column === 'id') continue
          const table = linkedTable(reference)
          const start = new RegExp(` ON perennial\\.${table} .*\\(organization_id, ${column}[,)]`)
          if (!indexes.some(({ definition }) => start.test(definition)))
            bare.add(`${table}.${column}`)
        }
      }
    }
    // an organization has few of them: the rows of one are read through
    assert.deepEqual([...bare].sort(), ['roles.role_name', 'users.full_name'])
  })

  test('have an index for every reference', async () => {
    const indexes = await rows<{ table: string; columns: string[]; condition: string | null }>(`
      select t.relname as table, pg_get_expr(x.indpred, x.indrelid) as condition,
        (select json_agg(a.attname order by k.n) from unnest(x.indkey::int[]) with ordinality k (attnum, n)
          join pg_attribute a on a.attrelid = t.oid and a.attnum = k.attnum) as columns
      from pg_index x join pg_class t on t.oid = x.indrelid
      where t.relnamespace = 'perennial'::regnamespace`)
    const bare: string[] = []
    for (const { name, table, columns } of await foreignKeys(rows)) {
      // one that leaves out null serves as well: null refers to nothing
      const whole = [null, ...columns.map((column) => `(${column} IS NOT NULL)`)]
      const isCovered = indexes.some(
        (index) =>
          index.table === table &&
          whole.includes(index.condition) &&
          columns.every((column) =>
            (index.columns ?? []).slice(0, columns.length).includes(column),
          ),
      )
      if (!isCovered) bare.push(`${name} (${columns.join(', ')})`)
    }
    assert.deepEqual(bare, [])
  })

  test('are known to a merge wherever they point to what can be merged', async () => {
    const keys = await foreignKeys(rows)
    for (const target of ['companies', 'contacts']) {
      const links = linksTo[target]!.filter(
        ({ isHistory, isJson, module, onRemoval }) =>
          !isHistory && !isJson && !module && onRemoval !== 'clear',
      )
      const known = [...new Set(links.map(({ table, column }) => `${table}.${column}`))].sort()
      const pointing = keys
        .filter((key) => key.target === target)
        .map(({ table, columns }) => `${table}.${columns.at(-1)}`)
      assert.deepEqual(known, pointing.sort(), target)
      for (const { record, table } of links) assert.ok(!record || record.table === table)
    }
  })

  test('keep a deleted row wherever removing it would fail or take a living record along', async () => {
    const tables = new Set(records.map(({ table }) => table))
    const removed = new Set(expiredRecords.map(({ table }) => table))
    const softDeleted = records
      .filter(({ life: { softDelete } }) => softDelete)
      .map(({ table }) => table)
    // the people of an organization stay
    assert.deepEqual(
      [...new Set(softDeleted)].filter((table) => !removed.has(table)),
      ['users'],
    )
    for (const { name, table, columns, target, on_delete } of await foreignKeys(rows)) {
      if (!removed.has(target)) continue
      const link = linksTo[target]!.find(
        (each) => each.table === table && each.column === columns.at(-1),
      )
      const isRefused = on_delete === 'a'
      if (isRefused) assert.ok(link && !link.isWeak, `${name} refuses`)
      // a cascade into a record's table is a decision of that record
      else if (tables.has(table) && on_delete === 'c' && !together.includes(name))
        assert.ok(link, `${name} takes along`)
    }
  })

  test('keep ids, instants and compared text in one form', async () => {
    const references = new Set(
      (await foreignKeys(rows)).flatMap(({ table, columns }) =>
        columns.map((column) => `${table}.${column}`),
      ),
    )
    const columns = await rows(`
      select table_name as table, column_name as name, data_type as type, collation_name as collation,
        character_maximum_length as max, datetime_precision as precision
      from information_schema.columns where table_schema = 'perennial'
        and table_name in (select relname from pg_class where relnamespace = 'perennial'::regnamespace and relkind = 'r')`)
    for (const { table, name, type, collation, max, precision } of columns) {
      if (shared.includes(table)) continue
      const at = `${table}.${name}`
      const isId = /(^|_)id$/.test(name) || references.has(at) || type === 'character varying'
      if (isId && !foreignWords.includes(name)) {
        assert.deepEqual([type, max, collation], ['character varying', 25, 'C'], at)
      }
      if (type.startsWith('timestamp')) {
        assert.deepEqual([type, precision], ['timestamp with time zone', 3], at)
      }
      if (name.endsWith('_key') && type === 'text') assert.equal(collation, 'C', at)
    }
  })

  test('hold every declared field of every record', async () => {
    const records = await allRecords()
    assert.ok(records.length >= 3)
    const columns = new Map(
      (
        await rows(`select table_name || '.' || column_name as at, data_type as type, is_nullable = 'NO' as required
          from information_schema.columns where table_schema = 'perennial'`)
      ).map((column) => [column.at as string, column]),
    )
    for (const record of records) {
      for (const [name, field] of Object.entries(record.fields)) {
        for (const { column } of Object.values(field.reference?.shows ?? {})) {
          assert.ok(
            columns.has(`${field.reference!.table}.${column}`),
            `${record.word}.${name} → ${column}`,
          )
        }
        if (field.expression) continue
        const at = `${record.table}.${field.column ?? name}`
        const column = columns.get(at)
        assert.ok(column, `${at} is declared and does not exist`)
        assert.ok(
          types[field.kind]!.includes(column.type),
          `${at} is ${column.type}, declared ${field.kind}`,
        )
        const isNeeded = !field.nullable && field.access !== 'readOnly'
        if (isNeeded) assert.ok(column.required, `${at} may be null, and its field may not`)
      }
      const own = ['id', 'version', 'created_by', 'creation_time', 'last_update_time']
      for (const name of [
        ...own,
        ...record.rights.owners,
        ...(record.life.softDelete ? ['deleted_at'] : []),
      ]) {
        assert.ok(columns.has(`${record.table}.${name}`), `${record.table}.${name}`)
      }
    }
  })
})

describe('row-level security', () => {
  test('shows a connection nothing until it names its organization, and nothing of others', async () => {
    const service = await startService()
    const [ours, theirs] = [await makeOrganization(service), await makeOrganization(service)]
    await connectApp(service, ours)
    for (const org of [ours, theirs]) {
      const { token } = org.users.admin
      await service.call('POST', '/api/company/', { token, body: { company_name: 'Acme' } })
      await service.call('POST', '/api/contact/', { token, body: { full_name: 'Ada' } })
      await service.call('POST', '/api/tags/info/', { token, body: { tag_name: 'x' } })
    }
    const { url } = service.runtime.database
    const client = new pg.Client({ connectionString: url, options: '-c search_path=perennial' })
    await client.connect()
    try {
      await client.query('set role perennial_service')
      const { rows: tables } = await client.query(`select relname as name from pg_class
        where relnamespace = 'perennial'::regnamespace and relkind = 'r' and relrowsecurity`)
      const seen = async (organization: string | null) => {
        await client.query(
          organization === null
            ? 'reset app.organization'
            : `set app.organization = '${organization}'`,
        )
        const counts: { [table: string]: number } = {}
        for (const { name } of tables) {
          const others = organization ? `where organization_id <> '${organization}'` : ''
          const { rows } = await client.query(`select count(*)::int as n from ${name} ${others}`)
          if (rows[0].n) counts[name] = rows[0].n
        }
        return counts
      }
      assert.deepEqual(await seen(null), {})
      assert.deepEqual(await seen(''), {})
      assert.deepEqual(await seen(ours.id), {})
      // the rows are there: the service itself sees them
      assert.equal((await seen('*')).companies, 2)

      await client.query(`set app.organization = '${ours.id}'`)
      const written = async (text: string) => {
        const { rowCount } = await client.query(text)
        return rowCount
      }
      assert.equal(
        await written(`update companies set company_name = 'Ours now'
        where organization_id = '${theirs.id}'`),
        0,
      )
      assert.equal(await written(`delete from contacts where organization_id = '${theirs.id}'`), 0)
      const refused = { code: '42501' }
      await assert.rejects(
        client.query(
          `insert into tags (organization_id, id, tag_name) values ('${theirs.id}', 'x', 'x')`,
        ),
        refused,
      )
      await assert.rejects(
        client.query(`update tags set organization_id = '${theirs.id}'`),
        refused,
      )
      // what has happened stays
      await assert.rejects(client.query(`update events set title = 'x'`), refused)
      await assert.rejects(client.query('delete from events'), refused)
    } finally {
      await client.end()
    }
  })
})

describe('the migrations', () => {
  test('are safe while the version before runs', async () => {
    const cwd = new URL('../../', import.meta.url)
    const files = globSync('server/src/database/migrations/*.sql', { cwd }).sort()
    const args = [
      'node_modules/squawk-cli/js/bin/squawk',
      '--config',
      '.squawk.toml',
      '--reporter',
      'Json',
      ...files,
    ]
    // it exits with 1 when it has anything to say
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd }).catch(
      (failed) => failed,
    )
    assert.match(stdout, /^\[/, stderr)
    const found: { [file: string]: string[] } = {}
    for (const { file, rule_name } of JSON.parse(stdout) as { file: string; rule_name: string }[]) {
      const name = file.split('/').at(-1)!
      if (!found[name]?.includes(rule_name)) (found[name] ??= []).push(rule_name)
    }
    assert.deepEqual(found, {
      // both tables are made just before, so that there is nothing to check or to wait for
      '0002_companies_contacts_tags.sql': [
        'constraint-missing-not-valid',
        'adding-foreign-key-constraint',
      ],
      // the columns are written once into tables that no release has filled yet
      '0012_merge.sql': ['adding-field-with-default', 'require-concurrent-index-creation'],
      // indexes of tables that no release has filled yet
      '0028_dashboards.sql': ['require-concurrent-index-creation'],
      '0030_search.sql': ['require-concurrent-index-creation'],
      // built in a moment: notifications that were read go after 90 days
      '0034_notifications_by_time.sql': ['require-concurrent-index-creation'],
      // of mails of 30 days, and of the documents that have a file
      '0074_quotas.sql': ['require-concurrent-index-creation'],
      // an organization has accounts by the hundreds, and few have a currency of their own
      '0105_accounts_of_companies.sql': ['require-concurrent-index-creation'],
      // no answer has the column yet, and no account
      '0540_answers_of_mailings.sql': ['require-concurrent-index-creation'],
      // whom mailings were sent to, which are stored since 0530
      '0571_how_often_people_are_asked.sql': ['require-concurrent-index-creation'],
      '0512_accounts_of_won_deals.sql': ['require-concurrent-index-creation'],
      // of the documents that wait for a signature now
      '0125_health.sql': ['require-concurrent-index-creation'],
      // the version before writes the column and never reads it
      '0132_hand_overs_kinds.sql': ['ban-drop-not-null'],
      // browsers that are signed in at the identity pages, for twelve hours
      '0168_mcp.sql': ['require-concurrent-index-creation'],
      // four seconds for a million tasks, in which writes of tasks wait; the version before sorts without it
      // one index, where 0240 makes two in four seconds
      '0243_tasks_by_change.sql': ['require-concurrent-index-creation'],
      '0240_tasks_in_work_order.sql': [
        'require-concurrent-index-deletion',
        'require-concurrent-index-creation',
      ],
      // the domains of companies, sorted once, as names were
      '0245_companies_by_domain.sql': ['require-concurrent-index-creation'],
      // the first comments of threads, sorted once
      '0246_comments_by_time.sql': ['require-concurrent-index-creation'],
      // an organization has projects by the thousands
      '0247_projects_by_creator.sql': ['require-concurrent-index-creation'],
      // the e-mails of contacts, sorted once, as the domains of companies were
      '0265_contacts_by_email.sql': ['require-concurrent-index-creation'],
      // rows deleted within 30 days
      '0266_deleted_rows.sql': ['require-concurrent-index-creation'],
      // the log is read through once, and few entries are in the indexes
      '0272_rare_entries.sql': ['require-concurrent-index-creation'],
      // rows deleted within 30 days
      '0280_bin.sql': ['require-concurrent-index-creation'],
      // of a new column, which is empty
      '0281_sign_in_links.sql': ['require-concurrent-index-creation'],
      // a row for each organization
      '0371_name_looks.sql': ['require-concurrent-index-creation'],
      // what timers counted, which is less than the tasks; the version before has the days by their default
      '0392_time_entries.sql': ['adding-not-nullable-field', 'require-concurrent-index-creation'],
    })
  })
})

/** The column types that hold a kind of field. */
const types: { [kind: string]: string[] } = {
  text: ['text', 'character varying'],
  integer: ['integer', 'smallint', 'bigint'],
  number: ['double precision', 'numeric'],
  boolean: ['boolean'],
  timestamp: ['timestamp with time zone'],
  date: ['date'],
  json: ['jsonb', 'json'],
  list: ['jsonb', 'json'],
}

/** Every record that a file under `model/` exports. */
async function allRecords(): Promise<AnyRecord[]> {
  const cwd = new URL('../src/model/', import.meta.url)
  const found: AnyRecord[] = []
  for (const file of globSync('**/*.ts', { cwd, exclude: ['**/*.test.ts'] })) {
    const exported = await import(new URL(file, cwd).href)
    for (const value of Object.values(exported) as any[]) {
      if (value?.fields && value.table && value.key && value.word) found.push(value)
    }
  }
  return [...new Set(found)]
}

type ForeignKey = {
  name: string
  table: string
  columns: string[]
  target: string
  target_columns: string[]
  /** as PostgreSQL has it: `a` refuses, `c` takes along, `n` clears */
  on_delete: string
}

function foreignKeys(rows: (text: string) => Promise<any[]>): Promise<ForeignKey[]> {
  const names = (oid: string, keys: string) => `(select json_agg(a.attname order by k.n)
    from unnest(${keys}) with ordinality k (attnum, n)
    join pg_attribute a on a.attrelid = ${oid} and a.attnum = k.attnum)`
  return rows(`
    select conname as name, conrelid::regclass::text as table, confrelid::regclass::text as target,
      confdeltype as on_delete,
      ${names('conrelid', 'conkey')} as columns, ${names('confrelid', 'confkey')} as target_columns
    from pg_constraint where contype = 'f' and connamespace = 'perennial'::regnamespace`)
}
