import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, rows, sql, startService } from '../../../test/support/service.ts'
import { workFor } from '../../jobs/work.ts'
import { importJob } from './job.ts'

describe('exports', () => {
  let service: TestService
  let org: TestOrganization
  let token: string

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    token = org.users.admin.token
  })

  async function post(path: string, body: object) {
    const reply = await service.call('POST', path, { token, body })
    assert.ok(reply.status < 300, reply.text)
    return reply
  }

  const read = (text: string): { [column: string]: string }[] => parse(text, { columns: true })

  test('are read back by an import as they were, formulas and all', async () => {
    await post('/api/company/', { company_name: 'Acme, "Inc"', domain: 'acme.com' })
    const formulas = ['=1+1', '+49 30 1', '-5', '@me', "'=twice", '\t=1', '\n=1', '＝1+1']
    const strange = [...formulas, "'quoted", 'a\r\nb', ';"x",']
    for (const [i, text] of strange.entries()) {
      await post('/api/contact/', {
        full_name: `N${i}`,
        primary_email: `n${i}@x.test`,
        job_title: text,
        phone: '+49 30 123',
        lead_score: -1.5,
        is_draft: i % 2 === 0,
        company: { domain: 'acme.com' },
        contact_owner: { email: org.users.member.email },
        tags: i ? ['a', 'b c'] : ['a;b', '[c'],
        location: { city: 'Zürich' },
        custom_fields: { shoe: { size: 38 }, note: '=x' },
        last_activity_date: '2026-01-02T03:04:05.678Z',
      })
    }
    const reply = await service.call('GET', '/api/contact/export/', { token })
    assert.equal(reply.status, 200)
    assert.match(reply.headers.get('content-type')!, /^text\/csv/)
    assert.match(
      reply.headers.get('content-disposition')!,
      /^attachment; filename="contacts-\d{4}-\d\d-\d\d\.csv"$/,
    )
    const table = read(reply.text)
    assert.equal(table.length, strange.length)
    // nothing that a spreadsheet would run
    for (const row of table) {
      for (const [column, cell] of Object.entries(row)) {
        // a telephone number computes nothing
        if (column === 'lead_score' || /^\+\d[\d ]*$/.test(cell)) continue
        assert.doesNotMatch(cell, /^[=+\-@\t\r\n＝＋－＠]/, column)
      }
    }
    const stored = sql`select display_id, full_name, primary_email, company_id, contact_owner, job_title,
      phone, lead_score, is_draft, tags, location, custom_fields, last_activity_date
      from contacts where organization_id = ${org.id} and deleted_at is null order by primary_email`
    const before = await rows(service, stored)
    await service.runtime.database.transaction(org.id, (queries) =>
      queries.run(sql`update contacts set deleted_at = now() where organization_id = ${org.id}`),
    )
    const body = { module: 'contacts', csv: reply.text, start: true }
    const { body: made } = await post('/api/imports/', body)
    assert.deepEqual(made.warnings, [])
    const enqueued = {
      organization_id: org.id,
      id: made.import_id,
      user_id: org.users.admin.user_id,
    }
    const { signal } = new AbortController()
    await importJob.run(await workFor(service.runtime, importJob, enqueued, signal), made)
    const done = (await service.call('GET', `/api/imports/${made.import_id}/`, { token })).body
    const errors = await service.call('GET', `/api/imports/${made.import_id}/errors/`, { token })
    assert.equal(done.created, strange.length, errors.text)
    assert.deepEqual(await rows(service, stored), before)
  })

  test('are read back unchanged when an owner has left since', async () => {
    const here = await makeOrganization(service)
    const { admin, member } = here.users
    const send = async (method: string, path: string, body?: object) => {
      const reply = await service.call(method, path, { token: admin.token, body })
      assert.ok(reply.status < 300, reply.text)
      return reply
    }
    const owner = member.user_id
    const at = '/api/project/info/'
    const project = (await send('POST', at, { project_name: 'P', project_owner: owner })).headers
    const project_id = project.get('x-record-id')
    await send('POST', '/api/contact/', { full_name: 'C', contact_owner: owner })
    await send('POST', '/api/company/', { company_name: 'D', company_owner: owner })
    await send('POST', '/api/account/info/', { account_name: 'A', account_owner: owner })
    await send('POST', '/api/tasks/', { title: 'T', project_id, owner })
    await send('POST', '/api/tags/info/', { tag_name: 'G', tag_owner: owner })
    await send('DELETE', `/api/users/profile/${owner}/`)
    const exports = {
      companies: '/api/company/export/',
      contacts: '/api/contact/export/',
      accounts: '/api/exports/accounts/',
      projects: '/api/exports/projects/',
      tasks: '/api/exports/tasks/',
      tags: '/api/exports/tags/',
    }
    for (const [module, path] of Object.entries(exports)) {
      const { text: csv } = await send('GET', path)
      assert.match(csv, new RegExp(owner), module)
      const body = { module, csv, on_duplicate: 'update', empty_cells: 'clear', start: true }
      const made = (await send('POST', '/api/imports/', body)).body
      const enqueued = { organization_id: here.id, id: made.import_id, user_id: admin.user_id }
      const { signal } = new AbortController()
      await importJob.run(await workFor(service.runtime, importJob, enqueued, signal), made)
      const done = (await send('GET', `/api/imports/${made.import_id}/`)).body
      const errors = await send('GET', `/api/imports/${made.import_id}/errors/`)
      const counts = [done.created, done.updated, done.cell_errors]
      assert.deepEqual(counts, [0, 0, 0], `${module} ${errors.text}`)
      assert.equal((await send('GET', path)).text, csv)
    }
  })

  test('take what the list takes, and see what the caller sees', async () => {
    const get = async (query: string, as = token) =>
      service.call('GET', `/api/contact/export/?${query}`, { token: as })
    const filter = encodeURIComponent(
      JSON.stringify([
        { field: 'primary_email', operator: 'in', value: ['n1@x.test', 'n2@x.test'] },
      ]),
    )
    const some = await get(`fields=full_name,company&sort=full_name&reverse=true&filter=${filter}`)
    assert.equal(
      some.text.split('\r\n')[0],
      'full_name,company.company_id,company.company_name,company.domain',
    )
    assert.deepEqual(
      read(some.text).map((row) => row.full_name),
      ['N2', 'N1'],
    )
    assert.equal((await get('fields=nothing')).status, 400)
    assert.equal((await get('sort=nothing')).status, 400)
    assert.equal((await get('filter=[1]')).status, 400)
    const marked = await fetch(`${service.url}/api/contact/export/?bom=true&fields=full_name`, {
      headers: { authorization: `Bearer ${token}` },
    })
    assert.deepEqual([...new Uint8Array(await marked.arrayBuffer()).slice(0, 3)], [239, 187, 191])
    assert.equal((await get('fields=full_name', org.users.customer.token)).text, 'full_name\r\n')
  })

  test('come page after page, each record once, and end when the caller goes away', async () => {
    const other = await makeOrganization(service)
    await service.runtime.database.transaction(other.id, (queries) =>
      queries.run(sql`insert into contacts
          (organization_id, id, full_name, job_title, lead_score, record_source)
        select ${other.id}, 'big' || lpad(i::text, 10, '0'), 'Same', repeat('x', 200),
          case when i % 3 = 0 then i % 7 end, 'test'
        from generate_series(1, 30000) i`),
    )
    const as = other.users.admin.token
    const query = 'fields=contact_id,lead_score,job_title&sort=lead_score&reverse=true'
    const all = await service.call('GET', `/api/contact/export/?${query}`, { token: as })
    const ids = read(all.text).map((row) => row.contact_id)
    assert.equal(new Set(ids).size, 30000)
    assert.equal(ids.length, 30000)

    const state = () => service.runtime.database.state().heavyReaders.inFlight
    const leaving = new AbortController()
    const reply = await fetch(`${service.url}/api/contact/export/?${query}`, {
      headers: { authorization: `Bearer ${as}` },
      signal: leaving.signal,
    })
    const reader = reply.body!.getReader()
    await reader.read()
    leaving.abort()
    await assert.rejects(async () => {
      for (;;) if ((await reader.read()).done) return
    })
    while (state()) await new Promise((resolve) => setImmediate(resolve))
    assert.equal(
      (await service.call('GET', '/api/contact/?page=1&items_per_page=1', { token: as })).status,
      200,
    )
  })
})
