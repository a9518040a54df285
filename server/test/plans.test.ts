import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import pg from 'pg'
import { rememberWords } from '../src/jobs/search-words.ts'
import type { Context } from '../src/kit/ground/context.ts'
import { type CursorQuery, listCursor } from '../src/kit/read/cursor.ts'
import type { AnyRecord } from '../src/kit/record/record.ts'
import type { Json } from '../src/kit/ground/operation.ts'
import { listPage } from '../src/kit/read/list.ts'
import type { Query } from '../src/kit/ground/context.ts'
import { sql } from '../src/kit/ground/sql.ts'
import { isIndexed, sortsOf } from '../src/kit/read/sort.ts'
import { Company } from '../src/model/companies/company.ts'
import { Contact } from '../src/model/contacts/contact.ts'
import { ProjectOrDeal } from '../src/model/projects/project.ts'
import { listEntries } from '../src/records/activity/log.ts'
import { documentAnalytics } from '../src/records/documents/analytics.ts'
import { belongingsOf } from '../src/records/hand-over/belongings.ts'
import { Task } from '../src/model/tasks/task.ts'
import { search } from '../src/records/search/operations.ts'
import type { Caller } from '../src/runtime.ts'
import { inTransaction } from '../src/runtime.ts'
import { callerAs } from './support/contexts.ts'
import { atEnd } from './support/finally.ts'
import type { TestService } from './support/service.ts'
import { makeOrganization, startService } from './support/service.ts'

// How many rows a page of a long list and a search read, by PostgreSQL's own count of the transaction: far
// fewer rows than there are, whatever plan it took. `npm run bench -- --only million` measures time.

const size = 20_000
const documents = 5000
const few = 1500

