import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { finishProject } from '../../../test/support/past-projects.ts'
import { planStory } from '../../../test/support/plan-story.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'
import { median, percentile85 } from './past.ts'

type Story = ReturnType<typeof planStory>
type Row = { [field: string]: any }

describe('the statistics of a template', () => {
  let service: TestService
  let org: TestOrganization
  let story: Story
  let template: string
  let path: string

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    story = planStory(service, org)
    template = await story.make('/api/templates/template/', {
      template_name: 'Clinic onboarding',
      template_config: {
        stages: [
          {
            stage_id: 'data',
            name: 'Data',
            tasks: [
              { id: 'export', title: 'Export', duration_days: 5 },
              { title: 'Import', start_offset_days: 5, duration_days: 2, depends_on: ['export'] },
              { title: 'Newsletter', start_offset_days: 5 },
            ],
          },
        ],
      },
    })
    path = `/api/templates/template/${template}/statistics/`
    // Monday, March 4: the export takes 5, 8 and 10 days
    const all: { name: string; done: { [title: string]: string } }[] = [
      { name: 'First', done: { Export: '2030-03-08', Import: '2030-03-12' } },
      { name: 'Second', done: { Export: '2030-03-13', Import: '2030-03-18' } },
      {
        name: 'Third',
        done: { Export: '2030-03-15', Import: '2030-03-19', Newsletter: '2030-03-11' },
      },
    ]
    for (const [at, past] of all.entries()) {
      const help: [string, string] = ['2030-03-13', '2030-03-14']
      const added = at ? { added: { 'Access for the help desk': help } } : {}
      await finishProject({ service, org }, story, { template, ...past, ...added })
    }
    await story.ask('POST', `/api/templates/template/${template}/use/`, { project_name: 'Running' })
  })

  test('are medians of what its finished projects really took', async () => {
    const { ask } = story
    const found = await ask('GET', path)
    assert.deepEqual(
      [found.running, found.n, found.planned, found.median, found.p85],
      [1, 3, 7, 11, 12],
    )
    assert.deepEqual(
      found.lines.map(({ kind, title, n, planned, median: middle, p85, removed, of }: Row) => [
        kind,
        title,
        n,
        planned,
        middle,
        p85,
        removed,
        of,
      ]),
      [
        ['milestone', 'Data', 3, 7, 11, 12, 0, 3],
        ['task', 'Export', 3, 5, 8, 10, 0, 3],
        // until it was finished, and not begun before the export was
        ['task', 'Import', 3, 2, 2, 3, 0, 3],
        ['task', 'Newsletter', 1, 1, 1, 1, 2, 3],
      ],
    )
    assert.deepEqual(found.added, [
      {
        title: 'Access for the help desk',
        milestone: 'Data',
        projects: 2,
        of: 3,
        median: 2,
      },
    ])
    const all = await ask('GET', '/api/templates/template/statistics/')
    const own = all.find(({ template_id }: Row) => template_id === template)
    assert.deepEqual(own, {
      template_id: template,
      running: 1,
      n: 3,
      planned: 7,
      median: 11,
      p85: 12,
    })
  })

  test('count what the caller may read, and are not there for others', async () => {
    await story.allow('member', { templates: { read: 'all' }, projects: { read: 'none' } })
    const { token } = org.users.member
    const found = await story.ask('GET', path, undefined, token)
    assert.deepEqual([found.running, found.n, found.median, found.added], [0, 0, null, []])
    const other = await makeOrganization(service)
    const foreign = await story.call('GET', path, undefined, other.users.admin.token)
    assert.equal(foreign.status, 404)
  })

  test('take the middle, and the least that 85 % do not exceed', () => {
    assert.deepEqual(
      [median([]), median([4]), median([1, 9, 3]), median([1, 2, 3, 8])],
      [null, 4, 3, 3],
    )
    assert.deepEqual(
      [percentile85([]), percentile85([1, 2]), percentile85([...Array(20).keys()])],
      [null, 2, 16],
    )
  })
})
