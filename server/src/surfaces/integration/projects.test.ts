import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { ConnectedApp } from '../../../test/support/integration.ts'
import { connectApp } from '../../../test/support/integration.ts'
import { refused, refusedField } from '../../../test/support/refused.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'

describe('projects for an automation platform', () => {
  let service: TestService
  let org: TestOrganization
  let app: ConnectedApp

  const now = new Date('2030-05-15T12:00:00Z')

  before(async () => {
    service = await startService({}, () => now)
    org = await makeOrganization(service)
    app = await connectApp(service, org)
  })

  type Query = { [name: string]: string | number | boolean }
  const get = (path: string, query: Query = {}, as = app) =>
    as.call('GET', `/automation/${path}`, { query })

  async function make(body: object, path = 'project', as = app): Promise<string> {
    const reply = await as.call('POST', `/automation/${path}`, { body })
    assert.equal(reply.status, 201, reply.text)
    return reply.body.project_id ?? reply.body.item_id
  }

  const ids = (reply: { body: any }) => reply.body.results.map((each: any) => each.project_id)

  test('come in pages whose links are whole addresses', async () => {
    for (const name of ['A', 'B', 'C']) await make({ project_name: `Page ${name}` })
    const filter = JSON.stringify([
      { field: 'project_name', operator: 'starts_with', value: 'Page ' },
    ])
    const query = { filter, sort: 'project_name', items_per_page: 2 }
    const first = await get('project', query)
    assert.equal(first.status, 200, first.text)
    assert.deepEqual(
      first.body.results.map((each: any) => each.project_name),
      ['Page A', 'Page B'],
    )
    const { count, next, previous, max_page_limit } = first.body
    assert.deepEqual([count, previous, max_page_limit], [3, null, 500])
    const { pathname, searchParams } = new URL(next)
    assert.equal(pathname, '/automation/project')
    const second = await get('project', Object.fromEntries(searchParams))
    assert.deepEqual(
      second.body.results.map((each: any) => each.project_name),
      ['Page C'],
    )
    assert.equal(second.body.next, null)
    assert.ok(second.body.previous)
    refusedField(await get('project', { items_per_page: 501 }), ['items_per_page'])
    refusedField(await get('project', { sort: 'nothing' }), ['sort'])
    refusedField(await get('project', { due_filter: 'soon' }), ['due_filter'])
    assert.deepEqual((await get('project', { page: 900 })).body.results, [])
  })

  test('come by cursor, which neither new nor deleted projects move', async () => {
    const made: string[] = []
    for (let i = 0; i < 9; i++) made.push(await make({ project_name: `Walk ${i}` }))
    const filter = JSON.stringify([
      { field: 'project_name', operator: 'starts_with', value: 'Walk ' },
    ])
    const query = { filter, items_per_page: 2 }
    const found: string[] = []
    let reply = await get('project', query)
    for (let page = 1; page < 9; page++) {
      found.push(...ids(reply))
      const { next, next_cursor } = reply.body
      if (next_cursor === null) break
      if (page > 1) assert.equal(new URL(next).searchParams.get('next_cursor'), next_cursor)
      await make({ project_name: `Walk between ${page}` })
      const { token } = org.users.admin
      await service.call('DELETE', `/api/project/info/${ids(reply)[0]}/`, { token })
      reply = await get('project', { ...query, next_cursor })
      assert.equal(reply.status, 200, reply.text)
      assert.equal(reply.body.previous, null)
    }
    assert.deepEqual(found, made.toReversed())
    assert.deepEqual([reply.body.next, reply.body.next_cursor], [null, null])
    const { next_cursor } = (await get('project', query)).body
    const others: Query[] = [
      { filter, sort: 'project_name' },
      { filter: '' },
      { filter, due_filter: 'today' },
      { filter, project_type: 'deal' },
    ]
    for (const other of others)
      refusedField(await get('project', { ...other, next_cursor }), ['next_cursor'])
  })

  test('are found by their whole name in any case, and tasks by their title', async () => {
    const project_id = await make({ project_name: 'Über die Alpen' })
    await make({ project_name: 'Über die Alpen hinaus' })
    await make({ project_id, title: 'Pack the "big" bag' }, 'task')
    await make({ project_id, title: 'Pack' }, 'task')
    assert.deepEqual(ids(await get('project', { project_name: ' ÜBER die alpen ' })), [project_id])
    assert.equal((await get('project', { project_name: '' })).body.results.length > 2, true)
    const filter = JSON.stringify([
      { field: 'project_name', operator: 'ends_with', value: 'hinaus' },
    ])
    assert.deepEqual(ids(await get('project', { project_name: 'Über die Alpen', filter })), [])
    const found = await get('task', { title: 'pack the "BIG" bag', project_id })
    assert.deepEqual(
      found.body.results.map((each: any) => each.title),
      ['Pack the "big" bag'],
    )
  })

  test('tasks, users and templates come by cursor too', async () => {
    const project_id = await make({ project_name: 'Walk over tasks' })
    for (let i = 0; i < 5; i++) await make({ project_id, title: `Step ${i}` }, 'task')
    for (const [path, query, key] of [
      ['tasks', { project_id, items_per_page: 2 }, 'item_id'],
      ['users', { items_per_page: 2 }, 'user_id'],
      ['templates', { items_per_page: 2 }, 'template_id'],
    ] as const) {
      const whole = await get(path, { ...query, items_per_page: 500 })
      const found: string[] = []
      for (let cursor: string | null = ''; cursor !== null;) {
        const reply = await get(path, { ...query, next_cursor: cursor })
        assert.equal(reply.status, 200, reply.text)
        found.push(...reply.body.results.map((each: any) => each[key]))
        cursor = reply.body.next_cursor
      }
      const all = whole.body.results.map((each: any) => each[key])
      assert.ok(all.length > 2, path)
      assert.deepEqual(found, all, path)
    }
  })

  test('are found by template and by their own due date', async () => {
    const templates = await get('templates', { template_type: 'project' })
    const { template_id } = templates.body.results[0]
    const id = await make({ project_name: 'From a template', org_temp_id: template_id })
    assert.deepEqual(ids(await get('project', { org_temp_id: template_id })), [id])
    refused(await get('project', { org_temp_id: '03h9vqz0k4m2x7c5t8b1n6r3d' }), 404)
    const today = await make({ project_name: 'Due today', due_date: '2030-05-15' })
    const later = await make({ project_name: 'Due in June', due_date: '2030-06-02' })
    assert.deepEqual(ids(await get('project', { due_filter: 'today' })), [today])
    assert.deepEqual(ids(await get('project', { due_filter: 'next_month' })), [later])
  })

  test('are listed together with deals on request, as far as the scopes go', async () => {
    const names = { deal: 'Either a deal', project: 'Either a project' }
    await make({ project_name: names.deal, project_type: 'deal' })
    await make({ project_name: names.project })
    const filter = JSON.stringify([
      { field: 'project_name', operator: 'starts_with', value: 'Either' },
    ])
    const listed = async (scopes: string[]) => {
      const app = await connectApp(service, org, { scopes })
      const reply = await get('project', { project_type: 'any', sort: 'project_name', filter }, app)
      assert.equal(reply.status, 200, reply.text)
      return reply.body.results.map((each: any) => each.project_name)
    }
    assert.deepEqual(await listed(['deal.read', 'project.read']), [names.deal, names.project])
    assert.deepEqual(await listed(['deal.read']), [names.deal])
    assert.deepEqual(await listed(['project.read']), [names.project])
    const other = await connectApp(service, org, { scopes: ['company.read'] })
    refused(await get('project', { project_type: 'any' }, other), 403)
  })

  test('need the scope of their kind, and say which', async () => {
    const deal = await make({ project_name: 'Sale', project_type: 'deal' })
    const project = await make({ project_name: 'Work' })
    const reader = await connectApp(service, org, { scopes: ['project.read', 'project.write'] })
    assert.equal((await get('project', {}, reader)).status, 200)
    assert.equal((await get(`project/${project}`, {}, reader)).status, 200)
    await make({ project_name: 'Mine' }, 'project', reader)
    await make({ project_id: project, title: 'T' }, 'task', reader)
    const body = { project_name: 'x', module: 'deal_plan' }
    for (const reply of [
      await get('project', { module: 'deal_plan' }, reader),
      await get(`project/${deal}`, {}, reader),
      await get('tasks', { project_id: deal }, reader),
      await get('deal/options', {}, reader),
      await reader.call('POST', '/automation/project', { body }),
      await reader.call('POST', '/automation/task', { body: { project_id: deal, title: 'T' } }),
    ]) {
      refused(reply, 403)
      assert.match(reply.body.message, /deal\.(read|write)/)
    }
  })

  test('are read with their plan, whose tasks are filtered by day, in as many queries whatever its size', async () => {
    const stages = (tasks: number) => [
      { name: 'One', tasks: Array.from({ length: tasks }, (_, i) => ({ title: `T${i}` })) },
      { name: 'Two', start_offset_days: 3, tasks: [{ title: 'Last' }] },
    ]
    const plan = (tasks: number) => ({
      project_name: `With ${tasks}`,
      start_date: '2030-05-15',
      project_template: { template_config: { stages: stages(tasks) } },
    })
    const [small, large] = [await make(plan(1)), await make(plan(150))]
    const whole = await get(`project/${large}`)
    assert.deepEqual(
      whole.body.milestones.map((each: any) => [each.name, each.tasks.length]),
      [
        ['One', 150],
        ['Two', 1],
      ],
    )
    assert.equal(whole.headers.get('etag'), '"1"')
    for (const name of ['milestone', 'milestones']) {
      const { body } = await get(`project/${large}`, { [name]: 'true', due_filter: 'today' })
      assert.deepEqual(Object.keys(body), ['results'])
      assert.deepEqual(
        body.results.map((each: any) => each.tasks.length),
        [150, 0],
      )
    }
    const { body: options } = await get(`project/${large}`, { options: true, milestone: true })
    assert.deepEqual(
      options.milestones.map(({ name }: any) => name),
      ['One', 'Two'],
    )
    assert.ok(options.fields.some(({ key }: any) => key === 'project_name'))
    refused(await get('project/03h9vqz0k4m2x7c5t8b1n6r3d'), 404)
    assert.equal(
      await queriesOf(() => get(`project/${small}`)),
      await queriesOf(() => get(`project/${large}`)),
    )
    const page = { items_per_page: 500 }
    assert.equal(
      await queriesOf(() => get('tasks', { project_id: small, ...page })),
      await queriesOf(() => get('tasks', { project_id: large, ...page })),
    )
  })

  /** How many reads a request makes: the fewest, since now and then one fills what is remembered. */
  async function queriesOf(ask: () => Promise<unknown>): Promise<number> {
    const { database } = service.runtime
    const { reads } = database
    const counts: number[] = []
    let count = 0
    database.reads = (organization) => {
      const queries = reads(organization)
      const counted = <F extends (...args: never[]) => unknown>(run: F) =>
        ((...args: Parameters<F>) => {
          count++
          return run(...args)
        }) as F
      const { all, one, cells } = queries
      return { ...queries, all: counted(all), one: counted(one), cells: counted(cells) }
    }
    try {
      for (let turn = 0; turn < 4; turn++) {
        count = 0
        await ask()
        counts.push(count)
      }
    } finally {
      database.reads = reads
    }
    const fewest = Math.min(...counts)
    assert.ok(fewest > 0)
    return fewest
  }
})
