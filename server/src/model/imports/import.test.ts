import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { until } from '../../../test/support/until.ts'
import { addMember } from '../../../test/support/world.ts'
import { makeOrganization, rows, sql, startService } from '../../../test/support/service.ts'
import { workFor } from '../../jobs/work.ts'
import { batchSize } from './import.ts'
import { importJob } from '../../records/imports/job.ts'

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

  test('takes the right to create what the file holds, and no other', async () => {
    await fresh()
    const all = { create: 'all', read: 'all', update: 'all', delete: 'all' }
    // by the module of the file: the permission that it takes, and the header of its key
    const modules = {
      companies: ['companies', 'Company name'],
      contacts: ['contacts', 'Full name'],
      accounts: ['accounts', 'Account name'],
      deals: ['deals', 'Project name'],
      projects: ['projects', 'Project name'],
      milestones: ['projects', 'Name'],
      tasks: ['tasks', 'Title'],
      meetings: ['calendar', 'Title'],
      tags: ['tags', 'Tag name'],
      holidays: ['holidays', 'Name'],
    }
    const permissions = [...new Set(Object.values(modules).map(([permission]) => permission!))]
    for (const [module, [permission, header]] of Object.entries(modules)) {
      const others = permissions.filter((each) => each !== permission)
      const may = await addMember(service, org, { [permission!]: all })
      const mayNot = await addMember(
        service,
        org,
        Object.fromEntries(others.map((each) => [each, all])),
      )
      const body = { module, csv: `${header}\nFirst\n` }
      const upload = (member: { token: string }) =>
        service.call('POST', '/api/imports/', { token: member.token, body })
      const reply = await upload(may)
      assert.equal(reply.status, 201, `${module}: ${reply.text}`)
      const listed = await service.call('GET', '/api/imports/', { token: may.token })
      assert.ok(
        listed.body.some((each: any) => each.module === module),
        module,
      )
      assert.equal((await upload(mayNot)).status, 403, module)
    }
  })

  test('shows how it understands a file, and imports it when it is started', async () => {
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
    // two updates and their undo: a version number is never reused
    const { version } = before
    assert.deepEqual(
      { ...left[0], last_update_time: 0 },
      { ...before, last_update_time: 0, version: version + 3 },
    )
    const [error] = (await call('GET', `/api/imports/${done.import_id}/errors/`)).body
    assert.deepEqual([error.phase, error.line, error.record_id], ['undo', 6, all[2].contact_id])
    // the key is free again
    await call('POST', '/api/contact/', { full_name: 'Bob', primary_email: 'bob@x.test' })
  })

  test('writes all or nothing if requested, and can be tried without writing', async () => {
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

  test('takes a file as a form, in any delimiter and encoding', async () => {
    await fresh()
    const send = async (bytes: string | Buffer, more: { [name: string]: string }, status = 201) => {
      const form = new FormData()
      for (const [name, value] of Object.entries({ module: 'companies', ...more })) {
        form.set(name, value)
      }
      form.set('file', new Blob([bytes as string]), 'firms.csv')
      const headers = { authorization: `Bearer ${token}` }
      const reply = await fetch(`${service.url}/api/imports/`, {
        method: 'POST',
        headers,
        body: form,
      })
      const body = (await reply.json()) as any
      assert.equal(reply.status, status, JSON.stringify(body))
      return body
    }
    const latin = Buffer.from('Firma\tDomain\nMüller\thttps://www.mueller.de/x\n', 'latin1')
    const refused = await send(latin, { encoding: 'utf-8' }, 400)
    assert.equal(refused.errors[0].field, 'file')
    assert.match(refused.message, /encoding, such as windows-1252/)
    // without one it is found from the bytes, and said
    for (const [bytes, encoding] of [
      [latin, 'windows-1252'],
      [Buffer.from('\ufeffname\nMüller\n', 'utf16le'), 'utf-16le'],
      [Buffer.from('name\nMüller\n', 'utf16le'), 'utf-16le'],
      [Buffer.from('\ufeffname\nMüller\n', 'utf16le').swap16(), 'utf-16be'],
      [Buffer.from('\ufeffname\nMüller\n'), 'utf-8'],
      [Buffer.from('name\nMüller\n'), 'utf-8'],
    ] as const) {
      const { options, reading, preview } = await send(bytes, {})
      assert.deepEqual([options.encoding, reading.encoding], [encoding, encoding])
      assert.equal(preview[0].values.company_name, 'Müller')
    }
    const mapping = JSON.stringify({ Firma: 'company_name', Domain: 'domain' })
    const body = await send(latin, { encoding: 'windows-1252', mapping, start: 'true' })
    assert.equal(body.file_name, 'firms.csv')
    assert.equal(body.file_size, latin.length)
    assert.equal((await ended(body.import_id)).created, 1)
    const [firm] = (await call('GET', '/api/company/?page=1&items_per_page=5')).body
    assert.equal(firm.company_name, 'Müller')
    assert.equal(firm.domain, 'mueller.de')
    for (const [csv, word] of [
      ['', /empty/],
      ['a,b\n', /no rows/],
      ['a,b\n"x,y\n', /never closed/],
      ['a,b\nx\0,y\n', /not text/],
    ] as const) {
      const { errors } = await send(csv, {}, 400)
      assert.equal(errors[0].field, 'file')
      assert.match(errors[0].message, word)
    }
  })

  test('refuses what it does not understand and names it', async () => {
    await fresh()
    const csv = 'name,email\nAda,ada@x.test\n'
    const wrong = async (more: object, field: string) => {
      const body = { module: 'contacts', csv, ...more }
      const reply = await call('POST', '/api/imports/', body, 400)
      assert.ok(
        reply.body.errors.some((each: { field: string }) => each.field === field),
        reply.text,
      )
    }
    await wrong({ module: 'surveys' }, 'module')
    await wrong({ csv: undefined }, 'csv')
    await wrong({ mapping: { nothing: 'full_name' } }, 'mapping.nothing')
    await wrong({ mapping: { name: 'creation_time' } }, 'mapping.name')
    await wrong({ mapping: { name: 'full_name', email: 'name' } }, 'mapping.email')
    await wrong({ mapping: {} }, 'mapping')
    await wrong({ options: { on_duplicate: 'merge' } }, 'options.on_duplicate')
    await wrong({ delimiter: 'x' }, 'delimiter')
    await wrong({ csv: 'x,y\n1,2\n', start: true }, 'mapping')
    await wrong({ csv: `${'same,'.repeat(100_000)}name\nAda\n` }, 'file')
    await wrong({ csv: `${'n'.repeat(256)}\nAda\n` }, 'file')
    // what only its rows have wrong is known when they are brought in
    const done = await bring('name,department\nAda,Ops,too,many\n,Ops\n')
    assert.deepEqual([done.created, done.failed], [0, 2])
    const errors = (await call('GET', `/api/imports/${done.import_id}/errors/`)).body
    assert.deepEqual(
      errors.map((each: any) => each.errors[0].field),
      ['row', 'full_name'],
    )
  })

  test('shows what another mapping would do, before it is started', async () => {
    await fresh()
    const csv = 'Name,Mail,When\nAda,ada@engines.example,03/04/2026\nBo,bo@engines.example,\n'
    const { body } = await call('POST', '/api/imports/', { module: 'contacts', csv }, 201)
    const path = `/api/imports/${body.import_id}/`
    const mapping = { Name: 'full_name', Mail: 'department', When: null }
    const changed = (await call('PUT', path, { mapping, on_duplicate: 'create' })).body
    assert.equal(changed.status, 'uploaded')
    assert.deepEqual(changed.mapping, mapping)
    assert.equal(changed.options.on_duplicate, 'create')
    assert.equal(changed.preview[0].values.department, 'ada@engines.example')
    assert.equal(changed.checked.created, 2)
    assert.deepEqual(await contacts(), [])
    const unknown = await call('PUT', path, { mapping: { Name: 'shoe' } }, 400)
    assert.match(unknown.text, /shoe/)
    const read = await call('PUT', path, { sheet: 'Other' }, 400)
    assert.equal(read.body.errors[0].field, 'sheet')
    assert.deepEqual((await call('GET', path)).body.mapping, mapping)
    await call('POST', `${path}start/`, {})
    assert.equal((await ended(body.import_id)).created, 2)
    assert.equal((await contacts())[0].department, 'ada@engines.example')
    await call('PUT', path, { mapping }, 409)
  })

  test('moves from status to status as it may, and no other way', async () => {
    await fresh()
    const csv = 'name\nAda\n'
    const { body } = await call('POST', '/api/imports/', { module: 'contacts', csv }, 201)
    const path = `/api/imports/${body.import_id}/`
    assert.equal((await call('POST', `${path}undo/`, undefined, 409)).body.code, 'wrong_status')
    assert.equal((await call('POST', `${path}cancel/`)).body.status, 'cancelled')
    assert.equal((await call('POST', `${path}cancel/`)).body.status, 'cancelled')
    await call('POST', `${path}start/`, {}, 409)
    assert.equal((await call('POST', `${path}undo/`)).body.status, 'undone')
    assert.equal((await call('POST', `${path}undo/`)).body.status, 'undone')
    assert.deepEqual(await contacts(), [])
  })

  test('is for those who may make such records, and seen by them', async () => {
    await fresh()
    const csv = 'name\nAda\n'
    const { body } = await call('POST', '/api/imports/', { module: 'contacts', csv }, 201)
    const as = (kind: 'member' | 'customer', method: string, path: string, sent?: unknown) =>
      service.call(method, path, { token: org.users[kind].token, body: sent })
    const import_ = { module: 'contacts', csv }
    assert.equal((await as('customer', 'POST', '/api/imports/', import_)).status, 403)
    assert.equal((await as('customer', 'GET', '/api/imports/')).status, 403)
    // the rows of others are not a member's, nor is it a member's to take them back
    const theirs = `/api/imports/${body.import_id}/`
    for (const [method, path] of [
      ['GET', theirs],
      ['GET', `${theirs}errors/`],
      ['POST', `${theirs}start/`],
      ['POST', `${theirs}undo/`],
    ] as const) {
      assert.equal((await as('member', method, path)).status, 404, path)
    }
    const manager = { token: org.users.manager.token }
    assert.equal((await service.call('GET', theirs, manager)).status, 200)
    assert.equal((await service.call('POST', `${theirs}undo/`, manager)).status, 409)
    await call('POST', `${theirs}cancel/`)
    assert.equal((await service.call('POST', `${theirs}undo/`, manager)).status, 403)
    const other = await makeOrganization(service)
    const { token: foreign } = other.users.admin
    const path = `/api/imports/${body.import_id}/`
    assert.equal((await service.call('GET', path, { token: foreign })).status, 404)
    // a member updates what is the team's: another's contact is seen and stays
    await call('POST', '/api/contact/', { full_name: 'Ada', primary_email: 'ada@x.test' })
    token = org.users.member.token
    const mine = await bring('name,email\nEve,ada@x.test\nBob,bob@x.test\n', {
      on_duplicate: 'update',
    })
    assert.deepEqual([mine.created, mine.updated, mine.failed], [1, 0, 1])
    const [error] = (await call('GET', `/api/imports/${mine.import_id}/errors/`)).body
    assert.match(error.reason, /may not update/)
  })

  test('knows records of the file itself, and refuses circles', async () => {
    await fresh()
    const csv =
      'name,email,manager email\nBoss,boss@x.test,\nAda,ada@x.test,boss@x.test\nBob,bob@x.test,ada@x.test\n'
    assert.equal((await bring(csv)).created, 3)
    const round = 'email,manager email\nboss@x.test,bob@x.test\nada@x.test,bob@x.test\n'
    const done = await bring(round, { on_duplicate: 'update' })
    assert.deepEqual([done.updated, done.failed], [0, 2])
  })

  test('keeps unique custom fields apart, in the file too', async () => {
    await fresh()
    const definition = { key: 'badge', label: 'Badge no.', type: 'number', unique: true }
    await service.runtime.database.transaction(org.id, (queries) =>
      queries.run(sql`insert into field_definitions
        (organization_id, id, module, key, label, type, is_unique)
        values (${org.id}, 'badge', 'contacts', ${definition.key}, ${definition.label},
          ${definition.type}, true)`),
    )
    const done = await bring('name,Badge No\nAda,7\nBob,7\nEve,8\nMal,x\n')
    assert.deepEqual([done.created, done.failed], [2, 2])
    assert.deepEqual(
      (await contacts()).map(({ custom_fields }) => custom_fields.badge),
      [7, 8],
    )
    const again = await bring('name,Badge No\nZed,8\n')
    assert.deepEqual([again.created, again.failed], [0, 1])
  })

  test('notifies owners once, and subscribers of every record', async () => {
    await fresh()
    const owner = org.users.member
    const csv = Array.from({ length: 3 }, (_, i) => `C${i},c${i}@x.test,${owner.email}`).join('\n')
    const done = await bring(`name,email,contact owner\n${csv}\n`)
    assert.equal(done.created, 3)
    const notifications = await rows(
      service,
      sql`select title from notifications where organization_id = ${org.id}
        and user_id = ${owner.user_id}`,
    )
    assert.deepEqual(notifications, [{ title: '3 contacts are yours now' }])
  })
})

