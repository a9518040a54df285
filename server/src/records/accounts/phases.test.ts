import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'
import { asService } from '../../../test/support/contexts.ts'
import { sql } from '../../kit/ground/sql.ts'

// An account from its first deal to the end of its contract: the days of its own, beside those of all that one may read.

describe('the phases of an account', () => {
  let service: TestService
  let org: TestOrganization
  const now = new Date()
  const dayAt = (days: number) => new Date(+now + days * 86_400_000).toISOString().slice(0, 10)

  before(async () => {
    service = await startService({}, () => now)
    org = await makeOrganization(service)
  })

  const call = async (method: string, path: string, body?: object) => {
    const reply = await service.call(method, path, { token: org.users.admin.token, body })
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`)
    return { ...reply.body, id: reply.headers.get('x-record-id') ?? '' }
  }
  const change = (what: ReturnType<typeof sql>) => asService(service, org, (ctx) => ctx.run(what))

  type Story = {
    name?: string
    /** how many days ago */
    created?: number
    won?: number
    began?: number
    live?: number
    due?: number
    months?: number
    more?: object
  }

  /** An account whose days are so many days before today. */
  async function account(story: Story): Promise<string> {
    const { name = 'Clairval', created = 0, won, began, live, due, months, more } = story
    const { id } = await call('POST', '/api/account/info/', { account_name: name, ...more })
    await change(sql`update accounts set creation_time = ${`${dayAt(-created)}T12:00:00Z`}
      where organization_id = ${org.id} and id = ${id}`)
    if (won !== undefined) {
      const deal = await call('POST', '/api/project/info/', {
        project_name: `${name} contract`,
        project_type: 'deal',
        account_id: id,
        contract_duration: months,
      })
      await call('PUT', `/api/project/info/${deal.id}/`, { stage_id: 'closed_won' })
      await change(sql`update projects set closed_at = ${`${dayAt(-won)}T12:00:00Z`}
        where organization_id = ${org.id} and id = ${deal.id}`)
    }
    if (began !== undefined) {
      const project = await call('POST', '/api/project/info/', {
        project_name: `${name} onboarding`,
        account_id: id,
        start_date: dayAt(-began),
        ...(due === undefined ? {} : { due_date: dayAt(due) }),
      })
      if (live !== undefined) {
        await change(sql`update projects set completed_at = ${`${dayAt(-live)}T12:00:00Z`}
          where organization_id = ${org.id} and id = ${project.id}`)
      }
    }
    return id
  }

  type Phase = {
    phase: string
    state: string
    entered: string | null
    left: string | null
    planned: string | null
    days: number | null
    planned_days: number | null
    usual_days: number | null
  }
  const phasesOf = async (id: string, role: keyof TestOrganization['users'] = 'admin') => {
    const { token } = org.users[role]
    const reply = await service.call('GET', `/api/account/info/${id}/phases/`, { token })
    assert.equal(reply.status, 200, reply.text)
    return reply.body.phases as Phase[]
  }
  const short = (phases: Phase[]) => phases.map(({ state, days }) => [state, days])

  test('of a new one are those of a lead', async () => {
    const id = await account({ created: 12 })
    const phases = await phasesOf(id)
    assert.deepEqual(
      phases.map(({ phase }) => phase),
      ['lead', 'won', 'onboarding', 'live', 'renewal'],
    )
    assert.deepEqual(short(phases), [
      ['now', 12],
      ['to_come', null],
      ['to_come', null],
      ['to_come', null],
      ['to_come', null],
    ])
    assert.deepEqual(
      phases.map(({ entered }) => entered),
      [dayAt(-12), null, null, null, null],
    )
  })

  test('say what was, what is and what is planned', async () => {
    const id = await account({ created: 67, won: 55, began: 17, due: 14, months: 12 })
    const phases = await phasesOf(id)
    assert.deepEqual(short(phases), [
      ['past', 12],
      ['past', 38],
      ['now', 17],
      ['to_come', null],
      ['to_come', null],
    ])
    const [, won, onboarding, live, renewal] = phases
    assert.deepEqual([won?.left, onboarding?.entered], [dayAt(-17), dayAt(-17)])
    assert.equal(onboarding?.planned_days, 31)
    assert.equal(live?.planned, dayAt(14))
    const ends = new Date(`${dayAt(-55)}T00:00:00Z`)
    ends.setUTCFullYear(ends.getUTCFullYear() + 1)
    assert.equal(renewal?.planned, ends.toISOString().slice(0, 10))
  })

  test('of one without deals skip the win, and end with the contract', async () => {
    const skipped = await account({ created: 40, began: 30, live: 10 })
    assert.deepEqual(short(await phasesOf(skipped)), [
      ['past', 10],
      ['skipped', null],
      ['past', 20],
      ['now', 10],
      ['to_come', null],
    ])
    const over = await account({ created: 100, won: 90, began: 80, live: 70, months: 1 })
    const phases = await phasesOf(over)
    assert.deepEqual(
      phases.map(({ state }) => state),
      ['past', 'past', 'past', 'past', 'now'],
    )
  })

  test('have the median of the accounts that one may read', async () => {
    const other = await makeOrganization(service)
    const own = { account_owner: org.users.member.user_id }
    for (const [won, began] of [
      [20, 15],
      [30, 23],
      [40, 31],
    ] as const) {
      await account({ name: `Own ${won}`, created: 50, won, began, more: own })
    }
    const id = await account({ name: 'Far', created: 50, won: 49, began: 0, more: own })
    await call('PUT', `/api/users/role/${org.roles.member}/`, {
      permission: { accounts: { read: 'own' } },
    })
    const usual = async (who: 'admin' | 'member') =>
      (await phasesOf(id, who)).map(({ usual_days }) => usual_days)
    // 5, 7, 9 and 49 days of the member's own
    assert.deepEqual((await usual('member')).slice(0, 2), [15, 8])
    assert.notDeepEqual(await usual('admin'), await usual('member'))
    const stranger = await service.call('GET', `/api/account/info/${id}/phases/`, {
      token: other.users.admin.token,
    })
    assert.equal(stranger.status, 404)
  })

  test('are not for customers', async () => {
    const id = await account({})
    await call('PUT', `/api/users/profile/${org.users.customer.user_id}/`, { account_id: id })
    const { token } = org.users.customer
    const reply = await service.call('GET', `/api/account/info/${id}/phases/`, { token })
    assert.equal(reply.status, 403)
  })
})
