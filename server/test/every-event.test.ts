import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import ajvFormats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Query } from '../src/kit/ground/context.ts'
import { allOrganizations } from '../src/kit/ground/context.ts'
import { newId } from '../src/kit/ground/ids.ts'
import type { JSONSchema } from '../src/kit/ground/json-schema.ts'
import { decline } from '../src/records/documents/signing/decline.ts'
import { sign } from '../src/records/documents/signing/sign.ts'
import { notifyDue } from '../src/records/tasks/due.ts'
import { eventKind, eventNames } from '../src/webhooks/catalogue.ts'
import { asService } from './support/contexts.ts'
import type { ConnectedApp } from './support/integration.ts'
import { connectApp } from './support/integration.ts'
import type { Arrival, Receiver } from './support/receiver.ts'
import { startReceiver, subscribe, verified } from './support/receiver.ts'
import type { TestOrganization, TestService } from './support/service.ts'
import { makeOrganization, rows, sql, startService } from './support/service.ts'
import { fresh } from './support/world.ts'

// Every event of the catalogue is caused by real requests. The deliveries have exactly the members of the published schema,
// the record that the catalogue names, and the same structure as the sample.

type Body = { [member: string]: any }
type Listed = { event: string; schema: JSONSchema; sample: Body }

describe('every event arrives as it is published', () => {
  let service: TestService
  let org: TestOrganization
  let app: ConnectedApp
  let receiver: Receiver
  let secret: string
  let listed: Map<string, Listed>
  const strict = new Ajv2020({ allErrors: true, strict: false })
  ajvFormats.default(strict, ['email', 'uri', 'date'])
  strict.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  for (const format of ['time-zone', 'locale', 'web-address', 'color', 'tag'])
    strict.addFormat(format, true)

  before(async () => {
    service = await startService({ webhookHostRate: 0, webhookHostConcurrency: 0 })
    org = await makeOrganization(service)
    app = await connectApp(service, org)
    receiver = await startReceiver()
    secret = (await subscribe(app, [...eventNames], receiver.url)).secret
    const { body } = await app.call('GET', '/webhook/events')
    listed = new Map(body.results.map((each: Listed) => [each.event, each]))
  })

  test('companies', async () => {
    const body = { company_name: fresh('Acme'), custom_fields: { 2: 'b', 1: { a: [1.5, 1e21] } } }
    const id = await when('company_created', () => post('/api/company/', body))
    await when('company_updated', () => put(`/api/company/${id}/`, { industry: 'Space' }))
    const merged = await post('/api/company/', { company_name: fresh('Other'), hq_country: 'FR' })
    const merge = { primary_id: id, merge_ids: [merged], strategy: 'fill_empty' }
    await when('company_merged', () => post('/api/company/merge/', merge))
    await when('company_deleted', () => remove(`/api/company/${id}/`))
  })

  test('contacts', async () => {
    const id = await when('contact_created', () => post('/api/contact/', { full_name: 'Ada' }))
    await when('contact_updated', () => put(`/api/contact/${id}/`, { job_title: 'Engineer' }))
    const merged = await post('/api/contact/', { full_name: fresh('Other'), phone: '+1555' })
    const merge = { primary_id: id, merge_ids: [merged], strategy: 'fill_empty' }
    await when('contact_merged', () => post('/api/contact/merge/', merge))
    await when('contact_deleted', () => remove(`/api/contact/${id}/`))
  })

  test('deals', async () => {
    const draft = { project_name: fresh('Sale'), project_type: 'deal', revenue: 1200.5 }
    const id = await when('deal_created', () => post('/api/project/info/', draft))
    const path = `/api/project/info/${id}/`
    await when('deal_updated', () => put(path, { expected_deal_value: 9 }))
    await when('deal_stage_changed', () => put(path, { stage_id: 'proposal' }))
    await when('deal_won', () => put(path, { stage_id: 'closed_won' }))
    const lost = { stage_id: 'closed_lost', lost_reason: 'price' }
    await when('deal_lost', () => put(path, lost))
    await when('deal_deleted', () => remove(path))
  })

  test('projects, milestones and tasks', async () => {
    const draft = { project_name: fresh('Plan') }
    const id = await when('project_created', () => post('/api/project/info/', draft))
    const path = `/api/project/info/${id}/`
    await when('project_updated', () => put(path, { description: 'About' }))
    await when('project_status_changed', () => put(path, { status: 'in_progress' }))

    const steps = `${path}milestones/`
    const milestone = await when('milestone_created', () => post(steps, { name: 'Kick-off' }))
    const step = `${steps}${milestone}/`
    await when('milestone_updated', () => put(step, { description: 'About' }))

    const newTask = { title: fresh('Call'), project_id: id, milestone_id: milestone }
    const task = await when('task_created', () => post('/api/tasks/', newTask))
    const at = `/api/tasks/${task}/`
    const overdue = { due_date: '2020-01-01', owner: org.users.member.user_id }
    await when('task_updated', () => put(at, { is_risk: true }))
    await when('task_assigned', () => put(at, overdue))
    await when('task_overdue', () => asService(service, org, (ctx) => notifyDue(ctx)))
    await when('task_status_changed', () => put(at, { status: 'in_progress' }))
    await when('task_completed', () => put(at, { is_completed: true }))
    await when('task_deleted', () => remove(at))

    // it was completed with its last task
    await put(step, { status: 'in_progress' })
    await when('milestone_completed', () => put(step, { status: 'completed' }))
    await when('milestone_deleted', () => remove(step))
    await when('project_completed', () => put(path, { status: 'completed' }))
    await when('project_deleted', () => remove(path))
  })

  test('accounts', async () => {
    const body = { account_name: fresh('Acme') }
    const id = await when('account_created', () => post('/api/account/info/', body))
    const path = `/api/account/info/${id}/`
    await when('account_updated', () => put(path, { region: 'EMEA' }))
    await when('account_deleted', () => remove(path))
  })

  test('templates and users', async () => {
    const stages = [{ name: 'Kick-off', tasks: [{ title: 'Say hello' }] }]
    const draft = { template_name: fresh('Plan'), template_config: { stages } }
    const template = await when('template_created', () => post('/api/templates/template/', draft))
    const path = `/api/templates/template/${template}/`
    await when('template_updated', () => put(path, { description: 'About' }))
    const body = { email: `${fresh()}@${org.id}.test`, full_name: 'Una User' }
    const user = await when('user_created', () => post('/api/users/profile/action/', body))
    await everywhere(sql`update users set is_active = true where id = ${user}`)
    const profile = `/api/users/profile/${user}/`
    await when('user_updated', () => put(profile, { job_title: 'Engineer' }))
    await when('user_deactivated', () => put(profile, { is_active: false }))
  })

  test('surveys and responses', async () => {
    const fields = [
      { id: 'q1', type: 'short-text', label: 'How was it?', required: true },
      { id: 'q2', type: 'nps', label: 'Would you?' },
    ]
    const form_structure = [{ id: 'p1', title: 'One', fields }]
    const id = await post('/api/surveys/', { name: fresh('Feedback'), form_structure })
    const path = `/api/surveys/${id}/`
    await when('survey_published', () => post(`${path}publish/`, {}))
    const answers = { answers: { q1: 'Fine', q2: 9 }, respondent_email: 'ada@example.com' }
    const { data } = await arrived('survey_response_submitted', () => post(`${path}fill/`, answers))
    assert.deepEqual(data.answers, answers.answers)
    await when('survey_closed', () => post(`${path}close/`, {}))
  })

  test('documents and signatures', async () => {
    for (const end of [sign, decline]) {
      const body = { document_name: fresh('Offer'), editor_html_content: '<p>Yes</p>' }
      const id = await when('document_created', () => post('/api/documents/', body))
      const path = `/api/documents/${id}/`
      await when('document_updated', () => put(path, { description: 'About' }))
      await when('document_published', () => post(`${path}publish/`, {}))
      const recipients = [{ name: 'Sam', email: 'sam@signer.test' }]
      const request = () => post(`${path}signature/request/`, { recipients })
      await when('document_signature_requested', request)
      const [recipient] = await rows<{ id: string }>(
        service,
        sql`select r.id from signature_recipients r join signature_requests q on q.organization_id = r.organization_id and q.id = r.request_id
          where q.document_id = ${id}`,
      )
      const client = { address: '127.0.0.1', user_agent: 'test' }
      const mark = end === sign ? { name: 'Sam' } : 'No'
      const event = end === sign ? 'document_signed' : 'document_declined'
      const act = () =>
        asService(service, org, (ctx) => end(ctx, recipient!.id, mark as never, client))
      await when(event, act)
    }
    const id = await post('/api/documents/', { document_name: fresh('Draft') })
    await when('document_deleted', () => remove(`/api/documents/${id}/`))
  })

  test('meetings and comments', async () => {
    const times = { start: '2026-01-05T10:00:00Z', end: '2026-01-05T11:00:00Z' }
    const attendees = [{ type: 'user', id: org.users.member.user_id }]
    const draft = { calendar_id: newId(), title: fresh('Kick-off'), ...times, attendees }
    const id = await when('meeting_scheduled', () => post('/api/calendar/info/', draft))
    const path = `/api/calendar/info/${id}/`
    const later = { start: '2026-01-06T10:00:00Z', end: '2026-01-06T11:00:00Z' }
    await when('meeting_rescheduled', () => put(path, later))
    await when('meeting_updated', () => put(path, { location: 'Room 2' }))
    await when('meeting_cancelled', () => put(path, { is_meeting_cancelled: true }))
    const contact = await post('/api/contact/', { full_name: fresh('Ada') })
    const comment = { module_id: 5, reference_id: contact, content: 'Called' }
    await when('interaction_created', () => post('/api/interactions/info/', comment))
  })

  test('and none was left out', () => {
    const types = new Set(receiver.arrivals.map(({ json }) => json.type))
    assert.deepEqual([...types].sort(), eventNames.toSorted())
  })

  /** The same as `arrived`; returns the result of the act. */
  async function when<T>(event: string, act: () => Promise<T>): Promise<T> {
    let made: T | undefined
    await arrived(event, async () => (made = await act()))
    return made as T
  }

  /** Causes an event; checks and returns the body of its delivery. */
  async function arrived(event: string, act: () => Promise<unknown>): Promise<Body> {
    const first = receiver.arrivals.length
    const isNew = (each: Arrival) =>
      each.json.type === event && receiver.arrivals.indexOf(each) >= first
    await act()
    const [arrival] = await receiver.arrived(1, isNew)
    verified(secret, arrival!)
    const { text, json } = arrival!
    assert.equal(JSON.stringify(JSON.parse(text)), text, `${event} is not compact`)
    fits(event, json)

    const { after = {}, changes } = eventKind(event)
    const { sample: example } = listed.get(event)!
    fits(event, example)
    for (const [path, value] of Object.entries(after)) {
      assert.deepEqual(at(json.data, path), value, `${path} of ${event}`)
      assert.deepEqual(at(example.data, path), value, `${path} of the made-up ${event}`)
    }
    const names = Object.keys(changes ?? {})
    if (changes) {
      assert.deepEqual(json.changes.changed_fields, names, `what ${event} changes`)
      assert.deepEqual(example.changes.changed_fields, names, `what the made-up ${event} changes`)
    }
    for (const name of names) {
      for (const { changes: its } of [json, example]) {
        assert.notDeepEqual(its.from[name], its.to[name], `${name} of ${event} stays the same`)
      }
    }
    sameShape(example.data, json.data, `the made-up data of ${event}`)

    const sample = (await app.call('GET', '/webhook/sample', { query: { event } })).body
    fits(event, sample)
    for (const [path, value] of Object.entries(after))
      assert.deepEqual(at(sample.data, path), value, `${path} of the sample of ${event}`)
    sameShape(sample.data, json.data, `the sample of ${event}`)
    const isGone = event.endsWith('_deleted')
    if (!isGone) assert.deepEqual(sample.changes, json.changes, `changes of the sample of ${event}`)
    return json
  }

  /** Whether a delivery satisfies the schema that is published, with no member that it does not name. */
  function fits(event: string, body: unknown) {
    const { schema } = listed.get(event)!
    const validate = strict.getSchema(event) ?? strict.compile({ ...closed(schema), $id: event })
    const problems = () => strict.errorsText(validate.errors, { dataVar: event })
    assert.ok(validate(body), `${problems()} in ${JSON.stringify(body).slice(0, 2000)}`)
  }

  async function call(method: string, path: string, body?: unknown) {
    const reply = await service.call(method, path, { token: org.users.admin.token, body })
    if (reply.status >= 300) throw new Error(`${method} ${path} ${reply.status} ${reply.text}`)
    return reply
  }

  async function post(path: string, body: unknown): Promise<string> {
    const reply = await call('POST', path, body)
    return reply.headers.get('x-record-id') ?? reply.body?.profile_id ?? ''
  }

  function put(path: string, body: unknown) {
    return call('PUT', path, body)
  }

  function remove(path: string) {
    return call('DELETE', path)
  }

  function everywhere(query: Query) {
    return service.runtime.database.transaction(allOrganizations, (queries) => queries.run(query))
  }
})

/** The same schema, satisfied by no object with a member that it does not name. */
function closed<S>(schema: S): S {
  if (Array.isArray(schema)) return schema.map(closed) as S
  if (typeof schema !== 'object' || schema === null) return schema
  const inner = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, closed(value)]),
  ) as JSONSchema
  const isRecord = typeof inner.properties === 'object' && !('additionalProperties' in inner)
  return (isRecord && inner.type ? { ...inner, additionalProperties: false } : inner) as S
}

function at(value: any, path: string): unknown {
  return path.split('.').reduce((inner, name) => inner?.[name], value)
}

/** Asserts that one record has the members of another; where both hold a value, of the same type. */
function sameShape(sample: Body, real: Body, about: string) {
  assert.deepEqual(Object.keys(sample), Object.keys(real), about)
  for (const [name, value] of Object.entries(sample)) {
    const [one, other] = [kindOf(value), kindOf(real[name])]
    if (one !== 'null' && other !== 'null') assert.equal(one, other, `${name} of ${about}`)
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