describe('an import of thousands', () => {
  test('continues after the last batch when its process ends, and no row is imported twice', async () => {
    const service = await startService()
    const org = await makeOrganization(service)
    const { token, user_id } = org.users.admin
    const lines = Array.from({ length: 2500 }, (_, i) => `Person ${i},p${i}@x.test`)
    const body = { module: 'contacts', csv: `name,email\n${lines.join('\n')}\n`, start: true }
    const { import_id } = (await service.call('POST', '/api/imports/', { token, body })).body
    const read = async () =>
      (await service.call('GET', `/api/imports/${import_id}/`, { token })).body
    const run = async (batches: number) => {
      const stop = new AbortController()
      const enqueued = { organization_id: org.id, id: import_id, user_id }
      const work = await workFor(service.runtime, importJob, enqueued, stop.signal)
      let left = batches + 1
      const counted: typeof work = {
        ...work,
        write: async (inside) => {
          if (left-- === 0) stop.abort(new Error('the process stops'))
          stop.signal.throwIfAborted()
          return work.write(inside)
        },
      }
      return importJob.run(counted, { import_id })
    }
    // while it reads the file, and then after three batches; what was read is not stored twice
    await assert.rejects(run(2), /the process stops/)
    assert.deepEqual((await read()).done, 0)
    const reading = 2500 / batchSize + 1
    await assert.rejects(run(reading + 3), /the process stops/)
    const halfway = await read()
    assert.equal(halfway.status, 'running')
    assert.deepEqual([halfway.done, halfway.created], [3 * batchSize, 3 * batchSize])
    // two processes at once are as good as one
    await Promise.all([run(1000), run(1000)])
    const done = await read()
    assert.deepEqual([done.status, done.created, done.failed], ['completed', 2500, 0])
    const [counts] = await rows(
      service,
      sql`select (select count(*)::int from contacts where organization_id = ${org.id}) as contacts,
        (select count(*)::int from events where organization_id = ${org.id}
          and type = 'contact_created') as events`,
    )
    assert.deepEqual(counts, { contacts: 2500, events: 2500 })
  })

  test('reads a file ahead of its transaction, and stores its rows in the job', async () => {
    const service = await startService()
    const org = await makeOrganization(service)
    const { token, user_id } = org.users.admin
    const csv = `name,email\n${Array.from({ length: 1200 }, (_, i) => `Person ${i},p${i}@x.test`).join('\n')}\n`
    const form = new FormData()
    form.set('module', 'contacts')
    form.set('start', 'true')
    form.set('file', new Blob([csv], { type: 'text/csv' }), 'people.csv')
    const reply = await fetch(`${service.url}/api/imports/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: form,
    })
    const made = (await reply.json()) as { import_id: string; total: number }
    assert.equal(reply.status, 201)
    assert.equal(made.total, 1200)
    const stored = async () => {
      const [row] = await rows(
        service,
        sql`select storage_key, (select count(*)::int from import_batches b
            where b.organization_id = t.organization_id and b.import_id = t.id) as batches
          from imports t where organization_id = ${org.id} and id = ${made.import_id}`,
      )
      return row as { storage_key: string | null; batches: number }
    }
    const before = await stored()
    assert.equal(before.batches, 0)
    const { storage_key } = before
    assert.ok(storage_key?.startsWith(`imports/${org.id}/`))
    const enqueued = { organization_id: org.id, id: made.import_id, user_id }
    const run = async () => {
      const work = await workFor(service.runtime, importJob, enqueued, new AbortController().signal)
      return importJob.run(work, made)
    }
    await run()
    assert.deepEqual(await stored(), { storage_key: null, batches: 3 })
    await assert.rejects(service.runtime.files.get(storage_key ?? ''))
    const read = async () =>
      (await service.call('GET', `/api/imports/${made.import_id}/`, { token })).body
    assert.deepEqual([(await read()).status, (await read()).created], ['completed', 1200])

    // an import whose file is missing fails with a message
    const body = { module: 'contacts', csv, start: true }
    const other = (await service.call('POST', '/api/imports/', { token, body })).body
    await service.runtime.database.transaction(org.id, (queries) =>
      queries.run(sql`update imports set csv = null, storage_key = 'imports/none'
        where organization_id = ${org.id} and id = ${other.import_id}`),
    )
    const work = await workFor(service.runtime, importJob, enqueued, new AbortController().signal)
    await importJob.run(work, other)
    const failed = (await service.call('GET', `/api/imports/${other.import_id}/`, { token })).body
    assert.deepEqual([failed.status, failed.error], ['failed', 'Its file is gone: upload it again'])
  })
})

test('files wait to be imported up to a number, and a cancelled import leaves none', async () => {
  const service = await startService()
  const org = await makeOrganization(service)
  const { token } = org.users.admin
  const send = async () => {
    const form = new FormData()
    form.set('module', 'contacts')
    form.set('file', new Blob(['name\nAnn\n'], { type: 'text/csv' }), 'people.csv')
    const headers = { authorization: `Bearer ${token}` }
    const reply = await fetch(`${service.url}/api/imports/`, {
      method: 'POST',
      headers,
      body: form,
    })
    return { status: reply.status, body: (await reply.json()) as { [name: string]: string } }
  }
  const first = await send()
  assert.equal(first.status, 201)
  const id = first.body.import_id ?? ''
  const keyOf = async () => {
    const query = sql`select storage_key from imports where organization_id = ${org.id} and id = ${id}`
    const [row] = await rows<{ storage_key: string | null }>(service, query)
    return row?.storage_key ?? null
  }
  const key = (await keyOf()) ?? ''
  for (let n = 1; n < 100; n++) assert.equal((await send()).status, 201)
  const refused = await send()
  assert.deepEqual([refused.status, refused.body.code], [409, 'too_many_waiting'])
  await service.call('POST', `/api/imports/${id}/cancel/`, { token })
  assert.equal(await keyOf(), null)
  const isGone = async () => {
    try {
      const file = await service.runtime.files.get(key)
      file.destroy()
      return false
    } catch {
      return true
    }
  }
  await until(isGone)
  assert.equal((await send()).status, 201)
})