describe('in an organization of many contacts', () => {
  let service: TestService
  let caller: Caller
  let customer: Caller
  let next_cursor: string
  let deepInWork: string
  let deepInDates: string
  let deepInEmails: string
  const work = { sort: 'is_completed,due_date' }

  before(async () => {
    service = await startService()
    const org = await makeOrganization(service)
    const { database } = service.runtime
    const user = org.users.admin.user_id
    caller = await callerAs(service, org.id, user)
    customer = await callerAs(service, org.id, org.users.customer.user_id)
    const client = new pg.Client({
      connectionString: database.url,
      options: '-c search_path=perennial,public',
    })
    await client.connect()
    atEnd(() => client.end())
    await client.query(
      `insert into contacts (organization_id, id, full_name, primary_email, lead_status,
         record_source, created_by, last_update_time)
       select $1, 'c' || lpad(i::text, 24, '0'),
         initcap(translate((i % 97)::text, '0123456789', 'bdfghklmnp') || 'ael ' ||
           translate((i / 10)::text, '0123456789', 'aeioukrsty') || 'son'),
         'person' || i || '@many.test', (array['new', 'open', 'qualified'])[1 + i % 3],
         'test', $2,
         now() - (i * 7919 % 100000) * interval '1 second'
       from generate_series(1, $3::int) i`,
      [org.id, user, size],
    )
    await client.query(
      `insert into projects (organization_id, id, project_name, created_by)
       select $1, 'p' || lpad(i::text, 24, '0'), 'Project ' || i, $2
       from generate_series(1, 100) i`,
      [org.id, user],
    )
    await client.query(
      `insert into tasks (organization_id, id, title, is_completed, due_date, project_id, parent_id,
         created_by)
       select $1, 't' || lpad(i::text, 24, '0'), 'Task ' || i, i % 3 > 0,
         current_date + i * 7919 % 1000, 'p' || lpad((1 + i % 100)::text, 24, '0'),
         case when i % 2 = 0 then 't' || lpad((i - 1)::text, 24, '0') end, $2
       from generate_series(1, $3::int) i`,
      [org.id, user, size],
    )
    await client.query(
      `insert into companies (organization_id, id, company_name, record_source, created_by, deleted_at)
       select $1, 'o' || lpad(i::text, 24, '0'), 'Company ' || i, 'test', $2,
         case when i % 2 = 0 then now() - i * interval '1 minute' end
       from generate_series(1, $3::int) i`,
      [org.id, user, size],
    )
    // a customer is a member of one of them, where half of the tasks are shared
    await client.query(
      `insert into project_members (organization_id, project_id, user_id)
       select $1, 'p' || lpad('7', 24, '0'), $2`,
      [org.id, org.users.customer.user_id],
    )
    await client.query(
      `update tasks set is_shared = is_completed where organization_id = $1
         and project_id = 'p' || lpad('7', 24, '0')`,
      [org.id],
    )
    await client.query(
      `insert into documents (organization_id, id, chain_id, document_name, created_by, view_count)
       select $1, 'd' || lpad(i::text, 24, '0'), 'd' || lpad(i::text, 24, '0'), 'Document ' || i, $2, i % 3
       from generate_series(1, $3::int) i`,
      [org.id, user, documents],
    )
    await client.query(
      `insert into events (organization_id, id, type, title, module_id, reference_id, actor_type, actor_id,
         actor_name, source, raw_description)
       select $1, 'e' || lpad(i::text, 24, '0'), 'task_updated', 'Task updated', 1, 't' || lpad(i::text, 24, '0'),
         'user', $2, 'Admin', 'application', '{"action": "updated"}'
       from generate_series(1, $3::int) i`,
      [org.id, user, size],
    )
    await rememberWords(service.runtime, size)
    await client.query('vacuum analyze')
    next_cursor = await cursorAt(Contact, {}, size / 2)
    deepInDates = await cursorAt(Task, { sort: 'due_date' }, size / 2)
    deepInEmails = await cursorAt(Contact, { sort: 'primary_email' }, size / 2)
    deepInWork = await cursorAt(Task, work, size / 2)
  })

  const reads: { [what: string]: (ctx: Context) => Promise<unknown> } = {
    'a search by name': (ctx) => find(ctx, 'eiooson'),
    'a search by a mistyped name': (ctx) => find(ctx, 'eioosno'),
    'a search by prefix': (ctx) => find(ctx, 'eioos'),
    'a search by e-mail': (ctx) => find(ctx, 'person12345@many.test'),
    'a search for nobody': (ctx) => find(ctx, 'xqzzyqx'),
    'a search among contacts for a word that tasks have': (ctx) => find(ctx, 'task', 'contacts'),
    'a list by q': (ctx) => listPage(ctx, Contact, { q: 'eiooson' }),
    'a list by q that finds nothing': (ctx) => listPage(ctx, Contact, { q: 'xqzzyqx' }),
    'a list by part of a name': (ctx) => filtered(ctx, 'full_name', 'contains', 'iooso'),
    'a list by the start of an e-mail': (ctx) =>
      filtered(ctx, 'primary_email', 'starts_with', 'person12345'),
    'a list by a field': (ctx) => filtered(ctx, 'lead_status', 'eq', 'qualified'),
    'a list of subtasks whose parent was not deleted': (ctx) =>
      listPage(ctx, Task, { filter: [{ field: 'parent_id', operator: 'is_not_empty' }] }),
    'a list by the latest change': (ctx) =>
      listPage(ctx, Contact, { sort: 'last_update_time', reverse: true }),
    'a list by when they were made': (ctx) => listPage(ctx, Contact, { sort: 'creation_time' }),
    'a list of tasks by what is open and due': (ctx) => listCursor(ctx, Task, work),
    'a page deep in such a list': async (ctx) =>
      listCursor(ctx, Task, { ...work, next_cursor: deepInWork }),
    'a page deep in a list by a date that may be missing': async (ctx) =>
      listCursor(ctx, Task, { sort: 'due_date', next_cursor: deepInDates }),
    'a page deep in a list by e-mail, which may be missing': async (ctx) =>
      listCursor(ctx, Contact, { sort: 'primary_email', next_cursor: deepInEmails }),
    'a list of tasks by the latest change': (ctx) =>
      listCursor(ctx, Task, { sort: '-last_update_time' }),
    'a page deep in a list by cursor': (ctx) => listCursor(ctx, Contact, { next_cursor }),
    'the log by an action that none has': (ctx) =>
      listEntries(ctx, { action: 'exported' }, undefined),
    'the log by an event that none has': (ctx) =>
      listEntries(ctx, { type: 'task_overdue' }, undefined),
    'the log by an action that many have': (ctx) =>
      listEntries(ctx, { action: 'updated' }, undefined),
    'a list of what was deleted, where nothing was': (ctx) =>
      listPage(ctx, Contact, { deleted: true }),
    'a list of the latest deletions of many': (ctx) => listPage(ctx, Company, { deleted: true }),
    'what hangs on a user': (ctx) => belongingsOf(ctx, ctx.actor.user_id ?? ''),
  }

  for (const [what, ask] of Object.entries(reads)) {
    test(`${what} reads few of them`, async () => {
      const [before, after] = await inTransaction(service.runtime, caller, async (ctx) => {
        const start = await rowsRead(ctx)
        await ask(ctx)
        return [start, await rowsRead(ctx)]
      })
      for (const table of ['contacts', 'companies', 'tasks', 'search_entries', 'events']) {
        const read = (after![table] ?? 0) - (before![table] ?? 0)
        assert.ok(read < few, `${table}: ${read} rows read`)
      }
    })
  }

  const lists = [
    ['tasks', Task],
    ['projects', ProjectOrDeal],
  ] as const
  for (const [what, record] of lists) {
    test(`a customer's list of ${what} reads few of those that are not theirs`, async () => {
      const [page, read] = await inTransaction(service.runtime, customer, async (ctx) => {
        const start = await rowsRead(ctx)
        const { body } = await listPage(ctx, record, { include_count: true })
        const end = await rowsRead(ctx)
        return [body as Json, (end[what] ?? 0) - (start[what] ?? 0)]
      })
      assert.ok(JSON.parse(page.text).length, page.text)
      assert.ok(read < few, `${read} rows read`)
    })
  }

  test('lists in an order of several keys are light where an index serves it, and only there', async () => {
    const orders = ['is_completed,due_date', '-is_completed,-due_date', 'due_date', 'due_date,id']
    const others = [
      'is_completed,-due_date',
      'due_date,is_completed',
      'is_completed',
      'due_date,title',
    ]
    await inTransaction(service.runtime, caller, async (ctx) => {
      const light = (sort: string) => isIndexed(sortsOf(ctx, Task, sort))
      assert.deepEqual(orders.filter(light), orders)
      assert.deepEqual(others.filter(light), [])
    })
  })

  test('a list sorted by a linked record reads each of these once, whatever the number of rows', async () => {
    for (const sort of ['project_name', 'created_by', '-project_name,title']) {
      const [before, after] = await inTransaction(service.runtime, caller, async (ctx) => {
        const start = await rowsRead(ctx)
        await listPage(ctx, Task, { sort })
        return [start, await rowsRead(ctx)]
      })
      for (const table of ['projects', 'users']) {
        const read = (after![table] ?? 0) - (before![table] ?? 0)
        assert.ok(read < few, `${sort}: ${read} rows of ${table} read`)
      }
    }
  })

  test('a plan cached while a table is small reads few rows once it has grown', async () => {
    const read = await inTransaction(service.runtime, caller, async (ctx) => {
      const id = 'g' + '0'.repeat(24)
      const find = () =>
        ctx.all(sql`select t.tag_name from tags t
          where t.organization_id = ${ctx.organization.id} and t.id = ${id}`)
      // PostgreSQL caches the plan of a statement from its sixth execution on
      for (let i = 0; i < 8; i++) await find()
      await ctx.run(sql`insert into tags (organization_id, id, tag_name)
        select ${ctx.organization.id}, 'g' || lpad(i::text, 24, '0'), 'Tag ' || i
        from generate_series(1, ${size}::int) i`)
      const start = await rowsRead(ctx)
      await find()
      return ((await rowsRead(ctx)).tags ?? 0) - (start.tags ?? 0)
    })
    assert.ok(read < few, `${read} rows read`)
  })

  test('groups of a list are counted before anything is sorted or looked up', async () => {
    await inTransaction(service.runtime, caller, async (ctx) => {
      let sent: Query | undefined
      const reading: Context['reading'] = (...how) => ({
        ...ctx.reading(...how),
        page(query, mostBytes) {
          sent = query
          return ctx.reading(...how).page(query, mostBytes)
        },
      })
      for (const by of ['lead_status', 'contact_owner']) {
        await listPage({ ...ctx, reading }, Contact, { by })
        const [row] = await ctx.all<{ 'QUERY PLAN': [{ Plan: Node }] }>(
          sql`explain (analyze, format json) ${sent}`,
        )
        const nodes = flat(row!['QUERY PLAN'][0].Plan)
        const many = nodes.filter((node) => node['Actual Rows'] * node['Actual Loops'] > few)
        assert.deepEqual(
          many.map((node) => node['Relation Name']),
          ['contacts'],
          `by ${by}`,
        )
      }
    })
  })

  test('the analytics of documents look at each document once', async () => {
    const [before, after] = await inTransaction(service.runtime, caller, async (ctx) => {
      const start = await rowsRead(ctx)
      await documentAnalytics(ctx, {})
      return [start, await rowsRead(ctx)]
    })
    const read = (after!.documents ?? 0) - (before!.documents ?? 0)
    assert.ok(read < documents + few, `${read} rows of documents read`)
  })

  /** How many rows of each table this connection has read of late. */
  async function rowsRead(ctx: Context): Promise<{ [table: string]: number }> {
    const read = await ctx.all<{ table: string; rows: number }>(sql`
      select relname as "table", seq_tup_read + coalesce(idx_tup_fetch, 0) as rows
      from pg_stat_xact_user_tables where schemaname = 'perennial'`)
    return Object.fromEntries(read.map(({ table, rows }) => [table, rows]))
  }

  function find(ctx: Context, q: string, modules?: string) {
    return search.run(ctx, {
      params: {},
      query: { q, modules },
      body: undefined,
      address: '',
      url: '',
    })
  }

  function filtered(ctx: Context, field: string, operator: string, value: unknown) {
    return listPage(ctx, Contact, { filter: [{ field, operator, value }] })
  }

  /** The cursor behind so many records. */
  async function cursorAt(record: AnyRecord, query: CursorQuery, rows: number): Promise<string> {
    const answer = await inTransaction(service.runtime, caller, (ctx) =>
      listCursor(ctx, record, { ...query, limit: 20, page: rows / 20 }),
    )
    return JSON.parse((answer.body as { text: string }).text).next_cursor
  }
})

/** A node of PostgreSQL's plan, as far as it is looked at here. */
type Node = {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  Plans?: Node[]
}

/** A node with all below it, but for how the rows of a table are found by an index. */
function flat(node: Node): Node[] {
  const below = node['Relation Name'] === undefined ? (node.Plans ?? []) : []
  return [node, ...below.flatMap(flat)]
}
