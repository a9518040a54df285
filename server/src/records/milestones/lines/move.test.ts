import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { planStory } from '../../../../test/support/plan-story.ts'
import type { TestOrganization } from '../../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../../test/support/service.ts'

type Story = ReturnType<typeof planStory>
type Row = { [field: string]: any }

describe('rows of a plan that move', () => {
  let service: Awaited<ReturnType<typeof startService>>
  let org: TestOrganization
  let call: Story['call']
  let ask: Story['ask']
  let make: Story['make']
  let allow: Story['allow']

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    ;({ call, ask, make, allow } = planStory(service, org))
  })

  /** Two milestones, the first one with tasks; ids by their titles. */
  async function plan() {
    const project = await make('/api/project/info/', { project_name: 'Rollout' })
    const titles = ['A', 'B', 'C', 'D']
    const { ids } = await ask('POST', `/api/project/info/${project}/plan/lines/`, {
      lines: [
        { kind: 'milestone', title: 'First' },
        ...titles.map((title) => ({ title, below: 0 })),
        { kind: 'milestone', title: 'Second' },
      ],
    })
    const id = Object.fromEntries(
      ['First', ...titles, 'Second'].map((title, at) => [title, String(ids[at])]),
    )
    const read = async () => {
      const { milestones, tasks } = await ask('GET', `/api/project/info/${project}/plan/`)
      const titleOf = new Map(Object.entries(id).map(([title, one]) => [one, title]))
      return {
        milestones: milestones.map(({ name }: Row) => name).join(' '),
        tasks: tasks.map(
          ({ title, parent_id, milestone_id }: Row) =>
            `${title} in ${titleOf.get(parent_id ?? milestone_id) ?? 'nothing'}`,
        ),
      }
    }
    return { project, id, read, path: `/api/project/info/${project}/plan/moves/` }
  }

  test('go below others in one write, each where those before it are, and back by another', async () => {
    const { id, read, path } = await plan()
    const was = await read()
    const { First: milestone_id, Second } = id
    const { rows } = await ask('POST', path, {
      rows: [
        { id: id.B, milestone_id, parent_id: id.A },
        { id: id.C, milestone_id, parent_id: id.A, after: id.B },
        { id: id.D, milestone_id: Second, parent_id: null },
        { kind: 'milestone', id: Second, before: milestone_id },
      ],
    })
    assert.deepEqual(
      rows.map((row: Row) => [row.id, row.version]),
      [id.B, id.C, id.D, Second].map((one) => [one, 2]),
    )
    const now = await read()
    assert.equal(now.milestones, 'Second First')
    assert.deepEqual(now.tasks.toSorted(), ['A in First', 'B in A', 'C in A', 'D in Second'])
    assert.ok(now.tasks.indexOf('B in A') < now.tasks.indexOf('C in A'))
    await ask('POST', path, {
      rows: [
        { kind: 'milestone', id: Second, after: milestone_id },
        { id: id.B, milestone_id, parent_id: null, after: id.A },
        { id: id.C, milestone_id, parent_id: null, after: id.B },
        { id: id.D, milestone_id, parent_id: null, after: id.C },
      ],
    })
    assert.deepEqual(await read(), was)
  })

  test('move all or none, and a refusal names the row and the field', async () => {
    const { id, read, path } = await plan()
    const other = await plan()
    const was = await read()
    const fine = { id: id.D, before: id.A }
    const refused = async (row: object) => {
      const { status, body, text } = await call('POST', path, { rows: [fine, row] })
      assert.equal(status, 400, text)
      assert.deepEqual(await read(), was)
      return body.errors.map(({ field }: Row) => field)
    }
    assert.deepEqual(await refused({ id: id.A, after: 'nothing' }), ['rows.1.after'])
    assert.deepEqual(await refused({ id: id.A }), ['rows.1.before'])
    assert.deepEqual(await refused({ id: id.A, parent_id: id.A }), ['rows.1.parent_id'])
    assert.deepEqual(await refused({ id: other.id.A, before: other.id.B }), ['rows.1.id'])
    assert.deepEqual(await refused({ id: id.A, before: other.id.B }), ['rows.1.before'])
    assert.deepEqual(await refused({ id: id.First, before: id.A }), ['rows.1.id'])
    const milestone = { kind: 'milestone', id: id.Second, before: id.First }
    assert.deepEqual(await refused({ ...milestone, parent_id: id.A }), ['rows.1.parent_id'])
    const { status, body } = await call('POST', path, {
      rows: [fine, { id: id.A, after: id.C, before: id.B }],
    })
    assert.deepEqual([status, body.code], [409, 'order_changed'])
    assert.deepEqual(await read(), was)
  })

  test('need the rights of what moves', async () => {
    const { id, path, project } = await plan()
    const as = org.users.member.token
    const task = { rows: [{ id: id.B, before: id.A }] }
    const milestone = { rows: [{ kind: 'milestone', id: id.Second, before: id.First }] }
    const status = async (body: object, at = path) => (await call('POST', at, body, as)).status
    await allow('member', { tasks: { update: 'none' }, projects: { read: 'all', update: 'all' } })
    assert.deepEqual([await status(task), await status(milestone)], [403, 200])
    await allow('member', {
      tasks: { read: 'all', update: 'all' },
      projects: { read: 'all', update: 'none' },
      deals: { update: 'none' },
    })
    assert.deepEqual([await status(task), await status(milestone)], [200, 403])
    await allow('member', { projects: { read: 'none' }, deals: { read: 'none' } })
    assert.equal(await status(task), 404)
    assert.equal(await status(task, path.replace(project, 'nothing')), 404)
    const customer = await call('POST', path, task, org.users.customer.token)
    assert.ok([403, 404].includes(customer.status))
  })
})
