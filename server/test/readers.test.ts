import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Context, Queries, Query } from '../src/kit/ground/context.ts'
import { compile } from '../src/kit/ground/sql.ts'
import { shapeOf } from '../src/kit/read/json.ts'
import { listPage } from '../src/kit/read/list.ts'
import { readOne } from '../src/kit/read/one.ts'
import { template } from '../src/kit/record/readable.ts'
import type { AnyRecord } from '../src/kit/record/record.ts'
import { columnOf } from '../src/kit/record/record.ts'
import { records } from '../src/model/all.ts'
import { Contact } from '../src/model/contacts/contact.ts'
import { ShownMilestone } from '../src/model/milestones/milestone.ts'
import { ShownProject } from '../src/model/projects/project.ts'
import { permissionModules } from '../src/model/users/roles/permissions.ts'
import { contextAs } from './support/contexts.ts'
import type { ConnectedApp } from './support/integration.ts'
import { connectApp } from './support/integration.ts'
import { refused, refusedField } from './support/refused.ts'
import type { Member, TestOrganization, TestService } from './support/service.ts'
import { makeOrganization, sql, startService } from './support/service.ts'
import { addMember, fresh } from './support/world.ts'

// A record shows only what its reader may read of other records: see the oracle for everything at
// once, and this file for each way of showing something.

