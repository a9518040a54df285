import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { refusedField } from '../../../test/support/refused.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'

describe('moving records', () => {
  let service: TestService
  let org: TestOrganization
  let token: string

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    token = org.users.admin.token
  })

  const call = (method: string, path: string, body?: unknown, headers = {}, as = token) =>
    service.call(method, path, { token: as, body, headers })

  async function ask(method: string, path: string, body?: unknown) {
    const reply = await call(method, path, body)
    assert.ok(reply.status < 300, `${method} ${path} ${reply.status} ${reply.text}`)
    return reply
  }

  const idOf = ({ headers }: { headers: Headers }) => headers.get('x-record-id')!

  async function tasks(...titles: string[]) {
    const project = idOf(await ask('POST', '/api/project/info/', { project_name: 'Board' }))
    const ids: { [title: string]: string } = {}
    for (const title of titles) {
      ids[title] = idOf(await ask('POST', '/api/tasks/', { project_id: project, title }))
    }
    const order = async (by = 'position') => {
      const query = `project_id=${project}&sort=${by}&items_per_page=100`
      const { body } = await ask('GET', `/api/tasks/?${query}`)
      const rows = body as { title: string; rank: string; position: number }[]
      assert.deepEqual(
        rows.map(({ rank }) => rank),
        rows.map(({ rank }) => rank).toSorted((a, b) => (a < b ? -1 : 1)),
      )
      const positions = rows.map(({ position }) => position)
      assert.deepEqual(
        positions,
        positions.toSorted((a, b) => a - b),
      )
      return rows.map(({ title }) => title).join('')
    }
    const move = (title: string, to: { [side: string]: unknown }) => {
      const { after, before, ...more } = to as { [side: string]: string }
      const body = { ...more, ...(after ? { after: ids[after] } : {}) }
      return ask('POST', `/api/tasks/${ids[title]}/move/`, {
        ...body,
        ...(before ? { before: ids[before] } : {}),
      })
    }
    return { project, ids, order, move }
  }

  test('puts a record between two, first, last, and right beside one', async () => {
    const { order, move } = await tasks('A', 'B', 'C', 'D')
    assert.equal(await order(), 'ABCD')
    await move('D', { after: 'A', before: 'B' })
    assert.equal(await order(), 'ADBC')
    await move('C', { after: 'A', before: 'D' })
    assert.equal(await order(), 'ACDB')
    await move('B', { before: 'A' })
    assert.equal(await order('rank'), 'BACD')
    await move('B', { after: 'D' })
    assert.equal(await order(), 'ACDB')
    // only one neighbour: right beside it all the same
    await move('B', { after: 'A' })
    assert.equal(await order(), 'ABCD')
    await move('D', { before: 'C' })
    assert.equal(await order(), 'ABDC')
  })

  test('changes fields in the same write, once in the log', async () => {
    const { ids, move, order } = await tasks('A', 'B', 'C')
    const { body } = await move('C', { after: 'A', before: 'B', set: { is_completed: true } })
    assert.equal(body.is_completed, true)
    assert.equal(body.version, 2)
    assert.equal(await order(), 'ACB')
    const log = await ask('GET', `/api/activity/log/1/${ids.C}/`)
    const updates = log.body.filter((each: { title: string }) => each.title === 'Task updated')
    assert.equal(updates.length, 1)
    assert.ok(updates[0].changes.some((each: { field: string }) => each.field === 'rank'))
  })

  test('moves a deal to another stage and place, with its history', async () => {
    const [first, second] = (await ask('GET', '/api/pipelines/')).body[0].stages
    const deal = async (project_name: string, stage_id: string) =>
      idOf(
        await ask('POST', '/api/project/info/', { project_name, project_type: 'deal', stage_id }),
      )
    const [a, b, c] = [
      await deal('A', second.stage_id),
      await deal('B', second.stage_id),
      await deal('C', first.stage_id),
    ]
    const body = { after: a, before: b, set: { stage_id: second.stage_id } }
    const moved = await ask('POST', `/api/project/info/${c}/move/`, body)
    assert.equal(moved.body.stage_id, second.stage_id)
    const list = await ask(
      'GET',
      `/api/project/info/?page=1&items_per_page=9&project_type=deal&sort=position`,
    )
    assert.deepEqual(
      list.body.map((each: { project_name: string }) => each.project_name),
      ['A', 'C', 'B'],
    )
    const history = await ask('GET', `/api/project/info/${c}/stage-history/`)
    assert.equal(history.body.length, 2)
    const project = idOf(await ask('POST', '/api/project/info/', { project_name: 'No deal' }))
    const wrong = await call('POST', `/api/project/info/${c}/move/`, { after: project })
    refusedField(wrong, ['after'])
  })

  test('moves milestones of one project, everywhere they are listed', async () => {
    const { project } = await tasks()
    const path = `/api/project/info/${project}/milestones/`
    const ids: string[] = []
    for (const name of ['A', 'B', 'C']) ids.push(idOf(await ask('POST', path, { name })))
    await ask('POST', `${path}${ids[0]}/move/`, { after: ids[1], before: ids[2] })
    const names = (rows: { name: string }[]) => rows.map(({ name }) => name).join('')
    assert.equal(names((await ask('GET', path)).body), 'BAC')
    const { stages } = (await ask('GET', `/api/project/info/${project}/`)).body
    assert.equal(names(stages), 'BAC')
    const other = await tasks()
    const foreign = idOf(
      await ask('POST', `/api/project/info/${other.project}/milestones/`, { name: 'X' }),
    )
    refusedField(await call('POST', `${path}${ids[0]}/move/`, { after: foreign }), ['after'])
  })

  test('refuses what is no place: 400, 403, 404, 409 and 412', async () => {
    const { ids, order } = await tasks('A', 'B', 'C')
    const path = `/api/tasks/${ids.A}/move/`
    refusedField(await call('POST', path, {}), ['before'])
    refusedField(await call('POST', path, { after: 'nothing' }), ['after'])
    refusedField(await call('POST', path, { before: ids.A }), ['before'])
    refusedField(await call('POST', path, { before: ids.B, after: ids.B }), ['before'])
    refusedField(await call('POST', path, { set: { due_date: 'soon' } }), ['set.due_date'])
    const reply = await call('POST', path, { after: ids.C, before: ids.B })
    assert.deepEqual([reply.status, reply.body.code], [409, 'order_changed'])
    assert.equal((await call('POST', '/api/tasks/nothing/move/', { after: ids.B })).status, 404)
    const stale = await call('POST', path, { after: ids.C }, { 'if-match': '"7"' })
    assert.equal(stale.status, 412)
    const other = await makeOrganization(service)
    const foreign = await call('POST', path, { after: ids.C }, {}, other.users.admin.token)
    assert.equal(foreign.status, 404)
    assert.equal(await order(), 'ABC')
  })

  test('keeps every one of many moves into the same gap at the same time', async () => {
    const titles = Array.from('abcdefghijklmnop')
    const { order, move } = await tasks('A', 'B', ...titles)
    await Promise.all(titles.map((title) => move(title, { after: 'A', before: 'B' })))
    const now = await order()
    assert.equal(now.at(0), 'A')
    assert.equal(now.at(-1), 'B')
    assert.equal(now.length, titles.length + 2)
    // and between any two of them there is room again
    for (const title of titles.slice(0, 4)) {
      const [, first, second] = (await order()).replace(title, '')
      await move(title, { after: first, before: second })
      assert.equal((await order())[2], title)
    }
  })
})
