import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { TestOrganization, TestService } from '../../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../../test/support/service.ts'
import { patient } from '../../../../test/support/until.ts'
import { addMember } from '../../../../test/support/world.ts'

// Tasks of automations that are of whoever owns the account, what runs have made, and the order of automations.

const fields = [{ id: 'nps', type: 'nps', label: 'How likely?' }]

describe('an automation that makes tasks for the owners of accounts', () => {
  let service: TestService
  let org: TestOrganization
  let token: string

  before(async () => {
    service = await startService({}, undefined, true)
    org = await makeOrganization(service)
    token = org.users.admin.token
  })

  const call = async (method: string, path: string, body?: object, as = token) => {
    const reply = await service.call(method, path, { token: as, body })
    assert.ok(reply.status < 300, reply.text)
    return reply
  }
  const made = async (path: string, body: object) =>
    (await call('POST', path, body)).headers.get('x-record-id')!
  const survey = (more: object = {}) =>
    made('/api/surveys/', {
      name: 'Pulse',
      form_structure: [{ id: 'p1', fields }],
      status: 'published',
      ...more,
    })
  const answer = (id: string, nps: number, respondent_email?: string) =>
    call('POST', `/api/surveys/${id}/fill/`, { answers: { nps }, respondent_email })
  const runs = async (id: string, count: number, as = token) => {
    for (const patience = patient(); ; patience()) {
      const { body } = await call('GET', `/api/surveys/${id}/automations/runs/`, undefined, as)
      if (body.length >= count) return body
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  /** A contact of a company with an account of this owner; returns the address and the account. */
  async function customer(name: string, account_owner: string | null) {
    const company_id = await made('/api/company/', { company_name: name })
    const email = `${name.toLowerCase()}@customer.test`
    await made('/api/contact/', { full_name: `${name} Contact`, primary_email: email, company_id })
    const account_id = await made('/api/account/info/', {
      account_name: `${name} account`,
      company_id,
      account_owner,
    })
    return { email, account_id }
  }
  const ofOwner = (owner?: string) => ({
    name: 'Call back',
    trigger: { type: 'score_below', value: 7 },
    actions: [
      {
        type: 'create_task',
        config: { title: 'Call', of_account_owner: true, ...(owner && { owner }) },
      },
    ],
  })
  const ownerOf = async (task: string) => {
    const { body } = await call('GET', `/api/tasks/${task}/`)
    return body.owner?.user_id ?? null
  }

  test('a dry run names whom the run then gives the task to, and the run names the task', async () => {
    const { member, manager } = org.users
    const id = await survey()
    const owned = await customer('Owned', member.user_id)
    const free = await customer('Free', null)
    await answer(id, 3, owned.email.toUpperCase())
    await answer(id, 4, free.email)
    await answer(id, 5)
    const path = `/api/surveys/${id}/automations/simulate/`
    const tried = async (automation: object) => {
      const { body } = await call('POST', path, { automation })
      return Object.fromEntries(
        body.effects.map((each: any) => [each.score, [each.account, each.would[0].who.join()]]),
      )
    }
    const [owner, fallback] = await Promise.all(
      [member, manager].map(async ({ user_id }) => {
        const { body } = await call('GET', `/api/users/profile/${user_id}/`)
        return body.full_name as string
      }),
    )
    assert.deepEqual(await tried(ofOwner()), {
      3: ['Owned account', owner],
      4: ['Free account', ''],
      5: [null, ''],
    })
    assert.deepEqual(await tried(ofOwner(manager.user_id)), {
      3: ['Owned account', owner],
      4: ['Free account', fallback],
      5: [null, fallback],
    })
    await call('POST', `/api/surveys/${id}/automations_save/`, ofOwner(manager.user_id))
    const [first] = (await answer(id, 1, owned.email), await runs(id, 1))
    assert.equal(first.status, 'done', JSON.stringify(first))
    assert.equal(first.respondent_email, owned.email)
    assert.deepEqual(
      first.results.map(({ type, title }: any) => [type, title]),
      [['create_task', 'Call']],
    )
    assert.equal(await ownerOf(first.results[0].task_id), member.user_id)
    await answer(id, 2, free.email)
    const [second] = await runs(id, 2)
    assert.equal(await ownerOf(second.results[0].task_id), manager.user_id)
    // whoever may not read the tasks does not learn what they are called
    const reader = await addMember(service, org, { surveys: { read: 'all' } })
    const [unread] = await runs(id, 2, reader.token)
    assert.deepEqual(unread.results, [])
    // one answer alone
    const { body: alone } = await call(
      'GET',
      `/api/surveys/${id}/responses/?response=${first.response_id}`,
    )
    assert.deepEqual(
      alone.map(({ answers }: any) => answers.nps),
      [1],
    )
  })

  test('the account of the survey comes before that of the respondent, and one who has left owns nothing', async () => {
    const { member } = org.users
    const leaving = await addMember(service, org, { accounts: { read: 'all' } })
    const own = await customer('Surveyed', leaving.user_id)
    const other = await customer('Other', member.user_id)
    const id = await survey({ account_id: own.account_id })
    await answer(id, 1, other.email)
    const path = `/api/surveys/${id}/automations/simulate/`
    const tried = async () => {
      const { body } = await call('POST', path, { automation: ofOwner(member.user_id) })
      return [body.effects[0].account, body.effects[0].would[0].who.length]
    }
    assert.deepEqual(await tried(), ['Surveyed account', 1])
    await call('POST', `/api/surveys/${id}/automations_save/`, ofOwner(member.user_id))
    await answer(id, 2, other.email)
    const [run] = await runs(id, 1)
    assert.equal(await ownerOf(run.results[0].task_id), leaving.user_id)
    await call('PUT', `/api/users/profile/${leaving.user_id}/`, { is_active: false })
    await answer(id, 3, other.email)
    const [next] = await runs(id, 2)
    assert.equal(await ownerOf(next.results[0].task_id), member.user_id)
  })

  test('automations are listed in their order, a new one last', async () => {
    const id = await survey()
    const save = (body: object) => call('POST', `/api/surveys/${id}/automations_save/`, body)
    const list = async () => {
      const { body } = await call('GET', `/api/surveys/${id}/automations/`)
      return body.map(({ name }: any) => name)
    }
    const ids: string[] = []
    for (const name of ['a', 'b', 'c']) ids.push((await save({ name })).body.automation_id)
    assert.deepEqual(await list(), ['a', 'b', 'c'])
    const [a, b, c] = ids
    const automations = [c, a, b].map((automation_id, position) => ({ automation_id, position }))
    await save({ automations })
    assert.deepEqual(await list(), ['c', 'a', 'b'])
    await save({ name: 'd' })
    assert.deepEqual(await list(), ['c', 'a', 'b', 'd'])
  })
})