describe('what is shown of other records', () => {
  let service: TestService
  let org: TestOrganization
  let blind: Member
  let own: Member
  let company: string
  let contact: string

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    const levels = (read: string) =>
      Object.fromEntries(permissionModules().map((module) => [module, { read }]))
    const none = { read: 'none' }
    blind = await addMember(service, org, {
      ...levels('all'),
      companies: none,
      contacts: none,
      projects: none,
      deals: none,
      documents: none,
    })
    own = await addMember(service, org, levels('own'))
    company = await make('/api/company/', { company_name: fresh('Co'), estimated_arr: 777 })
    contact = await make('/api/contact/', { full_name: fresh('Ada'), company_id: company })
  })

  test('counts, sums and lists leave out what the reader may not read', async () => {
    const account_id = await make('/api/account/info/', { account_name: fresh('Acc') })
    const project = { project_name: fresh('Plan'), account_id }
    const project_id = await make('/api/project/info/', project)
    const sold = { project_type: 'deal', stage_id: 'closed_won', revenue: 900 }
    await make('/api/project/info/', { ...project, ...sold })
    const due = { project_id, title: fresh('Late'), due_date: '2001-01-01' }
    await make('/api/tasks/', due)
    const at = `/api/account/info/${account_id}/`
    const [whole, part] = [await read(at, org.users.admin), await read(at, blind)]
    assert.deepEqual([whole.total_revenue, whole.total_projects], [900, 1])
    assert.equal(whole.linked_projects.length, 2)
    assert.deepEqual([whole.total_deals, part.total_deals], [1, 0])
    assert.deepEqual(part.totals_by_currency, [])
    assert.match(whole.insight.health.reasons.join(), /1 overdue/)
    assert.equal(part.total_revenue, 0)
    assert.equal(part.total_projects, 0)
    assert.deepEqual(part.linked_projects, [])
    assert.deepEqual([part.health_score, part.insight.health.reasons], [100, []])
    assert.ok(whole.health_score < 100)
    // and cannot be found out otherwise: by a condition, or by the order
    const filter = JSON.stringify([{ field: 'total_projects', operator: 'gt', value: 0 }])
    const found = await read(`/api/account/info/?filter=${encodeURIComponent(filter)}`, blind)
    assert.deepEqual(found, [])
    assert.equal((await read(`/api/company/${company}/`, org.users.admin)).contacts_count, 1)
  })

  test('links, plain ids too, are null where the reader may not read what they lead to', async () => {
    const project_id = await make('/api/project/info/', { project_name: fresh('Plan') })
    const id = await make('/api/tasks/', { title: fresh('Task'), project_id })
    const at = `/api/tasks/${id}/`
    assert.equal((await read(at, org.users.admin)).project_id, project_id)
    const seen = await read(at, blind)
    assert.deepEqual([seen.project_id, seen.project_name], [null, null])
    const filter = JSON.stringify([{ field: 'project_id', operator: 'eq', value: project_id }])
    const path = `/api/tasks/?filter=${encodeURIComponent(filter)}`
    assert.equal((await read(path, org.users.admin)).length, 1)
    assert.deepEqual(await read(path, blind), [])
  })

  test('who sends back what a read gave changes nothing that it could not read', async () => {
    const project_id = await make('/api/project/info/', { project_name: fresh('Plan') })
    const id = await make('/api/documents/', { document_name: fresh('Paper'), project_id })
    const editor = await addMember(service, org, {
      documents: { read: 'all', update: 'all' },
    })
    const body = { project_id: null, description: 'new' }
    const reply = await call('PUT', `/api/documents/${id}/`, editor, body)
    assert.equal(reply.status, 200, reply.text)
    assert.equal(reply.body.project_id, null)
    const after = await read(`/api/documents/${id}/`, org.users.admin)
    assert.deepEqual([after.project_id, after.description], [project_id, 'new'])
  })

  test('dependencies and attachments show no private titles', async () => {
    const hidden = await make('/api/tasks/', { title: fresh('Secret'), is_private: true })
    const id = await make('/api/tasks/', { title: fresh('Open') })
    const path = `/api/tasks/${id}/dependencies/`
    await call('POST', path, org.users.admin, { predecessor_id: hidden })
    const paper = { module_id: 1, reference_id: id, document_name: fresh('Secret paper') }
    await make('/api/documents/', paper)
    assert.equal((await read(path, org.users.admin)).length, 1)
    assert.deepEqual(await read(path, org.users.member), [])
    assert.equal((await read(`/api/tasks/${id}/`, org.users.member)).is_blocked, false)
    assert.equal((await read(`/api/tasks/${id}/`, org.users.admin)).attachments.length, 1)
    assert.deepEqual((await read(`/api/tasks/${id}/`, blind)).attachments, [])
  })

  test('attachments of a comment leave out private documents', async () => {
    const document = { document_name: fresh('Secret'), is_private: true }
    const attach_id = await make('/api/documents/', document)
    const body = { module_name: 'companies', reference_id: company, content: 'see this' }
    const id = await make('/api/interactions/info/', { ...body, attachment_ids: [attach_id] })
    const path = `/api/interactions/info/${id}/`
    assert.equal((await read(path, org.users.admin)).attachment_files.length, 1)
    assert.deepEqual((await read(path, org.users.member)).attachment_files, [])
  })

  test('replies that are private do not count for others', async () => {
    const body = { module_name: 'companies', reference_id: company, content: 'a thread' }
    const id = await make('/api/interactions/info/', body)
    const reply = { ...body, content: 'between us', parent_interaction_id: id }
    const secret = await make('/api/interactions/info/', reply)
    await service.runtime.database.transaction(org.id, (queries) =>
      queries.run(sql`update interactions set is_private = true,
          visible_to_users = ${JSON.stringify([org.users.manager.user_id])}
        where organization_id = ${org.id} and id = ${secret}`),
    )
    const path = `/api/interactions/info/${id}/`
    assert.equal((await read(path, org.users.admin)).reply_count, 1)
    const seen = await read(path, org.users.member)
    assert.deepEqual([seen.reply_count, seen.reply_interactions], [0, []])
  })

  test('the search guesses from what the caller reads alone', async () => {
    await make('/api/contact/', { full_name: 'Marmaduke Pettigrew' })
    const search = async (q: string, { token }: Member) =>
      (await service.call('GET', `/api/search/?q=${q}`, { token })).body.results.length
    assert.equal(await search('marmduke', org.users.admin), 1)
    assert.equal(await search('marmduke', own), 0)
    // a word that only occurs in a hidden record counts as unknown
    const task = { title: 'Marmaladuke visible', owner: own.user_id }
    await make('/api/tasks/', task)
    for (const typed of ['marmaladke', 'marmaduke'])
      assert.equal(await search(typed, own), 1, typed)
  })

  test('profile/action says the same of known and unknown addresses', async () => {
    const ask = async (email: string) => {
      const reply = await call('POST', '/api/users/profile/action/', own, { email })
      const { request_id: _, ...body } = reply.body
      return { status: reply.status, body }
    }
    const known = await ask(org.users.manager.email)
    assert.equal(known.status, 403)
    assert.deepEqual(await ask(`${fresh()}@nobody.test`), known)
    assert.deepEqual(await ask(own.email), { ...(await ask(own.email)), status: 200 })
  })

  test('pages of possible duplicates hold no place of a hidden record', async () => {
    const name = fresh('Twice')
    for (const _ of [1, 2])
      await make('/api/company/', { company_name: name, allow_duplicate: true })
    const path = '/api/company/duplicates/?limit=1'
    assert.deepEqual(await read(path, own), { results: [], next_cursor: null })
  })

  describe('an app', () => {
    let reader: ConnectedApp
    before(async () => {
      reader = await connectApp(service, org, { scopes: ['contact.read'] })
    })
    const ask = (filter: object[], more = {}) =>
      reader.call('GET', '/automation/contact', {
        query: { filter: JSON.stringify(filter), ...more },
      })

    test('of other scopes sees the id and the name of a link, and nothing else', async () => {
      const { body } = await reader.call('GET', '/automation/contact', {
        query: { contact_id: contact },
      })
      const { company_id, company_name, ...others } = body.company
      assert.equal(company_id, company)
      assert.match(company_name, /^Co/)
      assert.deepEqual(others, { domain: null, logo_url: null })
      assert.deepEqual([body.associated_deals, body.associated_deal_project], [[], []])
    })

    test('learns nothing by a condition on a module outside its scopes', async () => {
      const hop = [{ field: 'company.estimated_arr', operator: 'gt', value: 1 }]
      const reply = await ask(hop)
      refused(reply, 403)
      assert.equal(reply.body.code, 'missing_scope')
      assert.match(reply.body.message, /company\.read/)
      const named = [{ field: 'company.company_name', operator: 'starts_with', value: 'co' }]
      assert.equal((await ask(named)).body.results.length, 1)
      assert.equal((await ask([{ field: 'company', operator: 'eq', value: company }])).status, 200)
      refusedField(await ask([{ field: 'company.nothing', operator: 'eq', value: 1 }]), ['filter'])
      const both = await connectApp(service, org, { scopes: ['contact.read', 'company.read'] })
      const open = await both.call('GET', '/automation/contact', {
        query: { filter: JSON.stringify(hop) },
      })
      assert.equal(open.body.results.length, 1)
    })

    test('counts what its scopes open', async () => {
      const app = await connectApp(service, org, { scopes: ['company.read'] })
      const query = { company_id: company }
      const { body } = await app.call('GET', '/automation/company', { query })
      assert.equal(body.contacts_count, 0)
    })
  })

  test('a reader of everything sends the SQL that the record declares', async () => {
    const ctx = await contextAs(service, org.id, org.users.admin.user_id)
    for (const record of [Contact, ShownProject]) {
      const statements: string[] = []
      const watched = <Q extends Queries>(queries: Q): Q => ({
        ...queries,
        cells(query: Query) {
          statements.push(compile(query, org.id).text)
          return queries.cells(query)
        },
        page(query: Query, bytes: number) {
          statements.push(compile(query, org.id).text)
          return queries.page(query, bytes)
        },
      })
      const recording: Context = {
        ...watched(ctx),
        reading: (...cost) => watched(ctx.reading(...cost)),
      }
      await listPage(recording, record, { items_per_page: 50 })
      await readOne(recording, record, 'nobody').catch(() => {})
      assert.equal(statements.length, 2)
      const { columns, joins } = shapeOf(record)
      const unnumbered = (text: string) => text.replaceAll(/\$(\d+|organization)/g, '$')
      for (const text of statements) {
        const [whole, ...parts] = [text, columns.plain, joins.plain].map(unnumbered)
        assert.ok(
          parts.every((part) => whole?.includes(part)),
          text,
        )
        assert.ok(!columns.plain.includes('\0') && !joins.plain.includes('\0'))
      }
      // the organization, and the id: nothing of who reads
      const parameters = statements.map((text) => new Set(text.match(/\$\d+/g)).size)
      if (record === Contact) assert.deepEqual(parameters, [1, 2])
    }
  })

  function call(method: string, path: string, { token }: Member, body?: unknown) {
    return service.call(method, path, { token, body })
  }

  async function read(path: string, member: Member) {
    const reply = await call('GET', path, member)
    assert.equal(reply.status, 200, `${path} ${reply.text}`)
    return reply.body
  }

  async function make(path: string, body: object): Promise<string> {
    const reply = await call('POST', path, org.users.admin, body)
    assert.ok(reply.status < 300, `${path} ${reply.text}`)
    return reply.headers.get('x-record-id') ?? ''
  }
})

