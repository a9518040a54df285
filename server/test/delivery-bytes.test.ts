import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import type { Query } from '../src/kit/ground/context.ts'
import { allOrganizations } from '../src/kit/ground/context.ts'
import { newId } from '../src/kit/ground/ids.ts'
import type { Json } from '../src/kit/ground/operation.ts'
import { membersOf } from '../src/kit/read/members.ts'
import { readOne } from '../src/kit/read/one.ts'
import { allScopes } from '../src/records/apps/scopes.ts'
import { decline } from '../src/records/documents/signing/decline.ts'
import { sign } from '../src/records/documents/signing/sign.ts'
import { readInteraction } from '../src/records/interactions/read.ts'
import { notifyDue } from '../src/records/tasks/due.ts'
import { permissionModules } from '../src/model/users/roles/permissions.ts'
import { eventKind, eventNames } from '../src/webhooks/catalogue.ts'
import { asService, contextAs } from './support/contexts.ts'
import type { ConnectedApp } from './support/integration.ts'
import { connectApp } from './support/integration.ts'
import type { Arrival, Receiver } from './support/receiver.ts'
import { internalFields } from './support/internal-fields.ts'
import { startReceiver } from './support/receiver.ts'
import type { Member, TestOrganization, TestService } from './support/service.ts'
import { makeOrganization, rows, sql, startService, tokenFor } from './support/service.ts'
import { until } from './support/until.ts'
import { fresh } from './support/world.ts'

// The record in a delivery equals, byte by byte except for blanks, its reader's own GET in
// that state, whoever wrote: every event of the catalogue, by an admin and by somebody who sees only their own,
// to readers of every role and of every scope. Its changes equal the differences of those GETs.

/** A receiver: a user, and the scopes of their app. */
type Reader = {
  name: string
  user: Member
  app: ConnectedApp
  scopes: string[]
  path: string
  events: Set<string>
  /** of a customer or a partner, whom internal fields are not shown */
  isExternal: boolean
}

/** What changes name beside the fields. */
const named = ['merged_ids', 'merged_into', 'predecessor_id']

/** One GET of one record: its raw text, or undefined if the reader gets none. */
type Own = string | undefined

