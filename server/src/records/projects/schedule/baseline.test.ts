import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { planStory } from '../../../../test/support/plan-story.ts'
import type { TestOrganization, TestService } from '../../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../../test/support/service.ts'

type Row = { [name: string]: any }

describe('baselines of a plan', () => {
  let service: TestService
  let org: TestOrganization
  let story: ReturnType<typeof planStory>

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    story = planStory(service, org)
  })

  const plan = (id: string, query = '', as?: string) =>
    story.ask('GET', `/api/project/info/${id}/plan/${query}`, undefined, as)
  const set = (id: string, name: string) =>
    story.ask('POST', `/api/project/info/${id}/plan/baseline/`, { name })
  /** The dates in the baseline by title. */
  const datesIn = ({ tasks, milestones }: { tasks: Row[]; milestones: Row[] }) =>
    Object.fromEntries(
      [...tasks, ...milestones].map(({ title, name, baseline }) => [
        title ?? name,
        baseline && `${baseline.start} ${baseline.due}`,
      ]),
    )

  test('keep the dates of all rows, to which the plan is compared until they are deleted', async () => {
    const { project, first, changes } = await story.makePlan()
    const { baseline_id } = await set(project, ' Agreed on Nov 2 ')
    assert.equal(await lastActivity(project), 'Baseline Agreed on Nov 2 set')
    const ops = [{ op: 'set', id: first, set: { due_date: '2030-11-15' } }]
    await story.ask('POST', changes, { ops })
    await story.make('/api/tasks/', {
      title: 'New',
      project_id: project,
      start_date: '2030-11-04',
      due_date: '2030-11-05',
    })
    const shown = await plan(project, `?baseline=${baseline_id}`)
    assert.deepEqual(datesIn(shown), {
      Export: '2030-11-04 2030-11-08',
      Import: '2030-11-11 2030-11-15',
      Visit: '2030-11-15 2030-11-15',
      Check: '2030-11-20 2030-11-21',
      New: null,
      Data: '2030-11-04 2030-11-15',
    })
    assert.deepEqual(
      shown.baselines.map((each: Row) => [each.baseline_id, each.name]),
      [[baseline_id, 'Agreed on Nov 2']],
    )
    assert.ok(Object.values(datesIn(await plan(project))).every((dates) => dates === null))
    await story.ask('DELETE', `/api/project/info/${project}/plan/baseline/${baseline_id}/`)
    assert.deepEqual((await plan(project)).baselines, [])
    const gone = await story.call(
      'GET',
      `/api/project/info/${project}/plan/?baseline=${baseline_id}`,
    )
    assert.equal(gone.status, 400, gone.text)
    assert.match(gone.text, /"baseline"/)
    assert.equal(await lastActivity(project), 'Baseline Agreed on Nov 2 deleted')
  })

  async function lastActivity(project: string): Promise<string> {
    const found = await story.ask('GET', `/api/project/info/${project}/`)
    return found.recent_activities[0].title
  }

  test('what the template says is one, from the start of the project', async () => {
    const template_id = await story.make('/api/templates/template/', {
      template_name: 'Clinic onboarding',
      template_type: 'project',
      template_config: {
        stages: [
          {
            name: 'Data',
            start_offset_days: 0,
            duration_days: 5,
            tasks: [{ title: 'Export', start_offset_days: 1, duration_days: 2 }],
          },
        ],
      },
    })
    const project = await story.make('/api/project/info/', {
      project_name: 'From a template',
      start_date: '2030-11-04',
      template_id,
    })
    const { tasks, baselines } = await plan(project)
    assert.deepEqual(baselines, [
      { baseline_id: 'template', name: 'Clinic onboarding 1', creation_time: null },
    ])
    await story.ask('PUT', `/api/tasks/${tasks[0].item_id}/`, {
      start_date: '2030-11-11',
      due_date: '2030-11-12',
    })
    const dates = datesIn(await plan(project, '?baseline=template'))
    assert.deepEqual(dates, { Export: '2030-11-05 2030-11-06', Data: '2030-11-04 2030-11-08' })
    const { project: plain } = await story.makePlan()
    const none = await story.call('GET', `/api/project/info/${plain}/plan/?baseline=template`)
    assert.equal(none.status, 400, none.text)
  })

  test('are set by who may change the project, read by who may read it, and not by customers', async () => {
    const { project } = await story.makePlan()
    const { baseline_id } = await set(project, 'Agreed')
    const { member, customer } = org.users
    await story.ask('PUT', `/api/project/info/${project}/`, { team: [customer.user_id] })
    await story.allow('member', { projects: { update: 'none' }, tasks: { read: 'own' } })
    const path = `/api/project/info/${project}/plan/baseline/`
    const refused = await story.call('POST', path, { name: 'Mine' }, member.token)
    assert.equal(refused.status, 403, refused.text)
    const seen = await plan(project, `?baseline=${baseline_id}`, member.token)
    // the member's own task alone
    assert.deepEqual(
      seen.tasks.map(({ title, baseline }: Row) => [title, baseline.start]),
      [['Import', '2030-11-11']],
    )
    await story.ask('PUT', `/api/project/info/${project}/`, { is_shared: true })
    const theirs = await plan(project, '', customer.token)
    assert.deepEqual(theirs.baselines, [])
    const hidden = await story.call(
      'GET',
      `/api/project/info/${project}/plan/?baseline=${baseline_id}`,
      undefined,
      customer.token,
    )
    assert.equal(hidden.status, 400, hidden.text)
    const other = await story.makePlan()
    const foreign = await story.call(
      'DELETE',
      `/api/project/info/${other.project}/plan/baseline/${baseline_id}/`,
    )
    assert.equal(foreign.status, 404, foreign.text)
  })
})
