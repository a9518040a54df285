import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { finishProject } from '../../../test/support/past-projects.ts'
import { planStory } from '../../../test/support/plan-story.ts'
import type { TestOrganization } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'

type Row = { [field: string]: any }

describe('what is suggested after projects were finished', () => {
  let service: Awaited<ReturnType<typeof startService>>
  let org: TestOrganization
  let ask: ReturnType<typeof planStory>['ask']

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    const story = planStory(service, org)
    ask = story.ask
    const template = await story.make('/api/templates/template/', {
      template_name: 'Clinic onboarding',
      description: 'clinic',
      template_config: {
        stages: [
          {
            stage_id: 'data',
            name: 'Data',
            tasks: [
              { id: 'export', title: 'Export', duration_days: 5 },
              { id: 'letter', title: 'Newsletter' },
            ],
          },
          {
            stage_id: 'live',
            name: 'Go-live',
            start_offset_days: 5,
            tasks: [{ id: 'go', title: 'Switch', depends_on: ['letter', 'export'] }],
          },
        ],
      },
    })
    // the export takes 8, 8 and 10 days; nobody keeps the newsletter
    const ends = ['2030-03-13', '2030-03-13', '2030-03-15']
    for (const [at, day] of ends.entries()) {
      const added: { [title: string]: [string, string] } =
        at < 2 ? { 'Access for the help desk': ['2030-03-18', '2030-03-19'] } : {}
      await finishProject({ service, org }, story, {
        template,
        name: `Clinic ${at}`,
        done: { Export: day, Switch: '2030-03-20' },
        added,
      })
    }
  })

  const lines = (stages: Row[]) =>
    stages.map(({ name, start_offset_days, tasks }) => [
      name,
      start_offset_days,
      tasks.map(({ title, duration_days, evidence }: Row) => [title, duration_days, evidence]),
    ])

  test('has medians, without what was always deleted and with what was mostly added', async () => {
    const found = await ask(
      'GET',
      '/api/templates/template/ai-template/?prompt=Clinic%20onboarding',
    )
    assert.deepEqual([found.past_projects, found.source, found.model_failed], [3, 'history', false])
    const [data, live] = lines(found.template_config.stages)
    assert.deepEqual(data, [
      'Data',
      0,
      [['Export', 8, 'in 3 of 3 projects, took 8 days in the middle']],
    ])
    assert.equal(live?.[0], 'Go-live')
    // the stage before it is longer now, and it does not begin within it
    assert.ok(Number(live?.[1]) >= 8)
    assert.deepEqual(
      live?.[2].map(([title, , evidence]: string[]) => [title, evidence?.split(',')[0]]),
      [
        ['Switch', 'in 3 of 3 projects'],
        ['Access for the help desk', 'added in 2 of 3 projects'],
      ],
    )
    assert.deepEqual(found.template_config.stages[1].tasks[0].depends_on, ['export'])
    const { milestones } = await ask('GET', '/api/templates/template/ai-milestone/?prompt=Export')
    assert.deepEqual([milestones[0].name, milestones[0].tasks[0].duration_days], ['Data', 8])
    // it can be stored as it is
    await ask('POST', '/api/templates/template/', {
      template_name: found.template_name,
      template_config: found.template_config,
    })
  })

  test('is about the template with the most past projects where nothing is said, not the newest', async () => {
    const story = planStory(service, org)
    await story.make('/api/templates/template/', {
      template_name: 'Aquarium',
      template_config: { stages: [{ name: 'Water', tasks: [{ title: 'Fill' }] }] },
    })
    const found = await ask('GET', '/api/templates/template/ai-template/')
    assert.equal(found.past_projects, 3)
    assert.equal(found.based_on[0], 'Clinic onboarding')
    assert.deepEqual(
      found.template_config.stages.map(({ name }: Row) => name),
      ['Data', 'Go-live'],
    )
  })

  test('learns from projects without a template, too', async () => {
    const own = await makeOrganization(service)
    const story = planStory(service, own)
    for (const name of ['One', 'Two']) {
      const project = await story.make('/api/project/info/', { project_name: name })
      const milestone_id = await story.make(`/api/project/info/${project}/milestones/`, {
        name: 'Tanks',
      })
      const task = await story.make('/api/tasks/', {
        title: 'Clean',
        milestone_id,
        start_date: '2030-03-04',
        due_date: '2030-03-06',
      })
      await story.ask('PUT', `/api/tasks/${task}/`, { is_completed: true })
    }
    // the newest, in which nothing was done
    await story.make('/api/project/info/', { project_name: 'Three' })
    const found = await story.ask('GET', '/api/templates/template/ai-template/')
    assert.deepEqual([found.past_projects, found.based_on], [2, ['Two', 'One']])
    const [stage] = found.template_config.stages
    assert.equal(stage.name, 'Tanks')
    assert.match(stage.tasks[0].evidence, /^in 2 of 2 projects/)
  })

  test('rests on nothing that the caller may not read', async () => {
    const story = planStory(service, org)
    await story.allow('member', { templates: { read: 'all' }, projects: { read: 'none' } })
    const path = '/api/templates/template/ai-template/?prompt=Clinic%20onboarding'
    const found = await ask('GET', path, undefined, org.users.member.token)
    assert.equal(found.past_projects, 0)
    assert.doesNotMatch(JSON.stringify(found), /help desk/)
  })
})
