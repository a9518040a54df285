import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { connectApp } from '../../../test/support/integration.ts'
import type { ConnectedApp } from '../../../test/support/integration.ts'
import { startReceiver, subscribe } from '../../../test/support/receiver.ts'
import { refused, refusedField } from '../../../test/support/refused.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, rows, sql, startService } from '../../../test/support/service.ts'
import { linksTo } from '../links/links.ts'
import { kinds } from './kinds.ts'

/**
 * Links that stay, beside who created a record: what somebody did or wrote, what is personal, and what says who
 * they are.
 */
const staying: { [why: string]: string[] } = {
  'who wrote or made it': [
    'stage_changes.changed_by time_entries.user_id interaction_reactions.user_id',
    'survey_responses.created_by widget_responses.user_id hand_overs.created_by apps.created_by timers.user_id signature_preparations.updated_by',
    'meeting_transcripts.added_by document_images.created_by signature_batches.created_by survey_result_links.created_by',
  ],
  'what is theirs alone': [
    'notifications.user_id interaction_reads.user_id notification_preferences.user_id',
    'sessions.user_id browser_sessions.user_id access_tokens.user_id one_time_codes.user_id recovery_codes.user_id',
    'preferences.user_id sign_ins.user_id reply_addresses.user_id openid_subjects.user_id mailed_links.user_id portal_overviews.user_id dashboard_mails.user_id report_mails.user_id milestone_ratings.user_id calendar_feeds.id asked_jobs.user_id webhook_inspectors.user_id user_images.id calendar_connections.user_id document_favourites.user_id',
  ],
  'who they are, were invited or spoken to': [
    'contacts.linked_user users.custom_fields meetings.attendees meetings.invited_late documents.reference_id',
    'interactions.reference_id record_activity.reference_id interactions.visible_to_users interactions.reply_readers',
    'interactions.mentions meeting_insights.action_items dashboards.widgets filters.conditions',
    'survey_automations.trigger survey_automations.conditions subscriptions.conditions',
  ],
  'teams, of which the other becomes a member beside them': ['project_members.user_id'],
}

