import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { newId } from '../../kit/ground/ids.ts'
import type { ConnectedApp } from '../../../test/support/integration.ts'
import { connectApp } from '../../../test/support/integration.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, rows, sql, startService } from '../../../test/support/service.ts'
import { housekeeping } from '../../jobs/housekeeping.ts'
import type { Link } from '../links/links.ts'
import { linksTo } from '../links/links.ts'

// Everything that names a record goes with it: through a merge and back, and when it is removed for good.

type Kind = 'company' | 'contact'
type Make = (id: string, kind: Kind) => Promise<unknown>

let service: TestService
let org: TestOrganization
let app: ConnectedApp | undefined
before(async () => {
  service = await startService()
  org = await makeOrganization(service)
})

const call = (method: string, path: string, body?: unknown) =>
  service.call(method, path, { token: org.users.admin.token, body })
async function post(path: string, body: object) {
  const reply = await call('POST', path, body)
  assert.ok(reply.status < 300, `${path} ${reply.text}`)
  return reply
}
const make = async (path: string, body: object) =>
  (await post(path, body)).headers.get('x-record-id')!
const module_name = (kind: Kind) => (kind === 'company' ? 'companies' : 'contacts')
const person = (body: object) => make('/api/contact/', { full_name: 'Person', ...body })
const meeting = (body: object) =>
  post('/api/calendar/info/', {
    calendar_id: newId(),
    title: 'Call',
    start: '2030-01-07T10:00:00Z',
    end: '2030-01-07T11:00:00Z',
    ...body,
  })
const about = (field: string, value: string) => [{ field, operator: 'eq', value }]

/** How a reference to a company or a contact is created, by its column. */
const examples: { [column: string]: Make } = {
  'contacts.company_id': (company) => person({ company }),
  'companies.parent_company': (parent_company) =>
    make('/api/company/', { company_name: 'Child', parent_company }),
  'accounts.company_id': (company_id) =>
    make('/api/account/info/', { account_name: 'Account', company_id }),
  'projects.company_id': async (company_id) => {
    await make('/api/project/info/', { project_name: 'Project', company_id })
    await make('/api/project/info/', { project_name: 'Deal', project_type: 'deal', company_id })
  },
  'contacts.reports_to': (reports_to) => person({ reports_to }),
  'accounts.customer_contact': (customer) =>
    make('/api/account/info/', { account_name: 'Served', customer }),
  'projects.customer_contact': async (customer) => {
    const body = { project_name: 'For somebody', customer }
    await make('/api/project/info/', body)
    await make('/api/project/info/', { ...body, project_type: 'deal' })
  },
  'interactions.reference_id': (reference_id, kind) =>
    make('/api/interactions/info/', {
      module_name: module_name(kind),
      reference_id,
      content: 'A comment',
    }),
  'documents.reference_id': (reference_id, kind) =>
    make('/api/documents/', {
      module_name: module_name(kind),
      reference_id,
      document_name: 'A document',
    }),
  'meetings.extended_props': (company_id) => meeting({ extended_props: { company_id } }),
  'meetings.attendees': (id) => meeting({ attendees: [{ type: 'contact', id }] }),
  'meetings.invited_late': async (id) => {
    const calendar_id = newId()
    await meeting({ calendar_id, attendees: [{ type: 'contact', id }] })
    await asService(sql`update meetings set invited_late = ${JSON.stringify([id])}::jsonb
      where id = ${calendar_id}`)
  },
  'meeting_contacts.contact_id': (id) => meeting({ attendees: [{ type: 'contact', id }] }),
  'filters.conditions': (id, kind) =>
    make('/api/filters/filter/', {
      name: `Those of ${id}`,
      module: 'contacts',
      conditions: about(kind === 'company' ? 'company' : 'reports_to', id),
    }),
  'subscriptions.conditions': (id, kind) => subscription(kind, id),
  'dashboards.widgets': (id) =>
    make('/api/dashboards/info/', {
      dashboard_id: newId(),
      dashboard_name: 'Numbers',
      widgets: [{ widget_type: 'activities', position: { about: id } }],
    }),
  'survey_automations.actions': (id) => automation({ actions: [notify(id)] }),
  'survey_automations.conditions': (id) =>
    automation({ conditions: about('respondent_email', id), actions: [notify('x')] }),
  'survey_automations.trigger': (id) =>
    automation({ actions: [notify('x')], name: id }).then((automation_id) =>
      asService(sql`update survey_automations set trigger = trigger || ${JSON.stringify({ id })}::jsonb
        where id = ${automation_id}`),
    ),
  // written with the comment on the record
  'record_activity.reference_id': (id) => hasActivity(sql`t.reference_id = ${id}`),
  'record_activity.contact_id': (id) => hasActivity(sql`t.contact_id = ${id}`),
  'templates.template_config': (id) =>
    make('/api/templates/template/', {
      template_name: `Of ${id}`,
      template_config: { stages: [{ stage_id: id, name: 'First' }] },
    }),
}

async function hasActivity(condition: ReturnType<typeof sql>) {
  const found = await rows(
    service,
    sql`select t.kind from record_activity t where ${condition} and t.kind = 'comment'`,
  )
  assert.ok(found.length, 'the comment is activity')
}

const notify = (title: string) => ({ type: 'create_task', config: { title } })

async function subscription(kind: Kind, id: string): Promise<void> {
  app ??= await connectApp(service, org)
  const reply = await app.call('POST', '/webhook/subscribe', {
    body: {
      events: ['contact_created'],
      url: `http://127.0.0.1:1/${id}`,
      where: about(kind === 'company' ? 'company' : 'reports_to', id),
    },
  })
  assert.ok(reply.status < 300, reply.text)
}

