import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import pg from 'pg'
import { newId } from '../server/src/kit/ground/ids.ts'
import { compile } from '../server/src/kit/ground/sql.ts'
import type { ConnectedApp } from '../server/test/support/integration.ts'
import { connectApp } from '../server/test/support/integration.ts'
import type { TestOrganization, TestService } from '../server/test/support/service.ts'
import { makeOrganization, startService } from '../server/test/support/service.ts'

// The cost of reading and creating project plans, as ratios. `node --test bench/delivery.test.ts`, with BENCH_TASKS=1000000
// for the full size.

const many = Number(process.env.BENCH_TASKS ?? 100_000)
const rounds = 30

describe('delivering', () => {
  let service: TestService
  let org: TestOrganization
  let app: ConnectedApp
  let client: pg.Client
  let captured: { text: string; values: unknown[] }[] = []

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    app = await connectApp(service, org)
    client = new pg.Client({
      connectionString: service.runtime.database.url,
      options: '-c search_path=perennial,public -c app.organization=*',
    })
    // the database of a test file is dropped while the service may still use it
    client.on('error', () => {})
    await client.connect()
    watchReads()
  })

  /** Records the database queries of a request. */
  function watchReads() {
    const { database } = service.runtime
    const reads = database.reads.bind(database)
    database.reads = (organization) => {
      const queries = reads(organization)
      const watched = <T extends (query: never) => unknown>(run: T) =>
        ((query: never) => {
          captured.push(compile(query, organization) as never)
          return run(query)
        }) as T
      const { all, one, cells } = queries
      return {
        ...queries,
        all: watched(all) as never,
        one: watched(one) as never,
        cells: watched(cells),
      }
    }
  }

  async function project(name: string, tasks: number): Promise<string> {
    const { token } = org.users.admin
    const made = await service.call('POST', '/api/project/info/', {
      token,
      body: { project_name: name },
    })
    const id = made.headers.get('x-record-id')!
    const prefix = newId().slice(0, 16)
    await client.query(`insert into tasks (organization_id, id, title, project_id, status_id, owner,
        created_by, due_date, creation_time, last_update_time)
      select '${org.id}', '${prefix}' || lpad(i::text, 9, '0'), 'Task ' || i, '${id}',
        (select id from statuses where organization_id = '${org.id}' and module = 'tasks'
          order by position limit 1),
        '${org.users.admin.user_id}', '${org.users.admin.user_id}', current_date + i % 90,
        now() - i * interval '1 second', now() - i * interval '1 second'
      from generate_series(1, ${tasks}) i`)
    return id
  }

  async function median(run: () => Promise<unknown>, times = rounds): Promise<number> {
    const taken: number[] = []
    for (let round = 0; round < times + 3; round++) {
      const begun = performance.now()
      await run()
      if (round >= 3) taken.push(performance.now() - begun)
    }
    return taken.toSorted((a, b) => a - b)[Math.floor(taken.length / 2)]!
  }

  async function get(path: string) {
    const reply = await app.call('GET', path)
    assert.equal(reply.status, 200, reply.text)
    return reply
  }

  test('a project of 5,000 tasks is read with as many queries as one of 50', async (t) => {
    const [small, large] = [await project('Small', 50), await project('Large', 5000)]
    await client.query('analyze tasks')
    for (const path of ['/automation/tasks?project_id=', '/automation/project/']) {
      const counts: number[] = []
      for (const id of [small, large]) {
        // data that the process caches for a second is sometimes read again
        let fewest: typeof captured = []
        for (let turn = 0; turn < 5; turn++) {
          captured = []
          await get(path + id)
          if (!turn || captured.length < fewest.length) fewest = captured
        }
        captured = fewest
        counts.push(captured.length)
      }
      assert.equal(counts[0], counts[1])
      const queries = [...captured]
      const bare = await median(async () => {
        for (const { text, values } of queries) {
          JSON.stringify((await client.query({ name: text.slice(0, 60), text, values })).rows)
        }
      })
      const whole = await median(() => get(path + large))
      const ratio = (bare / whole).toFixed(2)
      t.diagnostic(`${path}: ${counts[0]} queries; ${ratio} × the rate of the bare queries`)
    }
  })

  test('a project from a template of 200 tasks', async (t) => {
    const { token } = org.users.admin
    const stages = Array.from({ length: 10 }, (_, stage) => ({
      name: `Stage ${stage}`,
      start_offset_days: stage * 5,
      tasks: Array.from({ length: 20 }, (__, n) => ({
        title: `Task ${n}`,
        start_offset_days: n % 5,
      })),
    }))
    const made = await service.call('POST', '/api/templates/template/', {
      token,
      body: { template_name: 'Large', template_type: 'project', template_config: { stages } },
    })
    const template_id = made.headers.get('x-record-id') ?? made.body.template_id
    let n = 0
    const taken = await median(async () => {
      const body = { project: { project_name: `P ${++n}`, template_id, start_date: '2030-01-07' } }
      const reply = await service.call('POST', '/api/project/info/', { token, body })
      assert.equal(reply.status, 201, reply.text)
    })
    const { rows } = await client.query(`select count(*)::int as count from tasks
      where organization_id = '${org.id}' and title = 'Task 3'`)
    assert.ok(rows[0].count >= n * 10)
    t.diagnostic(`${taken.toFixed(0)} ms (target: below 100 on a quiet machine)`)
  })

  test(`a page of a list of ${many} tasks costs what one of 1,000 does`, async (t) => {
    const { token } = org.users.admin
    const page = async (project_id: string, number: number) => {
      const query = `page=${number}&items_per_page=50&project_id=${project_id}`
      const reply = await service.call('GET', `/api/tasks/?${query}`, { token })
      assert.equal(reply.body.length, 50, reply.text)
    }
    const [few, lots] = [await project('Few', 1000), await project('Many', many)]
    await client.query('analyze tasks')
    for (const number of [1, 10]) {
      const small = await median(() => page(few, number))
      const large = await median(() => page(lots, number))
      t.diagnostic(
        `page ${number}: ${(large / small).toFixed(2)} × as long as of 1,000 (${large.toFixed(0)} ms)`,
      )
    }
  })
})
