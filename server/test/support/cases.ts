import { X509Certificate } from 'node:crypto'
import { statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { newId } from '../../src/kit/ground/ids.ts'
import { madeIdentity } from '../../src/records/documents/seals/made-certificate.ts'
import { atEnd } from './finally.ts'
import type { Case, World } from './world.ts'
import { codeAt, giveCodes } from './codes.ts'
import type { FakeCalendars } from './fake-calendars.ts'
import { startGoogle } from './fake-google.ts'
import { useProvider } from './provider-calendars.ts'
import { asService } from './contexts.ts'
import { connectApp } from './integration.ts'
import type { Provider } from './openid.ts'
import { startProvider } from './openid.ts'
import { fresh, signed } from './world.ts'
import { makeOrganization, password, rows, sql } from './service.ts'
import { pngOf } from './picture.ts'
import { plainPdf } from './pdf.ts'

/** Requests that affect the caller would disturb other cases, so they run in another organization. */
const ofItsOwn = { rows: 0, why: 'it is of an organization of its own' }

/** A valid request for every operation, by its name. A route without a case fails the tests. */
export const cases: { [operation: string]: Case } = {
  login: {
    request: ({ org }) => ({ body: { email: org.users.member.email, password } }),
  },
  refresh_session: {
    request: async (world) => ({ body: { refresh_token: (await session(world)).refresh_token } }),
  },
  logout: {
    request: async (world) => ({
      headers: { authorization: `Bearer ${(await session(world)).access_token}` },
    }),
    logs: { rows: 0, why: 'a session is no record' },
    endsSession: true,
  },

  login_with_code: {
    request: async (world) => {
      const { user_id, email } = await newcomer(world)
      const secret = await giveCodes(world.service, world.org.id, user_id)
      const reply = await world.service.call('POST', '/api/login/', { body: { email, password } })
      return { body: { challenge: reply.body.data.challenge, code: codeAt(secret) } }
    },
  },
  start_web_session: {
    request: async (world) => ({
      headers: { 'sec-fetch-site': 'same-origin' },
      body: { email: (await newcomer(world)).email, password },
    }),
  },
  read_web_session: { request: () => ({}) },
  end_web_session: {
    request: async (world) => ({ headers: (await elsewhere(world)).headers }),
    logs: { rows: 0, why: 'a session is no record' },
    endsSession: true,
  },
  read_preferences: { request: () => ({}) },
  update_preferences: {
    request: () => ({ body: { theme: 'dark' } }),
    logs: { rows: 0, why: 'how somebody likes things shown is nobody else’s business' },
  },
  change_password: {
    request: async (world) => ({
      headers: (await elsewhere(world)).headers,
      body: { current: password, new: fresh('a-long-password') },
    }),
    logs: ofItsOwn,
  },
  read_one_time_codes: { request: () => ({}) },
  enrol_one_time_codes: {
    request: async (world) => ({
      headers: (await elsewhere(world)).headers,
      body: { password },
    }),
    logs: { rows: 0, why: 'nothing has changed before the first code' },
  },
  confirm_one_time_codes: {
    request: async (world) => {
      const { headers } = await elsewhere(world)
      const reply = await world.service.call('POST', '/api/session/totp/', {
        headers,
        body: { password },
      })
      return { headers, body: { code: codeAt(reply.body.secret) } }
    },
    logs: ofItsOwn,
  },
  renew_recovery_codes: {
    request: async (world) => {
      const { headers, secret } = await elsewhere(world, { codes: true })
      return { headers, body: { code: codeAt(secret) } }
    },
    logs: ofItsOwn,
  },
  disable_one_time_codes: {
    request: async (world) => {
      const { headers, secret } = await elsewhere(world, { codes: true })
      return { headers, body: { code: codeAt(secret), password } }
    },
    logs: ofItsOwn,
  },
  reset_one_time_codes: {
    request: async (world) => {
      const { user_id } = await newcomer(world)
      await giveCodes(world.service, world.org.id, user_id)
      return { params: { id: user_id } }
    },
  },
  list_sessions: { request: () => ({}) },
  end_session: {
    request: async ({ service, org }) => {
      const identity = { organization_id: org.id, full_name: '', role: '', ...org.users.admin }
      const { access_token } = await service.signIn.start(identity)
      const [, claims = ''] = access_token.split('.')
      return { params: { id: JSON.parse(Buffer.from(claims, 'base64url').toString()).sid } }
    },
    logs: { rows: 0, why: 'a session is no record' },
  },
  end_other_sessions: {
    request: async (world) => ({ headers: (await newcomer(world)).headers }),
    logs: { rows: 0, why: 'a session is no record' },
  },
  end_sessions_of_user: { request: async (world) => ({ params: { id: await user(world) } }) },
  list_access_tokens: { request: () => ({}) },
  list_access_token_scopes: { request: () => ({}) },
  create_access_token: {
    request: () => ({ body: { name: fresh('Script'), scopes: ['companies.read'] } }),
    withoutChanges: 'a token is no record',
  },
  revoke_access_token: {
    request: async (world) => {
      const body = { name: fresh('Script'), scopes: ['all.read'], expires_in_days: 1 }
      return {
        params: { id: (await world.post('/api/access-tokens/', body)).body.access_token_id },
      }
    },
    logsAnother: 'the entry is of the user',
    withoutChanges: 'a token is no record',
  },
  list_sign_ins: {
    request: () => ({}),
    more: [() => ({ query: { page: '1', items_per_page: '5', outcome: 'succeeded' } })],
  },
  read_organization_settings: { request: () => ({}) },
  update_organization_settings: {
    request: async (world) => ({
      headers: (await elsewhere(world)).headers,
      body: { name: fresh('Name'), primary_color: '#14704C', working_days: [1, 2, 3, 4] },
    }),
    logs: ofItsOwn,
  },
  upload_organization_logo: {
    request: async (world) => ({
      headers: (await elsewhere(world)).headers,
      body: { image: pngOf().toString('base64') },
    }),
    logs: ofItsOwn,
  },
  remove_organization_logo: {
    request: async (world) => {
      const { headers } = await elsewhere(world)
      const image = pngOf().toString('base64')
      const path = '/api/organization/settings/logo/'
      await world.service.call('PUT', path, { headers, body: { image } })
      return { headers }
    },
    logs: ofItsOwn,
  },
  read_health_weights: { request: () => ({}) },
  update_health_weights: {
    request: async (world) => ({
      headers: (await elsewhere(world)).headers,
      body: { silence: 10 },
    }),
    logs: ofItsOwn,
  },
  read_mail_defaults: { request: () => ({}) },
  update_mail_defaults: {
    request: async (world) => ({
      headers: (await elsewhere(world)).headers,
      body: { sender_name: 'Care', reply_to: 'care@acme.test', footer: null, delivery: 'daily' },
    }),
    logs: ofItsOwn,
  },
  read_sharing_defaults: { request: () => ({}) },
  update_sharing_defaults: {
    request: async (world) => ({
      headers: (await elsewhere(world)).headers,
      body: { meetings: true },
    }),
    logs: ofItsOwn,
  },
  list_fields: { request: () => ({}), more: [() => ({ query: { module: 'tasks' } })] },
  update_fields: {
    request: () => ({
      params: { module: 'tasks' },
      body: { fields: [{ key: fresh('k').replace('-', '_'), label: 'Floor', type: 'number' }] },
    }),
  },
  read_module_fields: {
    request: () => ({ params: { module: 'contacts' } }),
    more: [() => ({ params: { module: '1' } })],
  },
  update_module_fields: {
    request: () => ({
      params: { module: 'companies' },
      body: { fields: [{ key: fresh('k').replace('-', '_'), label: 'Floor', type: 'number' }] },
    }),
  },
  delete_field: {
    request: async (world) => {
      const key = fresh('k').replace('-', '_')
      const path = '/api/organization/settings/fields/accounts/'
      const { token } = world.org.users.admin
      await world.service.call('PUT', path, { token, body: [{ key, label: 'Floor' }] })
      return { params: { module: 'accounts', key } }
    },
  },
  list_statuses: { request: () => ({}), more: [() => ({ query: { module: 'milestones' } })] },
  update_statuses: {
    request: () => ({
      params: { module: 'tasks' },
      body: { statuses: [{ status_name: fresh('Waiting'), category: 'on_hold' }] },
    }),
  },
  read_module_statuses: { request: () => ({ query: { module: 'tasks' } }) },
  update_module_statuses: {
    request: () => ({
      query: { module: 'tasks' },
      body: { statuses: [{ status_name: fresh('Waiting'), category: 'on_hold' }] },
    }),
  },
  delete_status: {
    request: async (world) => {
      const path = '/api/organization/settings/statuses/projects/'
      const statuses = [{ status_name: fresh('Waiting'), category: 'on_hold' }]
      const { token } = world.org.users.admin
      const { body } = await world.service.call('PUT', path, { token, body: { statuses } })
      return { params: { module: 'projects', status_id: body.statuses.at(-1).status_id } }
    },
  },
  list_connected_apps: { request: () => ({}) },
  revoke_connected_app: {
    request: async ({ service, org }) => {
      const app = await connectApp(service, org)
      return { params: { id: await connectionOf(service, app.client_id) } }
    },
    withoutChanges: 'the connection itself ended',
  },
  list_connections_of_organization: { request: () => ({}) },
  revoke_connection_of_organization: {
    request: async ({ service, org }) => {
      const app = await connectApp(service, org, { as: 'manager' })
      return { params: { id: await connectionOf(service, app.client_id) } }
    },
    withoutChanges: 'the connection itself ended',
  },
  list_apps: { request: () => ({}) },
  create_app: { request: () => ({ body: newApp() }) },
  list_app_scopes: { request: () => ({}) },
  read_app: { request: async (world) => ({ params: { id: await app(world) } }) },
  update_app: {
    request: async (world) => ({
      params: { id: await app(world) },
      body: { name: fresh('Renamed'), scopes: ['contact.read'] },
    }),
  },
  rotate_app_secrets: {
    request: async (world) => ({
      params: { id: await app(world) },
      body: { client_secret: true, function_key: false },
    }),
    withoutChanges: 'what a secret was and is, nobody reads in the log',
  },
  delete_app: { request: async (world) => ({ params: { id: await app(world) } }) },
  list_connections_of_app: {
    request: async (world) => ({ params: { id: await app(world) } }),
  },
  revoke_connection_of_app: {
    request: async ({ service, org }) => {
      const { app: its, client_id } = await connectApp(service, org, { as: 'manager' })
      return { params: { id: its.id, connection_id: await connectionOf(service, client_id) } }
    },
    withoutChanges: 'the connection itself ended',
  },
  list_webhook_subscriptions: {
    request: async (world) => {
      await ownSubscription(world)
      return { query: { limit: '5' } }
    },
    more: [async (world) => ({ query: { app_id: await app(world), status: 'active' } })],
  },
  create_webhook_subscription: {
    request: async (world) => ({ body: { app_id: await app(world), ...managedSubscription() } }),
    withoutChanges: 'a subscription is no record',
  },
  read_webhook_subscription: {
    request: async (world) => ({ params: { id: await ownSubscription(world) } }),
  },
  update_webhook_subscription: {
    request: async (world) => ({
      params: { id: await ownSubscription(world) },
      body: { events: ['company_created', 'contact_updated'] },
    }),
  },
  delete_webhook_subscription: {
    request: async (world) => ({ params: { id: await ownSubscription(world) } }),
  },
  disable_webhook_subscription: {
    request: async (world) => ({ params: { id: await ownSubscription(world) } }),
  },
  enable_webhook_subscription: {
    request: async (world) => {
      const id = await ownSubscription(world)
      await world.post(`/api/webhooks/subscriptions/${id}/disable/`, {})
      return { params: { id } }
    },
  },
  rotate_webhook_subscription_secret: {
    request: async (world) => ({ params: { id: await ownSubscription(world) } }),
    withoutChanges: 'what a secret was and is, nobody reads in the log',
  },
  list_webhook_deliveries: {
    request: async (world) => {
      await delivery(world)
      return { query: { status: 'pending', event: 'company_created', limit: '5' } }
    },
    more: [
      async (world) => ({
        query: {
          subscription_id: await ownSubscription(world),
          from: '2026-01-01T00:00:00Z',
          to: '2036-01-01T00:00:00Z',
        },
      }),
      async (world) => ({ query: await namesInDelivery(world) }),
    ],
  },
  read_webhook_delivery: { request: async (world) => ({ params: { id: await delivery(world) } }) },
  resend_webhook_delivery: {
    request: async (world) => ({ params: { id: await delivery(world) } }),
    withoutChanges: 'a delivery is no record',
  },
  resend_failed_webhook_deliveries: {
    request: async (world) => ({
      body: { subscription_id: await ownSubscription(world), since: '2026-01-01T00:00:00Z' },
    }),
    withoutChanges: 'a delivery is no record',
  },
  list_webhook_events: { request: () => ({}) },
  test_webhook_by_session: {
    // a separate host, because the deliveries of other cases use up the limit of theirs
    request: async (world) => ({
      body: { subscription_id: await ownSubscription(world, '127.0.0.3:1') },
    }),
    more: [() => ({ body: { url: 'http://127.0.0.4:1/', event: 'contact_created' } })],
  },
  list_webhook_inspectors: {
    request: async (world) => {
      await inspector(world)
      return {}
    },
  },
  open_webhook_inspector: {
    request: () => ({ body: {} }),
    logs: { rows: 0, why: 'it stands for ten minutes and is no record' },
  },
  read_webhook_inspector: {
    request: async (world) => ({ params: { id: await inspector(world) } }),
  },
  close_webhook_inspector: {
    request: async (world) => ({ params: { id: await inspector(world) } }),
    logs: { rows: 0, why: 'it stands for ten minutes and is no record' },
  },
  read_user_image: { request: async (world) => ({ params: { id: await pictured(world) } }) },
  upload_user_image: {
    request: async (world) => ({
      params: { id: (await newcomer(world)).user_id },
      body: { image: pngOf().toString('base64') },
    }),
  },
  remove_user_image: { request: async (world) => ({ params: { id: await pictured(world) } }) },
  list_links_of_user: {
    request: async (world) => ({ params: { id: (await newcomer(world)).user_id } }),
  },
  hand_over_user: {
    request: async (world) => ({
      params: { id: (await newcomer(world)).user_id },
      body: { to: world.org.users.manager.user_id },
    }),
    withoutChanges: 'nothing hangs on a newcomer',
  },
  undo_hand_over: {
    request: async (world) => {
      const { user_id } = await newcomer(world)
      const body = { to: world.org.users.manager.user_id }
      const done = await world.post(`/api/users/profile/${user_id}/hand-over/`, body)
      return { params: { hand_over_id: done.body.hand_over_id } }
    },
    withoutChanges: 'nothing hangs on a newcomer',
  },
  list_personal_data_requests: { request: () => ({}) },
  read_personal_data_request: {
    request: async (world) => ({ params: { id: await personalDataRequest(world) } }),
  },
  download_personal_data: {
    request: async (world) => {
      const id = await personalDataRequest(world)
      const { runtime } = world.service
      await runtime.files.put('personal-data/an-export', 'package.json', 'application/json')
      const queries = (query: ReturnType<typeof sql>) =>
        runtime.database.transaction(world.org.id, ({ run }) => run(query))
      await queries(sql`update personal_data_requests set storage_key = 'personal-data/an-export',
        file_size = ${statSync('package.json').size}, file_hash = 'x', finished_at = now() where id = ${id}`)
      return { params: { id } }
    },
  },
  export_personal_data: { request: () => ({ body: { email: `${fresh()}@nobody.test` } }) },
  erase_personal_data: {
    request: () => {
      const email = `${fresh()}@nobody.test`
      return { body: { email, confirm: email } }
    },
  },
  read_organization_security: { request: () => ({}) },
  read_openid_settings: {
    request: async (world) => {
      await withProvider(world)
      return {}
    },
  },
  update_openid_settings: {
    request: async () => {
      const { issuer, client_id, client_secret } = await provider()
      return { body: { issuer, client_id, client_secret, allowed_domains: [`${fresh('x')}.test`] } }
    },
  },
  remove_openid_settings: {
    request: async (world) => {
      await withProvider(world)
      return {}
    },
  },
  begin_openid_login: {
    request: async (world) => {
      await withProvider(world)
      return { body: { organization: world.org.id } }
    },
  },
  finish_openid_login: {
    request: async (world) => {
      const { claims, signIn } = await withProvider(world)
      const { email } = world.org.users.member
      Object.assign(claims, { sub: email, email, email_verified: true })
      const begun = await world.post('/api/login/openid/', { organization: world.org.id })
      const back = await signIn(begun.body.authorization_url)
      return { body: { flow: begun.body.flow, ...Object.fromEntries(back.searchParams) } }
    },
  },
  update_organization_security: {
    request: async (world) => ({
      headers: (await elsewhere(world, { codes: true })).headers,
      body: { requires_one_time_codes: true },
    }),
    logs: ofItsOwn,
  },

  search: { request: () => ({ query: { q: 'a' } }) },
  read_usage: { request: () => ({}) },
  list_uses: {
    request: async (world) => ({ params: { module: 'filters', id: await filter(world) } }),
  },

  list_companies: { request: () => ({ query: { page: '1', items_per_page: '5' } }) },
  undo_bulk_write: {
    request: async (world) => {
      const ids = [await company(world)]
      const body = { ids, action: 'update', fields: { industry: fresh('Industry') } }
      const done = await world.post('/api/company/bulk/', body)
      return { params: { bulk_id: done.body.bulk_id } }
    },
  },
  read_project_plan: { request: async (world) => ({ params: { id: await project(world) } }) },
  list_project_forecasts: {
    request: async (world) => ({ query: { project_ids: await project(world) } }),
  },
  read_load: {
    request: () => ({ query: { from: '2026-01-01', to: '2026-03-01' } }),
    more: [
      async (world) => ({
        query: { team: world.org.users.manager.user_id, designation: 'Trainer' },
      }),
      async (world) => ({ query: { project: await project(world) } }),
    ],
  },
  list_load_tasks: {
    request: (world) => ({ query: { user: world.org.users.member.user_id, week: '2026-01-01' } }),
  },
  read_home: {
    request: () => ({}),
    more: [() => ({ query: { as: 'team' } })],
  },
  read_portal: {
    request: () => ({}),
    more: [async (world) => ({ query: { project_id: await project(world) } })],
  },
  list_project_timelines: { request: () => ({ query: { from: '2026-01-01', to: '2027-01-01' } }) },
  create_plan_baseline: {
    request: async (world) => ({
      params: { id: await project(world) },
      body: { name: fresh('Agreed') },
    }),
  },
  delete_plan_baseline: {
    request: async (world) => {
      const id = await project(world)
      const { body } = await world.post(`/api/project/info/${id}/plan/baseline/`, {
        name: 'Agreed',
      })
      return { params: { id, baseline_id: body.baseline_id } }
    },
  },
  add_plan_lines: {
    logs: { rows: 2, why: 'the milestone and its task each have their own' },
    logsAnother: 'the entries are of what it creates',
    request: async (world) => ({
      params: { id: await project(world) },
      body: {
        lines: [
          { kind: 'milestone', title: fresh('Phase') },
          { title: fresh('Step'), below: 0, priority: 'high', due_date: '2026-03-06' },
        ],
      },
    }),
  },
  move_plan_rows: {
    logsAnother: 'the entries are of the tasks that it moves',
    request: async (world) => {
      const id = await project(world)
      const [task, other] = await Promise.all(
        ['Mover', 'Neighbour'].map(async (title) =>
          (await world.post('/api/tasks/', { title: fresh(title), project_id: id })).headers.get(
            'x-record-id',
          ),
        ),
      )
      return { params: { id }, body: { rows: [{ id: task, after: other }] } }
    },
  },
  change_project_plan: {
    logsAnother: 'the entries are of the tasks that it moves',
    request: async (world) => {
      const id = await project(world)
      const body = {
        title: fresh('Moved'),
        project_id: id,
        start_date: '2026-03-02',
        due_date: '2026-03-03',
      }
      const task = (await world.post('/api/tasks/', body)).headers.get('x-record-id')
      return {
        params: { id },
        body: { ops: [{ op: 'set', id: task, set: { due_date: '2026-03-06' } }] },
      }
    },
  },
  list_all_milestones: {
    request: () => ({ query: { due_filter: 'overdue', owner: 'me' } }),
    more: [async (world) => ({ query: { project_id: await project(world) } })],
  },
  group_all_milestones: {
    request: () => ({ query: { by: 'status', is_completed: 'false' } }),
    more: [async (world) => ({ query: { by: 'status', project_id: await project(world) } })],
  },
  group_companies: {
    request: () => ({ query: { by: 'industry', sum: 'estimated_arr', items: '5' } }),
    more: [
      () => ({ query: { by: 'company_owner', order: '-count', q: 'a' } }),
      () => ({ query: { by: 'is_draft', filter: '[]', fields: 'company_name,version,can' } }),
    ],
  },
  group_contacts: {
    request: () => ({ query: { by: 'company', items: '3' } }),
    more: [() => ({ query: { by: 'lead_status', order: 'label', sort: 'full_name' } })],
  },
  group_accounts: { request: () => ({ query: { by: 'account_owner', sum: 'total_revenue' } }) },
  group_projects: {
    request: () => ({ query: { by: 'status', items: '5' } }),
    more: [() => ({ query: { by: 'stage_id', project_type: 'deal', sum: 'expected_deal_value' } })],
  },
  group_pipelines: { request: () => ({ query: { by: 'is_default' } }) },
  group_milestones: {
    request: async (world) => ({ params: { id: await project(world) }, query: { by: 'status' } }),
  },
  group_tasks: {
    request: () => ({ query: { by: 'priority', items: '2' } }),
    more: [
      async (world) => ({ query: { by: 'milestone_id', project_id: await project(world) } }),
      () => ({ query: { by: 'owner', sum: 'total_elapsed_time', is_completed: 'false' } }),
    ],
  },
  group_templates: { request: () => ({ query: { by: 'template_type' } }) },
  group_documents: { request: () => ({ query: { by: 'document_status', items: '1' } }) },
  group_calendar: { request: () => ({ query: { by: 'project' } }) },
  group_meeting_insights: { request: () => ({ query: { by: 'status' } }) },
  group_surveys: { request: () => ({ query: { by: 'is_active' } }) },
  group_tags: { request: () => ({ query: { by: 'is_shared' } }) },
  group_users: { request: () => ({ query: { by: 'is_active' } }) },
  group_dashboards: { request: () => ({ query: { by: 'visibility' } }) },
  create_company: { request: () => ({ body: newCompany() }) },
  read_company: { request: async (world) => ({ params: { id: await company(world) } }) },
  update_company: {
    request: async (world) => ({
      params: { id: await company(world) },
      body: { company_name: fresh('Renamed') },
    }),
  },
  delete_company: { request: async (world) => ({ params: { id: await company(world) } }) },
  restore_company: {
    request: async (world) => ({
      params: { id: await deleted(world, '/api/company/', company(world)) },
    }),
  },
  list_duplicate_companies: { request: () => ({ query: { limit: '5' } }) },
  merge_companies: {
    request: async (world) => ({
      body: { primary_id: await company(world), merge_ids: [await company(world)] },
    }),
    logs: { rows: 2, why: 'one is merged, the other is deleted' },
  },
  undo_merge_of_companies: {
    request: async (world) => ({
      params: { merge_id: await merge(world, '/api/company/', company) },
    }),
    logs: { rows: 2, why: 'one is unmerged, the other is restored' },
  },
  list_contacts_of_company: {
    request: async (world) => ({ params: { id: await company(world) } }),
  },

  list_contacts: { request: () => ({ query: { page: '1', items_per_page: '5' } }) },
  create_contact: { request: () => ({ body: newContact() }), emptyObjects: ['reports_to'] },
  read_contact: { request: async (world) => ({ params: { id: await contact(world) } }) },
  update_contact: {
    request: async (world) => ({
      params: { id: await contact(world) },
      body: { job_title: fresh('Engineer') },
    }),
    emptyObjects: ['reports_to'],
  },
  delete_contact: { request: async (world) => ({ params: { id: await contact(world) } }) },
  restore_contact: {
    request: async (world) => ({
      params: { id: await deleted(world, '/api/contact/', contact(world)) },
    }),
  },

  list_duplicate_contacts: { request: () => ({ query: { limit: '5' } }) },
  merge_contacts: {
    request: async (world) => ({
      body: { primary_id: await contact(world), merge_ids: [await contact(world)] },
    }),
    logs: { rows: 2, why: 'one is merged, the other is deleted' },
  },
  undo_merge_of_contacts: {
    request: async (world) => ({
      params: { merge_id: await merge(world, '/api/contact/', contact) },
    }),
    logs: { rows: 2, why: 'one is unmerged, the other is restored' },
  },

  export_companies: { request: () => ({ query: { fields: 'company_name' } }) },
  export_contacts: { request: () => ({}) },
  export_accounts: { request: () => ({}) },
  export_deals: { request: () => ({}) },
  export_projects: { request: () => ({}) },
  export_milestones: { request: () => ({}) },
  export_tasks: { request: () => ({}) },
  export_meetings: { request: () => ({}) },
  export_tags: { request: () => ({}) },
  export_holidays: { request: () => ({}) },
  list_imports: { request: () => ({ query: { page: '1', items_per_page: '5' } }) },
  create_import: {
    request: () => ({ body: newImport() }),
    more: [
      () => ({ body: { ...newImport(), mapping: { Name: 'full_name' }, start: true } }),
      () => ({ body: { ...newImport(), module: 'companies', options: { delimiter: ',' } } }),
    ],
  },
  read_import: { request: async (world) => ({ params: { id: await imported(world) } }) },
  update_import: {
    request: async (world) => ({
      params: { id: await imported(world) },
      body: { mapping: { Name: 'full_name', Mail: null }, unknown_links: 'create' },
    }),
  },
  start_import: {
    request: async (world) => ({
      params: { id: await imported(world) },
      body: { mapping: { Name: 'full_name', Mail: 'primary_email' }, on_duplicate: 'update' },
    }),
  },
  cancel_import: { request: async (world) => ({ params: { id: await imported(world) } }) },
  undo_import: {
    request: async (world) => {
      const id = await imported(world)
      await world.post(`/api/imports/${id}/cancel/`, {})
      return { params: { id } }
    },
    logs: { rows: 2, why: 'it begins and, there being nothing to undo, ends' },
  },
  list_import_errors: { request: async (world) => ({ params: { id: await imported(world) } }) },
  export_import_errors: { request: async (world) => ({ params: { id: await imported(world) } }) },

  list_option_sets: {
    request: () => ({ query: { module: 'companies' } }),
    more: [() => ({})],
  },
  update_option_set: {
    request: () => ({
      params: { module: 'contacts', set: 'languages' },
      body: { options: [{ value: fresh('option'), label: 'Latin' }] },
    }),
  },
  delete_option: { request: async (world) => ({ params: await option(world) }) },

  list_tags: { request: () => ({}) },
  create_tag: { request: () => ({ body: { tag_name: fresh('tag'), tag_type: 'tasks' } }) },
  read_tag: { request: async (world) => ({ params: { id: await tag(world) } }) },
  update_tag: {
    request: async (world) => ({
      params: { id: await tag(world) },
      body: { description: fresh('About') },
    }),
  },
  delete_tag: { request: async (world) => ({ params: { id: await tag(world) } }) },
  restore_tag: {
    request: async (world) => ({
      params: { id: await deleted(world, '/api/tags/info/', tag(world)) },
    }),
  },

  list_users: { request: () => ({ query: { page: '1', items_per_page: '5' } }) },
  read_user: { request: async (world) => ({ params: { id: await user(world) } }) },
  update_user: {
    request: async (world) => ({
      params: { id: await user(world) },
      body: { designation: fresh('Lead') },
    }),
    emptyObjects: ['reports_to'],
  },
  delete_user: { request: async (world) => ({ params: { id: await user(world) } }) },
  restore_user: {
    request: async (world) => ({
      params: { id: await deleted(world, '/api/users/profile/', user(world)) },
    }),
  },
  upsert_user: {
    request: () => ({ body: newUser() }),
    more: [
      async (world) => ({ body: { profile_id: await user(world), designation: fresh('Lead') } }),
      async (world) => ({ body: { invite_token: (await invited(world)).invite_token } }),
    ],
    emptyObjects: ['reports_to'],
  },
  list_own_activity: {
    request: async (world) => {
      await company(world)
      return { query: { page: '1', items_per_page: '5' } }
    },
  },
  accept_invite: {
    request: async (world) => ({
      body: { invite_token: (await invited(world)).invite_token, password },
    }),
    logs: { rows: 1, why: 'the user is activated' },
  },

  ask_password_reset: {
    request: ({ org }) => ({ body: { email: org.users.member.email } }),
  },
  ask_sign_in_link: {
    request: ({ org }) => ({ body: { email: org.users.member.email } }),
  },
  reset_password: {
    request: async (world) => ({ body: { token: await resetToken(world), password } }),
    logs: { rows: 1, why: 'the password is changed' },
    withoutChanges: 'a password is never written down',
  },

  list_roles: { request: () => ({}) },
  list_role_options: { request: () => ({}) },
  create_role: {
    request: () => ({ body: { role_name: fresh('role'), permission: { tags: { read: true } } } }),
  },
  read_role: { request: async (world) => ({ params: { id: await role(world) } }) },
  update_role: {
    request: async (world) => ({
      params: { id: await role(world) },
      body: { permission: { companies: { delete: 'team' } } },
    }),
  },
  delete_role: { request: async (world) => ({ params: { id: await role(world) } }) },

  list_activity: {
    request: async (world) => {
      await company(world)
      return { query: { module_name: 'companies', items_per_page: '5' } }
    },
    more: [
      async (world) => ({
        query: { module_name: 'companies', reference_id: await company(world) },
      }),
    ],
  },
  read_customer_activity: {
    request: () => ({ query: {} }),
    more: [() => ({ query: { who: 'customer', time_range: '90_days' } })],
  },
  list_activity_feed: {
    request: async (world) => {
      await company(world)
      return { query: { module: 'companies', limit: '5' } }
    },
    more: [
      async (world) => ({
        query: { module: 'companies', reference_id: await company(world) },
      }),
      ({ org }: World) => ({
        query: {
          from: '2020-01-01',
          to: '2100-01-01',
          created_by: org.users.admin.user_id,
          action: 'created',
          source: 'application',
        },
      }),
    ],
  },
  list_record_activity: {
    request: async (world) => ({
      params: { module_id: 'companies', reference_id: await company(world) },
    }),
  },
  read_activity: { request: async (world) => ({ params: { id: await logEntry(world) } }) },
  take_back_change: {
    logsAnother: 'the record gets what it had, and the path names an entry',
    request: async (world) => {
      const id = await company(world)
      const fields = { industry: fresh('Industry') }
      await world.post('/api/company/bulk/', { ids: [id], action: 'update', fields })
      const { token } = world.org.users.admin
      const at = `/api/activity/log/companies/${id}/?action=updated`
      const { body } = await world.service.call('GET', at, { token })
      return { params: { id: body[0].log_id }, body: {} }
    },
  },
  create_activity: {
    request: () => ({ body: { title: fresh('Called'), raw_description: { minutes: 5 } } }),
    withoutChanges: 'a note changes nothing',
    newIds: ['log_id'],
  },
  track_activity: {
    request: () => ({
      body: { event: 'email_opened', recipient_email: `${fresh()}@example.test` },
    }),
    withoutChanges: 'an engagement changes nothing',
  },

  list_filters: { request: () => ({}), more: [() => ({ query: { module: 'companies' } })] },
  create_filter: { request: () => ({ body: newFilter() }) },
  read_filter: { request: async (world) => ({ params: { id: await filter(world) } }) },
  update_filter: {
    request: async (world) => ({
      params: { id: await filter(world) },
      body: { name: fresh('Renamed') },
    }),
  },
  delete_filter: { request: async (world) => ({ params: { id: await filter(world) } }) },
  restore_filter: {
    request: async (world) => ({
      params: { id: await deleted(world, '/api/filters/filter/', filter(world)) },
    }),
  },
  list_filter_attributes: {
    request: () => ({ query: { module: 'companies' } }),
    more: [() => ({})],
  },

  list_dashboards: { request: () => ({}) },
  create_dashboard: { request: () => ({ body: newDashboard() }), newIds: ['dashboard_id'] },
  read_dashboard: { request: async (world) => ({ params: { id: await dashboard(world) } }) },
  update_dashboard: {
    request: async (world) => ({
      params: { id: await dashboard(world) },
      body: { dashboard_name: fresh('Renamed') },
    }),
  },
  delete_dashboard: { request: async (world) => ({ params: { id: await dashboard(world) } }) },
  restore_dashboard: {
    request: async (world) => ({
      params: { id: await deleted(world, '/api/dashboards/info/', dashboard(world)) },
    }),
  },
  read_dashboard_mail: { request: async (world) => ({ params: { id: await dashboard(world) } }) },
  set_dashboard_mail: {
    request: async (world) => ({ params: { id: await dashboard(world) }, body: { is_on: true } }),
    logs: { rows: 0, why: 'what somebody gets by mail is nobody else’s business' },
  },
  read_report_mail: { request: async (world) => ({ params: { id: await report(world) } }) },
  set_report_mail: {
    request: async (world) => ({ params: { id: await report(world) }, body: { is_on: true } }),
    logs: { rows: 0, why: 'what somebody gets by mail is nobody else’s business' },
  },
  read_report: {
    request: () => ({ params: { report: 'go_live' } }),
    more: [
      () => ({ params: { report: 'forecast' }, query: { time_filter: 'this_year' } }),
      () => ({ params: { report: 'nps' }, query: { by: 'survey' } }),
      async (world) => ({
        params: { report: 'funnel' },
        query: { pipeline_id: await pipeline(world) },
      }),
    ],
  },
  read_dashboard_widget: {
    request: () => ({ query: { widget_type: 'new_companies', time_filter: '30_days' } }),
    more: [
      async (world) => ({
        query: { widget_type: 'activities', dashboard_id: await dashboard(world) },
      }),
      async (world) => {
        const widgets = [{ widget_id: fresh('w'), widget_type: 'activities' }]
        const body = { ...newDashboard(), widgets }
        const dashboard_id = await made(world, '/api/dashboards/info/', body)
        const { widget_id } = widgets[0]!
        return { query: { widget_type: 'activities', dashboard_id, widget_id } }
      },
      async (world) => ({
        query: { widget_type: 'deals_by_stage', account_id: await account(world) },
      }),
      async (world) => ({
        query: { widget_type: 'deals_by_stage', pipeline_id: await pipeline(world) },
      }),
      ...['owner_id', 'team_id'].map((name) => async ({ org }: World) => ({
        query: { widget_type: 'deals_by_stage', [name]: org.users.manager.user_id },
      })),
    ],
  },
  read_dashboard_widgets: {
    request: async (world) => ({
      body: {
        dashboard_id: await dashboard(world),
        widgets: [{ widget_id: 'one', widget_type: 'new_companies', config: {} }],
        filters: { owner: world.org.users.manager.user_id },
      },
    }),
  },
  read_heatmap: { request: () => ({ query: { time_range: '7_days' } }) },

  list_accounts: { request: () => ({}) },
  create_account: {
    request: () => ({ body: newAccount() }),
    more: [
      async (world) => ({
        body: { ...newAccount(), link_projects: [{ project_id: await project(world) }] },
      }),
    ],
  },
  read_account: { request: async (world) => ({ params: { id: await account(world) } }) },
  update_account: {
    request: async (world) => ({
      params: { id: await account(world) },
      body: { description: fresh('About') },
    }),
  },
  delete_account: { request: async (world) => ({ params: { id: await account(world) } }) },
  restore_account: {
    request: async (world) => ({
      params: { id: await deleted(world, '/api/account/info/', account(world)) },
    }),
  },
  list_account_names: { request: () => ({}) },
  list_account_activities: {
    request: async (world) => ({ query: { account_id: await account(world), limit: '5' } }),
    more: [async (world) => ({ query: { account_id: await account(world) } }), () => ({})],
  },
  read_account_journey: {
    request: async (world) => ({ query: { account_id: await account(world) } }),
    more: [async (world) => ({ query: { account_id: await account(world) } })],
  },
  read_record_timeline: {
    request: async (world) => ({ params: { module: 'accounts', id: await account(world) } }),
    more: [
      async (world) => ({ params: { module: 'projects', id: await project(world) } }),
      async (world) => ({ params: { module: 'companies', id: await company(world) } }),
    ],
  },
  read_timeline: {
    request: async (world) => ({ query: { account_id: await account(world) } }),
    more: [
      async (world) => ({ query: { account_id: await account(world), kinds: 'task,comment' } }),
      async (world) => ({ query: { company_id: await company(world) } }),
      async (world) => ({ query: { contact_id: await contact(world) } }),
      async (world) => ({ query: { project_id: await project(world) } }),
    ],
  },
  read_account_people: { request: async (world) => ({ params: { id: await account(world) } }) },
  read_account_phases: { request: async (world) => ({ params: { id: await account(world) } }) },
  read_account_health: { request: async (world) => ({ params: { id: await account(world) } }) },
  delete_vertical: {
    request: async (world) => {
      const vertical = fresh('Vertical')
      await world.post('/api/account/info/', { ...newAccount(), vertical })
      return { body: { vertical } }
    },
    logs: { rows: 2, why: 'the set and the account change' },
  },

  list_projects: { request: () => ({ query: { page: '1', items_per_page: '5' } }) },
  create_project: {
    request: () => ({ body: newProject() }),
    more: [
      async (world) => ({
        body: { ...newProject(), project_type: 'deal', account_id: await account(world) },
      }),
    ],
  },
  read_project: { request: async (world) => ({ params: { id: await project(world) } }) },
  update_project: {
    request: async (world) => ({
      params: { id: await project(world) },
      body: { description: fresh('About') },
    }),
  },
  move_project: {
    request: async (world) => ({
      params: { id: await project(world) },
      body: { after: await project(world) },
    }),
    more: [
      async (world) => ({
        params: { id: await project(world) },
        body: { before: null, set: { description: fresh('Moved') } },
      }),
    ],
  },
  delete_project: { request: async (world) => ({ params: { id: await project(world) } }) },
  restore_project: {
    request: async (world) => ({
      params: { id: await deleted(world, '/api/project/info/', project(world)) },
    }),
  },
  duplicate_project: {
    request: async (world) => ({ params: { id: await project(world) }, body: {} }),
  },
  convert_deal: {
    request: async (world) => ({
      params: { id: await project(world, { project_type: 'deal', stage_id: 'closed_won' }) },
      body: {},
    }),
  },
  read_deal_people: {
    request: async (world) => ({
      params: { id: await project(world, { project_type: 'deal' }) },
    }),
  },
  read_deal_figures: {
    request: async (world) => ({
      params: { id: await project(world, { project_type: 'deal' }) },
    }),
  },
  list_project_forms: {
    request: async (world) => ({ params: { id: await project(world) } }),
  },
  list_stage_history: {
    request: async (world) => ({
      params: { id: await project(world, { project_type: 'deal' }) },
    }),
  },
  read_forecast: {
    request: () => ({}),
    more: [
      async ({ service, org }) => {
        const [pipeline] = await rows(
          service,
          sql`select id from pipelines where organization_id = ${org.id} limit 1`,
        )
        return { query: { pipeline_id: pipeline.id } }
      },
    ],
  },

  list_pipelines: { request: () => ({}) },
  create_pipeline: { request: () => ({ body: newPipeline() }) },
  read_pipeline: { request: async (world) => ({ params: { id: await pipeline(world) } }) },
  update_pipeline: {
    request: async (world) => ({
      params: { id: await pipeline(world) },
      body: { description: fresh('About') },
    }),
  },
  delete_pipeline: { request: async (world) => ({ params: { id: await pipeline(world) } }) },
  restore_pipeline: {
    request: async (world) => ({
      params: { id: await deleted(world, '/api/pipelines/', pipeline(world)) },
    }),
  },

  list_milestones: { request: async (world) => ({ params: { id: await project(world) } }) },
  create_milestone: {
    request: async (world) => ({
      params: { id: await project(world) },
      body: { name: fresh('Kick-off') },
    }),
  },
  read_milestone: { request: async (world) => ({ params: await milestone(world) }) },
  update_milestone: {
    request: async (world) => ({
      params: await milestone(world),
      body: { description: fresh('About') },
    }),
  },
  move_milestone: {
    request: async (world) => ({
      params: await milestone(world),
      body: { set: { description: fresh('Moved') } },
    }),
  },
  delete_milestone: { request: async (world) => ({ params: await milestone(world) }) },
  restore_milestone: {
    request: async (world) => {
      const { id, milestone_id } = await milestone(world)
      const at = `/api/project/info/${id}/milestones/`
      await deleted(world, at, Promise.resolve(milestone_id))
      return { params: { id, milestone_id } }
    },
  },

  list_tasks: {
    request: () => ({}),
    more: [
      async (world) => ({ query: { project_id: await project(world) } }),
      async (world) => ({ query: { milestone_id: (await milestone(world)).milestone_id } }),
      async (world) => ({ query: { account_id: await account(world) } }),
      async (world) => ({ query: { parent_id: await task(world) } }),
    ],
  },
  create_task: {
    request: () => ({ body: newTask() }),
    more: [async (world) => ({ body: { ...newTask(), project_id: await project(world) } })],
  },
  read_task: { request: async (world) => ({ params: { id: await task(world) } }) },
  update_task: {
    request: async (world) => ({
      params: { id: await task(world) },
      body: { description: fresh('About') },
    }),
  },
  move_task: {
    request: async (world) => ({
      params: { id: await task(world) },
      body: { before: await task(world), set: { description: fresh('Moved') } },
    }),
  },
  delete_task: { request: async (world) => ({ params: { id: await task(world) } }) },
  restore_task: {
    request: async (world) => ({
      params: { id: await deleted(world, '/api/tasks/', task(world)) },
    }),
  },
  list_task_activity: {
    request: async (world) => ({ query: { item_id: await task(world) } }),
    more: [async (world) => ({ query: { item_id: await task(world) } })],
  },
  list_task_attachments: {
    request: async (world) => ({ query: { item_id: await task(world) } }),
    more: [async (world) => ({ query: { item_id: await task(world) } })],
  },
  bulk_update_tasks: {
    request: async (world) => ({
      body: { item_ids: [await task(world)], action: 'add_tags', tags: [fresh('tag')] },
    }),
  },
  list_task_dependencies: { request: async (world) => ({ params: { id: await task(world) } }) },
  add_task_dependency: {
    request: async (world) => ({
      params: { id: await task(world) },
      body: { predecessor_id: await task(world) },
    }),
  },
  remove_task_dependency: {
    request: async (world) => {
      const [id, predecessor_id] = [await task(world), await task(world)]
      await world.post(`/api/tasks/${id}/dependencies/`, { predecessor_id })
      return { params: { id, predecessor_id } }
    },
  },
  start_timer: {
    async request(world) {
      // a timer that runs elsewhere would be stopped, which emits an event for that task
      const other = await task(world)
      await world.post(`/api/tasks/${other}/timer/start/`, {})
      await world.post(`/api/tasks/${other}/timer/stop/`, {})
      return { params: { id: await task(world) } }
    },
  },
  stop_timer: {
    request: async (world) => {
      const id = await task(world)
      await world.post(`/api/tasks/${id}/timer/start/`, {})
      return { params: { id } }
    },
    logs: { rows: 2, why: 'its time becomes an entry, and the time of the task rises' },
    logsAnother: 'the other entry is of what the time belongs to',
  },
  list_time_entries: {
    request: () => ({ query: { sort: 'date', reverse: 'true' } }),
    more: [
      async (world) => ({ query: { task_id: await task(world) } }),
      async (world) => ({ query: { project_id: await project(world), user: 'me' } }),
      () => ({ query: { from: '2031-01-01', to: '2031-01-31', is_billable: 'true' } }),
    ],
  },
  group_time_entries: {
    request: () => ({ query: { by: 'user', sum: 'seconds', from: '2031-01-01' } }),
    more: [
      async (world) => ({ query: { by: 'is_billable', task_id: await task(world) } }),
      async (world) => ({ query: { by: 'user', project_id: await project(world), user: 'me' } }),
    ],
  },
  create_time_entry: {
    request: async (world) => ({
      body: { task_id: await task(world), seconds: 5400, date: '2031-01-06', note: fresh('Did') },
    }),
    logs: { rows: 2, why: 'the time of the task rises' },
    logsAnother: 'the other entry is of what the time belongs to',
    more: [async (world) => ({ body: { task_id: await task(world), seconds: 60, user: 'me' } })],
  },
  read_time_entry: { request: async (world) => ({ params: { id: await timeEntry(world) } }) },
  update_time_entry: {
    request: async (world) => ({
      params: { id: await timeEntry(world) },
      body: { note: fresh('Did') },
    }),
  },
  delete_time_entry: {
    request: async (world) => ({ params: { id: await timeEntry(world) } }),
    logs: { rows: 2, why: 'the time of the task falls' },
    logsAnother: 'the other entry is of what the time belongs to',
  },
  restore_time_entry: {
    request: async (world) => ({
      params: { id: await deleted(world, '/api/time-entries/', timeEntry(world)) },
    }),
    logs: { rows: 2, why: 'the time of the task rises' },
    logsAnother: 'the other entry is of what the time belongs to',
  },
  report_time: {
    request: () => ({ query: { group: 'week', from: '2031-01-01', to: '2031-02-28' } }),
    more: [
      async (world) => ({ query: { group: 'project', project_id: await project(world) } }),
      () => ({ query: { group: 'person', user: 'me' } }),
    ],
  },
  export_time_entries: {
    request: () => ({ query: { from: '2031-01-01', user: 'me' } }),
    more: [async (world) => ({ query: { project_id: await project(world) } })],
  },

  get_projects: {
    request: () => ({ query: { items_per_page: '5' } }),
    more: [
      () => ({ query: { module: 'deal_plan', due_filter: 'today' } }),
      async (world) => ({ query: { org_temp_id: await template(world) } }),
      async (world) => ({ query: { pipeline_id: await pipeline(world) } }),
      async (world) => ({ query: { stage_id: await stage(world) } }),
      async (world) => ({ query: { account_id: await account(world) } }),
      async (world) => ({ query: { company_id: await company(world) } }),
    ],
  },
  integration_create_project: { request: () => ({ body: newProject() }) },
  integration_update_project: {
    request: async (world) => ({
      params: { project_id: await project(world) },
      body: { description: 'changed by an app' },
    }),
  },
  get_project: {
    request: async (world) => ({ params: { project_id: await project(world) } }),
    more: [
      async (world) => ({
        params: { project_id: await project(world) },
        query: { milestones: 'true' },
      }),
      async (world) => ({
        params: { project_id: await project(world) },
        query: { options: 'true' },
      }),
    ],
  },
  get_deal_options: { request: () => ({}) },
  get_tasks: {
    request: async (world) => ({ query: { project_id: await project(world) } }),
    more: [async (world) => ({ query: { project_id: await project(world) } })],
  },
  list_changes: { request: () => ({}) },
  page_accounts: {
    request: () => ({}),
    more: [
      () => ({ query: { field_config: 'true' } }),
      () => ({ query: { q: 'a', limit: '2', sort: '-account_name', include_count: 'true' } }),
      async (world) => ({ query: { company_id: await company(world) } }),
    ],
  },
  page_meetings: {
    request: () => ({}),
    more: [
      async (world) => ({ query: { account_id: await account(world) } }),
      async (world) => ({ query: { company_id: await company(world) } }),
      async (world) => ({ query: { contact_id: await contact(world) } }),
    ],
  },
  page_documents: {
    request: () => ({ query: { limit: '5' } }),
    more: [
      async (world) => ({ query: { account_id: await account(world) } }),
      async (world) => ({ query: { project_id: await project(world) } }),
    ],
  },
  page_surveys: {
    request: () => ({ query: { limit: '5' } }),
    more: [async (world) => ({ query: { account_id: await account(world) } })],
  },
  page_survey_responses: {
    request: async (world) => ({ params: { survey_id: await survey(world) } }),
  },
  page_comments: {
    request: async (world) => ({
      query: { of_module: 'companies', record_id: await company(world) },
    }),
    more: [
      () => ({ query: { limit: '5' } }),
      async (world) => ({ query: { of_module: 'companies', record_id: await company(world) } }),
    ],
  },
  log_note: {
    request: async (world) => ({
      body: { module: 'companies', record_id: await company(world), content: 'They called' },
    }),
  },
  search_records: { request: () => ({ query: { q: 'north', modules: 'companies,accounts' } }) },
  write_many_companies: {
    request: async (world) => ({
      body: { records: [newCompany(), { company_id: await company(world), description: 'New' }] },
    }),
    logs: { rows: 2, why: 'one of each record' },
  },
  write_many_contacts: { request: () => ({ body: { records: [newContact()] } }) },
  write_many_accounts: { request: () => ({ body: { records: [newAccount()] } }) },
  write_many_projects_and_deals: { request: () => ({ body: { records: [newProject()] } }) },
  write_many_tasks: {
    request: async (world) => ({
      body: { records: [{ ...newTask(), project_id: (await milestone(world)).id }] },
    }),
  },
  write_many_meetings: {
    request() {
      const { calendar_id: _, ...meeting } = newMeeting()
      return { body: { records: [meeting] } }
    },
  },
  page_tasks: {
    request: () => ({}),
    more: [
      async (world) => ({ query: { project_id: await project(world), due_filter: 'today' } }),
      () => ({ query: { limit: '2', sort: '-creation_time', include_count: 'true' } }),
      async (world) => ({ query: { milestone_id: (await milestone(world)).milestone_id } }),
    ],
  },
  integration_get_task: {
    request: async (world) => ({ params: { task_id: await task(world) } }),
  },
  integration_update_task: {
    request: async (world) => ({
      params: { task_id: await task(world) },
      body: { description: 'changed by an app' },
    }),
  },
  integration_create_task: {
    request: async (world) => ({
      body: { ...newTask(), project_id: (await milestone(world)).id },
    }),
  },

  list_modules: { request: () => ({}) },
  read_module: {
    request: () => ({ params: { module: 'contacts' } }),
    more: ['companies', 'accounts', 'deals', 'projects', 'tasks', 'documents', 'surveys'].map(
      (module) => () => ({ params: { module } }),
    ),
  },

  update_module_layout: {
    request: () => ({
      params: { module: 'companies' },
      body: { strip: ['company_owner'], rail: null, hidden: ['industry'] },
    }),
  },

  list_documents: {
    request: () => ({}),
    more: [
      async (world) => ({ query: { project_id: await project(world) } }),
      async (world) => ({ query: { account_id: await account(world) } }),
      async (world) => ({ query: { module_id: '1', reference_id: await task(world) } }),
      () => ({ query: { document_status: 'draft', signature_status: 'none', menu_type: 'x' } }),
    ],
  },
  create_document: {
    request: () => ({ body: newDocument() }),
    more: [async (world) => ({ body: { ...newDocument(), project_id: await project(world) } })],
  },
  read_document: { request: async (world) => ({ params: { id: await document(world) } }) },
  update_document: {
    request: async (world) => ({
      params: { id: await document(world) },
      body: { description: fresh('About') },
    }),
  },
  publish_document: {
    request: async (world) => ({ params: { id: await document(world) } }),
    logs: { rows: 2, why: 'the change and the event' },
  },
  read_document_folders: {
    request: () => ({}),
    more: [() => ({ query: { q: 'Acme', limit: '5' } })],
  },
  set_favourite_document: {
    request: async (world) => ({
      params: { id: await document(world) },
      body: { is_favourite: true },
    }),
    logs: { rows: 0, why: 'what somebody likes to have at hand is nobody else’s business' },
  },
  start_signature_batch: {
    request: async (world) => ({
      params: { id: await reusableDocument(world) },
      body: {
        lines: [{ name: 'Sam', email: `${fresh('sam')}@signer.test` }],
        hold_seconds: 600,
      },
    }),
    more: [
      async (world) => ({
        params: { id: await reusableDocument(world) },
        body: {
          dry_run: true,
          lines: [
            { contact_id: await contact(world), account_id: await account(world) },
            { name: 'Sam', email: 'sam@signer.test', values: { today: 'tomorrow' } },
          ],
          role: 'Customer',
          document_name: 'For {{Customer.name}}',
          message: 'Before Friday',
          expires_at: '2040-01-01T12:00:00Z',
        },
      }),
    ],
  },
  list_signature_batches: {
    request: async (world) => ({ params: { id: (await startedBatch(world)).id } }),
  },
  read_signature_batch: {
    request: async (world) => ({ params: await startedBatch(world) }),
  },
  cancel_signature_batch: {
    request: async (world) => ({ params: await startedBatch(world) }),
  },
  save_reusable_document: {
    request: async (world) => ({
      params: { id: await preparedDocument(world) },
      body: { document_name: fresh('Agreement for') },
    }),
  },
  use_document: {
    request: async (world) => ({
      params: { id: await reusableDocument(world) },
      body: { document_name: fresh('Agreement with {{account.account_name | "somebody"}}') },
    }),
    more: [
      async (world) => ({
        params: { id: await reusableDocument(world) },
        body: {
          account_id: await account(world),
          roles: { Customer: { name: 'Sam', email: 'sam@signer.test' } },
          values: { today: 'tomorrow' },
        },
      }),
    ],
  },
  delete_document: { request: async (world) => ({ params: { id: await document(world) } }) },
  restore_document: {
    request: async (world) => ({
      params: { id: await deleted(world, '/api/documents/', document(world)) },
    }),
  },
  read_document_file: {
    request: async (world) => ({ params: { id: await documentWithFile(world) } }),
  },
  read_document_pdf: {
    request: async (world) => ({ params: { id: await documentWithFile(world, onePage) } }),
  },
  read_document_values: {
    request: async (world) => ({
      params: { id: await document(world) },
      body: { placeholders: ['account.account_name', 'today'] },
    }),
  },
  upload_document_image: {
    request: async (world) => ({
      params: { id: await document(world) },
      body: { image: pngOf().toString('base64') },
    }),
    withoutChanges: 'the text changes when the picture is put into it',
  },
  read_document_image: {
    request: async (world) => {
      const id = await document(world)
      const { src } = (
        await world.post(`/api/documents/${id}/images/`, { image: pngOf().toString('base64') })
      ).body as { src: string }
      const editor_html_content = `<p><img src="${src}" alt="A picture"></p>`
      const { token } = world.org.users.admin
      const body = { editor_html_content }
      await world.service.call('PATCH', `/api/documents/${id}/`, { token, body })
      return { params: { id, image_id: src.split('/').at(-2) ?? '' } }
    },
  },
  list_document_versions: {
    request: async (world) => ({ params: { id: await document(world) } }),
  },
  create_document_version: {
    withoutChanges: 'what is kept stays as it is',
    request: async (world) => ({ params: { id: await document(world) } }),
  },
  request_signatures: {
    request: async (world) => ({
      params: { id: await document(world) },
      body: { recipients: [{ name: 'Sam', email: 'sam@signer.test' }] },
    }),
    logs: { rows: 2, why: 'the change and the event' },
  },
  void_signatures: {
    request: async (world) => ({
      params: { id: await documentToSign(world) },
      body: { reason: 'a mistake' },
    }),
    logs: { rows: 2, why: 'the change and the withdrawal' },
  },
  remind_signers: {
    request: async (world) => ({ params: { id: await documentToSign(world) } }),
    withoutChanges: 'mails change no record',
  },
  remind_recipient: {
    request: async (world) => ({ params: await recipientToSign(world) }),
    withoutChanges: 'mails change no record',
  },
  correct_recipient: {
    request: async (world) => ({
      params: await recipientToSign(world),
      body: { email: 'samuel@signer.test' },
    }),
    withoutChanges: 'it is about a recipient, not a field of the document',
  },
  join_documents: {
    request: async (world) => ({
      body: { documents: [await writtenDocument(world), await writtenDocument(world)] },
    }),
  },
  preview_signing_page: {
    request: async (world) => ({
      params: { id: await preparedDocument(world) },
      body: { recipient: 'r1' },
    }),
  },
  read_signature_preparation: {
    request: async (world) => ({ params: { id: await document(world) } }),
  },
  update_signature_preparation: {
    logs: { rows: 0, why: 'nothing of the record changes before it is published or sent' },
    request: async (world) => ({
      params: { id: await preparedDocument(world) },
      body: {
        recipients: [
          { key: 'r1', name: 'Sam', email: 'sam@signer.test', role: 'signer', order: 1 },
        ],
        fields: [],
        message: fresh('Please sign'),
        expires: null,
      },
    }),
    withoutChanges: 'nothing of the document changes before it is sent',
  },
  delete_signature_preparation: {
    logs: { rows: 0, why: 'nothing of the record changes before it is published or sent' },
    request: async (world) => ({ params: { id: await preparedDocument(world) } }),
    withoutChanges: 'nothing of the document changes',
  },
  locate_text: {
    request: async (world) => ({
      params: { id: await documentWithFile(world, onePage) },
      body: { text: 'page 1' },
    }),
  },
  read_signature_file: {
    request: async (world) => {
      const { id, recipient_id } = await recipientToSign(world)
      const file_id = newId()
      const { database, files } = world.service.runtime
      await files.put(`signature-files/${file_id}`, 'package.json', 'application/json')
      await database.transaction(world.org.id, async ({ run }) => {
        await run(sql`insert into signature_files (organization_id, id, recipient_id, position,
            storage_key, file_name, file_type, file_size, file_hash)
          values (${world.org.id}, ${file_id}, ${recipient_id}, 0, ${`signature-files/${file_id}`},
            'package.json', 'application/json', ${statSync('package.json').size}, 'a-hash')`)
        await run(sql`update signature_recipients t set status = 'signed'
          where t.organization_id = ${world.org.id} and t.id = ${recipient_id}`)
      })
      return { params: { id, file_id } }
    },
  },
  read_signature_audit: {
    request: async (world) => ({ params: { id: await documentToSign(world) } }),
  },
  verify_document_signature: {
    request: async (world) => ({ params: { id: await documentWithFile(world, onePage) } }),
  },
  verify_signature_of_file: {
    request: () => ({ body: { content: onePage.toString('base64') } }),
  },
  read_signing_settings: {
    request: async (world) => {
      const { token } = world.org.users.admin
      const body = { pem: await ownCertificate() }
      const reply = await world.service.call('PUT', '/api/organization/signing/', { token, body })
      if (reply.status !== 200) throw new Error(`PUT ${reply.text}`)
      return {}
    },
  },
  update_signing_settings: {
    request: async (world) => ({
      headers: (await elsewhere(world)).headers,
      body: { pem: await ownCertificate() },
    }),
    logs: ofItsOwn,
  },
  read_external_signing: { request: () => ({}) },
  rotate_external_signing_secret: {
    request: () => ({}),
    withoutChanges: 'what a secret was and is, nobody reads in the log',
  },
  list_document_activities: {
    request: () => ({}),
    more: [async (world) => ({ query: { document_id: await document(world) } })],
  },
  read_document_analytics: {
    request: () => ({}),
    more: [
      async (world) => ({ query: { document_id: await document(world) } }),
      async (world) => ({ query: { project_id: await project(world) } }),
      async (world) => ({ query: { account_id: await account(world) } }),
    ],
  },

  list_templates: { request: () => ({}) },
  create_template: { request: () => ({ body: newTemplate() }) },
  read_template: { request: async (world) => ({ params: { id: await template(world) } }) },
  update_template: {
    request: async (world) => ({
      params: { id: await template(world) },
      body: { description: fresh('About') },
    }),
  },
  delete_template: { request: async (world) => ({ params: { id: await template(world) } }) },
  restore_template: {
    request: async (world) => ({
      params: { id: await deleted(world, '/api/templates/template/', template(world)) },
    }),
  },
  duplicate_template: {
    request: async (world) => ({ params: { id: await template(world) }, body: {} }),
  },
  use_template: {
    logs: { rows: 3, why: 'the project, its milestone and its task each have their own' },
    logsAnother: 'the entries are of the project that it creates, and of its parts',
    request: async (world) => ({
      params: { id: await template(world) },
      body: { start_date: '2026-03-02', project_name: fresh('Used') },
    }),
    more: [
      async (world) => ({
        params: { id: await template(world) },
        body: { dry_run: true, project_id: await project(world) },
      }),
    ],
  },
  update_projects_of_template: {
    logs: { rows: 2, why: 'the project and its new milestone each have their own' },
    logsAnother: 'the entries are of the project, and of its parts',
    request: async (world) => {
      const { id, project } = await outdated(world)
      return { params: { id }, body: { project_ids: [project] } }
    },
    more: [
      async (world) => {
        const { id } = await outdated(world)
        return { params: { id }, body: { dry_run: true } }
      },
    ],
  },
  read_template_draft: { request: async (world) => ({ params: { id: await drafted(world) } }) },
  update_template_draft: {
    request: async (world) => ({
      params: { id: await template(world) },
      body: { template_config: changedPlan() },
    }),
  },
  delete_template_draft: { request: async (world) => ({ params: { id: await drafted(world) } }) },
  publish_template: {
    request: async (world) => ({
      params: { id: await drafted(world) },
      body: { note: fresh('Less') },
    }),
  },
  list_template_versions: {
    request: async (world) => ({ params: { id: await template(world) } }),
  },
  read_template_version: {
    request: async (world) => ({ params: { id: await template(world), number: '1' } }),
  },
  read_template_statistics: {
    request: async (world) => ({ params: { id: await template(world) } }),
  },
  list_template_statistics: { request: () => ({}) },
  save_project_as_template: {
    logsAnother: 'the entry is of the template',
    request: async (world) => ({ params: { id: await project(world) }, body: {} }),
    more: [
      async (world) => ({
        params: { id: await project(world) },
        body: { dry_run: true, durations: 'actual' },
      }),
    ],
  },
  list_default_templates: { request: () => ({}) },
  page_templates: { request: () => ({}) },
  suggest_template: { request: () => ({ query: { prompt: 'import of data' } }) },
  suggest_milestone: { request: () => ({ query: { prompt: 'import of data' } }) },
  get_templates: {
    request: () => ({ query: { template_type: 'project' } }),
    more: [async (world) => ({ query: { org_temp_id: await template(world) } })],
  },

  list_holidays: { request: () => ({ query: { page: '1', items_per_page: '5' } }) },
  create_holiday_set: { request: () => ({ body: newHolidays() }), newIds: ['holidays_id'] },
  read_holiday_set: { request: async (world) => ({ params: { id: await holidaySet(world) } }) },
  update_holiday_set: {
    request: async (world) => ({
      params: { id: await holidaySet(world) },
      body: { country: fresh('Land') },
    }),
  },
  delete_holiday_set: { request: async (world) => ({ params: { id: await holidaySet(world) } }) },
  restore_holiday_set: {
    request: async (world) => ({
      params: { id: await deleted(world, '/api/holidays/holinfo/', holidaySet(world)) },
    }),
  },
  import_holidays: {
    request: () => ({ query: { country: 'FR', year: '2026', save: 'true' } }),
  },

  list_interactions: {
    request: async (world) => ({
      query: { module_name: 'contacts', reference_id: await contact(world) },
    }),
    more: [
      async (world) => ({
        query: { module_name: 'contacts', reference_id: await contact(world) },
      }),
      async (world) => ({ query: { parent_interaction_id: await interaction(world) } }),
    ],
  },
  create_interaction: {
    request: async (world) => ({ body: await newInteraction(world) }),
    more: [
      async (world) => ({
        body: { content: 'Yes', parent_interaction_id: await interaction(world) },
      }),
    ],
  },
  read_interaction: { request: async (world) => ({ params: { id: await interaction(world) } }) },
  update_interaction: {
    request: async (world) => ({
      params: { id: await interaction(world) },
      body: { content: fresh('Rather') },
    }),
  },
  delete_interaction: { request: async (world) => ({ params: { id: await interaction(world) } }) },
  toggle_reaction: {
    request: async (world) => ({
      body: { interaction_id: await interaction(world), reaction: '👍' },
    }),
  },
  mark_interactions_read: {
    request: async (world) => ({ body: { interaction_ids: [await interaction(world)] } }),
    logs: { rows: 0, why: 'what somebody has read changes no record' },
  },
  count_unread_interactions: {
    request: async (world) => ({
      body: { module_name: 'contacts', reference_ids: [await contact(world)] },
    }),
  },
  summarize_interactions: {
    request: async (world) => ({
      query: { module_name: 'contacts', reference_id: await contact(world) },
    }),
    more: [
      async (world) => ({
        query: { module_name: 'contacts', reference_id: await contact(world) },
      }),
    ],
  },

  list_notifications: { request: () => ({ query: { page: '1', items_per_page: '5' } }) },
  create_notification: {
    request: (world) => ({ body: newNotification(world) }),
    newIds: ['notification_id'],
  },
  read_notification: { request: async (world) => ({ params: { id: await notification(world) } }) },
  update_notification: {
    request: async (world) => ({
      params: { id: await notification(world) },
      body: { read: true },
    }),
  },
  stream_changes: { request: () => ({ query: { seconds: '0' } }) },
  stream_notifications: { request: () => ({ query: { seconds: '0' } }) },
  mark_all_notifications_read: {
    request: () => ({}),
    logs: { rows: 0, why: 'what somebody has read changes no record' },
  },
  count_unread_notifications: { request: () => ({}) },
  read_notification_preferences: { request: () => ({}) },
  update_notification_preferences: {
    request: async ({ service, org }) => {
      const { token } = org.users.admin
      const { body } = await service.call('GET', '/api/notifyhub/preferences/', { token })
      return { body: { comment: { in_app: !body.comment.in_app } } }
    },
  },

  list_calendar: {
    request: () => ({}),
    more: [
      () => ({ query: { start: '2026-01-01', end: '2026-02-01' } }),
      async (world) => ({ query: { account_id: await account(world) } }),
      async (world) => ({ query: { company_id: await company(world) } }),
      async (world) => ({ query: { contact_id: await contact(world) } }),
      async (world) => ({
        query: { people: world.org.users.admin.user_id, projects: await project(world) },
      }),
    ],
  },
  create_meeting: { request: () => ({ body: newMeeting() }), newIds: ['calendar_id'] },
  read_meeting: { request: async (world) => ({ params: { id: await meeting(world) } }) },
  update_meeting: {
    request: async (world) => ({
      params: { id: await meeting(world) },
      body: { title: fresh('Renamed') },
    }),
  },
  delete_meeting: { request: async (world) => ({ params: { id: await meeting(world) } }) },
  restore_meeting: {
    logs: { rows: 2, why: 'it is back, and is scheduled again after its deletion cancelled it' },
    request: async (world) => ({
      params: { id: await deleted(world, '/api/calendar/info/', meeting(world)) },
    }),
  },
  respond_to_meeting: {
    request: async (world) => ({
      params: { id: await meeting(world, { users: [world.org.users.admin.user_id] }) },
      body: { response: 'accepted' },
    }),
  },
  read_free_busy: {
    request: ({ org }) => ({
      body: {
        people: [org.users.admin.user_id],
        from: '2026-01-05T08:00:00Z',
        to: '2026-01-06T08:00:00Z',
      },
    }),
  },
  list_mailed_answers_of_meeting: {
    request: async (world) => ({ params: { id: await meeting(world) } }),
  },
  settle_meeting_proposal: {
    request: async (world) => ({ params: await proposal(world), body: { decision: 'keep' } }),
  },
  read_calendar_options: { request: () => ({}) },
  read_meeting_by_source: {
    request: async (world) => {
      const source_ref_id = fresh('source')
      await meeting(world, { source_ref_id })
      return { query: { source_ref_id } }
    },
    more: [
      async (world) => {
        const source_ref_id = fresh('source')
        await meeting(world, { source_ref_id })
        return { query: { source_ref_id } }
      },
    ],
  },
  list_completed_meetings_of_company: {
    request: async (world) => ({ params: { id: await company(world) } }),
  },
  list_completed_meetings_of_contact: {
    request: async (world) => ({ params: { id: await contact(world) } }),
  },
  read_meeting_transcript: {
    request: async (world) => ({ params: { id: (await transcript(world)).calendar_id } }),
  },
  add_meeting_transcript: {
    logs: { rows: 2, why: 'the insight that has the summary is created with it' },
    logsAnother: 'the insight is a record of its own',
    request: async (world) => ({ params: { id: await meeting(world) }, body: { text: said } }),
  },
  delete_meeting_transcript: {
    request: async (world) => ({ params: { id: (await transcript(world)).calendar_id } }),
  },
  accept_meeting_insight: {
    logs: { rows: 2, why: 'the task that is created, and what it was made of' },
    logsAnother: 'the task, and the meeting in which it was said',
    request: async (world) => {
      const { meeting_insight_id: id, suggested_items: items } = await transcript(world)
      return { params: { id }, body: { items: items.map(({ item_id }) => ({ item_id })) } }
    },
  },
  list_meeting_insights: { request: () => ({}) },
  create_meeting_insight: {
    request: async (world) => ({ body: await newInsight(world) }),
    newIds: ['meeting_insight_id'],
  },
  read_meeting_insight: { request: async (world) => ({ params: { id: await insight(world) } }) },
  update_meeting_insight: {
    request: async (world) => ({
      params: { id: await insight(world) },
      body: { summary: fresh('We agreed') },
    }),
  },
  delete_meeting_insight: { request: async (world) => ({ params: { id: await insight(world) } }) },
  list_connected_calendars: { request: () => ({}) },
  connect_calendar: {
    request: async () => ({
      body: {
        slot: 'b',
        address: await calendarServer(),
        account: fresh('anna'),
        password: 'radish',
      },
    }),
  },
  list_calendar_kinds: { request: () => ({}) },
  begin_connecting_calendar: {
    request: async (world) => {
      await calendarProvider(world)
      return { body: { slot: 'b', kind: 'google' } }
    },
  },
  finish_connecting_calendar: {
    request: async (world) => {
      const { consent } = await calendarProvider(world)
      const begun = await world.post('/api/calendar/connections/begin/', {
        slot: 'b',
        kind: 'google',
      })
      const back = await consent(begun.body.authorization_url)
      return { body: Object.fromEntries(back.searchParams) }
    },
  },
  update_connected_calendar: {
    request: async (world) => ({
      params: { id: await connectedCalendar(world) },
      body: { reads: 'events' },
    }),
  },
  sync_connected_calendar: {
    withoutChanges: 'what is synchronized are meetings, which have changes of their own',
    request: async (world) => ({ params: { id: await connectedCalendar(world) } }),
  },
  disconnect_calendar: {
    request: async (world) => ({ params: { id: await connectedCalendar(world) } }),
  },
  read_calendar_feed_url: { request: () => ({}) },
  renew_calendar_feed_url: { request: () => ({}) },
  email_meeting_insight: {
    request: async (world) => {
      const body = await newInsight(world)
      await world.post('/api/calendar/insight/', body)
      return { body }
    },
  },
  draft_meeting_follow_up: {
    request: async (world) => ({
      query: { meeting_insight_id: (await transcript(world)).meeting_insight_id },
    }),
    more: [
      async (world) => ({
        query: { meeting_insight_id: (await transcript(world)).meeting_insight_id, language: 'de' },
      }),
    ],
  },
  restore_meeting_insight: {
    request: async (world) => ({
      params: { id: await deleted(world, '/api/calendar/insight/', insight(world)) },
    }),
  },

  list_surveys: {
    request: () => ({}),
    more: [async (world) => ({ query: { account_id: await account(world), status: 'draft' } })],
  },
  list_forms: {
    request: () => ({}),
    more: [async (world) => ({ query: { account_id: await account(world) } })],
  },
  create_survey: { request: () => ({ body: newSurvey() }) },
  read_survey: { request: async (world) => ({ params: { id: await survey(world) } }) },
  update_survey: {
    request: async (world) => ({
      params: { id: await survey(world) },
      body: { name: fresh('Renamed') },
    }),
  },
  delete_survey: { request: async (world) => ({ params: { id: await survey(world) } }) },
  restore_survey: {
    request: async (world) => ({
      params: { id: await deleted(world, '/api/surveys/', survey(world)) },
    }),
  },
  read_survey_draft: { request: async (world) => ({ params: { id: await draftedSurvey(world) } }) },
  update_survey_draft: {
    withoutChanges: 'what is published stays as it is',
    request: async (world) => ({
      params: { id: await survey(world) },
      body: { form_structure: [{ id: 'p1', title: fresh('Page'), fields: [] }] },
    }),
  },
  delete_survey_draft: {
    request: async (world) => ({ params: { id: await draftedSurvey(world) } }),
  },
  read_survey_translations: {
    request: async (world) => ({ params: { id: await draftedSurvey(world) } }),
  },
  update_survey_translations: {
    withoutChanges: 'texts that are not sent stay as they are',
    request: async (world) => ({
      params: { id: await survey(world) },
      body: { texts: [{ key: 'survey.name', translations: { fr: fresh('Nom') } }] },
    }),
  },
  export_survey_translations: {
    request: async (world) => ({ params: { id: await survey(world) } }),
  },
  preview_survey: {
    request: async (world) => ({ params: { id: await survey(world) }, body: {} }),
    more: [async (world) => ({ params: { id: await survey(world) }, body: { language: 'fr' } })],
  },
  publish_survey: {
    request: async (world) => ({ params: { id: await survey(world) }, body: {} }),
    logs: { rows: 2, why: 'the change and the event of it' },
  },
  preview_publishing_survey: {
    request: async (world) => ({ params: { id: await draftedSurvey(world) } }),
  },
  change_form_tasks: {
    withoutChanges: 'a list of tasks, which is never empty',
    logsAnother: 'the entry is of the task',
    request: async (world) => {
      const id = await survey(world)
      const item_id = await made(world, '/api/tasks/', { ...newTask(), form_id: id })
      await world.service.call('PUT', `/api/surveys/${id}/`, {
        token: world.org.users.admin.token,
        body: { form_structure: [{ id: 'p1', title: fresh('Page'), fields: [] }] },
      })
      return { params: { id }, body: { tasks: [{ item_id, version: 2 }] } }
    },
  },
  close_survey: {
    request: async (world) => ({
      params: { id: await survey(world, { status: 'published' }) },
      body: {},
    }),
    logs: { rows: 2, why: 'the change and the event of it' },
  },
  send_survey: {
    request: async (world) => ({
      params: { id: await survey(world, { status: 'published' }) },
      body: { email_addresses: [`${fresh('somebody')}@example.test`, 'nobody'] },
    }),
  },
  schedule_survey: {
    request: async (world) => ({ params: { id: await survey(world) }, body: newSchedule() }),
  },
  list_survey_schedules: {
    request: async (world) => {
      const { id } = await schedule(world)
      return { params: { id } }
    },
  },
  read_survey_schedule: { request: async (world) => ({ params: await schedule(world) }) },
  stop_survey_reminders: { request: async (world) => ({ params: await schedule(world) }) },
  cancel_survey_schedule: { request: async (world) => ({ params: await schedule(world) }) },
  list_survey_automation_options: {
    request: async (world) => ({ params: { id: await survey(world) } }),
  },
  list_survey_automations: {
    request: async (world) => {
      const id = await survey(world)
      await automation(world, id)
      return { params: { id } }
    },
  },
  list_survey_automation_runs: {
    request: async (world) => ({ params: { id: await survey(world) } }),
  },
  save_survey_automations: {
    request: async (world) => ({ params: { id: await survey(world) }, body: newAutomation() }),
    more: [
      async (world) => ({
        params: { id: await survey(world) },
        body: { automations: [newAutomation()] },
      }),
    ],
  },
  simulate_survey_automation: {
    request: async (world) => ({
      params: { id: await survey(world) },
      body: { automation: newAutomation(), last: 10 },
    }),
  },
  read_survey_automation: {
    request: async (world) => ({
      params: { automation_id: await automation(world, await survey(world)) },
    }),
  },
  update_survey_automation: {
    request: async (world) => ({
      params: { automation_id: await automation(world, await survey(world)) },
      body: { name: fresh('Renamed') },
    }),
  },
  delete_survey_automation: {
    request: async (world) => ({
      params: { automation_id: await automation(world, await survey(world)) },
    }),
  },
  duplicate_survey: {
    request: async (world) => ({ params: { id: await survey(world) }, body: {} }),
  },
  save_survey_as_template: {
    request: async (world) => ({ params: { id: await survey(world) }, body: {} }),
  },
  bulk_delete_surveys: {
    request: async (world) => ({ body: { survey_ids: [await survey(world)] } }),
    withoutChanges: 'what is deleted changes nothing else',
  },
  update_survey_with_propagation: {
    request: async (world) => ({
      params: { id: await survey(world) },
      body: { name: fresh('Renamed'), propagate_to_tasks: true },
    }),
  },
  create_survey_link: {
    request: async (world) => ({ params: { id: await survey(world) }, body: {} }),
  },
  list_answers_of_record: {
    request: async (world) => ({ query: { contact_id: await contact(world) } }),
    more: [
      async (world) => ({ query: { company_id: await company(world), items_per_page: '5' } }),
      async (world) => ({ query: { contact_id: await contact(world), page: '1' } }),
      async (world) => ({ query: { project_id: await project(world) } }),
      async (world) => ({ query: { account_id: await account(world), page: '2' } }),
    ],
  },
  draw_survey_code: {
    request: async (world) => ({
      params: { id: await survey(world) },
      query: { format: 'png', size: '4' },
    }),
  },
  export_survey_links: {
    request: async (world) => ({ params: { id: await survey(world, { status: 'published' }) } }),
  },
  read_survey_embed: { request: async (world) => ({ params: { id: await survey(world) } }) },
  update_survey_embed: {
    request: async (world) => ({
      params: { id: await survey(world) },
      body: { kind: 'slide_in', pages: ['/pricing/*'], visitors_percent: 25 },
    }),
    more: [
      async (world) => ({
        params: { id: await survey(world) },
        body: { is_active: true, wait_seconds: 0, scroll_percent: 50, again_after_days: 30 },
      }),
    ],
  },
  list_shared_results: { request: async (world) => ({ params: { id: await survey(world) } }) },
  share_survey_results: {
    request: async (world) => ({ params: { id: await survey(world) }, body: { texts: true } }),
    more: [
      async (world) => ({
        params: { id: await survey(world) },
        body: { names: true, expires_at: '2031-01-01T00:00:00Z', filters: { language: 'fr' } },
      }),
    ],
    logsAnother: 'the entry is of the survey',
  },
  end_shared_results: {
    request: async (world) => {
      const id = await survey(world)
      const { body } = await world.post(`/api/surveys/${id}/share-results/`, {})
      return { params: { id, link_id: body.link_id } }
    },
    logsAnother: 'the entry is of the survey',
  },
  read_public_survey: {
    request: async (world) => ({ params: { encrypted_token: await surveyLink(world) } }),
  },
  submit_public_survey: {
    request: async (world) => ({
      params: { encrypted_token: await surveyLink(world) },
      body: { answers: { q1: fresh('Fine') } },
    }),
    logsAnother: 'the entry is of the survey',
  },
  count_surveys: { request: () => ({}) },
  count_survey_usage: { request: async (world) => ({ params: { id: await survey(world) } }) },
  read_survey_limits: { request: async (world) => ({ params: { id: await survey(world) } }) },
  read_survey_to_fill: { request: async (world) => ({ params: { id: await survey(world) } }) },
  submit_survey: {
    request: async (world) => ({
      params: { id: await survey(world, { status: 'published' }) },
      body: { answers: { q1: fresh('Fine') } },
    }),
  },
  read_survey_insights: {
    request: async (world) => ({ params: { id: await survey(world) } }),
    more: [
      async (world) => ({
        params: { id: await survey(world) },
        query: { ...resultFilters(world), unit: 'week', compare: 'previous' },
      }),
    ],
  },
  read_survey_cross_table: {
    request: async (world) => ({
      params: { id: await ratedSurvey(world) },
      query: { rows: 'q1', columns: 'q2' },
    }),
    more: [
      async (world) => ({
        params: { id: await ratedSurvey(world) },
        query: { ...resultFilters(world), rows: 'q1', columns: 'q2' },
      }),
    ],
  },
  read_survey_score_groups: {
    request: async (world) => ({
      params: { id: await ratedSurvey(world) },
      query: { by: 'owner' },
    }),
    more: [
      async (world) => ({
        params: { id: await ratedSurvey(world) },
        query: { ...resultFilters(world), by: 'account' },
      }),
    ],
  },
  read_survey_drivers: {
    request: async (world) => ({ params: { id: await ratedSurvey(world) } }),
    more: [
      async (world) => ({ params: { id: await ratedSurvey(world) }, query: resultFilters(world) }),
    ],
  },
  read_survey_themes: {
    request: async (world) => ({ params: { id: await survey(world) } }),
    more: [async (world) => ({ params: { id: await survey(world) }, query: resultFilters(world) })],
  },
  read_survey_texts_by_model: {
    logs: { rows: 0, why: 'no language model is configured, so that no text is sent' },
    request: async (world) => ({ params: { id: await survey(world) } }),
    more: [async (world) => ({ params: { id: await survey(world) }, query: resultFilters(world) })],
  },
  list_survey_responses: {
    request: async (world) => ({ params: { id: await survey(world) } }),
    more: [async (world) => ({ params: { id: await survey(world) }, query: resultFilters(world) })],
  },
  export_survey_responses: {
    request: async (world) => ({ params: { id: await survey(world) } }),
    more: [async (world) => ({ params: { id: await survey(world) }, query: resultFilters(world) })],
  },

  read_widget_config: {
    request: async (world) => ({ query: { key: await widgetKey(world) } }),
  },
  update_widget_config: {
    request: () => ({ body: { form: { title: fresh('How was it?') } } }),
    more: [() => ({ body: { theme: { primary_color: '#123456' }, is_active: true } })],
    logs: { rows: 1, why: 'the form has no record of its own' },
  },
  list_widget_responses: { request: () => ({ query: { email: 'one@acme.test' } }) },
  submit_widget: {
    request: async (world) => ({
      query: { key: await widgetKey(world) },
      body: { message: fresh('Nice'), rating: 5 },
    }),
    logs: { rows: 1, why: 'feedback is kept' },
  },

  get_users: {
    request: ({ org }) => ({ query: { email: org.users.member.email } }),
    more: [() => ({ query: { page: '2', items_per_page: '1' } })],
  },

  test_connection: { request: () => ({}) },
  get_company: {
    request: () => ({ query: { limit: '5' } }),
    more: [
      async (world) => ({ query: { company_id: await company(world) } }),
      () => ({ query: { options: 'options' } }),
      () => ({ query: { field_config: 'true' } }),
    ],
  },
  update_company_field_config: { request: () => ({ body: { fields: [newField()] } }) },
  get_contact: {
    request: () => ({ query: { limit: '5' } }),
    more: [
      async (world) => ({ query: { contact_id: await contact(world) } }),
      () => ({ query: { options: 'options' } }),
      () => ({ query: { field_config: 'true' } }),
    ],
  },
  update_contact_field_config: { request: () => ({ body: { fields: [newField()] } }) },
  invalidate_connection: {
    request: async ({ service, org }) => ({ headers: signed(await connectApp(service, org)) }),
    withoutChanges: 'a connection is no record',
  },

  subscribe: {
    request: () => ({ body: newSubscription() }),
    withoutChanges: 'a subscription is no record',
  },
  unsubscribe: {
    request: async (world) => ({ query: { subscriptionId: await subscription(world) }, body: {} }),
    more: [
      async (world) => ({ query: { subscriptionId: await subscription(world) } }),
      async (world) => ({ body: { subscriptionId: await subscription(world) } }),
    ],
  },
  list_subscriptions: {
    request: async (world) => {
      await subscription(world)
      return { query: { limit: '5' } }
    },
  },
  rotate_subscription_secret: {
    request: async (world) => ({ params: { id: await subscription(world) } }),
    withoutChanges: 'a subscription is no record',
  },
  list_events: { request: () => ({}) },
  read_sample: {
    request: () => ({ query: { event: 'company_updated' } }),
    more: [() => ({ query: { event: 'survey_published' } })],
  },
  test_webhook: {
    // a host of its own here, too
    request: async (world) => ({
      body: { subscriptionId: await subscription(world, '127.0.0.5:1') },
    }),
    more: [() => ({ body: { url: 'http://127.0.0.6:1/', event: 'contact_created' } })],
  },
  trigger_event: {
    request: async (world) => ({
      body: {
        event: 'company_created',
        subscriptionId: await subscription(world, '127.0.0.7:1'),
      },
    }),
    logs: { rows: 2, why: 'the test is an event of its own beside the entry of the subscription' },
    logsAnother: 'the source of a test is test',
    withoutChanges: 'a subscription is no record',
  },
  list_deliveries: {
    request: async (world) => {
      await delivery(world)
      return { query: { limit: '5' } }
    },
    more: [
      async (world) => ({ query: { subscriptionId: await subscription(world) } }),
      async (world) => ({ query: { subscription_id: await subscription(world) } }),
      async (world) => ({ query: await namesInDelivery(world) }),
    ],
  },
  resend_failed_deliveries: {
    request: async (world) => ({
      body: { subscriptionId: await subscription(world), since: '2026-01-01T00:00:00Z' },
    }),
    withoutChanges: 'a delivery is no record',
  },
  resend_delivery: {
    request: async (world) => ({ params: { id: await delivery(world) } }),
    logs: { rows: 0, why: 'a delivery is no record' },
  },
}

/** To a port where nobody listens. */
function newSubscription(host = '127.0.0.1:1') {
  return { events: "['company_created']", url: `http://${host}/${fresh()}` }
}

function managedSubscription() {
  return { ...newSubscription(), events: ['company_created'] }
}

async function subscription(world: World, host?: string): Promise<string> {
  const headers = world.surfaces.find(({ name }) => name === 'integration')!.admin()
  const body = newSubscription(host)
  const reply = await world.service.call('POST', '/webhook/subscribe', { headers, body })
  if (reply.status !== 201) throw new Error(`POST /webhook/subscribe ${reply.text}`)
  return reply.body.id
}

async function ownSubscription(world: World, host = '127.0.0.2:1'): Promise<string> {
  const { url } = newSubscription(host)
  const body = { app_id: await app(world), ...managedSubscription(), url }
  return (await world.post('/api/webhooks/subscriptions/', body)).body.subscription_id
}

async function inspector(world: World): Promise<string> {
  return (await world.post('/api/webhooks/inspector/', {})).body.inspector_id
}

async function delivery(world: World): Promise<string> {
  const id = await subscription(world)
  // of many subscriptions to one event a job creates the deliveries, and here no job runs
  await asService(world.service, world.org, (ctx) =>
    ctx.run(sql`update subscriptions set status = 'disabled'
      where organization_id = ${world.org.id} and id < ${id}`),
  )
  await company(world)
  const [row] = await rows<{ id: string }>(
    world.service,
    sql`select id from deliveries where subscription_id = ${id}`,
  )
  return row!.id
}

/** The record and the event of a delivery of the organization. */
async function namesInDelivery(world: World): Promise<{ record_id: string; event_id: string }> {
  const id = await delivery(world)
  const [row] = await rows<{ record_id: string; event_id: string }>(
    world.service,
    sql`select e.reference_id as record_id, d.event_id from deliveries d
      join events e on e.organization_id = d.organization_id and e.id = d.event_id
      where d.id = ${id}`,
  )
  return row!
}

function newField() {
  return { key: fresh('field').replace('-', '_'), label: 'Tier', type: 'text' }
}

function newCompany() {
  return { company_name: fresh('Acme'), domain: `${fresh('acme')}.test`, industry: 'Software' }
}

function newContact() {
  return { full_name: fresh('Ada'), primary_email: `${fresh('ada')}@example.test` }
}

async function company(world: World): Promise<string> {
  return made(world, '/api/company/', newCompany())
}

async function contact(world: World): Promise<string> {
  return made(world, '/api/contact/', newContact())
}

/** A merge of two records just made. */
async function merge(world: World, path: string, make: (world: World) => Promise<string>) {
  const body = { primary_id: await make(world), merge_ids: [await make(world)] }
  return (await world.post(`${path}merge/`, body)).body.merge_id as string
}

function newImport() {
  const csv = `Name,Mail\n${fresh('Ada')},${fresh('ada')}@example.com\n`
  return { module: 'contacts', csv, file_name: 'people.csv' }
}

async function imported(world: World): Promise<string> {
  return made(world, '/api/imports/', newImport())
}

async function option(world: World) {
  const value = fresh('option')
  const params = { module: 'contacts', set: 'languages' }
  const { token } = world.org.users.admin
  const path = `/api/option-sets/${params.module}/${params.set}/`
  const reply = await world.service.call('PUT', path, { token, body: { options: [{ value }] } })
  if (reply.status !== 200) throw new Error(`PUT ${path} ${reply.status} ${reply.text}`)
  return { ...params, value }
}

async function tag(world: World): Promise<string> {
  return made(world, '/api/tags/info/', { tag_name: fresh('tag') })
}

async function logEntry(world: World): Promise<string> {
  return made(world, '/api/activity/log/', { title: fresh('Called') })
}

function newFilter() {
  const conditions = [{ field: 'industry', operator: 'eq', value: 'Software' }]
  return { name: fresh('Software'), module: 'companies', conditions, columns: ['company_name'] }
}

async function filter(world: World): Promise<string> {
  return made(world, '/api/filters/filter/', newFilter())
}

function newAccount() {
  return { account_name: fresh('Acme') }
}

async function account(world: World): Promise<string> {
  return made(world, '/api/account/info/', newAccount())
}

function newProject() {
  return { project_name: fresh('Onboarding') }
}

async function project(world: World, more: object = {}): Promise<string> {
  return made(world, '/api/project/info/', { ...newProject(), ...more })
}

function newPipeline() {
  return { pipeline_name: fresh('Renewals') }
}

async function pipeline(world: World): Promise<string> {
  return made(world, '/api/pipelines/', newPipeline())
}

async function stage(world: World): Promise<string> {
  const { token } = world.org.users.admin
  const path = `/api/pipelines/${await pipeline(world)}/`
  return (await world.service.call('GET', path, { token })).body.stages[0].stage_id as string
}

async function milestone(world: World): Promise<{ id: string; milestone_id: string }> {
  const id = await project(world)
  const at = `/api/project/info/${id}/milestones/`
  return { id, milestone_id: await made(world, at, { name: fresh('Kick-off') }) }
}

function newTask() {
  return { title: fresh('Call') }
}

async function task(world: World): Promise<string> {
  return made(world, '/api/tasks/', newTask())
}

async function timeEntry(world: World): Promise<string> {
  const body = { task_id: await task(world), seconds: 1800, date: '2031-01-07' }
  return made(world, '/api/time-entries/', body)
}

function newTemplate() {
  const stages = [{ name: 'Kick-off', tasks: [{ title: 'Say hello' }] }]
  return { template_name: fresh('Plan'), template_config: { stages } }
}

async function template(world: World): Promise<string> {
  return made(world, '/api/templates/template/', newTemplate())
}

/** The plan of another version of it. */
function changedPlan() {
  const { template_config } = newTemplate()
  return { stages: [...template_config.stages, { name: fresh('Later') }] }
}

/** A document for which something is prepared. */
async function preparedDocument(world: World): Promise<string> {
  const id = await document(world)
  await world.service.call('PUT', `/api/documents/${id}/signature/preparation/`, {
    token: world.org.users.admin.token,
    body: {
      recipients: [{ key: 'r1', name: 'Customer', email: '', role: 'signer', order: 1 }],
      fields: [],
      message: 'Before',
      expires: null,
    },
  })
  return id
}

function writtenDocument(world: World): Promise<string> {
  return made(world, '/api/documents/', { ...newDocument(), editor_html_content: '<p>Yes</p>' })
}

async function reusableDocument(world: World): Promise<string> {
  const path = `/api/documents/${await preparedDocument(world)}/reusable/`
  return (await world.post(path, {})).body.attach_id
}

/** A batch that is held, and its document. */
async function startedBatch(world: World): Promise<{ id: string; batch_id: string }> {
  const id = await reusableDocument(world)
  const { body } = await world.post(`/api/documents/${id}/signature/batches/`, {
    lines: [{ name: 'Sam', email: `${fresh('sam')}@signer.test` }],
    hold_seconds: 600,
  })
  return { id, batch_id: body.batch_id }
}

/** A template with a draft. */
async function drafted(world: World): Promise<string> {
  const id = await template(world)
  await world.service.call('PUT', `/api/templates/template/${id}/draft/`, {
    token: world.org.users.admin.token,
    body: { template_config: changedPlan() },
  })
  return id
}

/** A template with a version that a running project of it lacks. */
async function outdated(world: World): Promise<{ id: string; project: string }> {
  const id = await drafted(world)
  const token = world.org.users.admin.token
  const at = `/api/templates/template/${id}`
  const made = await world.service.call('POST', `${at}/use/`, { token, body: {} })
  await world.service.call('POST', `${at}/publish/`, { token, body: { note: 'More' } })
  return { id, project: String(made.body.project_id) }
}

function newHolidays() {
  return { country: fresh('Land'), holidays: [{ name: 'New Year', date: '2026-01-01' }] }
}

async function holidaySet(world: World): Promise<string> {
  return made(world, '/api/holidays/holinfo/', newHolidays())
}

async function newInteraction(world: World) {
  return { module_id: 5, reference_id: await contact(world), content: fresh('Called') }
}

async function interaction(world: World): Promise<string> {
  return made(world, '/api/interactions/info/', await newInteraction(world))
}

function newNotification({ org }: World) {
  return { user_id: org.users.admin.user_id, title: fresh('Remember') }
}

async function notification(world: World): Promise<string> {
  return made(world, '/api/notifyhub/notify-info/', newNotification(world))
}

function newMeeting() {
  return {
    calendar_id: newId(),
    title: fresh('Kick-off'),
    start: '2026-01-05T10:00:00Z',
    end: '2026-01-05T11:00:00Z',
  }
}

async function meeting(world: World, more: object = {}): Promise<string> {
  return made(world, '/api/calendar/info/', { ...newMeeting(), ...more })
}

let serving: Promise<string> | undefined

/** The address of a CalDAV server that has one calendar. */
function calendarServer(): Promise<string> {
  serving ??= startCalendarServer()
  return serving
}

/** A provider whose calendars can be connected in the service of a test, one for each file. */
async function calendarProvider({ service }: World): Promise<FakeCalendars> {
  if (!providing) {
    providing = startGoogle()
    // the next file in the same process needs another
    atEnd(async () => {
      providing = undefined
    })
  }
  const fake = await providing
  useProvider(service, 'google', fake)
  return fake
}

let providing: Promise<FakeCalendars> | undefined

async function startCalendarServer(): Promise<string> {
  const calendar = `<d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:response>
    <d:href>/work/</d:href><d:propstat><d:prop><d:displayname>Work</d:displayname>
    <d:resourcetype><c:calendar/></d:resourcetype></d:prop><d:status>HTTP/1.1 200 OK</d:status>
    </d:propstat></d:response></d:multistatus>`
  const server = createServer((_request, response) => response.writeHead(207).end(calendar))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // the next file in the same process needs another
  atEnd(async () => {
    serving = undefined
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/work/`
}

/** A meeting for which somebody has proposed another time by mail. */
async function proposal(world: World) {
  const id = await meeting(world)
  const answer_id = newId()
  await asService(world.service, world.org, (ctx) =>
    ctx.run(sql`insert into meeting_answers (organization_id, id, calendar_id, message_hash, kind, state,
        email, starts_at, ends_at)
      values (${ctx.organization.id}, ${answer_id}, ${id}, ${Buffer.from(answer_id)}, 'counter', 'open',
        'guest@acme.test', '2026-01-06T10:00:00Z', '2026-01-06T11:00:00Z')`),
  )
  return { id, answer_id }
}

const said = 'Ada Lind: I will send the contract by Friday.'

async function transcript(world: World) {
  const id = await meeting(world)
  return (await world.post(`/api/calendar/${id}/transcript/`, { text: said })).body as {
    calendar_id: string
    meeting_insight_id: string
    suggested_items: { item_id: string }[]
  }
}

/** A connection of the administrator, in the place of the one before. */
async function connectedCalendar(world: World): Promise<string> {
  const id = newId()
  await asService(world.service, world.org, async (ctx) => {
    const { user_id } = world.org.users.admin
    await ctx.run(sql`delete from calendar_connections t
      where t.organization_id = ${ctx.organization.id} and t.user_id = ${user_id} and t.slot = 'a'`)
    await ctx.run(sql`insert into calendar_connections (organization_id, id, user_id, slot, kind, address,
        account, secret, calendars, calendar_ref)
      values (${ctx.organization.id}, ${id}, ${user_id}, 'a', 'caldav', 'https://dav.example.com/', 'anna',
        ${ctx.secrets.encrypt('{"password":"x"}')},
        '[{"id":"https://dav.example.com/work/","name":"Work","is_writable":true,"is_main":true}]',
        'https://dav.example.com/work/')`)
  })
  return id
}

async function newInsight(world: World) {
  return { meeting_insight_id: newId(), calendar_id: await meeting(world) }
}

async function insight(world: World): Promise<string> {
  return made(world, '/api/calendar/insight/', await newInsight(world))
}

function newSurvey() {
  const fields = [{ id: 'q1', type: 'short-text', label: 'How was it?', required: true }]
  return { name: fresh('Feedback'), form_structure: [{ id: 'p1', title: 'One', fields }] }
}

/** A survey that is changed since it was published. */
async function draftedSurvey(world: World): Promise<string> {
  const id = await survey(world)
  await world.service.call('PUT', `/api/surveys/${id}/draft/`, {
    token: world.org.users.admin.token,
    body: { closing_text: fresh('Thanks') },
  })
  return id
}

async function survey(world: World, more: object = {}): Promise<string> {
  return made(world, '/api/surveys/', { ...newSurvey(), ...more })
}

/** A survey with two questions that can be compared. */
function ratedSurvey(world: World): Promise<string> {
  const fields = [
    { id: 'q1', type: 'nps', label: 'How likely?' },
    { id: 'q2', type: 'csat', label: 'How good?' },
  ]
  return survey(world, { form_structure: [{ id: 'p1', title: 'One', fields }] })
}

/** All that results of surveys can be restricted to. */
function resultFilters({ org }: World) {
  return {
    since: '2026-01-01',
    until: '2026-12-31',
    account: 'none',
    owner: org.users.admin.user_id,
    segment: 'mid_market',
    language: 'fr',
    version: '1',
    schedule: 'none',
    answers: JSON.stringify([{ field: 'respondent_email', operator: 'is_empty' }]),
  }
}

async function widgetKey({ service, org }: World): Promise<string> {
  const [widget] = await rows(
    service,
    sql`select widget_key as key from widget_settings where organization_id = ${org.id}`,
  )
  return widget.key
}

function newSchedule() {
  const email_addresses = [`${fresh('somebody')}@example.test`]
  const year = new Date().getUTCFullYear() + 1
  const reminders = { after_days: 3, at_most: 2 }
  const scheduled_at = `${year}-06-01T09:00`
  return { email_addresses, scheduled_at, timezone: 'Europe/Berlin', reminders }
}

async function schedule(world: World) {
  const id = await survey(world)
  const { body } = await world.post(`/api/surveys/${id}/schedule/`, newSchedule())
  return { id, schedule_id: body.schedule_id }
}

function newAutomation() {
  return {
    name: fresh('automation'),
    trigger: { type: 'response_submitted' },
    conditions: [{ field: 'score', operator: 'gte', value: 0 }],
    actions: [{ type: 'create_task', config: { title: 'Call back' } }],
  }
}

async function automation(world: World, id: string): Promise<string> {
  const { body } = await world.post(`/api/surveys/${id}/automations_save/`, newAutomation())
  return body.automation_id
}

async function surveyLink(world: World): Promise<string> {
  const id = await survey(world, { status: 'published' })
  return (await world.post(`/api/surveys/${id}/link/`, {})).body.encrypted_token
}

function newDashboard() {
  return { dashboard_id: newId(), dashboard_name: fresh('Sales') }
}

function report(world: World): Promise<string> {
  const saved = { layout: 'report', report: { by: 'creation_time', unit: 'year' } }
  return made(world, '/api/filters/filter/', { ...newFilter(), module: 'companies', ...saved })
}

async function dashboard(world: World): Promise<string> {
  return made(world, '/api/dashboards/info/', newDashboard())
}

function newUser() {
  return { email: `${fresh('user')}@example.test`, full_name: 'Una User' }
}

async function invited(world: World): Promise<{ profile_id: string; invite_token: string }> {
  return (await world.post('/api/users/profile/action/', newUser())).body
}

/** Of an active user, as the mail about a forgotten password has it. */
async function resetToken(world: World): Promise<string> {
  const { profile_id, invite_token } = await invited(world)
  await world.post('/api/login/accept-invite/', { invite_token, password })
  const token = fresh('token')
  const { database, secrets } = world.service.runtime
  await database.transaction(world.org.id, (queries) =>
    queries.run(sql`update users set reset_hash = ${secrets.hash(token)},
      reset_expires_at = '9999-01-01' where id = ${profile_id}`),
  )
  return token
}

async function user(world: World): Promise<string> {
  return (await invited(world)).profile_id
}

async function role(world: World): Promise<string> {
  return made(world, '/api/users/role/', { role_name: fresh('role') })
}

/** Creates a record as the organization's admin and returns its id. */
async function made(world: World, path: string, body: unknown): Promise<string> {
  return (await world.post(path, body)).headers.get('x-record-id')!
}

function newDocument() {
  return { document_name: fresh('Contract') }
}

async function document(world: World): Promise<string> {
  return (await world.post('/api/documents/', newDocument())).body.attach_id
}

/** The document and the recipient of a request that is open. */
async function recipientToSign(world: World) {
  const id = await documentToSign(world)
  const { token } = world.org.users.admin
  const { body } = await world.service.call('GET', `/api/documents/${id}/`, { token })
  return { id, recipient_id: body.signature_recipients[0].id as string }
}

async function documentToSign(world: World): Promise<string> {
  const id = await document(world)
  const recipients = [{ name: 'Sam', email: 'sam@signer.test' }]
  await world.post(`/api/documents/${id}/signature/request/`, { recipients })
  return id
}

const onePage = plainPdf([{}])

/** A certificate with its key, in PEM. */
async function ownCertificate(): Promise<string> {
  const { certificates, privateKey } = await madeIdentity('Acme', new Date())
  return privateKey + certificates.map((each) => new X509Certificate(each).toString()).join('')
}

async function documentWithFile({ service, org }: World, content?: Uint8Array): Promise<string> {
  const form = new FormData()
  if (content) form.append('file', new Blob([Uint8Array.from(content)]), 'contract.pdf')
  else form.append('file', new Blob(['Hello']), 'hello.txt')
  const reply = await fetch(`${service.url}/api/documents/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${org.users.admin.token}` },
    body: form,
  })
  return ((await reply.json()) as { attach_id: string }).attach_id
}

async function deleted(world: World, path: string, id: Promise<string>): Promise<string> {
  const { token } = world.org.users.admin
  const reply = await world.service.call('DELETE', `${path}${await id}/`, { token })
  if (reply.status !== 204) throw new Error(`DELETE ${path} ${reply.status} ${reply.text}`)
  return id
}

async function session({ service, org }: World) {
  const identity = {
    organization_id: org.id,
    full_name: 'member',
    role: 'member',
    ...org.users.member,
  }
  return (await service.signIn.start(identity)) as { access_token: string; refresh_token: string }
}

function newApp() {
  return {
    name: fresh('Connector'),
    redirect_uris: ['https://connector.test/callback'],
    scopes: ['company.read', 'contact.read', 'contact.write'],
  }
}

async function app(world: World): Promise<string> {
  return (await world.post('/api/apps/', newApp())).body.app_id
}

async function connectionOf(service: World['service'], client_id: string): Promise<string> {
  const [found] = await rows(
    service,
    sql`select g.id from grants g join apps a on a.organization_id = g.organization_id
      and a.id = g.app_id where a.client_id = ${client_id} and g.revoked_at is null`,
  )
  return found.id
}

async function personalDataRequest(world: World): Promise<string> {
  const body = { email: `${fresh()}@nobody.test` }
  return (await world.post('/api/organization/personal-data/export/', body)).body.request_id
}

/** The admin of an otherwise unused organization. */
async function elsewhere({ service }: World, { codes = false } = {}) {
  const { id, users } = await makeOrganization(service)
  const secret = codes ? await giveCodes(service, id, users.admin.user_id) : ''
  return { headers: { authorization: `Bearer ${users.admin.token}` }, secret }
}

async function pictured(world: World): Promise<string> {
  const { user_id } = await newcomer(world)
  const { token } = world.org.users.admin
  const body = { image: pngOf().toString('base64') }
  const path = `/api/users/profile/${user_id}/image/`
  const reply = await world.service.call('PUT', path, { token, body })
  if (reply.status !== 200) throw new Error(`PUT ${path} ${reply.text}`)
  return user_id
}

/** Somebody who has just joined, with their own session. */
async function newcomer(world: World) {
  const { profile_id, invite_token } = await invited(world)
  const accepted = { invite_token, password }
  const { body } = await world.post('/api/login/accept-invite/', accepted)
  const headers = { authorization: `Bearer ${body.access_token}` }
  return { user_id: profile_id, email: body.user.email as string, headers }
}

let started: Promise<Provider> | undefined

/** The OpenID provider of every organization here. */
function provider(): Promise<Provider> {
  if (!started) {
    started = startProvider()
    // it stops with the file that started it, and the next one in the same process needs another
    atEnd(async () => (started = undefined))
  }
  return started
}

async function withProvider({ service, org }: World): Promise<Provider> {
  const found = await provider()
  const { issuer, client_id, client_secret } = found
  const body = { issuer, client_id, client_secret, allowed_domains: [] }
  const { token } = org.users.admin
  const reply = await service.call('PUT', '/api/organization/openid/', { token, body })
  if (reply.status !== 200) throw new Error(reply.text)
  return found
}

// the lists take the same queries in groups
for (const [group, list, by] of [
  ['group_tasks', 'list_tasks', 'owner'],
  ['group_documents', 'list_documents', 'document_status'],
  ['group_surveys', 'list_surveys', 'is_active'],
  ['group_calendar', 'list_calendar', 'project'],
] as const) {
  const more = (cases[list]?.more ?? []).map((make) => async (world: World) => {
    const made = await make(world)
    const {
      page: _page,
      items_per_page: _size,
      page_size: _s,
      page_number: _n,
      start: _start,
      end: _end,
      ...query
    } = made.query ?? {}
    return { ...made, query: { ...query, by } }
  })
  cases[group] = { ...cases[group]!, more: [...(cases[group]?.more ?? []), ...more] }
}

// what changes one of them changes many
for (const [list, update] of [
  ['companies', 'update_company'],
  ['contacts', 'update_contact'],
  ['accounts', 'update_account'],
  ['projects', 'update_project'],
  ['pipelines', 'update_pipeline'],
  ['milestones', 'update_milestone'],
  ['tasks', 'update_task'],
  ['templates', 'update_template'],
  ['holidays', 'update_holiday_set'],
  ['documents', 'update_document'],
  ['meetings', 'update_meeting'],
  ['meeting_insights', 'update_meeting_insight'],
  ['surveys', 'update_survey'],
  ['tags', 'update_tag'],
  ['users', 'update_user'],
  ['filters', 'update_filter'],
  ['dashboards', 'update_dashboard'],
] as const) {
  cases[`bulk_write_${list}`] = {
    request: async (world) => {
      const { params = {}, body } = await cases[update]!.request(world)
      const { milestone_id, id } = params
      const ids = [milestone_id ?? id]
      const at = milestone_id ? { params: { id: id! } } : {}
      return { ...at, body: { ids, action: 'update', fields: body } }
    },
  }
}