describe('what belongs to a user', () => {
  let service: TestService
  let org: TestOrganization
  let app: ConnectedApp
  let made: { [name: string]: string }

  type Role = keyof TestOrganization['users']
  const call = (method: string, path: string, body?: unknown, role: Role = 'admin') =>
    service.call(method, path, { token: org.users[role].token, body })
  const make = async (path: string, body: unknown, role?: Role) => {
    const reply = await call('POST', path, body, role)
    assert.ok(reply.status < 300, `${path} ${reply.text}`)
    return reply.headers.get('x-record-id') ?? String(Object.values(reply.body)[0])
  }
  const read = async (path: string) => (await call('GET', path)).body
  const profile = (role: Role) => `/api/users/profile/${org.users[role].user_id}/`
  const links = async (role: Role): Promise<{ [kind: string]: number }> => {
    const { kinds: found } = await read(`${profile(role)}links/`)
    return Object.fromEntries(
      found.map(({ kind, count }: { kind: string; count: number }) => [kind, count]),
    )
  }

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    app = await connectApp(service, org, { as: 'manager' })
    const receiver = await startReceiver()
    await subscribe(app, 'company_created', receiver.url)
    const who = org.users.manager.user_id
    const owner = { user_id: who }
    const survey = await make(
      '/api/surveys/',
      {
        name: 'S',
        form_structure: [{ id: 'p', title: '', fields: [{ id: 'q', type: 'nps', label: 'Q' }] }],
      },
      'manager',
    )
    await call('POST', `/api/surveys/${survey}/publish/`)
    made = {
      company: await make('/api/company/', { company_name: 'C', company_owner: owner }),
      contact: await make('/api/contact/', { full_name: 'A', contact_owner: owner }),
      task: await make('/api/tasks/', { title: 'T', owner: who }),
      series: await make('/api/tasks/', {
        title: 'Weekly',
        owner: who,
        due_date: '2030-01-01',
        is_recurring: true,
        recurrence_pattern: { frequency: 'weekly' },
      }),
      project: await make('/api/project/info/', { project_name: 'P', project_owner: owner }),
      template: await make('/api/templates/template/', { template_name: 'Own' }, 'manager'),
      filter: await make(
        '/api/filters/filter/',
        { name: 'Mine', module: 'tasks', conditions: [] },
        'manager',
      ),
      dashboard: await make(
        '/api/dashboards/info/',
        { dashboard_id: 'of-manager', dashboard_name: 'Own' },
        'manager',
      ),
      survey,
      automation: await make(
        `/api/surveys/${survey}/automations_save/`,
        {
          name: 'Notify',
          trigger: { type: 'response_submitted' },
          actions: [{ type: 'notify', config: { user_ids: [who] } }],
        },
        'manager',
      ),
      report: org.users.member.user_id,
    }
    await call(
      'POST',
      `/api/surveys/${survey}/schedule/`,
      { email_addresses: ['a@x.test'], scheduled_at: '2035-01-01T10:00', timezone: 'UTC' },
      'manager',
    )
    await call('PUT', profile('member'), { reports_to: owner })
  })

  test('is every link to users, unless it says what was done or who somebody is', () => {
    const moving = kinds.flatMap((kind) =>
      kind.links.map(({ link }) => `${link.table}.${link.column}`),
    )
    const stays = Object.values(staying).flatMap((lines) =>
      lines.flatMap((line) => line.split(' ')),
    )
    const known = (linksTo.users ?? [])
      .filter(({ isHistory, record, column }) => !isHistory && !(record && column === 'created_by'))
      .map(({ table, column }) => `${table}.${column}`)
    const undecided = known.filter((at) => !moving.includes(at) && !stays.includes(at))
    assert.deepEqual([...new Set(undecided)], [])
    assert.deepEqual(
      stays.filter((at) => !known.includes(at)),
      [],
      'no such link',
    )
  })

  test('is listed by kind, with names, for admins', async () => {
    assert.deepEqual(await links('manager'), {
      companies: 1,
      contacts: 1,
      projects: 1,
      tasks: 1,
      series: 1,
      reports: 1,
      templates: 1,
      surveys: 1,
      automations: 1,
      scheduled_mailings: 1,
      saved_views: 1,
      dashboards: 1,
      connections: 1,
      subscriptions: 1,
    })
    const { kinds: found, total } = await read(`${profile('manager')}links/`)
    assert.equal(total, 14)
    assert.deepEqual(found[0], { kind: 'companies', count: 1, names: ['C'] })
    assert.equal(
      (await call('GET', `${profile('member')}links/`, undefined, 'manager')).status,
      403,
    )
    assert.equal(
      (
        await call(
          'POST',
          `${profile('member')}hand-over/`,
          { to: org.users.admin.user_id },
          'manager',
        )
      ).status,
      403,
    )
  })

  test('is handed over in one step, which can be undone', async () => {
    const before = await links('manager')
    const path = `${profile('manager')}hand-over/`
    const to = org.users.admin.user_id
    refusedField(await call('POST', path, { to: 'nobody' }), ['to'])
    refusedField(await call('POST', path, { to: org.users.manager.user_id }), ['to'])
    refusedField(await call('POST', path, { to, kind: ['tasks'] }), ['kind'])
    refusedField(await call('POST', path, { to, kinds: ['task'] }), ['kinds.0'])
    const { user_id: member, token } = org.users.member
    const some = await call('POST', path, { to: member, kinds: ['companies'] })
    assert.deepEqual(some.body.handed_over, [{ kind: 'companies', count: 1 }])
    assert.equal((await read(`/api/company/${made.company}/`)).company_owner.user_id, member)
    const list = '/api/notifyhub/notify-info/?items_per_page=5&page=1'
    const notices = (await service.call('GET', list, { token })).body
    assert.deepEqual(
      notices.map(({ description }: { description: string }) => description),
      ['1 companies'],
    )

    const { body } = await call('POST', path, { to })
    assert.deepEqual(
      Object.fromEntries(
        body.handed_over.map(({ kind, count }: { kind: string; count: number }) => [kind, count]),
      ),
      Object.fromEntries(Object.entries(before).filter(([kind]) => kind !== 'companies')),
    )
    assert.deepEqual(await links('manager'), {})
    assert.equal((await read(`/api/tasks/${made.series}/`)).owner.user_id, to)
    assert.equal((await read(profile('member'))).reports_to.user_id, to)
    const automation = await read(`/api/surveys/automations/${made.automation}/`)
    assert.deepEqual(automation.actions[0].config.user_ids, [to])
    const log = await read(`/api/activity/log/5/${made.contact}/?items_per_page=1&page=1`)
    assert.equal(log[0].changes[0].to.user_id, to)
    // what was changed since stays
    await call('PUT', `/api/tasks/${made.task}/`, { owner: member })
    const undone = await call('POST', `/api/users/hand-over/${body.hand_over_id}/undo/`)
    assert.equal(undone.status, 200, undone.text)
    assert.equal(undone.body.kept, 1)
    const after = await links('manager')
    const { companies: _, tasks: _tasks, ...others } = before
    assert.deepEqual(after, others)
    assert.equal((await read(`/api/tasks/${made.task}/`)).owner.user_id, member)
    refused(await call('POST', `/api/users/hand-over/${body.hand_over_id}/undo/`), 409)
    refused(await call('POST', '/api/users/hand-over/nothing/undo/'), 404)
    await call('POST', `/api/users/hand-over/${some.body.hand_over_id}/undo/`)
  })

  test('can be done after the user was removed, and what stops is announced', async () => {
    await call('POST', `${profile('manager')}hand-over/`, {
      to: org.users.admin.user_id,
      kinds: ['connections'],
    })
    await call('PUT', profile('observer'), { role_id: org.roles.admin })
    assert.equal((await call('PUT', profile('manager'), { is_active: false })).status, 200)
    assert.equal((await app.call('GET', '/automation/test')).status, 200, 'it acts for the admin')
    // the caller knows, and another one who looks after apps is notified
    const list = '/api/notifyhub/notify-info/?items_per_page=20&page=1'
    const notices = (await call('GET', list, undefined, 'observer')).body
    const stopped = notices.find(({ title }: { title: string }) => title.endsWith('stopped'))
    assert.match(stopped.title, /1 subscriptions, 1 automations, 1 scheduled mailings/)
  })

  test('is named by the answer to a removal, and handed over with it or afterwards', async () => {
    const to = org.users.admin.user_id
    const firm = await makeOrganization(service)
    const as = (kind: Role) => firm.users[kind]
    const { token, user_id: admin } = as('admin')
    const path = (id: string) => `/api/users/profile/${id}/`
    const send = (method: string, at: string, body?: unknown, by = token) =>
      service.call(method, at, { token: by, body })
    const owned = async (owner: string) => {
      const body = { company_name: `Of ${owner}`, company_owner: { user_id: owner } }
      return String((await send('POST', '/api/company/', body)).headers.get('x-record-id'))
    }
    const ownerOf = async (id: string) =>
      (await send('GET', `/api/company/${id}/`)).body.company_owner?.user_id
    const [first, second] = [as('member').user_id, as('manager').user_id]
    const [one, other] = [await owned(first), await owned(second)]

    // deactivated
    const off = await send('PUT', path(first), { is_active: false })
    assert.match(off.headers.get('x-links') ?? '', /\bcompanies=1\b/)
    const on = await send('PUT', path(first), { is_active: true })
    assert.equal(on.headers.get('x-links'), null)

    // afterwards
    const gone = await send('DELETE', path(first))
    assert.equal(gone.status, 204, gone.text)
    assert.match(gone.headers.get('x-links') ?? '', /\bcompanies=1\b/)
    assert.equal(gone.headers.get('x-hand-over-id'), null)
    refused(await send('GET', path(first)), 404)
    const left = await send('GET', `${path(first)}links/`)
    assert.equal(left.status, 200, left.text)
    assert.deepEqual(left.body.kinds[0], { kind: 'companies', count: 1, names: [`Of ${first}`] })
    const late = await send('POST', `${path(first)}hand-over/`, { to: admin })
    assert.equal(late.status, 200, late.text)
    assert.equal(await ownerOf(one), admin)
    assert.equal((await send('GET', `${path(first)}links/`)).body.total, 0)
    assert.equal(
      (await send('POST', `/api/users/hand-over/${late.body.hand_over_id}/undo/`)).status,
      200,
    )
    assert.equal(await ownerOf(one), first)

    // in the same step, or not at all
    for (const wrong of [second, first, to, 'nobody']) {
      refusedField(await send('DELETE', `${path(second)}?hand_over_to=${wrong}`), ['hand_over_to'])
    }
    const done = await send('DELETE', `${path(second)}?hand_over_to=${admin}`)
    assert.equal(done.status, 204, done.text)
    assert.equal(done.headers.get('x-links'), null)
    assert.equal(await ownerOf(other), admin)
    const undo = `/api/users/hand-over/${done.headers.get('x-hand-over-id')}/undo/`
    assert.equal((await send('POST', undo)).status, 200)
    assert.equal(await ownerOf(other), second)

    // somebody of another organization never was a user here
    refused(await send('GET', `${path(to)}links/`), 404)
    refused(await send('POST', `${path(to)}hand-over/`, { to: admin }), 404)
  })

  test('connected apps are listed and revoked', async () => {
    const own = await read('/api/connections/')
    assert.equal(own.length, 1)
    assert.equal(own[0].user.user_id, org.users.admin.user_id)
    assert.deepEqual(await read('/api/organization/connections/'), own)
    const { connection_id } = own[0]
    refused(await call('GET', '/api/organization/connections/', undefined, 'member'), 403)
    refused(await call('DELETE', `/api/connections/${connection_id}/`, undefined, 'member'), 404)
    assert.equal(
      (await call('DELETE', `/api/organization/connections/${connection_id}/`)).status,
      204,
    )
    assert.equal((await app.call('GET', '/automation/test')).status, 401)
    assert.deepEqual(await read('/api/connections/'), [])
    const left = await rows(
      service,
      sql`select id from subscriptions where organization_id = ${org.id}`,
    )
    assert.deepEqual(left, [])
    refused(await call('DELETE', `/api/connections/${connection_id}/`), 404)
  })
})