async function automation(body: object): Promise<string> {
  const survey = await make('/api/surveys/', { name: 'Survey' })
  return make(`/api/surveys/${survey}/automations_save/`, { name: 'Automation', ...body })
}

function asService(query: ReturnType<typeof sql>) {
  return service.runtime.database.transaction(org.id, (queries) => queries.run(query))
}

for (const kind of ['company', 'contact'] as const) {
  const table = `${kind === 'company' ? 'companies' : 'contacts'}`
  const links = linksTo[table]!.filter(({ isHistory }) => !isHistory)

  describe(`what names a ${kind}`, () => {
    const names = [...new Set(links.map((link) => `${link.table}.${link.column}`))]
    const title = kind === 'company' ? 'company_name' : 'full_name'
    const fresh = () => make(`/api/${kind}/`, { [title]: `One ${newId()}` })
    const merge = (primary_id: string, merge_ids: string[]) =>
      post(`/api/${kind}/merge/`, { primary_id, merge_ids })

    test('follows a merge, and is restored by its undo', async () => {
      const [primary, merged, third] = [await fresh(), await fresh(), await fresh()]
      for (const name of names) {
        assert.ok(examples[name], `no example of ${name}`)
        await examples[name](merged, kind)
      }
      const state = async () => {
        const found: { [name: string]: string } = {}
        for (const link of links) {
          const at = `${link.table}.${link.column} ${link.only ?? ''}`
          found[at] = ''
          if (await isNamed(link, primary)) found[at] += 'primary'
          if (await isNamed(link, merged)) found[at] += 'merged'
        }
        return found
      }
      const before = await state()
      assert.deepEqual([...new Set(Object.values(before))], ['merged'], JSON.stringify(before))
      const { body } = await merge(primary, [merged, third])
      const after = await state()
      assert.deepEqual([...new Set(Object.values(after))], ['primary'], JSON.stringify(after))
      // what a reader sees: the thread, the documents, by their lists and one by one
      const about = `?module_name=${table}&reference_id=${primary}`
      const thread = (await call('GET', `/api/interactions/info/${about}`)).body.results
      assert.equal(thread.length, 1)
      const comment = `/api/interactions/info/${thread[0].interaction_id}/`
      assert.equal((await call('GET', comment)).status, 200)
      assert.equal((await call('GET', `/api/documents/${about}`)).body.length, 1)
      const meetings = await call('GET', `/api/${kind}/${primary}/completed-meetings/`)
      assert.equal(meetings.status, 200)
      const moved = body.moved.map((each: { field: string }) => each.field)
      for (const field of ['reference_id', 'conditions']) assert.ok(moved.includes(field), field)

      const undone = await post(`/api/${kind}/merge/${body.merge_id}/undo/`, {})
      assert.deepEqual(await state(), before, undone.text)
      assert.equal((await call('GET', comment)).status, 200)
    })

    test('stays where both were named, so that an undo knows them apart', async () => {
      const [primary, merged] = [await fresh(), await fresh()]
      const both = await make('/api/filters/filter/', {
        name: `Both ${newId()}`,
        module: 'contacts',
        conditions: [
          {
            field: kind === 'company' ? 'company' : 'reports_to',
            operator: 'in',
            value: [primary, merged],
          },
        ],
      })
      const { body } = await merge(primary, [merged])
      const read = async () =>
        (await call('GET', `/api/filters/filter/${both}/`)).body.conditions[0].value
      assert.deepEqual(await read(), [primary, merged])
      await post(`/api/${kind}/merge/${body.merge_id}/undo/`, {})
      assert.deepEqual(await read(), [primary, merged])
    })
  })
}

test('dependents of a record are removed, or their references cleared, once it is removed for good', async () => {
  const made: { kind: Kind; id: string; comment: unknown; document: unknown }[] = []
  for (const kind of ['company', 'contact'] as const) {
    const title = kind === 'company' ? 'company_name' : 'full_name'
    const id = await make(`/api/${kind}/`, { [title]: 'Gone' })
    const comment = await examples['interactions.reference_id']!(id, kind)
    const document = await examples['documents.reference_id']!(id, kind)
    assert.equal((await call('DELETE', `/api/${kind}/${id}/`)).status, 204)
    made.push({ kind, id, comment, document })
  }
  // sessions end with it too
  const later = new Date(Date.now() + 31 * 86_400_000)
  await housekeeping({ ...service.runtime, now: () => later })
  for (const { kind, id, comment, document } of made) {
    const table = sql.table(kind === 'company' ? 'companies' : 'contacts')
    assert.deepEqual(await rows(service, sql`select id from ${table} where id = ${id}`), [])
    const comments = sql`select id from interactions where id = ${String(comment)}`
    assert.deepEqual(await rows(service, comments), [])
    const documents = sql`select module_id, reference_id from documents where id = ${String(document)}`
    assert.deepEqual(await rows(service, documents), [{ module_id: null, reference_id: null }])
  }
})

/** Whether a row names an id in the link's column. */
async function isNamed(link: Link, id: string): Promise<boolean> {
  const { table, column, isJson, module, only } = link
  const at = sql.ref(`t.${column}`)
  const names = isJson ? sql`position(${`"${id}"`} in ${at}::text) > 0` : sql`${at} = ${id}`
  const ofModule = module ? sql`${sql.ref(`t.${module.column}`)} = ${module.number}` : sql`true`
  const found = await rows(
    service,
    sql`select 1 from ${sql.table(table)} t where ${names} and ${ofModule}
      and ${only ? sql.raw(only) : sql`true`}`,
  )
  return found.length > 0
}