describe('a delivery holds what its reader’s own GET shows', () => {
  let service: TestService
  let org: TestOrganization
  let receiver: Receiver
  let readers: Reader[]
  /** sees its own records only, writes them, and subscribes too */
  let restricted: Member
  let account: string
  const hidden: { [what: string]: string } = {}
  const seen = new Map<string, Set<string>>()
  /** what the readers saw of the record of the last step, unless something else changed it since */
  const last = new Map<string, Map<string, Own>>()

  before(async () => {
    service = await startService({ webhookHostRate: 0, webhookHostConcurrency: 0 })
    org = await makeOrganization(service)
    receiver = await startReceiver()
    const { admin, customer, partner, observer } = org.users
    const boss = await addUser(await makeRole('team'))
    restricted = await addUser(await makeRole('own'))
    const contactsOnly = await addUser(await makeRole('none', { contacts: 'all' }))
    await everywhere(sql`update users set reports_to = ${boss.user_id}
      where id = ${restricted.user_id}`)

    hidden.company = await post('/api/company/', { company_name: fresh('Hidden') })
    hidden.other = await post('/api/company/', { company_name: fresh('Hidden too') })
    hidden.boss = await post('/api/contact/', { full_name: fresh('Hidden boss') })
    hidden.deputy = await post('/api/contact/', { full_name: fresh('Hidden deputy') })
    hidden.project = await post('/api/project/info/', { project_name: fresh('Hidden plan') })
    account = await post('/api/account/info/', {
      account_name: fresh('Account'),
      company_id: hidden.company,
    })
    for (const { user_id } of [customer, partner, observer])
      await everywhere(sql`update users set account_id = ${account} where id = ${user_id}`)

    // its documents and meetings are shared with the account's people, and the project itself is not
    await everywhere(sql`update projects set account_id = ${account} where id = ${hidden.project}`)
    readers = []
    for (const [kind, user] of Object.entries(org.users)) await addReader(kind, user, allScopes)
    await addReader('one who sees their own', restricted, allScopes)
    await addReader('one who sees their team’s', boss, allScopes)
    await addReader('one who sees contacts only', contactsOnly, allScopes)
    for (const scope of allScopes.filter((each) => each.endsWith('.read')))
      await addReader(`an admin’s app with ${scope}`, admin, [scope])
    await addReader('one’s own with contact.read', restricted, ['contact.read'])
  })

  for (const writer of ['an admin', 'one who sees their own'] as const) {
    describe(`when ${writer} writes`, () => {
      const token = () => (writer === 'an admin' ? org.users.admin : restricted).token
      /** links that the writer may set, to records that other readers do not see */
      const links = () =>
        writer === 'an admin'
          ? { company: hidden.company, reports_to: hidden.boss }
          : { company: undefined, reports_to: undefined }

      test('companies', async () => {
        const id = newId()
        const owned = { company_owner: restricted.user_id, industry: 'Retail' }
        const company = await step('companies', undefined, () =>
          post('/api/company/', { ...owned, company_name: fresh('Acme') }, token()),
        )
        await everywhere(sql`update companies set parent_company = ${hidden.company}
          where id = ${company}`)
        await step('companies', company, () => put(`/api/company/${company}/`, { industry: id }))
        await step('companies', company, () =>
          put(
            `/api/company/${company}/`,
            { industry: 'Space', custom_fields: { a: 1.5 } },
            token(),
          ),
        )
        if (writer === 'an admin')
          await step('companies', company, () =>
            put(`/api/company/${company}/`, { parent_company: hidden.other }),
          )
        const merged = await post('/api/company/', { ...owned, company_name: fresh('Merged') })
        await step('companies', company, () =>
          post(
            '/api/company/merge/',
            { primary_id: company, merge_ids: [merged], strategy: 'fill_empty' },
            token(),
          ),
        )
        await step('companies', company, () => remove(`/api/company/${company}/`, token()))
      })

      test('accounts', async () => {
        const made = await step('accounts', undefined, () =>
          post(
            '/api/account/info/',
            { account_name: fresh('Acme'), account_owner: restricted.user_id },
            token(),
          ),
        )
        await everywhere(sql`update accounts set company_id = ${hidden.company}
          where id = ${made}`)
        const path = `/api/account/info/${made}/`
        await step('accounts', made, () => put(path, { region: 'EMEA' }, token()))
        await step('accounts', made, () => put(path, { company_id: hidden.other }))
        await step('accounts', made, () => remove(path, token()))
      })

      test('contacts', async () => {
        const contact = await step('contacts', undefined, () =>
          post(
            '/api/contact/',
            { full_name: fresh('Ada'), contact_owner: restricted.user_id, ...links() },
            token(),
          ),
        )
        await everywhere(sql`update contacts set company_id = ${hidden.company},
          reports_to = ${hidden.boss} where id = ${contact}`)
        const path = `/api/contact/${contact}/`
        await step('contacts', contact, () => put(path, { job_title: fresh('Engineer') }, token()))
        const own = await post('/api/company/', { company_name: fresh('Own') }, restricted.token)
        await step('contacts', contact, () => put(path, { company: own }, token()))
        await step('contacts', contact, () =>
          put(path, { company: hidden.other, reports_to: hidden.deputy }),
        )
        await step('contacts', contact, () => put(path, { reports_to: null, phone: '+1' }, token()))
        const merged = await post('/api/contact/', {
          full_name: fresh('Merged'),
          contact_owner: restricted.user_id,
          company: hidden.company,
        })
        await step('contacts', contact, () =>
          post(
            '/api/contact/merge/',
            { primary_id: contact, merge_ids: [merged], strategy: 'fill_empty' },
            token(),
          ),
        )
        await step('contacts', contact, () => remove(path, token()))
      })

      for (const project_type of ['project', 'deal'] as const) {
        test(`${project_type}s, with their milestones and tasks`, async () => {
          const module = `${project_type}s`
          const project = await step(module, undefined, () =>
            post(
              '/api/project/info/',
              {
                project_name: fresh('Plan'),
                project_type,
                project_owner: restricted.user_id,
                custom_fields: { b: 2 },
              },
              token(),
            ),
          )
          await everywhere(sql`update projects set account_id = ${account}, is_shared = true,
            company_id = ${hidden.company}, customer_contact = ${hidden.boss} where id = ${project}`)
          const path = `/api/project/info/${project}/`
          await step(module, project, () => put(path, { description: fresh('About') }, token()))
          await step(module, project, () =>
            put(path, { customer_project_owner: hidden.deputy, company_id: hidden.other }),
          )
          const internal = {
            revenue: 5000,
            billing_model: fresh('Retainer'),
            tags: [fresh('Risky')],
          }
          await step(module, project, () => put(path, { ...internal, custom_fields: { b: 3 } }))
          await milestoneAndTasks(project, token())
          if (project_type === 'project') {
            await step(module, project, () => put(path, { status: 'completed' }, token()))
          } else {
            await step(module, project, () => put(path, { stage_id: 'closed_won' }, token()))
            await step(module, project, () =>
              put(path, { stage_id: 'closed_lost', lost_reason: 'price' }, token()),
            )
          }
          await step(module, project, () => remove(path, token()))
        })
      }

      test('templates and users', async () => {
        const stages = [{ name: 'Kick-off', tasks: [{ title: 'Say hello' }] }]
        const template = await step('templates', undefined, () =>
          post(
            '/api/templates/template/',
            { template_name: fresh('Plan'), template_config: { stages } },
            token(),
          ),
        )
        await step('templates', template, () =>
          put(`/api/templates/template/${template}/`, { description: fresh('About') }, token()),
        )
        const body = { email: `${fresh()}@${org.id}.test`, full_name: fresh('Una') }
        const user = await step('users', undefined, () => post('/api/users/profile/action/', body))
        await everywhere(sql`update users set is_active = true, created_by = ${restricted.user_id}
          where id = ${user}`)
        const path = `/api/users/profile/${user}/`
        await step('users', user, () => put(path, { job_title: fresh('Engineer') }))
        await step('users', user, () => put(path, { is_active: false }))
      })

      test('surveys and their answers', async () => {
        const fields = [{ id: 'q1', type: 'short-text', label: 'How was it?', required: true }]
        const form_structure = [{ id: 'p1', title: 'One', fields }]
        const survey = await post(
          '/api/surveys/',
          { name: fresh('Feedback'), form_structure },
          token(),
        )
        await everywhere(sql`update surveys set account_id = ${account} where id = ${survey}`)
        const act =
          (what: string, body: unknown = {}) =>
          () =>
            post(`/api/surveys/${survey}/${what}/`, body, token())
        await step('surveys', survey, act('publish'))
        await step('surveys', survey, act('fill', { answers: { q1: 'Fine' } }))
        await step('surveys', survey, act('close'))
      })

      test('documents and their signatures', async () => {
        const newDocument = async () => {
          const body = { document_name: fresh('Offer'), editor_html_content: '<p>Yes</p>' }
          const document = await step('documents', undefined, () =>
            post('/api/documents/', body, token()),
          )
          await everywhere(sql`update documents set account_id = ${account}, is_shared = true,
            project_id = ${hidden.project} where id = ${document}`)
          return document
        }
        for (const end of [sign, decline]) {
          const document = await newDocument()
          const path = `/api/documents/${document}/`
          await step('documents', document, () => put(path, { description: 'Yes' }, token()))
          await step('documents', document, () => post(`${path}publish/`, {}, token()))
          const recipients = [{ name: 'Sam', email: 'sam@signer.test' }]
          await step('documents', document, () =>
            post(`${path}signature/request/`, { recipients }, token()),
          )
          const [recipient] = await rows<{ id: string }>(
            service,
            sql`select r.id from signature_recipients r join signature_requests q on q.id = r.request_id
              where q.document_id = ${document}`,
          )
          const client = { address: '127.0.0.1', user_agent: 'test' }
          const mark = end === sign ? { name: 'Sam' } : 'No'
          await step('documents', document, () =>
            asService(service, org, (ctx) => end(ctx, recipient!.id, mark as never, client)),
          )
        }
        const document = await newDocument()
        await step('documents', document, () => remove(`/api/documents/${document}/`, token()))
      })

      test('meetings and comments', async () => {
        const meeting = await step('meetings', undefined, () =>
          post(
            '/api/calendar/info/',
            {
              calendar_id: newId(),
              title: fresh('Kick-off'),
              start: '2026-01-05T10:00:00Z',
              end: '2026-01-05T11:00:00Z',
              attendees: [{ type: 'user', id: restricted.user_id }],
              ...(writer === 'an admin' ? { project: hidden.project } : {}),
            },
            token(),
          ),
        )
        await everywhere(sql`update meetings set project_id = ${hidden.project}, is_shared = true
          where id = ${meeting}`)
        const path = `/api/calendar/info/${meeting}/`
        const times = { start: '2026-01-06T10:00:00Z', end: '2026-01-06T11:00:00Z' }
        await step('meetings', meeting, () => put(path, times, token()))
        await step('meetings', meeting, () => put(path, { description: fresh('About') }, token()))
        await step('meetings', meeting, () => remove(path, token()))
        const contact = await post('/api/contact/', {
          full_name: fresh('Ada'),
          contact_owner: restricted.user_id,
        })
        const body = { module_id: 5, reference_id: contact, content: fresh('Called') }
        await step('interactions', undefined, () => post('/api/interactions/info/', body, token()))
      })
    })
  }

  test('of every event, to readers who see all of it and to some who see less', () => {
    assert.deepEqual([...seen.keys()].sort(), eventNames.toSorted())
    for (const [event, its] of seen) assert.ok(its.size >= 3, `${event} to ${[...its]}`)
    const toCustomers = [...seen].filter(([, its]) => its.has('customer')).map(([event]) => event)
    for (const event of ['project_updated', 'milestone_updated', 'task_updated', 'document_signed'])
      assert.ok(toCustomers.includes(event), `${event} in ${toCustomers}`)
    assert.ok(!toCustomers.some((event) => event.startsWith('deal_')), String(toCustomers))
  })

  async function milestoneAndTasks(project: string, token: string) {
    const at = `/api/project/info/${project}/milestones/`
    // so that the milestone is not completed with its only task
    await put('/api/organization/settings/', { complete_milestones: false })
    const milestone = await step('milestones', undefined, () =>
      post(at, { name: fresh('Step'), is_shared: true }, token),
    )
    await step('milestones', milestone, () =>
      put(`${at}${milestone}/`, { description: fresh('About') }, token),
    )
    const task = await step('tasks', undefined, () =>
      post(
        '/api/tasks/',
        {
          title: fresh('Call'),
          project_id: project,
          milestone_id: milestone,
          owner: restricted.user_id,
        },
        token,
      ),
    )
    await everywhere(sql`update tasks set account_id = ${account}, is_shared = true
      where id = ${task}`)
    const path = `/api/tasks/${task}/`
    const mine = org.users.admin.user_id
    await step('tasks', task, () => put(path, { owner: mine, users: [restricted.user_id] }))
    await step('tasks', task, () => put(path, { is_risk: true, custom_fields: { c: 1 } }))
    await step('tasks', task, () =>
      put(path, { owner: restricted.user_id, due_date: '2020-01-01' }),
    )
    await step('tasks', task, () => asService(service, org, (ctx) => notifyDue(ctx)))
    await step('tasks', task, () => put(path, { is_completed: true }, token))
    await step('tasks', task, () => remove(path, token))
    await step('milestones', milestone, () =>
      put(`${at}${milestone}/`, { status: 'completed' }, token),
    )
    await step('milestones', milestone, () => remove(`${at}${milestone}/`, token))
  }

  /**
   * One write: what each reader is sent of it is compared with that reader's own GET before it, for
   * what was deleted and for `from`, and after it.
   */
  async function step(
    module: string,
    id: string | undefined,
    act: () => Promise<unknown>,
  ): Promise<string> {
    const before = id === undefined ? undefined : (last.get(id) ?? (await ownOf(module, id)))
    const first = receiver.arrivals.length
    const made = await act()
    const known = id ?? (made as string)
    await sentAll()
    const after = await ownOf(module, known)
    last.clear()
    last.set(known, after)
    const arrivals = receiver.arrivals.slice(first)
    assert.ok(arrivals.length, `nothing arrived of ${module}`)
    const whole = arrivals.filter(({ path }) => path === readers[0]!.path)
    for (const arrival of arrivals) {
      const reader = readers.find(({ path }) => path === arrival.path)!
      const { type, data } = arrival.json
      const kind = eventKind(type)
      if (kind.module !== module || data[kind.record.key] !== known) continue
      seen.set(type, (seen.get(type) ?? new Set()).add(reader.name))
      const complete = whole.find(({ json }) => json.type === type)!
      const isLast = type.endsWith('_deleted') || type === 'meeting_cancelled'
      compare(arrival, reader, {
        before: before?.get(reader.name),
        now: isLast ? removed(before!.get(reader.name)) : after.get(reader.name),
        complete,
      })
    }
    // and every subscriber who may read the record gets its events
    for (const { json } of whole) {
      const kind = eventKind(json.type)
      if (kind.module !== module || json.data[kind.record.key] !== known) continue
      const isLast = json.type.endsWith('_deleted') || json.type === 'meeting_cancelled'
      for (const reader of readers.filter(({ events }) => events.has(json.type))) {
        const own = (isLast ? before : after)!.get(reader.name)
        const got = arrivals.some(
          (each) => each.path === reader.path && each.json.event_id === json.event_id,
        )
        const isExpected =
          own !== undefined && !isHidden(reader, json, before?.get(reader.name), own)
        assert.equal(got, isExpected, `${json.type} to ${reader.name}`)
      }
    }
    return known
  }

  /** Whether an ordinary update changed nothing that a customer or partner is shown. */
  function isHidden(reader: Reader, { type, changes }: Arrival['json'], before: Own, after: Own) {
    if (!reader.isExternal || !type.endsWith('_updated') || !changes.changed_fields.length)
      return false
    const [was, is] = [JSON.parse(before ?? '{}'), JSON.parse(after ?? '{}')]
    return changes.changed_fields.every((field: string) => {
      const path = field.split('.')
      if (named.includes(field)) return false
      return !(path[0]! in is) || isDeepStrictEqual(at(was, path) ?? null, at(is, path) ?? null)
    })
  }

  function compare(
    { text, json }: Arrival,
    reader: Reader,
    { before, now, complete }: { before: Own; now: Own; complete: Arrival },
  ) {
    const about = `${json.type} to ${reader.name}`
    const [data] = membersOf(text).filter(({ name }) => name === 'data')
    const sent = text.slice(data!.start, data!.end)
    if (json.type === 'survey_response_submitted') {
      assert.notEqual(now, undefined, about)
      return
    }
    assert.equal(withoutCounts(sent, json.type), withoutCounts(compact(now), json.type), about)
    // created: from nothing; else from what the reader saw before to what it sees now
    const [was, is] = [before ? JSON.parse(before) : {}, JSON.parse(now!)]
    const { changed_fields, from, to } = json.changes
    const expected = complete.json.changes.changed_fields.filter((field: string) => {
      const path = field.split('.')
      if (!(path[0]! in is)) return true
      return !isDeepStrictEqual(at(was, path) ?? null, at(is, path) ?? null)
    })
    if (reader.isExternal) {
      const hiddenOnes = changed_fields.filter(
        (field: string) => !(field.split('.')[0]! in is) && !named.includes(field),
      )
      assert.deepEqual(hiddenOnes, [], `internal changes of ${about}`)
      for (const name of internalFields[eventKind(json.type).record.word] ?? [])
        assert.ok(!(name in is), `${name} of ${about}`)
    }
    const shown = (fields: string[]) => fields.filter((field) => field.split('.')[0]! in is).sort()
    assert.deepEqual(shown(changed_fields), shown(expected), `changes of ${about}`)
    for (const field of shown(changed_fields)) {
      const path = field.split('.')
      assert.deepEqual(to[field], at(is, path) ?? null, `to.${field} of ${about}`)
      if (before) assert.deepEqual(from[field], at(was, path) ?? null, `from.${field} of ${about}`)
      else assert.equal(from[field], null)
    }
  }

  function at(row: any, path: string[]): unknown {
    return path.length === 1 ? row[path[0]!] : row[path[0]!]?.[path.slice(1).join('.')]
  }

  /** What was read last of a record that is removed since: the version rises with that, too. */
  function removed(text: Own): Own {
    return text?.replace(/(\d+)\}$/, (_, version: string) => `${Number(version) + 1}}`)
  }

  /** An account without its health, which a job counts anew after every change. */
  function withoutCounts(text: Own, event: string): Own {
    if (!text || eventKind(event).module !== 'accounts') return text
    const insight = membersOf(text).find(({ name }) => name === 'insight')
    return insight && text.slice(0, insight.start) + 'null' + text.slice(insight.end)
  }

  /** The same JSON as a delivery has it, without blanks. */
  function compact(text: Own): Own {
    return text && JSON.stringify(JSON.parse(text))
  }

  /** What the caller may do is said to people at screens, not to apps. */
  function withoutRights(text: string) {
    return text.replace(/,"can":\{[^{}]*\}\}$/, '}')
  }

  /** The record from each reader's own GET. */
  async function ownOf(module: string, id: string): Promise<Map<string, Own>> {
    const found = await Promise.all(
      readers.map(async (reader) => [reader.name, await own(reader, module, id)] as const),
    )
    return new Map(found)
  }

  async function own(reader: Reader, module: string, id: string): Promise<Own> {
    const { app, user, events, scopes } = reader
    const event = eventNames.find((name) => eventKind(name).module === module)!
    if (!events.has(event)) return undefined
    const get = async (path: string, query: { [name: string]: string } = {}) => {
      const reply = await app.call('GET', `/automation/${path}`, { query })
      return reply.status === 200 ? reply.text : undefined
    }
    // records without a GET on the integration surface are read by the user's rights and the app's scopes
    const api = async (path: string) => {
      if (scopes.length < allScopes.length) return ownInScope(reader, module, id)
      const reply = await service.call('GET', path, { token: user.token })
      return reply.status === 200 ? withoutRights(reply.text) : undefined
    }
    const filter = (field: string) => JSON.stringify([{ field, operator: 'eq', value: id }])
    switch (module) {
      case 'companies':
        return get('company', { company_id: id })
      case 'contacts':
        return get('contact', { contact_id: id })
      case 'projects':
      case 'deals':
        return elements(
          await get('project', { project_type: module.slice(0, -1), filter: filter('project_id') }),
        )[0]
      case 'tasks': {
        const [row] = await rows<{ project_id: string }>(
          service,
          sql`select project_id from tasks where id = ${id}`,
        )
        const query = { project_id: row!.project_id, filter: filter('item_id') }
        return elements(await get('tasks', query))[0]
      }
      case 'milestones': {
        const [row] = await rows<{ project_id: string }>(
          service,
          sql`select project_id from milestones where id = ${id}`,
        )
        const all = elements(await get(`project/${row!.project_id}`, { milestone: '1' }))
        const mine = all.find((text) => JSON.parse(text).milestone_id === id)
        return mine && mine.slice(0, membersOf(mine).at(-1)!.start - '"tasks":'.length - 1) + '}'
      }
      case 'templates':
        return get('templates', { org_temp_id: id })
      case 'accounts':
        return api(`/api/account/info/${id}/`)
      case 'users':
        return api(`/api/users/profile/${id}/`)
      case 'meetings':
        return api(`/api/calendar/info/${id}/`)
      case 'interactions':
        return api(`/api/interactions/info/${id}/`)
      default:
        return api(`/api/${module}/${id}/`)
    }
  }

  async function ownInScope(
    { user, scopes, app }: Reader,
    module: string,
    id: string,
  ): Promise<Own> {
    const held = { id: app.app.id, name: '', client_id: app.client_id, scopes, grant_id: '' }
    const ctx = await contextAs(service, org.id, user.user_id, held)
    const record = eventKind(eventNames.find((name) => eventKind(name).module === module)!).record
    const read = module === 'interactions' ? readInteraction(ctx, id) : readOne(ctx, record, id)
    const answer = await read.catch(() => undefined)
    return answer && withoutRights((answer.body as Json).text)
  }

  /** The texts of the objects in an envelope's `results`. */
  function elements(envelope: string | undefined): string[] {
    if (envelope === undefined) return []
    const results = membersOf(envelope).find(({ name }) => name === 'results')!
    let rest = envelope.slice(results.start + 1, results.end - 1)
    const found: string[] = []
    while (rest) {
      const [first] = membersOf(`{"x":${rest}}`)
      found.push(rest.slice(0, first!.end - 5))
      rest = rest.slice(first!.end - 5 + 1)
    }
    return found
  }

  /** Waits until nothing is left to send. */
  async function sentAll() {
    await until(async () => {
      const left = await rows(
        service,
        sql`select from deliveries where organization_id = ${org.id}
          and status in ('pending', 'failing') limit 1`,
      )
      return !left.length
    }, 60)
  }

  async function addReader(name: string, user: Member, scopes: string[]) {
    const users = { ...org.users, admin: user }
    const app = await connectApp(service, { ...org, users }, { scopes })
    const { body } = await app.call('GET', '/webhook/events')
    const events: string[] = body.results
      .filter(({ allowed }: any) => allowed)
      .map(({ event }: any) => event)
    const path = `/${readers.length}`
    const isExternal = ['customer', 'partner'].includes(name)
    readers.push({ name, user, app, scopes, path, events: new Set(events), isExternal })
    if (!events.length) return
    const reply = await app.call('POST', '/webhook/subscribe', {
      body: { events, url: receiver.url + path },
    })
    assert.equal(reply.status, 201, reply.text)
  }

  async function makeRole(read: string, more: { [module: string]: string } = {}) {
    const permission = Object.fromEntries(
      permissionModules().map((module) => {
        const level = more[module] ?? read
        return [module, { create: 'all', read: level, update: level, delete: level }]
      }),
    )
    const body = { role_name: fresh('role'), kind: 'member', permission }
    const reply = await call('POST', '/api/users/role/', body)
    return reply.body.role_id as string
  }

  async function addUser(role_id: string): Promise<Member> {
    const email = `${fresh()}@${org.id}.test`
    const body = { email, full_name: fresh('Person'), role_id }
    const { profile_id: user_id } = (await call('POST', '/api/users/profile/action/', body)).body
    await everywhere(sql`update users set is_active = true where id = ${user_id}`)
    const identity = { organization_id: org.id, user_id, email, full_name: '', role: role_id }
    return { user_id, email, token: await tokenFor(service, identity) }
  }

  async function call(method: string, path: string, body?: unknown, token = org.users.admin.token) {
    const reply = await service.call(method, path, { token, body })
    if (reply.status >= 300) throw new Error(`${method} ${path} ${reply.status} ${reply.text}`)
    return reply
  }

  async function post(path: string, body: unknown, token?: string): Promise<string> {
    const reply = await call('POST', path, body, token)
    return reply.headers.get('x-record-id') ?? reply.body?.profile_id ?? ''
  }

  function put(path: string, body: unknown, token?: string) {
    return call('PUT', path, body, token)
  }

  function remove(path: string, token?: string) {
    return call('DELETE', path, undefined, token)
  }

  function everywhere(query: Query) {
    last.clear()
    return service.runtime.database.transaction(allOrganizations, (queries) => queries.run(query))
  }
})
