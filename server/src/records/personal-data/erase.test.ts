import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { pause, patient, until } from '../../../test/support/until.ts'
import type { ConnectedApp } from '../../../test/support/integration.ts'
import { connectApp, postForm } from '../../../test/support/integration.ts'
import { startReceiver, subscribe } from '../../../test/support/receiver.ts'
import { refused, refusedField } from '../../../test/support/refused.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, rows, sql, startService } from '../../../test/support/service.ts'

// A person with a name, an address and telephone numbers that nothing else has, put into every place.

const name = 'Xaviera Quillfeather'
const email = 'Xaviera.Quillfeather@fennel.test'
const phone = '+41 79 555 01 23'
const traces = /quillfeather|5550123|555 01 23|fennelgasse/i

describe('the erasure of a person', () => {
  let service: TestService
  let org: TestOrganization
  let app: ConnectedApp
  let contact: string
  let user: string
  let agreement: string
  let open: string
  let meeting: string

  const send = async (
    method: string,
    path: string,
    body?: unknown,
    token = org.users.admin.token,
  ) => {
    const reply = await service.call(method, path, { token, body })
    assert.ok(reply.status < 300, `${method} ${path} ${reply.status} ${reply.text}`)
    return reply
  }
  const make = async (path: string, body: unknown, token?: string) =>
    (await send('POST', path, body, token)).headers.get('x-record-id')!
  const finished = async (id: string) => {
    const patience = patient()
    for (;;) {
      const { body } = await send('GET', `/api/organization/personal-data/${id}/`)
      if (body.status === 'completed') return body
      patience()
      await pause(200)
    }
  }
  const upload = async (file: string, content: string, more: { [name: string]: string } = {}) => {
    const form = new FormData()
    for (const [key, value] of Object.entries(more)) form.append(key, value)
    form.append('file', new Blob([content]), file)
    const headers = { authorization: `Bearer ${org.users.admin.token}` }
    const reply = await fetch(`${service.url}/api/documents/`, {
      method: 'POST',
      headers,
      body: form,
    })
    assert.equal(reply.status, 201, await reply.clone().text())
    return ((await reply.json()) as { id: string }).id
  }

  before(async () => {
    service = await startService({ webhookRetrySchedule: [0] }, undefined, true)
    org = await makeOrganization(service)
    app = await connectApp(service, org)
    const receiver = await startReceiver()
    await subscribe(app, ['contact_created', 'contact_updated', 'task_created'], receiver.url)
    await everywhere()
  })

  /** Puts the person into every place where somebody might. */
  async function everywhere() {
    const account = await make('/api/account/info/', { account_name: 'Fennel' })
    const about = `Ask ${name} (${email.toLowerCase()}, ${phone})`
    contact = await make('/api/contact/', {
      full_name: 'Xaviera Formerly',
      primary_email: email,
      phone,
      location: { address: 'Fennelgasse 12', city: 'Basel' },
      linkedin_url: 'https://linkedin.test/in/quillfeather',
      custom_fields: { nick: 'Quillfeather', shoe: 38 },
    })
    await send('PUT', `/api/contact/${contact}/`, { full_name: name, whatsapp_number: phone })
    const invited = await send('POST', '/api/users/profile/action/', {
      email,
      full_name: name,
      phone_no: phone,
      role_id: org.roles.member,
    })
    user = invited.body.profile_id
    const { body: joined } = await send('POST', '/api/login/accept-invite/', {
      invite_token: invited.body.invite_token,
      password: 'a long and lovely password',
    })
    const own = joined.access_token as string
    const project = await make('/api/project/info/', {
      project_name: `For ${name}`,
      account_id: account,
    })
    const task = { title: `Call ${name}`, description: about, project_id: project, owner: user }
    const item = await make('/api/tasks/', { ...task, custom_fields: { who: email, n: [phone] } })
    const comment = { module_id: 1, reference_id: item, content: about }
    await make('/api/interactions/info/', { ...comment, mentions: [user] })
    await make('/api/interactions/info/', { ...comment, content: `${about} by herself` }, own)
    await make('/api/tags/info/', { tag_name: name, tag_type: 'tasks' })
    await make('/api/filters/filter/', {
      name: `Of ${name}`,
      module: 'tasks',
      conditions: [{ field: 'title', operator: 'contains', value: name }],
    })
    const attendees = [{ type: 'external', name, email }]
    await make('/api/calendar/info/', {
      title: `Lunch with ${name}`,
      start: '2030-01-01T10:00:00Z',
      end: '2030-01-01T11:00:00Z',
      attendees,
    })
    const { calendar_id: met } = (
      await send('POST', '/api/calendar/info/', {
        title: 'Steering',
        start: '2026-11-25T09:00:00Z',
        end: '2026-11-25T10:00:00Z',
        attendees: [
          { type: 'contact', id: contact },
          { type: 'external', name: 'Bob Guest', email: 'bob@x.test' },
        ],
      })
    ).body
    const said = [
      'Xaviera: We agreed that Lyon goes live with eleven clinics.',
      `${name}: I will send the signed contract by Friday.`,
      `Bob Guest: I can prepare the training plan, says ${name}.`,
    ]
    await send('POST', `/api/calendar/${met}/transcript/`, { text: said.join('\n') })
    meeting = met
    await upload('Quillfeather, Xaviera.txt', `Notes\n${about}\nFennel\n`)
    await upload('notes.csv', `name,email\n${name},${email}\nBob,bob@x.test\n`)
    await upload('picture.bin', `\0\0${about}`)
    await upload('her.txt', 'Her passport', { module_name: 'contacts', reference_id: contact })
    await surveys(about, account)
    await signing()
    await send('POST', '/api/imports/', {
      module: 'contacts',
      file_name: `${name}.csv`,
      csv: `name,email,title\n${name},not an address,Lead\nBob,bob@x.test,Lead\n`,
      start: true,
    })
    // values that are unique, and the same once she is not named
    const spellings = [name, 'Quillfeather, Xaviera']
    await send('POST', '/api/imports/', {
      module: 'contacts',
      csv: `name,contact owner\n${spellings.map((each) => `Bo,"${each}"`).join('\n')}\n`,
      values: { 'contact owner': Object.fromEntries(spellings.map((each) => [each, user])) },
      start: true,
    })
    const fields = [{ key: 'badge', type: 'text', unique: true }]
    await send('PUT', '/api/modules/companies/fields/', { fields })
    for (const each of spellings) {
      await make('/api/company/', { company_name: each, custom_fields: { badge: each } })
    }
    const other = await make('/api/contact/', {
      full_name: name,
      phone,
      primary_email: 'old@x.test',
    })
    await send('POST', '/api/contact/merge/', { primary_id: contact, merge_ids: [other] })
    const key = { 'idempotency-key': 'once', authorization: `Bearer ${org.users.admin.token}` }
    const body = { company_name: 'Fennel Ltd', description: about }
    await service.call('POST', '/api/company/', { headers: key, body })
    await send('POST', '/api/activity/log/', {
      log_id: 'of-hers',
      title: about,
      raw_description: { about },
    })
    await send('POST', '/api/notifyhub/notify-info/', {
      notification_id: 'of-hers',
      user_id: org.users.admin.user_id,
      title: about,
      notification_type: 9,
    })
  }

  async function surveys(about: string, account_id: string) {
    const fields = [
      { id: 'score', type: 'nps', label: 'Score' },
      { id: 'text', type: 'long-text', label: 'Why' },
    ]
    const survey = await make('/api/surveys/', {
      name: 'Survey',
      account_id,
      form_structure: [{ id: 'p', title: 'P', fields }],
    })
    await send('POST', `/api/surveys/${survey}/publish/`)
    await send('POST', `/api/surveys/${survey}/fill/`, {
      answers: { score: 3, text: `I live at Fennelgasse 12. ${about}` },
      respondent_email: email,
    })
    await send('POST', `/api/surveys/${survey}/send/`, {
      email_addresses: [email],
      custom_message: name,
    })
    await send('POST', `/api/surveys/${survey}/schedule/`, {
      email_addresses: [email, 'bob@x.test'],
      scheduled_at: '2035-01-01T10:00',
      timezone: 'UTC',
    })
  }

  async function signing() {
    agreement = await upload('agreement.txt', `Between us and ${name}`)
    open = await upload('offer.txt', 'An offer')
    for (const id of [agreement, open]) {
      const recipients = [{ name, email, role: 'signer' }]
      await send('POST', `/api/documents/${id}/signature/request/`, { recipients })
    }
    const [{ token_sealed }] = (await rows<{ token_sealed: Buffer }>(
      service,
      sql`select r.token_sealed from signature_recipients r join signature_requests q
        on q.organization_id = r.organization_id and q.id = r.request_id
        where q.document_id = ${agreement}`,
    )) as [{ token_sealed: Buffer }]
    const token = service.runtime.secrets.decrypt(token_sealed)
    const signed = await postForm(service, `/sign/${token}`, { name, act: 'sign', agree: 'yes' })
    assert.ok(signed.status < 400, signed.text)
    // the signed version is mailed once it is made, which may be after an erasure that does not wait
    const outbox = join(service.runtime.config.dataDir, 'outbox')
    await until(async () => {
      // one that is being written has another name until it is whole
      const written = (await readdir(outbox)).filter((file) => file.endsWith('.eml'))
      const mails = await Promise.all(written.map((mail) => readFile(join(outbox, mail), 'utf8')))
      return mails.some((mail) => /filename=.*agreement.*\.pdf/.test(mail))
    })
  }

  /** Where the database still knows the person: the tables, with the ids of rows. */
  async function places() {
    const tables = await rows<{ at: string }>(
      service,
      sql`select table_schema || '.' || table_name as at from information_schema.tables
        where table_schema in ('perennial', 'perennial_jobs') and table_type = 'BASE TABLE'`,
    )
    const found: { [at: string]: string[] } = {}
    for (const { at } of tables) {
      const its = await rows<{ text: string }>(
        service,
        sql`select t::text as text from ${sql.table(at)} t`,
      )
      const ours = its.filter(({ text }) => traces.test(text) && !hex.test(text))
      if (ours.length) found[at] = ours.map(({ text }) => text)
    }
    return found
  }
  const hex = /^$/

  async function files() {
    const found: string[] = []
    const folder = service.runtime.config.dataDir
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || entry.parentPath.includes('database')) continue
      const raw = (await readFile(join(entry.parentPath, entry.name))).toString('latin1')
      const quoted = raw
        .replaceAll(/=\r?\n/g, '')
        .replaceAll('=2E', '.')
        .replaceAll('_', ' ')
      if (traces.test(raw) || traces.test(quoted)) found.push(join(entry.parentPath, entry.name))
    }
    return found
  }

  test('is for admins, and must be confirmed', async () => {
    const path = '/api/organization/personal-data/erase/'
    refusedField(await call({ contact_id: contact, confirm: 'Bob' }), ['confirm'])
    refusedField(await call({ confirm: email }), ['user_id'])
    refusedField(await call({ contact_id: contact, contact: 'x', confirm: email }), ['contact'])
    refused(await call({ contact_id: 'nobody', confirm: email }), 400)
    const { user_id, email: confirm } = org.users.admin
    refused(await call({ user_id, confirm }), 409)
    assert.equal((await call({ contact_id: contact, confirm: email }, 'manager')).status, 403)
    function call(body: object, role: 'admin' | 'manager' = 'admin') {
      return service.call('POST', path, { token: org.users[role].token, body })
    }
  })

  test('is preceded by an export of everything', async () => {
    const { body } = await send('POST', '/api/organization/personal-data/export/', {
      user_id: user,
    })
    assert.deepEqual(body.user_ids, [user])
    assert.ok(body.contact_ids.includes(contact), 'the contact with the same e-mail')
    await finished(body.request_id)
    const file = await send('GET', `/api/organization/personal-data/${body.request_id}/file/`)
    const { data } = file.body
    for (const table of [
      'users',
      'contacts',
      'tasks',
      'interactions',
      'survey_responses',
      'signature_recipients',
      'events',
      'meetings',
    ]) {
      assert.ok(data[table]?.length, table)
    }
    assert.doesNotMatch(file.text, /password_hash|token_sealed/)
  })

  test('leaves what the receipt names, and nothing else', async () => {
    const before = await places()
    const took = await rows(
      service,
      sql`select from record_activity t where t.subject_module = 8 and t.contact_id = ${contact}`,
    )
    assert.ok(took.length, 'the account knows who answered')
    const unique = ['import_values', 'unique_values']
    for (const table of [
      'events',
      'tasks',
      'contacts',
      'users',
      'imports',
      'documents',
      ...unique,
    ]) {
      assert.ok(before[`perennial.${table}`], `the test puts nothing into ${table}`)
    }
    assert.ok((await files()).length >= 5, 'the test stores files and mails')
    const { body: begun } = await send('POST', '/api/organization/personal-data/erase/', {
      contact_id: contact,
      confirm: name,
    })
    const { receipt } = await finished(begun.request_id)
    const retained = receipt.kept[0].document_ids as string[]
    assert.ok(retained.includes(agreement))
    assert.ok(!retained.includes(open))

    const after = await places()
    const allowed = new Set([
      'perennial.documents',
      'perennial.signature_recipients',
      'perennial.events',
      'perennial.search_entries',
      'perennial.filter_entries',
    ])
    for (const [at, texts] of Object.entries(after)) {
      assert.ok(allowed.has(at), `${at}: ${texts[0]}`)
      if (at === 'perennial.signature_recipients') continue
      for (const text of texts)
        assert.ok(
          retained.some((id) => text.includes(id)),
          `${at}: ${text}`,
        )
    }
    // what she said stays, as of nobody, also where only her first name stood
    const { body: told } = await send('GET', `/api/calendar/${meeting}/transcript/`)
    const speakers = told.lines.map(({ speaker }: { speaker: string }) => speaker)
    assert.deepEqual([speakers[0], speakers[2]], [speakers[1], 'Bob Guest'])
    assert.doesNotMatch(JSON.stringify(told), /xaviera/i)
    assert.match(told.lines[1].text, /signed contract/)
    assert.ok(
      told.suggested_items.some(
        ({ owner }: { owner: { name: string } | null }) => owner?.name === speakers[0],
      ),
    )
    // what was done stays with the account, and names nobody
    const done = await rows<{ kind: string; names: boolean }>(
      service,
      sql`select t.kind, ${contact} in (t.subject_id, coalesce(t.contact_id, ''),
          coalesce(t.reference_id, '')) as names
        from record_activity t where t.organization_id = ${org.id}`,
    )
    assert.ok(done.some(({ kind }) => kind === 'answer'))
    assert.ok(done.every(({ names }) => !names))
    const recipients = await rows<{ status: string; name: string }>(
      service,
      sql`select q.status, r.name from signature_recipients r join signature_requests q
        on q.organization_id = r.organization_id and q.id = r.request_id`,
    )
    assert.deepEqual(recipients.map((each) => [each.status, each.name === name]).sort(), [
      ['signed', true],
      ['voided', false],
    ])
    const stored = await rows<{ storage_key: string }>(
      service,
      sql`select storage_key from documents where id = any(${retained}) and storage_key is not null`,
    )
    for (const path of await files()) {
      assert.ok(
        stored.some(({ storage_key }) => path.endsWith(storage_key)),
        path,
      )
    }

    // nobody else's data went
    const { body: survey } = await send('GET', '/api/surveys/')
    const { body: responses } = await send('GET', `/api/surveys/${survey[0].survey_id}/responses/`)
    assert.deepEqual(responses[0]?.answers ?? responses.results?.[0]?.answers, { score: 3 })
    assert.equal(
      (await service.call('GET', `/api/contact/${contact}/`, { token: org.users.admin.token }))
        .status,
      404,
    )
    const login = { email, password: 'a long and lovely password' }
    assert.equal((await service.call('POST', '/api/login/', { body: login })).status, 401)
    const search = await send('GET', '/api/search/?q=quillfeather')
    assert.deepEqual(
      search.body.results.filter(({ id }: { id: string }) => !retained.includes(id)),
      [],
    )
    const bob = await send('GET', '/api/search/?q=Bob')
    assert.equal(bob.body.results.length, 1)
  })
})
