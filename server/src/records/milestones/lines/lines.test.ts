import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { planStory } from '../../../../test/support/plan-story.ts'
import type { TestOrganization } from '../../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../../test/support/service.ts'

type Story = ReturnType<typeof planStory>
type Row = { [field: string]: any }

describe('lines that are added to a plan', () => {
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

  const project = () => make('/api/project/info/', { project_name: 'Rollout' })
  const pathOf = (id: string) => `/api/project/info/${id}/plan/lines/`
  const planOf = (id: string) => ask('GET', `/api/project/info/${id}/plan/`)
  /** Titles of tasks in their order, with what they are below. */
  const treeOf = ({ tasks, milestones }: Row) =>
    tasks.map(({ title, parent_id, milestone_id }: Row) => [
      title,
      tasks.find(({ item_id }: Row) => item_id === parent_id)?.title ??
        milestones.find((each: Row) => each.milestone_id === milestone_id)?.name ??
        null,
    ])
  const undo = (bulk_id: string) => call('POST', `/api/bulk/${bulk_id}/undo/`)

  test('are milestones with their tasks, in one write with one undo', async () => {
    const id = await project()
    const owner = org.users.member.user_id
    const { status, body } = await call('POST', pathOf(id), {
      lines: [
        { kind: 'milestone', title: 'Build', due_date: '2030-11-29' },
        { title: 'Import', below: 0, owner, priority: 'high', start_date: '2030-11-18' },
        { title: 'Read', below: 1, status: 'completed' },
        { title: 'Map', below: 1 },
        { kind: 'milestone', title: 'Teach' },
        { title: 'Invite', below: 4, due_date: '2030-12-02', description: 'All of them' },
      ],
    })
    assert.equal(status, 201)
    const plan = await planOf(id)
    assert.deepEqual(
      plan.milestones.map(({ name, due_date }: Row) => [name, due_date]),
      [
        ['Build', '2030-11-29'],
        ['Teach', null],
      ],
    )
    assert.deepEqual(treeOf(plan).toSorted(), [
      ['Import', 'Build'],
      ['Invite', 'Teach'],
      ['Map', 'Import'],
      ['Read', 'Import'],
    ])
    const [imported, read] = ['Import', 'Read'].map((title) =>
      plan.tasks.find((task: Row) => task.title === title),
    )
    assert.deepEqual(
      [imported.owner.user_id, imported.priority.value, imported.start_date, imported.item_type],
      [owner, 'high', '2030-11-18', 1],
    )
    assert.deepEqual([read.is_completed, read.item_type], [true, 2])
    assert.deepEqual(
      body.ids.toSorted(),
      [
        ...plan.tasks.map(({ item_id }: Row) => item_id),
        ...plan.milestones.map(({ milestone_id }: Row) => milestone_id),
      ].toSorted(),
    )
    assert.equal((await undo(body.bulk_id)).status, 200)
    const after = await planOf(id)
    assert.deepEqual([after.tasks, after.milestones], [[], []])
    assert.equal((await undo(body.bulk_id)).status, 409)
  })

  test('stand in their order between two tasks, however many there are', async () => {
    const id = await project()
    const { ids } = await ask('POST', pathOf(id), {
      lines: [{ title: 'First' }, { title: 'Last' }],
    })
    const titles = Array.from({ length: 200 }, (_, n) => `Line ${n}`)
    const lines = titles.map((title) => ({ title }))
    await ask('POST', pathOf(id), { lines, after: ids[0], before: ids[1] })
    const inOrder = async () => (await planOf(id)).tasks.map(({ title }: Row) => title)
    assert.deepEqual(await inOrder(), ['First', ...titles, 'Last'])
    // and there is room for more among them
    const { tasks } = await planOf(id)
    const two = { after: tasks[100].item_id, before: tasks[101].item_id }
    await ask('POST', pathOf(id), { lines: [{ title: 'One' }, { title: 'Two' }], ...two })
    assert.deepEqual((await inOrder()).slice(100, 104), ['Line 99', 'One', 'Two', 'Line 100'])
  })

  test('belong below a task, to its milestone, no more than five levels below', async () => {
    const id = await project()
    const lines = [{ kind: 'milestone', title: 'Phase' }, ...chain(3, 0)]
    const { ids } = await ask('POST', pathOf(id), { lines })
    const { ids: below } = await ask('POST', pathOf(id), { parent_id: ids[3], lines: chain(2) })
    const { tasks } = await planOf(id)
    const phases = new Set(tasks.map(({ milestone_id }: Row) => milestone_id))
    assert.deepEqual([tasks.length, [...phases]], [5, [ids[0]]])
    const deeper = await call('POST', pathOf(id), { parent_id: ids[3], lines: chain(4) })
    assert.deepEqual([deeper.status, deeper.body.errors[0].field], [400, 'parent_id'])
    assert.equal(
      (await call('POST', pathOf(id), { parent_id: below[1], lines: chain(1) })).status,
      201,
    )
    const under = await call('POST', pathOf(id), { parent_id: below[1], lines: chain(2) })
    assert.equal(under.status, 400)
    const alone = await call('POST', pathOf(id), { lines: chain(7) })
    assert.deepEqual([alone.status, alone.body.errors[0].field], [400, 'lines.6.below'])
  })

  test('are refused as a whole, with the line and the field', async () => {
    const id = await project()
    const other = await project()
    const { ids: foreign } = await ask('POST', pathOf(other), { lines: [{ title: 'Elsewhere' }] })
    const refusals: [Row, string][] = [
      [{ lines: [{ title: 'Fine' }, { title: 'Whose', owner: 'nobody' }] }, 'lines.1.owner'],
      [{ lines: [{ title: 'Fine' }, { title: 'When', ...backwards }] }, 'lines.1.due_date'],
      [{ lines: [{ title: 'Fine', status: 'nonsense' }] }, 'lines.0.status'],
      [{ lines: [{ title: 'Later', below: 1 }, { title: 'Fine' }] }, 'lines.0.below'],
      [{ lines: [{ kind: 'milestone', title: 'M', priority: 'high' }] }, 'lines.0.priority'],
      [{ lines: [{ title: 'A' }, { kind: 'milestone', title: 'M', below: 0 }] }, 'lines.1.below'],
      [{ lines: [{ kind: 'milestone', title: 'M' }], parent_id: foreign[0] }, 'parent_id'],
      [{ lines: [{ title: 'Fine' }], after: foreign[0] }, 'after'],
      [{ lines: [{ title: 'Fine' }], parent_id: foreign[0] }, 'parent_id'],
      [{ lines: [{ title: 'Fine' }], milestone_id: 'none' }, 'milestone_id'],
    ]
    for (const [body, field] of refusals) {
      const { status, body: answer } = await call('POST', pathOf(id), body)
      assert.deepEqual([status, answer.errors[0].field], [400, field])
    }
    assert.deepEqual((await planOf(id)).tasks, [])
  })

  test('take the right to create tasks, and for milestones that to change the project', async () => {
    const id = await project()
    const add = (lines: Row[]) => call('POST', pathOf(id), { lines }, org.users.member.token)
    const statusOf = async (lines: Row[]) => (await add(lines)).status
    const [milestone, task] = [{ kind: 'milestone', title: 'Phase' }, { title: 'Step' }]
    await allow('member', { projects: { read: 'all', update: 'none' }, deals: { update: 'none' } })
    assert.deepEqual([await statusOf([milestone]), await statusOf([task])], [403, 201])
    await allow('member', { projects: { update: 'all' }, tasks: { create: 'none' } })
    assert.deepEqual([await statusOf([milestone]), await statusOf([task])], [201, 403])
    await allow('member', { projects: { read: 'none' }, tasks: { create: 'all' } })
    assert.equal(await statusOf([task]), 404)
  })

  test('are undone no more once somebody else has worked in one of them', async () => {
    const id = await project()
    await allow('member', { projects: { read: 'all' }, tasks: { update: 'all', read: 'all' } })
    const lines = [{ title: 'Mine' }, { title: 'Theirs' }]
    const { ids, bulk_id } = await ask('POST', pathOf(id), { lines })
    await ask('PUT', `/api/tasks/${ids[1]}/`, { title: 'Changed' }, org.users.member.token)
    const { status, body } = await undo(bulk_id)
    assert.deepEqual([status, body.code ?? body.error?.code], [409, 'worked_on'])
    assert.equal((await planOf(id)).tasks.length, 2)
  })
})

const backwards = { start_date: '2030-11-18', due_date: '2030-11-15' }

/** Tasks each below the one before it; the first one below a line, if there is one. */
function chain(length: number, first?: number): Row[] {
  const from = first === undefined ? 0 : first + 1
  return Array.from({ length }, (_, n) => {
    const below = n === 0 ? first : from + n - 1
    return { title: `Level ${n}`, ...(below === undefined ? {} : { below }) }
  })
}
