import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { TestOrganization, TestService } from '../../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../../test/support/service.ts'
import { patient } from '../../../../test/support/until.ts'
import { addMember } from '../../../../test/support/world.ts'

// Automations that ask about the account and the contact of an answer, notify the account's owner, and write comments.

type Row = { [name: string]: any }

describe('automations about accounts and contacts', () => {
  let service: TestService
  let org: TestOrganization

  before(async () => {
    service = await startService({}, undefined, true)
    org = await makeOrganization(service)
  })

  async function ok(method: string, path: string, body?: object, as = org.users.admin.token) {
    const reply = await service.call(method, path, { token: as, body })
    assert.ok(reply.status < 300, reply.text)
    return { body: reply.body, id: reply.headers.get('x-record-id') ?? '' }
  }
  async function survey(): Promise<string> {
    const fields = [{ id: 'nps', type: 'nps', label: 'How likely?' }]
    const body = { name: 'Pulse', form_structure: [{ id: 'p1', fields }], status: 'published' }
    return (await ok('POST', '/api/surveys/', body)).id
  }
  const answer = (id: string, nps: number, respondent_email?: string) =>
    ok('POST', `/api/surveys/${id}/fill/`, { answers: { nps }, respondent_email })
  async function runs(id: string, count: number): Promise<Row[]> {
    for (const patience = patient(); ; patience()) {
      const { body } = await ok('GET', `/api/surveys/${id}/automations/runs/`)
      if (body.length >= count) return body
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  async function customer(name: string, account: object, contact: object = {}) {
    const company_id = (await ok('POST', '/api/company/', { company_name: name })).id
    const email = `${name.toLowerCase()}@about.test`
    const body = { full_name: `${name} Contact`, primary_email: email, company_id, ...contact }
    const contact_id = (await ok('POST', '/api/contact/', body)).id
    const more = { account_name: `${name} account`, company_id, ...account }
    const account_id = (await ok('POST', '/api/account/info/', more)).id
    return { email, contact_id, account_id }
  }
  const statusOf = (all: Row[], email: string) =>
    all.find(({ respondent_email }) => respondent_email === email)?.status

  test('run only where the account and the contact are as the conditions say, as a dry run says', async () => {
    const { member, manager } = org.users
    const large = await customer(
      'Large',
      { segment: 'Enterprise', account_owner: member.user_id },
      { job_title: 'Head of IT' },
    )
    const small = await customer('Small', { segment: 'SMB', account_owner: manager.user_id })
    const id = await survey()
    const options = (await ok('GET', `/api/surveys/${id}/automation-options/`)).body
    const names = options.conditions.map(({ field }: Row) => field)
    for (const name of ['account.segment', 'account.account_owner', 'contact.job_title']) {
      assert.ok(names.includes(name), name)
    }
    const rule = {
      name: 'Large ones',
      conditions: [
        { field: 'account.segment', operator: 'eq', value: 'Enterprise' },
        { field: 'account.account_owner', operator: 'eq', value: member.user_id },
        { field: 'contact.job_title', operator: 'contains', value: 'head' },
        { field: 'answers.nps', operator: 'lte', value: 6 },
      ],
      actions: [{ type: 'notify', config: { account_owner: true, title: 'A large one' } }],
    }
    await ok('POST', `/api/surveys/${id}/automations_save/`, rule)
    await answer(id, 3, large.email)
    await answer(id, 3, small.email)
    await answer(id, 9, 'Large@about.test')
    await answer(id, 2)
    const all = await runs(id, 4)
    assert.equal(all.filter(({ status }) => status === 'done').length, 1)
    assert.equal(statusOf(all, small.email), 'skipped')
    const dry = (await ok('POST', `/api/surveys/${id}/automations/simulate/`, { automation: rule }))
      .body
    assert.equal(dry.matched, 1)
    assert.deepEqual(dry.effects[0].would[0].who.length, 1)
    const { body: notices } = await ok(
      'GET',
      '/api/notifyhub/notify-info/?page=1&items_per_page=20',
      undefined,
      member.token,
    )
    assert.ok(JSON.stringify(notices).includes('A large one'))
    const others = await ok(
      'GET',
      '/api/notifyhub/notify-info/?page=1&items_per_page=20',
      undefined,
      manager.token,
    )
    assert.ok(!JSON.stringify(others.body).includes('A large one'))
  })

  test('notify whoever wrote them, too, and say beforehand where nobody is notified', async () => {
    const { admin } = org.users
    const own = await customer('Own', { account_owner: admin.user_id })
    const free = await customer('Free', {})
    const id = await survey()
    const rule = (config: object) => ({ actions: [{ type: 'notify', config }] })
    const save = (config: object) =>
      ok('POST', `/api/surveys/${id}/automations_save/`, rule(config))
    await save({ account_owner: true, title: 'As the owner' })
    await save({ user_ids: [admin.user_id], title: 'By name' })
    await answer(id, 2, own.email)
    await answer(id, 3, free.email)
    const done = await runs(id, 4)
    assert.deepEqual([...new Set(done.map(({ status }) => status))], ['done'])
    const { body: notices } = await ok(
      'GET',
      '/api/notifyhub/notify-info/?page=1&items_per_page=50',
    )
    const count = (title: string) => JSON.stringify(notices).split(`"${title}"`).length - 1
    assert.deepEqual([count('As the owner'), count('By name')], [1, 2])
    const path = `/api/surveys/${id}/automations/simulate/`
    const automation = rule({ account_owner: true, title: 'As the owner' })
    const dry = (await ok('POST', path, { automation })).body
    assert.deepEqual(
      dry.effects.map(({ would: [only] }: Row) => [only.who.length, only.problem]),
      [
        [0, 'no_owner'],
        [1, null],
      ],
    )
    assert.deepEqual(dry.totals, [{ action: 'notify', count: 1 }])
  })

  test('know nothing of accounts that their author may not read', async () => {
    const { email } = await customer('Hidden', { segment: 'Secret' })
    const id = await survey()
    const author = await addMember(service, org, { surveys: { read: 'all', update: 'all' } })
    const rule = {
      conditions: [{ field: 'account.segment', operator: 'eq', value: 'Secret' }],
      actions: [{ type: 'notify', config: { user_ids: [author.user_id] } }],
    }
    await ok('POST', `/api/surveys/${id}/automations_save/`, rule, author.token)
    await answer(id, 3, email)
    const [run] = await runs(id, 1)
    assert.equal(run?.status, 'skipped')
  })

  test('comment for the team on the contact or the account, with the answer', async () => {
    const { email, contact_id, account_id } = await customer('Told', {})
    const id = await survey()
    const rule = {
      actions: [
        { type: 'comment', config: { text: 'Not happy at all' } },
        { type: 'comment', config: { on: 'account', text: 'One of them is not happy' } },
      ],
    }
    await ok('POST', `/api/surveys/${id}/automations_save/`, rule)
    await answer(id, 1, email)
    const [run] = await runs(id, 1)
    assert.equal(run?.status, 'done', JSON.stringify(run))
    const commentsOn = async (module_name: string, reference_id: string) =>
      (
        await ok(
          'GET',
          `/api/interactions/info/?module_name=${module_name}&reference_id=${reference_id}&items_per_page=10`,
        )
      ).body.results
    const [first] = await commentsOn('contacts', contact_id)
    assert.match(first.content, /^Not happy at all/)
    assert.match(first.content, new RegExp(`/surveys/${id}/responses`))
    assert.equal(first.is_shared, false)
    assert.match((await commentsOn('accounts', account_id))[0].content, /One of them/)
    const dry = (await ok('POST', `/api/surveys/${id}/automations/simulate/`, { automation: rule }))
      .body
    assert.deepEqual(
      dry.effects[0].would.map(({ who, problem }: Row) => [who, problem]),
      [
        [['Told Contact'], null],
        [['Told account'], null],
      ],
    )
    const nobody = await survey()
    await answer(nobody, 1, 'nobody@about.test')
    const none = (
      await ok('POST', `/api/surveys/${nobody}/automations/simulate/`, { automation: rule })
    ).body
    assert.deepEqual(
      none.effects[0].would.map(({ problem }: Row) => problem),
      ['no_contact', 'no_account'],
    )
  })

  test('are refused by the name of what they lack', async () => {
    const id = await survey()
    const refused = async (body: object, field: string) => {
      const path = `/api/surveys/${id}/automations_save/`
      const { token } = org.users.admin
      const reply = await service.call('POST', path, { token, body })
      assert.equal(reply.status, 400, reply.text)
      assert.equal(reply.body.errors[0].field, field)
    }
    await refused({ actions: [{ type: 'notify', config: {} }] }, 'actions.0.config.user_ids')
    await refused({ actions: [{ type: 'comment', config: {} }] }, 'actions.0.config.text')
    await refused(
      { actions: [{ type: 'comment', config: { on: 'deal', text: 'x' } }] },
      'actions.0.config.on',
    )
    const reply = await service.call('POST', `/api/surveys/${id}/automations_save/`, {
      token: org.users.admin.token,
      body: { conditions: [{ field: 'account.revenue', operator: 'eq', value: 1 }] },
    })
    assert.equal(reply.status, 400, reply.text)
  })
})