test('the SQL of a field reads other records by the kit’s helpers alone', () => {
  const tables = new Set(records.map(({ table }) => table))
  const bare = (text: string) =>
    [...text.matchAll(/\b(?:from|join)\s+(\w+)/gi)].map(([, table = '']) => table)
  const wrong: string[] = []
  const open = new Set<string>()
  for (const record of [...records, ShownMilestone, ShownProject] as AnyRecord[]) {
    for (const [name, field] of Object.entries(record.fields)) {
      for (const text of [columnOf(name, field), field.word ?? '', field.folded ?? '']) {
        const { parts } = template(text)
        for (const part of parts) {
          if (typeof part === 'string') {
            for (const table of bare(part))
              if (tables.has(table)) wrong.push(`${record.word}.${name} reads ${table}`)
          } else if (part.kind === 'open') open.add(`${record.word}.${name} ${part.table}`)
        }
      }
    }
  }
  assert.deepEqual(wrong, [])
  // shown to whoever sees the record: names of people, what their roles are called, and the currency
  // of an amount, which would be another amount without it
  assert.deepEqual([...open].sort(), [
    'deal.currency_unit accounts',
    'deal.formatted_deal_value accounts',
    'deal.formatted_other_revenue accounts',
    'deal.formatted_revenue accounts',
    'deal.project_team roles',
    'deal.project_team users',
    'interaction.mentions users',
    'interaction.reactions users',
    'interaction.reply_interactions users',
    'project.currency_unit accounts',
    'project.formatted_deal_value accounts',
    'project.formatted_other_revenue accounts',
    'project.formatted_revenue accounts',
    'project.project_team roles',
    'project.project_team users',
    'task.users users',
    'user.role roles',
  ])
  assert.deepEqual(bare('select 1 from contacts c join tasks t on true'), ['contacts', 'tasks'])
})
