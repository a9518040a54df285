import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, rows, sql, startService } from '../../../test/support/service.ts'

describe('imports', () => {
  let service: TestService
  let org: TestOrganization
  let token: string

  before(async () => {
    service = await startService({}, undefined, true)
  })

  async function fresh() {
    org = await makeOrganization(service)
    token = org.users.admin.token
  }

  async function call(method: string, path: string, body?: unknown, status = 200) {
    const reply = await service.call(method, path, { token, body })
    assert.equal(reply.status, status, reply.text)
    return reply
  }

  /** Uploads, starts and awaits an import. */
  async function bring(csv: string, more: object = {}) {
    const { body } = await call(
      'POST',
      '/api/imports/',
      { module: 'contacts', csv, ...more, start: true },
      201,
    )
    return ended(body.import_id)
  }

  async function ended(id: string) {
    for (;;) {
      const { body } = await call('GET', `/api/imports/${id}/`)
      if (!['running', 'undoing'].includes(body.status)) return body
      await sleep(20)
    }
  }

  const contacts = async () =>
    (await call('GET', '/api/contact/?page=1&items_per_page=500&sort=full_name')).body as any[]

  test('shows how it understands a file, and brings it in when it is started', async () => {
    await fresh()
    await call('POST', '/api/company/', { company_name: 'Acme', domain: 'acme.com' })
    const csv =
      '\ufeffFirst name;Last name;E-Mail;Company;Lead score;Do not contact;Shoe size\r\n' +
      'Ada;Lovelace;ADA@acme.com;Acme;3;no;38\r\n' +
      '\r\n' +
      '"Grace";"Hopper\r\nUSN";grace@acme.com;acme.com;"1,250.5";;\r\n' +
      'Bad;One;nowhere;Nobody Inc;much;maybe;\r\n'
    const { body } = await call('POST', '/api/imports/', { module: 'contacts', csv }, 201)
    assert.equal(body.status, 'uploaded')
    assert.equal(body.total, 3)
    assert.deepEqual(body.mapping, {
      'First name': 'first_name',
      'Last name': 'last_name',
      'E-Mail': 'primary_email',
      Company: 'company',
      'Lead score': 'lead_score',
      'Do not contact': 'do_not_contact',
      'Shoe size': null,
    })
    assert.match(body.warnings[0], /Shoe size/)
    assert.deepEqual(
      body.preview.map(({ line }: { line: number }) => line),
      [2, 4, 6],
    )
    assert.deepEqual(body.preview[0].values, {
      full_name: 'Ada Lovelace',
      primary_email: 'ADA@acme.com',
      lead_score: 3,
      do_not_contact: 'no',
      company: 'Acme',
    })
    assert.equal(body.preview[2].errors.length, 3)
    assert.deepEqual(await contacts(), [])

    await call('POST', `/api/imports/${body.import_id}/start/`, {})
    const done = await ended(body.import_id)
    assert.equal(done.status, 'completed')
    const { total, created, updated, skipped, failed } = done
    assert.deepEqual(
      { total, done: done.done, created, updated, skipped, failed },
      { total: 3, done: 3, created: 2, updated: 0, skipped: 0, failed: 1 },
    )
    const [ada, grace] = await contacts()
    assert.equal(ada.full_name, 'Ada Lovelace')
    assert.equal(ada.company.domain, 'acme.com')
    assert.equal(ada.record_source, 'import')
    assert.equal(grace.full_name, 'Grace Hopper\r\nUSN')
    assert.equal(grace.lead_score, 1250.5)
    assert.equal(grace.company.company_name, 'Acme')

    const errors = (await call('GET', `/api/imports/${body.import_id}/errors/`)).body
    assert.equal(errors.length, 1)
    assert.equal(errors[0].line, 6)
    assert.equal(errors[0].values['E-Mail'], 'nowhere')
    assert.deepEqual(errors[0].errors.map(({ field }: { field: string }) => field).sort(), [
      'do_not_contact',
      'lead_score',
      'primary_email',
    ])
    const file = await call('GET', `/api/imports/${body.import_id}/errors/export/`)
    const [header, row] = file.text.split('\r\n')
    assert.match(header!, /,import_line,import_reason$/)
    assert.match(row!, /^Bad,One,nowhere,Nobody Inc,much,maybe,,6,/)
  })

  test('leaves the same log, events and versions as single creates and updates', async () => {
    await fresh()
    const one = { full_name: 'Ada', primary_email: 'ada@x.test', tags: ['a', 'b'], shoe: '38' }
    await call('POST', '/api/contact/', one)
    await call('PUT', `/api/contact/${(await contacts())[0].contact_id}/`, {
      job_title: 'Countess',
    })
    const csv = 'email,name,tags,custom_fields.shoe\nbob@x.test,Bob,a; b,38\n'
    assert.equal((await bring(csv)).created, 1)
    const changed = await bring('email,job title\nbob@x.test,Countess\n', {
      on_duplicate: 'update',
    })
    assert.equal(changed.updated, 1)
    const log = await rows(
      service,
      sql`select e.type, e.title, e.module_id, e.actor_id, e.changes, e.record_version, e.source,
        e.raw_description, c.full_name as who from events e join contacts c
        on c.organization_id = e.organization_id and c.id = e.reference_id
        where e.organization_id = ${org.id} order by e.id`,
    )
    const of = (who: string) =>
      log
        .filter((row) => row.who === who)
        .map(({ changes, who: _who, source: _source, raw_description, ...row }) => ({
          ...row,
          action: raw_description.action,
          fields: changes.map(({ field }: { field: string }) => field).sort(),
        }))
    assert.equal(of('Ada').length, 2)
    assert.deepEqual(of('Bob'), of('Ada'))
    assert.ok(log.filter(({ who }) => who === 'Bob').every(({ source }) => source === 'import'))
    const [ada, bob] = await contacts()
    for (const field of ['tags', 'custom_fields', 'job_title']) {
      assert.deepEqual(bob[field], ada[field], field)
    }
  })

  test('skips, updates or makes anew what exists, in the file too', async () => {
    await fresh()
    const csv = 'name,email,title\nAda,ada@x.test,one\nAda L,ada@x.test,two\nBob,bob@x.test,\n'
    const skipped = await bring(csv)
    assert.deepEqual([skipped.created, skipped.skipped], [2, 1])
    assert.equal((await contacts())[0].job_title, 'one')
    const updated = await bring(csv, { options: { on_duplicate: 'update' } })
    assert.deepEqual([updated.created, updated.updated, updated.skipped], [0, 1, 2])
    assert.equal((await contacts())[0].full_name, 'Ada L')
    const cleared = await bring(csv, { on_duplicate: 'update', empty_cells: 'clear' })
    assert.deepEqual([cleared.updated, cleared.failed], [2, 0])
    const made = await bring(csv, { on_duplicate: 'create' })
    assert.equal(made.created, 3)
    assert.equal((await contacts()).length, 5)
  })

  test('undoes what it did, exactly, and leaves what was changed since', async () => {
    await fresh()
    const one = {
      full_name: 'Ada',
      primary_email: 'ada@x.test',
      lead_score: 1.25,
      tags: ['x'],
      custom_fields: { deep: { a: [1] } },
      last_activity_date: '2026-01-02T03:04:05.678Z',
    }
    await call('POST', '/api/contact/', one)
    const [before] = await contacts()
    const csv =
      'email,name,tags,lead score,custom_fields.deep,last_activity_date\n' +
      'ada@x.test,Ada Two,y;z,9,flat,2026-02-02\n' +
      'ada@x.test,Ada Three,z,10,flat,2026-02-03\n' +
      'bob@x.test,Bob,,,,\n' +
      'bob@x.test,Bobby,,,,\n' +
      'eve@x.test,Eve,,,,\n'
    const mapped = {
      email: 'primary_email',
      name: 'full_name',
      tags: 'tags',
      'lead score': 'lead_score',
      'custom_fields.deep': 'custom_fields.deep',
      last_activity_date: 'last_activity_date',
    }
    const done = await bring(csv, { on_duplicate: 'update', mapping: mapped })
    assert.deepEqual([done.created, done.updated, done.failed], [2, 3, 0])
    const all = await contacts()
    assert.deepEqual(
      all.map(({ full_name }) => full_name),
      ['Ada Three', 'Bobby', 'Eve'],
    )
    await call('PUT', `/api/contact/${all[2].contact_id}/`, { job_title: 'Spy' })
    const undone = await call('POST', `/api/imports/${done.import_id}/undo/`)
    assert.equal(undone.body.status, 'undone')
    assert.deepEqual([undone.body.undone, undone.body.kept], [2, 1])
    const left = await contacts()
    assert.deepEqual(
      left.map(({ full_name }) => full_name),
      ['Ada', 'Eve'],
    )
    assert.deepEqual({ ...left[0], last_update_time: 0 }, { ...before, last_update_time: 0 })
    const [kept] = (await call('GET', `/api/imports/${done.import_id}/errors/`)).body
    assert.deepEqual([kept.phase, kept.line, kept.record_id], ['undo', 6, all[2].contact_id])
    // the key is free again
    await call('POST', '/api/contact/', { full_name: 'Bob', primary_email: 'bob@x.test' })
  })

  test('keeps all or nothing where that is asked for, and tries without writing', async () => {
    await fresh()
    const csv = 'name,email\nAda,ada@x.test\nBad,nowhere\nBob,bob@x.test\n'
    const failed = await bring(csv, { all_or_nothing: true })
    assert.deepEqual([failed.status, failed.created, failed.failed], ['failed', 0, 1])
    assert.deepEqual(await contacts(), [])
    const tried = await bring(csv, { dry_run: true })
    assert.deepEqual([tried.status, tried.created, tried.failed], ['completed', 2, 1])
    assert.deepEqual(await contacts(), [])
    assert.equal((await call('GET', `/api/imports/${failed.import_id}/errors/`)).body[0].line, 3)
    const whole = await bring('name,email\nAda,ada@x.test\nBob,bob@x.test\n', {
      all_or_nothing: true,
    })
    assert.deepEqual([whole.status, whole.created], ['completed', 2])
    await call('POST', `/api/imports/${whole.import_id}/undo/`)
    assert.deepEqual(await contacts(), [])
  })
})
