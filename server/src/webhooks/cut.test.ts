import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { ConnectedApp } from '../../test/support/integration.ts'
import { connectApp } from '../../test/support/integration.ts'
import type { Receiver } from '../../test/support/receiver.ts'
import { settled, startReceiver, subscribe } from '../../test/support/receiver.ts'
import type { TestOrganization, TestService } from '../../test/support/service.ts'
import { makeOrganization, rows, sql, startService } from '../../test/support/service.ts'

// What a delivery shows of a record whose state is another by now: the state of the event, by the
// rights of the moment at which it is sent.

describe('a delivery to somebody who sees less', () => {
  let service: TestService
  let org: TestOrganization
  let app: ConnectedApp
  let receiver: Receiver
  let hidden: string
  let visible: string

  before(async () => {
    service = await startService({
      webhookHostRate: 0,
      webhookHostConcurrency: 0,
      webhookRetrySchedule: [0, ...Array<number>(100).fill(0.3)],
    })
    org = await makeOrganization(service)
    await permit({ companies: 'own' })
    receiver = await startReceiver()
    app = await connectApp(service, org, { as: 'member' })
    hidden = await make('/api/company/', { company_name: 'Hidden' }, 'admin')
    visible = await make(
      '/api/company/',
      { company_name: 'Visible', domain: 'seen.test' },
      'member',
    )
  })

  test('shows the state of its event, however often it is sent and whatever happened since', async () => {
    const contact = await make('/api/contact/', { full_name: 'Ada', company: visible }, 'admin')
    const { id } = await subscribe(app, ['contact_updated', 'contact_deleted'], receiver.url)
    const first = receiver.arrivals.length
    // nothing is accepted until all of it has happened
    let isOver = false
    receiver.answer = () => ({ status: isOver ? 200 : 500 })
    await put(contact, { company: hidden, job_title: 'One' })
    await put(contact, { company: null, job_title: 'Two' })
    await put(contact, { company: visible, job_title: 'Three' })
    const path = `/api/contact/${contact}/`
    const { token } = org.users.admin
    assert.equal((await service.call('DELETE', path, { token })).status, 204)
    await receiver.arrived(first + 4)
    isOver = true
    await settled(app, id, (all) => all.length === 4 && all.every((each) => each.delivered_at))
    const byId = Map.groupBy(
      receiver.arrivals.slice(first),
      ({ headers }) => headers['webhook-id'] as string,
    )
    assert.equal(byId.size, 4)
    const seen = [...byId.values()].map((attempts) => {
      assert.equal(new Set(attempts.map(({ text }) => text)).size, 1, 'the same on each attempt')
      const { type, data, changes } = attempts[0]!.json
      const { from, to } = changes
      return [type, data.job_title, data.company?.company_name, from.company, to.company?.domain]
    })
    assert.deepEqual(seen.toSorted(), [
      ['contact_deleted', 'Three', 'Visible', undefined, undefined],
      // from what is visible to what is not, and from there to nothing, which is no change
      ['contact_updated', 'One', undefined, { ...(await companyShown()) }, undefined],
      ['contact_updated', 'Three', 'Visible', null, 'seen.test'],
      ['contact_updated', 'Two', undefined, undefined, undefined],
    ])
    await app.call('DELETE', '/webhook/unsubscribe', { query: { subscriptionId: id } })
  })

  test('is cut by the rights of each attempt', async () => {
    const contact = await make('/api/contact/', { full_name: 'Ada', company: visible }, 'admin')
    const { id } = await subscribe(app, 'contact_updated', `${receiver.url}/two`)
    const arrivals = () => receiver.arrivals.filter(({ path }) => path === '/two')
    receiver.answer = async () => {
      await permit({ companies: 'none' })
      return { status: arrivals().length === 1 ? 500 : 200 }
    }
    await put(contact, { company: visible, job_title: 'One' })
    await settled(app, id, ([each]) => each?.status === 'delivered')
    const [before, after] = arrivals().map(({ json }) => json.data)
    assert.equal(before.company.company_name, 'Visible')
    assert.equal(after.company, null)
    assert.equal(after.job_title, 'One')
  })

  test('contains, for a full reader, all of what a restricted writer changed', async () => {
    await permit({ companies: 'none' })
    const body = { full_name: 'Ada', company: hidden, contact_owner: org.users.member.user_id }
    const contact = await make('/api/contact/', body, 'admin')
    const full = await connectApp(service, org)
    const { id } = await subscribe(full, 'contact_updated', `${receiver.url}/full`)
    receiver.answer = () => ({ status: 200 })
    await put(contact, { job_title: 'Engineer', company: null }, 'member')
    await settled(full, id, ([each]) => each?.status === 'delivered')
    const [arrival] = await receiver.arrived(1, ({ path }) => path === '/full')
    const { json } = arrival!
    assert.equal(json.data.company.company_name, 'Hidden')
    assert.deepEqual(json.changes.changed_fields, ['job_title'])
    const [stored] = await rows(service, sql`select company_id from contacts where id = ${contact}`)
    assert.equal(stored.company_id, hidden, 'who sees no company clears none')
  })

  test('delivers no update of only internal fields to a customer', async () => {
    const { admin, customer } = org.users
    const account = await service.call('POST', '/api/account/info/', {
      token: admin.token,
      body: { account_name: 'Customer' },
    })
    const { account_id } = account.body
    await service.call('PUT', `/api/users/profile/${customer.user_id}/`, {
      token: admin.token,
      body: { account_id },
    })
    const made = await service.call('POST', '/api/project/info/', {
      token: admin.token,
      body: { project_name: 'Rollout', account_id, is_shared: true },
    })
    const project = made.headers.get('x-record-id')!
    const apps = [
      await connectApp(service, org, { as: 'customer' }),
      await connectApp(service, org),
    ]
    receiver.answer = () => ({ status: 200 })
    const subscriptions = await Promise.all(
      apps.map((each, n) =>
        subscribe(each, 'project_updated', `${receiver.url}/${n ? 'all' : 'theirs'}`),
      ),
    )
    const bodies = [{ revenue: 500 }, { revenue: 600, description: 'Seen' }, { project_fee: 7 }]
    for (const body of bodies)
      await service.call('PUT', `/api/project/info/${project}/`, { token: admin.token, body })
    for (const [n, app] of apps.entries()) {
      await settled(
        app,
        subscriptions[n]!.id,
        (all) => all.length === 3 && all.every((each) => each.status !== 'pending'),
      )
    }
    const arrived = (path: string) =>
      receiver.arrivals
        .filter((each) => each.path === path)
        .map(({ json }) => json.changes.changed_fields.toSorted().join())
        .toSorted()
    assert.deepEqual(arrived('/all'), ['description,revenue', 'project_fee', 'revenue'])
    assert.deepEqual(arrived('/theirs'), ['description'])
  })

  async function companyShown() {
    const [row] = await rows(
      service,
      sql`select id as company_id, company_name, domain, logo_url from companies
        where id = ${visible}`,
    )
    return row
  }

  async function make(path: string, body: unknown, as: 'admin' | 'member') {
    const reply = await service.call('POST', path, { token: org.users[as].token, body })
    assert.equal(reply.status, 200, reply.text)
    return reply.headers.get('x-record-id')!
  }

  async function put(contact: string, body: unknown, as: 'admin' | 'member' = 'admin') {
    const { token } = org.users[as]
    const reply = await service.call('PUT', `/api/contact/${contact}/`, { token, body })
    assert.equal(reply.status, 200, reply.text)
  }

  async function permit(levels: { [module: string]: string }) {
    for (const [module, read] of Object.entries(levels)) {
      const level = JSON.stringify({ create: 'all', read, update: read, delete: read })
      await service.runtime.database.transaction(org.id, (queries) =>
        queries.run(sql`update roles set permission =
          jsonb_set(permission, array[${module}::text], ${level}::jsonb)
          where organization_id = ${org.id} and id = ${org.roles.member}`),
      )
    }
    service.runtime.cache.evict(org.id)
  }
})
