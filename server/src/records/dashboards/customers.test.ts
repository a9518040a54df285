import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import pg from 'pg'
import { atEnd } from '../../../test/support/finally.ts'
import { refusedField } from '../../../test/support/refused.ts'
import type { TestOrganization } from '../../../test/support/organization.ts'
import { makeOrganization } from '../../../test/support/organization.ts'
import type { TestService } from '../../../test/support/service.ts'
import { rows, sql, startService } from '../../../test/support/service.ts'

// Which customers are active and which are silent, as a naive count over the log has it.

type Answer = {
  accounts: {
    account_id: string
    account_name: string
    count: number
    silent_days: number | null
    days: { date: string; count: number }[]
  }[]
  hours: { weekday: number; hour: number; count: number }[]
  max: number
}

describe('the activity of customers', () => {
  let service: TestService
  let org: TestOrganization
  const accounts: { [name: string]: string } = {}

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    for (const name of ['Busy', 'Silent', 'Idle']) {
      const made = await call('POST', '/api/account/info/', { account_name: name })
      accounts[name] = made.id
      if (name === 'Idle') continue
      await call('POST', '/api/project/info/', {
        project_name: `${name} onboarding`,
        project_type: 'project',
        account_id: made.id,
      })
    }
    // what happened to the silent one is 12 days old
    const owner = new pg.Client({
      connectionString: service.runtime.database.url,
      options: '-c search_path=perennial,public -c app.organization=*',
    })
    await owner.connect()
    atEnd(() => owner.end())
    await owner.query(
      `update events set occurred_at = occurred_at - interval '12 days'
        where organization_id = $1 and (reference_id = $2
          or project_id in (select id from projects where organization_id = $1 and account_id = $2))`,
      [org.id, accounts.Silent],
    )
  })

  async function call(method: string, path: string, body?: object) {
    const reply = await service.call(method, path, { token: org.users.admin.token, body })
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.text}`)
    return { ...reply.body, id: reply.headers.get('x-record-id') ?? '' }
  }
  const read = async (query = '', role: keyof TestOrganization['users'] = 'admin') => {
    const path = `/api/activity/customers/${query}`
    const reply = await service.call('GET', path, { token: org.users[role].token })
    assert.equal(reply.status, 200, reply.text)
    return reply.body as Answer
  }

  test('lists those with open work, the silent ones first, with as many entries as the log', async () => {
    const { accounts: found, hours, max } = await read()
    const ours = found.filter(({ account_id }) => Object.values(accounts).includes(account_id))
    assert.deepEqual(
      ours.map(({ account_name, silent_days }) => [account_name, silent_days]),
      [
        ['Silent', 12],
        ['Busy', 0],
      ],
    )
    for (const { account_id, count, days } of found) {
      const [counted] = await rows(
        service,
        sql`select count(*)::int as count from events e
          where e.organization_id = ${org.id} and e.occurred_at > now() - interval '29 days'
            and (e.reference_id = ${account_id} or e.project_id in (select p.id from projects p
              where p.organization_id = ${org.id} and p.account_id = ${account_id}))`,
      )
      assert.equal(count, counted?.count)
      assert.equal(
        count,
        days.reduce((sum, each) => sum + each.count, 0),
      )
    }
    const sum = (all: { count: number }[]) => all.reduce((total, each) => total + each.count, 0)
    assert.equal(sum(hours), sum(found))
    assert.equal(max, Math.max(...found.flatMap(({ days }) => days.map(({ count }) => count))))
  })

  test('says a period without an entry, and by whom', async () => {
    const { accounts: week } = await read('?time_range=7_days')
    const silent = week.find(({ account_name }) => account_name === 'Silent')
    assert.deepEqual([silent?.count, silent?.silent_days], [0, null])
    assert.equal(week[0]?.silent_days, null)
    const { accounts: theirs } = await read('?who=customer')
    assert.ok(theirs.every(({ count }) => count === 0))
    const [us, all] = [await read('?who=us'), await read()]
    assert.deepEqual(us.accounts, all.accounts)
  })

  test('shows nobody more accounts and entries than their rights do', async () => {
    const all = await read()
    const most = new Map(all.accounts.map(({ account_id, count }) => [account_id, count]))
    for (const role of ['manager', 'member', 'observer'] as const) {
      for (const { account_id, count } of (await read('', role)).accounts)
        assert.ok(count <= (most.get(account_id) ?? -1), `${role} ${account_id}`)
    }
    const { token } = org.users.admin
    const wrong = await service.call('GET', '/api/activity/customers/?who=nobody', { token })
    refusedField(wrong, ['who'])
  })
})
