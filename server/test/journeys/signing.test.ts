import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { PDF } from '@libpdf/core'
import { dueSignatures } from '../../src/jobs/signatures.ts'
import { postForm } from '../support/integration.ts'
import type { Mailbox } from '../support/mailbox.ts'
import { linkIn, startMailbox } from '../support/mailbox.ts'
import { lacks, plainPdf, told } from '../support/pdf.ts'
import type { TestOrganization, TestService } from '../support/service.ts'
import { makeOrganization, rows, sql, startService } from '../support/service.ts'
import { until } from '../support/until.ts'

describe('signing a document', () => {
  let service: TestService
  let org: TestOrganization
  let mailbox: Mailbox

  before(async () => {
    mailbox = await startMailbox()
    service = await startService({ smtpUrl: mailbox.url }, undefined, true)
    org = await makeOrganization(service)
  })

  const call = (method: string, path: string, body?: unknown) =>
    service.call(method, `/api/documents/${path}`, { token: org.users.admin.token, body })

  async function uploaded(bytes: Uint8Array<ArrayBuffer>, name: string) {
    const form = new FormData()
    form.append('file', new Blob([bytes]), name)
    const reply = await fetch(`${service.url}/api/documents/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${org.users.admin.token}` },
      body: form,
    })
    return ((await reply.json()) as { attach_id: string }).attach_id
  }

  async function createDocument(body: object = {}) {
    return (await call('POST', '', { document_name: 'Agreement', ...body })).body
      .attach_id as string
  }

  let people = 0
  const person = (name: string, more: object = {}) => ({
    name,
    email: `signer${++people}@signers.test`,
    ...more,
  })

  const requestSignatures = (id: string, recipients: object[], more: object = {}) =>
    call('POST', `${id}/signature/request/`, { recipients, ...more })

  /** The path of the link in the next mail to somebody. */
  const linkTo = async ({ email }: { email: string }) =>
    new URL(linkIn(await mailbox.next(email))).pathname

  const signing = (path: string, name: string, more: object = {}) =>
    postForm(service, path, { name, agree: 'yes', act: 'sign', ...more })

  const statusOf = async (id: string) => {
    const { signature_status, signatures_completed, signature_recipients } = (
      await call('GET', `${id}/`)
    ).body
    return [
      signature_status,
      signatures_completed,
      ...signature_recipients.map((each: { status: string }) => each.status),
    ]
  }

  const change = (query: ReturnType<typeof sql>) =>
    service.runtime.database.transaction(org.id, (queries) => queries.run(query))

  async function sealed(id: string) {
    for (let i = 0; i < 1200; i++) {
      const found = (await call('GET', `${id}/versions/`)).body.find(
        (each: { is_signed_version: boolean }) => each.is_signed_version,
      )
      if (found) return found
      await sleep(50)
    }
    throw new Error('no signed version was created')
  }

  test('by two people in any order creates a signed PDF', async () => {
    const pdf = PDF.create()
    pdf.addPage({ width: 300, height: 300 })
    const bytes = new Uint8Array(await pdf.save())
    const id = await uploaded(bytes, 'contract.pdf')
    const [ada, bob, carl] = [
      person('Ada'),
      person('Боб', { role: 'approver' }),
      person('Carl', { role: 'cc' }),
    ]
    const requested = await requestSignatures(id, [ada, bob, carl], { message: 'Please sign soon' })
    assert.equal(requested.status, 200, requested.text)
    assert.equal(requested.body.signature_status, 'pending')
    assert.equal(requested.body.signatures_required, 2)
    assert.equal(requested.body.share_count, 2)
    const mail = await mailbox.next(ada.email)
    assert.match(mail.subject!, /asks you to sign “contract\.pdf”/)
    assert.match(mail.text!, /Please sign soon/)
    const first = new URL(linkIn(mail)).pathname
    const second = await linkTo(bob)

    const page = await service.call('GET', first)
    assert.equal(page.status, 200)
    assert.match(page.headers.get('content-security-policy')!, /frame-src 'self'/)
    // programs that follow links have not seen it; the page itself reports that somebody does
    assert.deepEqual(await statusOf(id), ['pending', 0, 'sent', 'sent', 'waiting'])
    assert.equal((await service.call('POST', `${first}/viewed`)).status, 204)
    assert.deepEqual(await statusOf(id), ['pending', 0, 'viewed', 'sent', 'waiting'])
    const file = await fetch(`${service.url}${first}/file`)
    assert.equal(file.headers.get('content-type'), 'application/pdf')
    assert.ok(Buffer.from(await file.arrayBuffer()).equals(Buffer.from(bytes)))

    const locked = await call('PUT', `${id}/`, { editor_html_content: 'other' })
    assert.equal(locked.status, 409)
    assert.equal(locked.body.code, 'locked')

    assert.equal((await postForm(service, first, { name: 'Ada', act: 'sign' })).status, 400)
    assert.equal((await signing(first, '  ')).status, 400)
    assert.equal((await signing(first, 'Ada', { signature: 'M0 0L<script>' })).status, 400)
    assert.deepEqual(await statusOf(id), ['pending', 0, 'viewed', 'sent', 'waiting'])

    const done = await signing(first, 'Ada Lovelace', { signature: 'M10 10L300 150L590 20' })
    assert.equal(done.status, 303)
    assert.match((await service.call('GET', first)).text, /You signed/)
    assert.deepEqual(await statusOf(id), ['partial', 1, 'signed', 'sent', 'waiting'])
    assert.equal((await signing(first, 'Ada again')).status, 200)
    assert.equal((await signing(second, 'Боб Иванов')).status, 303)
    assert.deepEqual((await statusOf(id)).slice(0, 2), ['signed', 2])

    const signed = await sealed(id)
    assert.equal(signed.version, 2)
    assert.equal(signed.version_type, 'signature')
    assert.equal(signed.parent_attach_id, id)
    assert.equal(signed.signature_status, 'signed')
    assert.equal(signed.latest_version, true)
    assert.equal(signed.file_name, 'contract (signed).pdf')
    assert.equal(signed.signature_recipients.length, 3)
    const listed = (await call('GET', '?signature_status=signed')).body
    assert.deepEqual(
      listed.map((each: any) => each.attach_id),
      [signed.attach_id],
    )
    for (const each of [ada, bob, carl]) {
      const { subject } = await mailbox.next(each.email)
      assert.match(subject!, /is signed by everybody/)
    }
    const last = await fetch(`${service.url}${first}/file`)
    const final = Buffer.from(await last.arrayBuffer())
    assert.equal(createHash('sha256').update(final).digest('hex'), signed.file_hash)
    assert.ok((await PDF.load(final)).getPageCount() >= 2)

    const { body: trail } = await call('GET', `${signed.attach_id}/signature/audit/`)
    const titles = trail.entries.map((each: any) => each.title)
    assert.deepEqual(titles, [
      'Document signature requested',
      'Document opened by Ada',
      'Document signed by Ada',
      'Document approved by Боб',
      'Document signed',
    ])
    const step = trail.entries[2]
    assert.equal(step.address, '127.0.0.1')
    assert.equal(step.email, ada.email)
    assert.equal(step.content_hash, createHash('sha256').update(bytes).digest('hex'))

    const again = await requestSignatures(signed.attach_id, [ada])
    assert.equal(again.status, 409)
    assert.deepEqual(again.body.data, { from: 'signed', to: 'pending' })
    const edited = await call('PUT', `${signed.attach_id}/`, { editor_html_content: '<p>new</p>' })
    assert.equal(edited.body.version, 3)
    assert.equal(edited.body.signature_status, 'none')
    assert.equal(edited.body.is_signed_version, false)
  })

  test('in sequence invites the next only when the one before has signed', async () => {
    const id = await createDocument()
    const [ada, bob] = [person('Ada', { order: 2 }), person('Bob', { order: 1 })]
    await requestSignatures(id, [ada, bob], { sequential: true })
    const bobs = await linkTo(bob)
    assert.deepEqual(await statusOf(id), ['pending', 0, 'waiting', 'sent'])
    assert.equal((await signing(bobs, 'Bob')).status, 303)
    const adas = await linkTo(ada)
    assert.deepEqual(await statusOf(id), ['partial', 1, 'sent', 'signed'])
    assert.equal((await signing(adas, 'Ada')).status, 303)
    const signed = await sealed(id)
    assert.equal(signed.file_type, 'application/pdf')
    assert.equal(signed.file_name, 'Agreement (signed).pdf')
  })

  test('goes to a corrected address by a new link, and only until it is signed', async () => {
    const id = await createDocument()
    const [ada, bob] = [person('Ada'), person('Bob')]
    await requestSignatures(id, [ada, bob])
    const old = await linkTo(ada)
    await service.call('POST', `${old}/viewed`)
    const [{ id: first }, { id: second }] = (await call('GET', `${id}/`)).body.signature_recipients
    const correct = (recipient: string, body: object) =>
      call('PATCH', `${id}/signature/recipients/${recipient}/`, body)
    const taken = await correct(first, { email: bob.email.toUpperCase() })
    assert.deepEqual([taken.status, taken.body.errors[0].field], [400, 'email'])
    const right = person('Ada L.')
    const done = await correct(first, { email: right.email, name: right.name })
    assert.equal(done.status, 200, done.text)
    assert.equal((await service.call('GET', old)).status, 404)
    assert.deepEqual(await statusOf(id), ['pending', 0, 'sent', 'sent'])
    assert.equal((await signing(await linkTo(right), 'Ada')).status, 303)
    assert.equal((await correct(first, { name: 'Other' })).status, 409)
    assert.equal((await correct('nobody', { name: 'Other' })).status, 404)
    assert.equal((await correct(second, { email: bob.email })).status, 200)
    const { entries } = (await call('GET', `${id}/signature/audit/`)).body
    const steps = entries.map((each: { step: string }) => each.step)
    assert.deepEqual(steps, ['requested', 'viewed', 'corrected', 'signed'])
    assert.equal(entries[2].former_email, ada.email)
    // it is not sent again where nothing changed
    assert.ok(await linkTo(bob))
    assert.equal(mailbox.received.filter(({ to_addresses: [to] }) => to === bob.email).length, 1)
  })

  test('is not signed by who had the old link while the address was corrected', async () => {
    const id = await createDocument()
    const ada = person('Ada')
    await requestSignatures(id, [ada])
    const old = await linkTo(ada)
    const signed = await service.runtime.database.transaction(org.id, async (queries) => {
      await queries.run(sql`select id from documents where id = ${id} for update`)
      const reply = signing(old, 'Ada')
      const waiting = sql`select pid from pg_locks
        where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`
      await until(async () => Boolean(await queries.one(waiting)))
      // as the correction does
      await queries.run(sql`update signature_recipients set token_hash = ${Buffer.from('other')}
        where email = ${ada.email}`)
      return { reply }
    })
    assert.equal((await signed.reply).status, 410)
    assert.deepEqual(await statusOf(id), ['pending', 0, 'sent'])
  })

  test('can be handed over once, where the sender allows it', async () => {
    const id = await createDocument()
    const [ada, bob, carl] = [person('Ada'), person('Bob'), person('Carl')]
    const place = { kind: 'text', page: 1, x: 0.1, y: 0.1, label: 'Place' }
    await requestSignatures(id, [{ ...ada, fields: [place] }, bob], {
      sequential: true,
      allow_delegation: true,
    })
    const old = await linkTo(ada)
    assert.match((await service.call('GET', old)).text, /Somebody else is to do this/)
    const handOver = (path: string, name: string, email: string) =>
      postForm(service, path, { act: 'delegate', delegate_name: name, delegate_email: email })
    for (const [name, email, field] of [
      [' ', carl.email, 'delegate_name'],
      ['Carl', 'nowhere', 'delegate_email'],
      ['Ada', ada.email.toUpperCase(), 'delegate_email'],
      ['Bob', bob.email, 'delegate_email'],
    ] as const) {
      const refused = await handOver(old, name, email)
      assert.equal(refused.status, 400)
      assert.match(refused.text, new RegExp(`id="${field}"[^>]*aria-invalid`))
    }
    const done = await handOver(old, carl.name, carl.email)
    assert.equal(done.status, 200)
    assert.match(done.text, /Handed over to Carl/)
    // the link of who handed it over has ended, whatever is sent by it
    for (const reply of [await service.call('GET', old), await signing(old, 'Ada')]) {
      assert.equal(reply.status, 404)
    }
    const mail = await mailbox.next(carl.email)
    assert.match(mail.text!, /Ada handed this over to you/)
    const link = new URL(linkIn(mail)).pathname
    const { text } = await service.call('GET', link)
    assert.match(text, /For Carl/)
    // once for each place
    assert.doesNotMatch(text, /Somebody else is to do this/)
    const other = person('Dora')
    assert.equal((await handOver(link, other.name, other.email)).status, 409)
    const { signature_recipients: people, allow_delegation } = (await call('GET', `${id}/`)).body
    assert.equal(allow_delegation, true)
    assert.deepEqual(
      people.map((each: { name: string; is_delegated: boolean; order: number }) => [
        each.name,
        each.is_delegated,
        each.order,
      ]),
      [
        ['Carl', true, 1],
        ['Bob', false, 2],
      ],
    )
    assert.deepEqual(await statusOf(id), ['pending', 0, 'sent', 'waiting'])
    const { entries } = (await call('GET', `${id}/signature/audit/`)).body
    const [, entry] = entries
    assert.deepEqual(
      [entry.step, entry.name, entry.email, entry.former_name, entry.former_email],
      ['delegated', 'Carl', carl.email, 'Ada', ada.email],
    )
    assert.ok(entry.address)
    const [notice] = await rows(
      service,
      sql`select title, description from notifications
      where organization_id = ${org.id} and user_id = ${org.users.admin.user_id}
        and title like '%handed%'`,
    )
    assert.equal(notice.title, 'Ada handed Agreement over to Carl')
    assert.equal(notice.description, `Carl (${carl.email})`)
    // whoever has it fills in what was asked, and the next one follows
    assert.equal((await signing(link, 'Carl')).status, 400)
    assert.equal((await signing(link, 'Carl', { 'field.0': 'Utrecht' })).status, 303)
    assert.equal((await signing(await linkTo(bob), 'Bob')).status, 303)
    assert.deepEqual(await statusOf(id), ['signed', 2, 'signed', 'signed'])
    // not where nobody has allowed it
    const strict = await createDocument()
    const eve = person('Eve')
    await requestSignatures(strict, [eve])
    const evens = await linkTo(eve)
    assert.doesNotMatch((await service.call('GET', evens)).text, /Somebody else/)
    assert.equal((await handOver(evens, other.name, other.email)).status, 409)
    assert.deepEqual(await statusOf(strict), ['pending', 0, 'sent'])
  })

  test('can be declined with a reason, which ends it for everybody', async () => {
    const id = await createDocument()
    const [ada, bob] = [person('Ada'), person('Bob')]
    await requestSignatures(id, [ada, bob])
    const [adas, bobs] = [await linkTo(ada), await linkTo(bob)]
    assert.equal((await postForm(service, adas, { act: 'decline', reason: ' ' })).status, 400)
    const reply = await postForm(service, adas, { act: 'decline', reason: 'Wrong price' })
    assert.equal(reply.status, 303)
    assert.equal(
      (await call('GET', `${id}/`)).body.signature_recipients[0].decline_reason,
      'Wrong price',
    )
    assert.deepEqual((await statusOf(id))[0], 'declined')
    assert.equal((await signing(bobs, 'Bob')).status, 410)
    assert.match((await service.call('GET', adas)).text, /You declined/)
    const events = await rows(
      service,
      sql`select type from events
      where reference_id = ${id} and type is not null order by id`,
    )
    assert.deepEqual(
      events.map(({ type }) => type),
      [
        'document_created',
        'document_updated',
        'document_signature_requested',
        'document_updated',
        'document_declined',
      ],
    )
    const notifications = await rows(
      service,
      sql`select title from notifications
      where organization_id = ${org.id} and user_id = ${org.users.admin.user_id}
        and notification_type = 6 and title like '%declined%'`,
    )
    assert.equal(notifications.length, 1)
    const [{ description }] = await rows(
      service,
      sql`select description from notifications
      where organization_id = ${org.id} and user_id = ${org.users.admin.user_id}
        and notification_type = 6 and title like '%declined%'`,
    )
    assert.equal(description, 'Wrong price')
    const back = await call('POST', `${id}/signature/void/`, { reason: 'new price' })
    assert.equal(back.body.signature_status, 'none')
    assert.deepEqual(back.body.signature_recipients, [])
    assert.equal((await requestSignatures(id, [ada])).body.signature_status, 'pending')
  })

  test('that somebody signed is told to them when another declines or lets it expire, with a copy', async () => {
    const bytes = new Uint8Array(plainPdf([{}]))
    for (const end of ['declined', 'expired'] as const) {
      const id = await uploaded(bytes, 'contract.pdf')
      const [ada, bob, carl] = [person('Ada'), person('Bob'), person('Carl')]
      await requestSignatures(id, [ada, bob, carl])
      const [adas, bobs] = [await linkTo(ada), await linkTo(bob)]
      await linkTo(carl)
      assert.equal((await signing(adas, 'Ada')).status, 303)
      if (end === 'declined') {
        await postForm(service, bobs, { act: 'decline', reason: 'Wrong price' })
      } else {
        await change(sql`update signature_requests set expires_at = now() - interval '1 minute'
          where document_id = ${id}`)
        await dueSignatures(service.runtime)
      }
      const mail = await mailbox.next(ada.email)
      assert.match(
        mail.subject!,
        end === 'declined' ? /was declined/ : /no longer needs to be signed/,
      )
      const [copy] = mail.attachments
      assert.equal(copy?.filename, 'contract.pdf')
      assert.ok(Buffer.from(copy.content as ArrayBuffer).equals(Buffer.from(bytes)))
      if (end === 'expired') continue
      assert.match(mail.text!, /Bob declined/)
      // taken back, nothing is new to whoever knows that: what comes next is the new request
      await call('POST', `${id}/signature/void/`, {})
      await requestSignatures(id, [ada])
      assert.match((await mailbox.next(ada.email)).subject!, /asks you to sign/)
    }
  })

  test('fills in every kind of field, checked by its kind', async () => {
    const pdf = PDF.create()
    pdf.addPage({ width: 400, height: 600 })
    const bytes = new Uint8Array(await pdf.save())
    const id = await uploaded(bytes, 'form.pdf')
    const eva = person('Eva Stone')
    const field = (kind: string, y: number, more: object = {}) => ({
      kind,
      page: 1,
      x: 0.1,
      y,
      width: 0.5,
      height: 0.04,
      ...more,
    })
    const options = ['Monthly', ' Yearly ']
    const fields = [
      field('checkbox', 0.1, { label: 'Terms' }),
      field('name', 0.2),
      field('email', 0.3),
      field('company', 0.4),
      field('number', 0.5, { label: 'Seats' }),
      field('choice', 0.6, { label: 'Billing', options }),
      field('checkbox', 0.7, { label: 'News', required: false, prefill: 'yes' }),
    ]
    const few = [...fields.slice(0, 5), { ...fields[5], options: ['One', ' '] }]
    const refused = await requestSignatures(id, [{ ...eva, fields: few }])
    assert.deepEqual(
      [refused.status, refused.body.errors?.[0]?.field],
      [400, 'recipients.0.fields.5.options'],
    )
    for (const [at, prefill] of [
      [1, 'Eva'],
      [0, 'no'],
      [4, 'many'],
      [5, 'Never'],
    ] as const) {
      const bad = fields.map((each, n) => (n === at ? { ...each, prefill } : each))
      const wrong = await requestSignatures(id, [{ ...eva, fields: bad }])
      assert.deepEqual(
        [wrong.status, wrong.body.errors?.[0]?.field],
        [400, `recipients.0.fields.${at}.prefill`],
      )
    }
    const prefilled = fields.map((each, n) => {
      const text = { 3: 'Stone Inc', 5: ' Monthly ' }[n]
      return text ? { ...each, prefill: text } : each
    })
    const asked = await requestSignatures(id, [{ ...eva, fields: prefilled }])
    assert.equal(asked.status, 200, asked.text)
    const path = await linkTo(eva)
    const page = await service.call('GET', path)
    assert.match(page.text, /name="field\.3"[^>]*value="Stone Inc"/)
    assert.match(page.text, /<option selected>Monthly<\/option>/)
    assert.match(page.text, /value="yes" checked[^>]*name="field\.6"/)
    assert.match(page.text, /<option[^>]*>Yearly<\/option>/)
    assert.match(page.text, /type="checkbox"[^>]*name="field\.0"/)
    assert.doesNotMatch(page.text, /name="field\.[12]"/)
    const filled = {
      'field.0': 'yes',
      'field.1': 'Somebody else',
      // cut between its characters
      'field.3': `Stone Ltd${' '.repeat(490)}😀`,
      'field.4': '1,250',
      'field.5': 'Yearly',
    }
    for (const [wrong, words] of [
      [{ 'field.0': '' }, /Fill in what is marked/],
      [{ 'field.4': 'many' }, /Enter a number/],
      [{ 'field.5': 'Never' }, /Fill in what is marked/],
    ] as const) {
      const reply = await signing(path, 'Eva Stone', { ...filled, ...wrong })
      assert.equal(reply.status, 400)
      assert.match(reply.text, words)
      // the tick was taken away
      assert.doesNotMatch(reply.text, /value="yes" checked[^>]*name="field\.6"/)
    }
    assert.equal((await signing(path, 'Eva Stone', filled)).status, 303)
    const { body } = await call('GET', `${id}/`)
    assert.deepEqual(
      body.signature_recipients[0].fields.map(({ value }: { value: string | null }) => value),
      ['yes', 'Eva Stone', eva.email, 'Stone Ltd' + ' '.repeat(490), '1,250', 'Yearly', null],
    )
    const { attach_id } = await sealed(id)
    if (lacks('pdftotext')) return
    const file = await fetch(`${service.url}/api/documents/${attach_id}/file/`, {
      headers: { authorization: `Bearer ${org.users.admin.token}` },
    })
    const { text } = await told('pdftotext', ['-l', '1', 'in.pdf', '-'], {
      'in.pdf': new Uint8Array(await file.arrayBuffer()),
    })
    for (const each of ['Eva Stone', eva.email, 'Stone Ltd', '1,250', 'Yearly']) {
      assert.ok(text.includes(each), `${each} in ${text}`)
    }
    // a tick is drawn
    assert.ok(!text.includes('yes'))
  })

  test('asks for some fields only by what stands in others', async () => {
    const pdf = PDF.create()
    pdf.addPage({ width: 400, height: 600 })
    const id = await uploaded(new Uint8Array(await pdf.save()), 'order.pdf')
    const eva = person('Eva Stone')
    const at = (kind: string, y: number, more: object = {}) => ({
      kind,
      page: 1,
      x: 0.1,
      y,
      width: 0.5,
      height: 0.04,
      ...more,
    })
    const vat = { field: 'firm', operator: 'filled' }
    const eu = { field: 'vat', operator: 'equals', value: 'EU1' }
    const fields = [
      at('checkbox', 0.1, { key: 'firm', label: 'I act for a company', required: false }),
      at('text', 0.2, { key: 'vat', label: 'VAT number', show_if: vat }),
      at('text', 0.3, { label: 'Country', show_if: eu }),
      at('initials', 0.4, { show_if: vat }),
      at('date', 0.5, { show_if: { field: 'firm', operator: 'empty' } }),
      at('signature', 0.6),
    ]
    const wrong: [string, object][] = [
      ['recipients.0.fields.1.show_if', { ...fields[1], show_if: { ...vat, field: 'other' } }],
      ['recipients.0.fields.1.key', { ...fields[1], key: 'firm', show_if: undefined }],
    ]
    for (const [name, field] of wrong) {
      const refused = await requestSignatures(id, [{ ...eva, fields: [fields[0], field] }])
      assert.deepEqual([refused.status, refused.body.errors?.[0]?.field], [400, name])
    }
    // somebody else's field decides nothing
    const others = [
      { ...person('O'), fields: [fields[0]] },
      { ...eva, fields: [fields[1]] },
    ]
    assert.equal((await requestSignatures(id, others)).status, 400)
    const asked = await requestSignatures(id, [{ ...eva, fields }])
    assert.equal(asked.status, 200, asked.text)
    const path = await linkTo(eva)
    const { text } = await service.call('GET', path)
    // pages without scripts say on what it depends, and let it be left out
    assert.match(text, /Page 1, if “I act for a company” is ticked/i)
    assert.match(text, /if “VAT number” is “EU1”/)
    assert.doesNotMatch(text, /id="field-1"[^>]*required/)
    const values = async () =>
      (await call('GET', `${id}/`)).body.signature_recipients[0].fields.map(
        ({ value }: { value: string | null }) => value,
      )
    const firm = { 'field.0': 'yes' }
    // what is shown by its condition is needed
    assert.equal((await signing(path, 'Eva Stone', firm)).status, 400)
    const country = await signing(path, 'Eva Stone', { ...firm, 'field.1': 'EU1' })
    assert.equal(country.status, 400)
    assert.match(country.text, /id="field-2"[^>]*aria-invalid/)
    assert.deepEqual(await values(), [null, null, null, null, null, null])
    // what was written before the box was unticked is not taken
    const left = { 'field.1': 'EU1', 'field.2': 'Left over', 'field.3': 'LO' }
    assert.equal((await signing(path, 'Eva Stone', left)).status, 303)
    const [, , , , date] = await values()
    assert.match(date, /^\d{4}-\d\d-\d\d$/)
    assert.deepEqual(await values(), [null, null, null, null, date, 'Eva Stone'])
    const { attach_id } = await sealed(id)
    if (lacks('pdftotext')) return
    const file = await fetch(`${service.url}/api/documents/${attach_id}/file/`, {
      headers: { authorization: `Bearer ${org.users.admin.token}` },
    })
    const read = await told('pdftotext', ['-l', '1', 'in.pdf', '-'], {
      'in.pdf': new Uint8Array(await file.arrayBuffer()),
    })
    assert.ok(read.text.includes(date) && !/EU1|Left|LO/.test(read.text), read.text)
  })

  test('can be voided and reminded of, and refused moves name from and to', async () => {
    const id = await createDocument()
    for (const [path, from, to] of [
      ['void', 'none', 'none'],
      ['remind', 'none', 'pending'],
    ]) {
      const reply = await call('POST', `${id}/signature/${path}/`, {})
      assert.equal(reply.status, 409)
      assert.deepEqual(reply.body.data, { from, to })
    }
    const ada = person('Ada')
    await requestSignatures(id, [ada])
    const path = await linkTo(ada)
    const twice = await requestSignatures(id, [ada])
    assert.equal(twice.status, 409)
    assert.deepEqual(twice.body.data, { from: 'pending', to: 'pending' })
    assert.equal((await call('POST', `${id}/signature/remind/`)).status, 200)
    const reminder = await mailbox.next(ada.email)
    assert.match(reminder.subject!, /^Reminder/)
    assert.equal(new URL(linkIn(reminder)).pathname, path)
    await call('POST', `${id}/signature/void/`, { reason: 'No longer needed' })
    assert.match((await mailbox.next(ada.email)).text!, /No longer needed/)
    const gone = await service.call('GET', path)
    assert.equal(gone.status, 410)
    assert.match(gone.text, /withdrawn/)
    assert.equal((await signing(path, 'Ada')).status, 410)
    assert.equal((await fetch(`${service.url}${path}/file`)).status, 410)
  })

  test('is reminded of alone, once in four hours and ten times at most', async () => {
    const id = await createDocument()
    const [ada, bob] = [person('Ada'), person('Bob')]
    await requestSignatures(id, [ada, { ...bob, order: 2 }], { sequential: true })
    await mailbox.next(ada.email)
    const people = (await call('GET', `${id}/`)).body.signature_recipients
    const remind = (at: number) =>
      call('POST', `${id}/signature/recipients/${people[at].id}/remind/`)
    const first = await remind(0)
    assert.equal(first.status, 200, first.text)
    assert.ok(first.body.signature_recipients[0].reminded_at)
    assert.equal(first.body.signature_recipients[1].reminded_at, null)
    assert.match((await mailbox.next(ada.email)).subject ?? '', /^Reminder/)
    const again = await remind(0)
    assert.deepEqual([again.status, again.body.code], [409, 'reminded_lately'])
    assert.match(
      again.body.message,
      /^Ada was reminded less than 4 hours ago: again in (4 h|3 h 59 min)$/,
    )
    const left = Date.parse(again.body.data.resets_at) - Date.now()
    assert.ok(left > 3.9 * 3_600_000 && left <= 4 * 3_600_000)
    const waiting = async (operator: string, value: string) => {
      const filter = encodeURIComponent(JSON.stringify([{ field: 'waits_for', operator, value }]))
      const { body } = await call('GET', `?filter=${filter}&items_per_page=200`)
      return body.some(({ attach_id }: { attach_id: string }) => attach_id === id)
    }
    assert.deepEqual(first.body.waits_for, [ada.email.toLowerCase()])
    assert.equal(await waiting('contains', ada.email), true)
    assert.equal(await waiting('contains', bob.email), false)
    assert.equal(await waiting('not_contains', ada.email), false)
    // whose turn has not come is not waited for
    assert.deepEqual((await remind(1)).body.data, { from: 'waiting', to: 'sent' })
    const older = (reminders: number) =>
      change(sql`update signature_recipients set reminders = ${reminders}::int,
        reminded_at = reminded_at - interval '241 minutes' where id = ${people[0].id}`)
    await older(9)
    assert.equal((await remind(0)).status, 200)
    const counted = sql`select reminders from signature_recipients where id = ${people[0].id}`
    assert.equal((await rows(service, counted))[0].reminders, 10)
    await older(10)
    const last = await remind(0)
    assert.deepEqual([last.status, last.body.code], [409, 'enough'])
    const other = await createDocument()
    const lost = `${other}/signature/recipients/${people[0].id}/remind/`
    await requestSignatures(other, [person('Eve')])
    assert.equal((await call('POST', lost)).status, 404)
  })

  test('ends when the request expires', async () => {
    const id = await createDocument()
    const ada = person('Ada')
    const soon = new Date(Date.now() + 3_600_000).toISOString()
    const requested = await requestSignatures(id, [ada], { expires_at: soon })
    assert.equal(requested.body.signature_expires_at, soon)
    const path = await linkTo(ada)
    // the clock of tokens and mails stays: it is the request that gets older
    await change(sql`update signature_requests set expires_at = now() - interval '1 minute'
      where document_id = ${id}`)
    assert.equal((await signing(path, 'Ada')).status, 410)
    assert.equal((await call('GET', `${id}/`)).body.signature_status, 'pending')
    await dueSignatures(service.runtime)
    const { body } = await call('GET', `${id}/`)
    assert.deepEqual([body.signature_status, body.signature_recipients], ['none', []])
    assert.match((await mailbox.next(ada.email)).subject!, /no longer needs to be signed/)
  })

  test('is reminded of every three days, three times', async () => {
    const id = await createDocument()
    const ada = person('Ada')
    await requestSignatures(id, [ada])
    const path = await linkTo(ada)
    const reminders = async () => {
      await dueSignatures(service.runtime)
      const query = sql`select reminders from signature_requests where document_id = ${id}`
      return (await rows(service, query))[0].reminders
    }
    const older = (days: number) =>
      change(sql`update signature_requests set
        creation_time = creation_time - make_interval(days => ${days}::int),
        reminded_at = reminded_at - make_interval(days => ${days}::int) where document_id = ${id}`)
    assert.equal(await reminders(), 0)
    await older(2)
    assert.equal(await reminders(), 0)
    await older(1)
    assert.equal(await reminders(), 1)
    assert.equal(await reminders(), 1)
    for (const times of [2, 3, 3]) {
      await older(3)
      assert.equal(await reminders(), times)
    }
    for (let i = 0; i < 3; i++) assert.equal(await linkTo(ada), path)
  })

  test('of two who sign at the same moment counts both', async () => {
    const id = await createDocument()
    const all = [person('A'), person('B'), person('C')]
    await requestSignatures(id, all)
    const paths = []
    for (const each of all) paths.push(await linkTo(each))
    const replies = await Promise.all(paths.map((path) => signing(path, 'X')))
    assert.deepEqual(
      replies.map(({ status }) => status),
      [303, 303, 303],
    )
    assert.deepEqual((await statusOf(id)).slice(0, 2), ['signed', 3])
    const signed = await rows(
      service,
      sql`select id from events where reference_id = ${id}
      and type = 'document_signed'`,
    )
    assert.equal(signed.length, 1)
  })

  test('names what is wrong with a request', async () => {
    const id = await createDocument()
    const wrong: [field: string, recipients: unknown, more?: object][] = [
      ['recipients', []],
      ['recipients', [person('V', { role: 'viewer' })]],
      ['recipients.0.email', [{ name: 'x', email: 'nope' }]],
      ['recipients.0.email', [{ name: 'x' }]],
      ['recipients.0.role', [person('x', { role: 'boss' })]],
      ['recipients.1.email', [{ email: 'a@b.test' }, { email: 'A@b.test' }]],
      ['expires_at', [person('x')], { expires_at: '2020-01-01T00:00:00Z' }],
    ]
    for (const [field, recipients, more] of wrong) {
      const reply = await requestSignatures(id, recipients as object[], more)
      assert.equal(reply.status, 400, field)
      assert.equal(reply.body.errors[0].field, field)
    }
    assert.deepEqual(await statusOf(id), ['none', 0])
  })

  test('shows the text without what could run, and nothing to strangers', async () => {
    const id = await createDocument({
      editorjs_content: {
        blocks: [
          { type: 'header', data: { text: 'Terms', level: 2 } },
          { type: 'paragraph', data: { text: 'Pay <b>soon</b><img src=x onerror=alert(1)>' } },
          { type: 'list', data: { style: 'ordered', items: ['one', { content: 'two' }] } },
        ],
      },
    })
    const ada = person('Ada')
    await requestSignatures(id, [ada])
    const path = await linkTo(ada)
    const { text } = await service.call('GET', path)
    assert.match(text, /<h2>Terms<\/h2>/)
    assert.match(text, /Pay <b>soon<\/b>/)
    assert.match(text, /<ol><li>one<\/li><li>two<\/li><\/ol>/)
    assert.doesNotMatch(text, /onerror/)
    for (const other of ['/sign/nope', `${path}x`, `/sign/${'a'.repeat(43)}`]) {
      assert.equal((await service.call('GET', other)).status, 404)
      assert.equal((await signing(other, 'Eve')).status, 404)
    }
    const foreign = await service.call('POST', path, {
      body: 'name=Eve&agree=yes',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'cross-site',
      },
    })
    assert.equal(foreign.status, 403)
  })
})
