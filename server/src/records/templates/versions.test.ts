import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { planStory } from '../../../test/support/plan-story.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'

type Story = ReturnType<typeof planStory>
type Row = { [field: string]: any }

const configOf = (...titles: string[]) => ({
  stages: [
    {
      stage_id: 'start',
      name: 'Start',
      tasks: titles.map((title) => ({ id: title.toLowerCase(), title })),
    },
  ],
})

describe('the versions of a template', () => {
  let service: TestService
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

  async function made(more: object = {}) {
    const id = await make('/api/templates/template/', {
      template_name: 'Onboarding',
      template_config: configOf('Meet'),
      ...more,
    })
    return { id, path: `/api/templates/template/${id}/` }
  }
  const titles = ({ template_config }: Row) =>
    template_config.stages[0].tasks.map(({ title }: Row) => title)
  const versions = async (path: string) =>
    (await ask('GET', `${path}versions/`)).map(({ number, note, is_current, tasks }: Row) => [
      number,
      note,
      is_current,
      tasks,
    ])

  test('are published from a draft, which nothing uses before', async () => {
    const { path } = await made()
    assert.deepEqual(await versions(path), [[1, null, true, 1]])
    const before = await ask('GET', `${path}draft/`)
    assert.deepEqual([before.is_draft, titles(before)], [false, ['Meet']])
    const draft = await ask('PUT', `${path}draft/`, { template_config: configOf('Meet', 'Plan') })
    assert.deepEqual(
      [draft.is_draft, titles(draft), draft.published_version],
      [true, ['Meet', 'Plan'], 1],
    )
    const read = await ask('GET', path)
    assert.deepEqual([titles(read), read.draft_version], [['Meet'], 1])
    const { project_id } = await ask('POST', `${path}use/`, { project_name: 'First' })
    const published = await ask('POST', `${path}publish/`, { note: ' Plan it ' })
    assert.deepEqual([published.published_version, published.note], [2, 'Plan it'])
    assert.deepEqual(await versions(path), [
      [2, 'Plan it', true, 2],
      [1, null, false, 1],
    ])
    const after = await ask('GET', path)
    assert.deepEqual(
      [titles(after), after.draft_version, after.published_version],
      [['Meet', 'Plan'], null, 2],
    )
    assert.deepEqual(titles(await ask('GET', `${path}versions/1/`)), ['Meet'])
    assert.deepEqual(titles(await ask('GET', `${path}versions/2/`)), ['Meet', 'Plan'])
    assert.equal((await call('GET', `${path}versions/3/`)).status, 404)
    // projects keep the version they came from
    const versionOf = async (id: string) =>
      (await ask('GET', `/api/project/info/${id}/`)).template_version
    const second = await ask('POST', `${path}use/`, { project_name: 'Second' })
    assert.deepEqual([await versionOf(project_id), await versionOf(second.project_id)], [1, 2])
    const again = await call('POST', `${path}publish/`, { note: 'Again' })
    assert.deepEqual([again.status, again.body.code], [409, 'nothing_to_publish'])
  })

  test('come from changes of the template itself, too, which a note can name', async () => {
    const { path } = await made()
    await ask('PUT', path, { name: 'Other', template_config: configOf('Meet') })
    assert.deepEqual(await versions(path), [[1, null, true, 1]])
    await ask('PUT', path, { template_config: configOf('Meet', 'Call') })
    assert.deepEqual(await versions(path), [
      [2, null, true, 2],
      [1, null, false, 1],
    ])
    await ask('POST', `${path}publish/`, { note: 'With a call' })
    assert.deepEqual((await versions(path))[0], [2, 'With a call', true, 2])
  })

  test('refuse a draft that another has changed meanwhile, and one that is no plan', async () => {
    const { path } = await made()
    const { version } = await ask('GET', `${path}draft/`)
    const put = (body: object, match: number) =>
      service.call('PUT', `${path}draft/`, {
        token: org.users.admin.token,
        body,
        headers: { 'if-match': `"${match}"` },
      })
    assert.equal((await put({ template_config: configOf('Mine') }, version)).status, 200)
    assert.equal((await put({ template_config: configOf('Theirs') }, version)).status, 412)
    const wrong = configOf('Meet')
    Object.assign(wrong.stages[0]?.tasks[0] ?? {}, { depends_on: ['nothing'] })
    const refused = await call('PUT', `${path}draft/`, { template_config: wrong })
    assert.equal(refused.status, 400)
    assert.match(refused.body.errors[0].field, /depends_on/)
    // a draft is replaced whole, also by a plan without stages
    const empty = await ask('PUT', `${path}draft/`, { template_config: {} })
    assert.deepEqual([empty.is_draft, empty.template_config], [true, {}])
    const dropped = await ask('DELETE', `${path}draft/`)
    assert.deepEqual([dropped.is_draft, titles(dropped)], [false, ['Meet']])
  })

  test('belong to whoever may change templates, and shipped ones to nobody', async () => {
    const { path } = await made()
    await allow('member', { templates: { read: 'all', update: 'none' } })
    const { token } = org.users.member
    const body = { template_config: configOf('Mine') }
    assert.equal((await call('GET', `${path}versions/`, undefined, token)).status, 200)
    assert.equal((await call('PUT', `${path}draft/`, body, token)).status, 403)
    assert.equal((await call('POST', `${path}publish/`, { note: 'x' }, token)).status, 403)
    const other = await makeOrganization(service)
    const foreign = other.users.admin.token
    assert.equal((await call('GET', `${path}versions/`, undefined, foreign)).status, 404)
    assert.equal((await call('GET', `${path}draft/`, undefined, foreign)).status, 404)
    const shipped = (await ask('GET', '/api/templates/template/?page=1&items_per_page=50')).find(
      ({ is_predefined }: Row) => is_predefined,
    )
    const reply = await call('PUT', `/api/templates/template/${shipped.template_id}/draft/`, body)
    assert.deepEqual([reply.status, reply.body.code], [403, 'protected'])
  })

  test('have roles with a side and whom they fall to', async () => {
    const { member } = org.users
    const roles = [
      { key: 'data', name: 'Data', side: 'ours', default_user_id: member.user_id },
      { key: 'sponsor', name: 'Sponsor', side: 'customer' },
    ]
    const config = configOf('Import', 'Sign')
    Object.assign(config.stages[0]?.tasks[0] ?? {}, { assignee_role: 'data' })
    Object.assign(config.stages[0]?.tasks[1] ?? {}, { assignee_role: 'sponsor' })
    const { path } = await made({ template_config: config, roles })
    assert.deepEqual((await ask('GET', path)).roles, roles)
    const used = await ask('POST', `${path}use/`, { dry_run: true })
    assert.deepEqual(
      used.roles.map(({ role, user }: Row) => [role, user?.user_id]),
      [
        ['data', member.user_id],
        ['sponsor', undefined],
      ],
    )
    for (const [wrong, field] of [
      [[roles[0], roles[0]], /^roles\.1\.key/],
      [[{ ...roles[0], default_user_id: 'nobody' }], /^roles\.0\.default_user_id/],
      [[{ ...roles[0], side: 'theirs' }], /side/],
    ] as const) {
      const reply = await call('PUT', path, { roles: wrong })
      assert.equal(reply.status, 400)
      assert.match(reply.body.errors[0].field, field)
    }
  })

  test('ask for forms, whose questions their tasks get', async () => {
    const form = await make('/api/surveys/', {
      name: 'Sign-on details',
      item_type: 'form',
      form_structure: [
        { id: 'p', title: 'Page', fields: [{ id: 'q', type: 'short-text', label: 'Which?' }] },
      ],
    })
    const config = configOf('Sign on')
    Object.assign(config.stages[0]?.tasks[0] ?? {}, { form_id: form })
    const { path } = await made({ template_config: config })
    const { project_id } = await ask('POST', `${path}use/`, { project_name: 'With a form' })
    const { tasks } = await ask('GET', `/api/project/info/${project_id}/plan/`)
    const task = await ask('GET', `/api/tasks/${tasks[0].item_id}/`)
    assert.deepEqual([task.form_id, task.item_type], [form, 3])
    assert.equal(task.form_structure.pages.length, 1)
    Object.assign(config.stages[0]?.tasks[0] ?? {}, { form_id: 'none' })
    const refused = await call('PUT', path, { template_config: config })
    assert.equal(refused.status, 400)
    assert.match(refused.body.errors[0].field, /tasks\.0\.form_id/)
  })
})
