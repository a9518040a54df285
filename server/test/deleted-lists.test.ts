import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { applicationRoutes } from '../src/surfaces/application/routes.ts'
import { refusedField } from './support/refused.ts'
import { caseOf, pathOf, send } from './support/routes.ts'
import type { World } from './support/world.ts'
import { makeWorld } from './support/world.ts'
import { startService } from './support/service.ts'

// Every list of records that can be restored lists them with `deleted=true`.

const end = /\{\w+\}\/restore\/$/
const restores = applicationRoutes().filter(({ path }) => end.test(path))

describe('what can be restored', () => {
  let world: World

  before(async () => {
    world = await makeWorld(await startService())
  })

  const call = (method: string, path: string, as = world.org.users.admin.token, body?: unknown) =>
    world.service.call(method, path, { token: as, body })
  async function ask(method: string, path: string, body?: unknown, as?: string) {
    const reply = await call(method, path, as, body)
    assert.ok(reply.status < 300, `${method} ${path} ${reply.status} ${reply.text}`)
    return reply
  }
  const listed = async (path: string, more = '', as?: string) => {
    const reply = await ask('GET', `${path}?page=1&items_per_page=100${more}`, undefined, as)
    return reply.body as { [field: string]: any }[]
  }
  const make = async (path: string, body: object, as?: string) =>
    (await ask('POST', path, body, as)).headers.get('x-record-id')!
  const gone = async (path: string, body: object, as?: string) => {
    const id = await make(path, body, as)
    await ask('DELETE', `${path}${id}/`, undefined, as)
    return id
  }
  const companies = '/api/company/'
  const deletedOf = async (path: string, key: string, more = '', as?: string) =>
    (await listed(path, `&deleted=true${more}`, as)).map((row) => row[key] as string)

  for (const route of restores) {
    test(`is listed, and no longer once it is restored: ${route.path}`, async () => {
      const surface = world.surfaces.find(({ name }) => name === 'application')!
      const made = await caseOf(route).request(world)
      const list = pathOf({ ...route, path: route.path.replace(end, '') }, made)
      const id = Object.values(made.params ?? {}).at(-1)!
      const find = async (more: string) =>
        (await listed(list, more)).find((row) => Object.values(row).includes(id))
      const found = await find('&deleted=true')
      assert.ok(found, 'it is in the list of deleted ones')
      assert.match(found.deleted_at, /^\d{4}-.+Z$/)
      const { user_id } = world.org.users.admin
      assert.equal(found.deleted_by.user_id, user_id)
      assert.match(found.deleted_by.full_name, /^admin of /)
      assert.equal(await find('&deleted=false'), undefined)
      const [first] = await listed(list, '&deleted=true')
      assert.equal(Object.values(first!).includes(id), true, 'the latest deletion comes first')
      const restored = await send(world, surface, route, made)
      assert.equal(restored.status, 200, restored.text)
      assert.equal(await find('&deleted=true'), undefined)
      assert.ok(!('deleted_at' in ((await find('')) ?? {})))
      for (const wrong of ['maybe', '2']) {
        const reply = await call('GET', `${list}?page=1&items_per_page=1&deleted=${wrong}`)
        refusedField(reply, ['deleted'])
      }
    })
  }

  test('is not listed by other lists', () => {
    const lists = applicationRoutes().filter(
      ({ operation }) => 'deleted' in ((operation.input.query?.properties ?? {}) as object),
    )
    const expected = restores.map(({ path }) => path.replace(end, ''))
    assert.deepEqual(
      new Set(lists.map(({ path }) => path)),
      new Set([...expected, '/api/milestones/']),
    )
  })

  test('is listed by pages, filtered, searched, counted and sorted', async () => {
    const names = ['Bin one', 'Bin two', 'Bin three']
    for (const company_name of names) await gone(companies, { company_name, industry: 'Bins' })
    await make(companies, { company_name: 'Bin living', industry: 'Bins' })
    const of = (more: string) => deletedOf(companies, 'company_name', `&q=Bin${more}`)
    assert.deepEqual(await of(''), ['Bin three', 'Bin two', 'Bin one'])
    assert.deepEqual(await of('&reverse=true'), names)
    assert.deepEqual(await of('&sort=company_name'), ['Bin one', 'Bin three', 'Bin two'])
    const filter = (value: string) =>
      `&filter=${encodeURIComponent(JSON.stringify([{ field: 'company_name', operator: 'eq', value }]))}`
    assert.deepEqual(await of(filter('Bin two')), ['Bin two'])
    assert.deepEqual(await of(filter('Bin living')), [])
    const path = `${companies}?deleted=true&q=Bin&items_per_page=2&include_count=true&fields=company_name`
    const [one, two] = [await ask('GET', `${path}&page=1`), await ask('GET', `${path}&page=2`)]
    assert.equal(one.headers.get('x-total-count'), '3')
    assert.match(one.headers.get('link') ?? '', /rel="next"/)
    assert.deepEqual([one.body.length, two.body.length], [2, 1])
    const members = ['company_id', 'company_name', 'deleted_at', 'deleted_by']
    assert.deepEqual(Object.keys(two.body[0]), members)
  })

  test('is listed for whoever may restore it', async () => {
    const { member, observer, customer } = world.org.users
    const own = await gone(companies, { company_name: 'Own' }, member.token)
    const others = await gone(companies, { company_name: 'Of somebody else' })
    const ofMember = await deletedOf(companies, 'company_id', '', member.token)
    assert.ok(ofMember.includes(own) && !ofMember.includes(others))
    for (const { token } of [observer, customer]) {
      const reply = await call('GET', `${companies}?page=1&items_per_page=100&deleted=true`, token)
      assert.ok(reply.status === 403 || reply.text === '[]', reply.text)
    }
    assert.equal((await call('POST', `${companies}${others}/restore/`, member.token)).status, 404)
    assert.deepEqual(
      (await listed(companies, '&deleted=true', member.token)).find((row) => row.company_id === own)
        ?.deleted_by.user_id,
      member.user_id,
    )
  })

  test('is not listed where it is restored with something else', async () => {
    const project = await make('/api/project/info/', {
      project_name: 'Gone',
      project_type: 'project',
    })
    const task = await make('/api/tasks/', { title: 'Gone with it', project_id: project })
    const parent = await make('/api/tasks/', { title: 'Parent' })
    const child = await make('/api/tasks/', { title: 'Child', parent_id: parent })
    await ask('DELETE', `/api/project/info/${project}/`)
    await ask('DELETE', `/api/tasks/${parent}/`)
    const tasks = await deletedOf('/api/tasks/', 'item_id')
    assert.deepEqual(
      [task, parent, child].map((id) => tasks.includes(id)),
      [false, true, false],
    )
    const kind = async (type: string) =>
      (await deletedOf('/api/project/info/', 'project_id', `&project_type=${type}`)).includes(
        project,
      )
    assert.deepEqual([await kind('project'), await kind('deal')], [true, false])
    const [one, other] = [
      await make(companies, { company_name: 'Twin' }),
      await make(companies, { company_name: 'Twin, too' }),
    ]
    await ask('POST', `${companies}merge/`, { primary_id: one, merge_ids: [other] })
    assert.ok(!(await deletedOf(companies, 'company_id')).includes(other))
  })

  test('is refused with the times between which meetings are listed', async () => {
    const path = '/api/calendar/info/?deleted=true&start=2031-01-01T00:00:00Z'
    refusedField(await call('GET', path), ['deleted'])
  })
})
