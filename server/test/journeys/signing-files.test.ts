import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { PDF } from '@libpdf/core'
import { housekeeping } from '../../src/jobs/housekeeping.ts'
import { postForm } from '../support/integration.ts'
import type { Mailbox } from '../support/mailbox.ts'
import { linkIn, startMailbox } from '../support/mailbox.ts'
import { changedBy, lacks, plainPdf, told } from '../support/pdf.ts'
import type { Reply, TestOrganization, TestService } from '../support/service.ts'
import { makeOrganization, rows, sql, startService } from '../support/service.ts'
import { until } from '../support/until.ts'

const mebibyte = 1024 * 1024
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

describe('what signers attach', () => {
  let service: TestService
  let org: TestOrganization
  let mailbox: Mailbox

  before(async () => {
    mailbox = await startMailbox()
    service = await startService(
      { smtpUrl: mailbox.url, quotas: { storageBytes: 16 * mebibyte } as never },
      undefined,
      true,
    )
    org = await makeOrganization(service)
  })

  const call = (method: string, path: string, body?: unknown, token = org.users.admin.token) =>
    service.call(method, `/api/documents/${path}`, { token, body })

  let people = 0
  const field = (label: string, y: number, more: object = {}) => ({
    kind: 'attachment',
    page: 1,
    x: 0.1,
    y,
    width: 0.5,
    height: 0.04,
    label,
    ...more,
  })

  /** A document sent to somebody with these fields, and their link. */
  async function asked(fields: object[], more: object[] = []) {
    const email = `signer${++people}@files.test`
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(plainPdf([{}]))]), 'contract.pdf')
    const made = await fetch(`${service.url}/api/documents/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${org.users.admin.token}` },
      body: form,
    })
    const id = ((await made.json()) as { attach_id: string }).attach_id
    const recipients = [{ name: 'Eva Stone', email, fields }, ...more]
    const reply = await call('POST', `${id}/signature/request/`, { recipients })
    assert.equal(reply.status, 200, reply.text)
    const link = new URL(linkIn(await mailbox.next(email))).pathname
    const recipient = reply.body.signature_recipients[0].id as string
    return { id, email, link, recipient }
  }

  type Chosen = { [name: string]: string | [name: string, bytes: Uint8Array] }

  /** The form of the page, as a browser sends it. */
  async function send(link: string, parts: Chosen): Promise<Pick<Reply, 'status' | 'text'>> {
    const body = new FormData()
    for (const [name, part] of Object.entries(parts)) {
      if (typeof part === 'string') body.append(name, part)
      else body.append(name, new Blob([new Uint8Array(part[1])]), part[0])
    }
    const url = `${service.url}${link}`
    const reply = await fetch(url, { method: 'POST', body, redirect: 'manual' })
    return { status: reply.status, text: await reply.text() }
  }
  const signed = { name: 'Eva Stone', agree: 'yes', act: 'sign' }

  const filesIn = async (id: string) =>
    (await call('GET', `${id}/`)).body.signature_recipients[0].fields.map(
      ({ file }: { file?: { name: string } }) => file?.name,
    )

  async function sealed(id: string): Promise<{ attach_id: string }> {
    for (let i = 0; i < 1200; i++) {
      const all = (await call('GET', `${id}/versions/`)).body as {
        attach_id: string
        is_signed_version: boolean
      }[]
      const found = all.find(({ is_signed_version }) => is_signed_version)
      if (found) return found
      await sleep(50)
    }
    throw new Error('no signed version was created')
  }

  const download = async (path: string, token = org.users.admin.token) => {
    const reply = await fetch(`${service.url}${path}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    return { reply, bytes: Buffer.from(await reply.arrayBuffer()) }
  }

  test('is kept, replaced and taken back until they sign, and is in the sealed file', async () => {
    const wanted = [
      field('Passport', 0.1),
      field('Company register', 0.2, { required: false }),
      { ...field('Seats', 0.3), kind: 'number' },
    ]
    const { id, link } = await asked(wanted)
    const page = await service.call('GET', link)
    assert.match(page.text, /enctype="multipart\/form-data"/)
    assert.match(page.text, /Passport, page 1/)
    const [first, passport, register] = [randomBytes(500), randomBytes(70_000), randomBytes(90)]

    // what is there is not asked for again when something else is wrong
    const incomplete = await send(link, {
      ...signed,
      'file.0': ['draft.png', first],
      'file.1': ['', new Uint8Array()],
      'field.2': 'many',
    })
    assert.equal(incomplete.status, 400)
    assert.match(incomplete.text, /Enter a number/)
    assert.match(incomplete.text, /draft\.png/)
    const old = /\/sign\/[\w-]+\/attachments\/\w+/.exec(incomplete.text)?.[0] ?? ''
    assert.deepEqual((await download(old, '')).bytes, first)
    assert.match(
      (await download(old, '')).reply.headers.get('content-disposition') ?? '',
      /^attachment; filename="draft\.png"/,
    )
    assert.deepEqual(await filesIn(id), [undefined, undefined, undefined], 'nobody else has it yet')

    const replaced = await send(link, { act: 'attach', 'file.0': ['passport.png', passport] })
    assert.equal(replaced.status, 200)
    assert.doesNotMatch(replaced.text, /draft\.png/)
    assert.equal((await download(old, '')).reply.status, 404)
    await send(link, { act: 'attach', 'file.1': ['wrong.txt', register] })
    assert.match((await send(link, { act: 'detach.1' })).text, /passport\.png/)
    await send(link, { act: 'attach', 'file.1': ['passport.png', register] })
    const done = await send(link, { ...signed, 'field.2': '12' })
    assert.equal(done.status, 303, done.text)

    const { body } = await call('GET', `${id}/`)
    const fields = body.signature_recipients[0].fields as { value: string; file: { id: string } }[]
    assert.deepEqual(
      fields.map(({ value }) => value),
      ['passport.png', 'passport.png', '12'],
    )
    assert.partialDeepStrictEqual(fields[0], {
      file: { name: 'passport.png', size: passport.length, hash: sha256(passport) },
    })
    // who reads the document reads what belongs to it, in the version that was sealed as well
    const version = await sealed(id)
    for (const document of [id, version.attach_id]) {
      const path = `/api/documents/${document}/signature/files/${fields[0]?.file.id}/`
      const { reply, bytes } = await download(path, org.users.member.token)
      assert.equal(reply.status, 200)
      assert.match(
        reply.headers.get('content-disposition') ?? '',
        /^attachment; filename="passport\.png"/,
      )
      assert.deepEqual(bytes, passport)
      const stranger = await makeOrganization(service)
      assert.equal((await download(path, stranger.users.admin.token)).reply.status, 404)
    }
    assert.equal((await send(link, { act: 'detach.0' })).status, 200)
    assert.deepEqual((await filesIn(id)).slice(0, 1), ['passport.png'], 'signed is signed')

    const audit = await call('GET', `${id}/signature/audit/`)
    const steps = audit.body.entries as {
      step: string
      at: string
      title: string
      file_name?: string
      file_hash?: string
    }[]
    assert.deepEqual(
      steps
        .filter(({ step }) => step.endsWith('tached'))
        .map(({ step, file_name }) => [step, file_name]),
      [
        ['attached', 'passport.png'],
        ['attached', 'passport.png'],
      ],
      'what they signed with, and nothing of what they took back',
    )
    assert.deepEqual(
      steps.flatMap(({ file_hash }) => file_hash ?? []),
      [sha256(passport), sha256(register)],
    )
    assert.equal(
      steps.find(({ step }) => step === 'attached')?.title,
      'Eva Stone attached “passport.png”',
    )
    const times = steps.map(({ at }) => at)
    assert.deepEqual(times, times.toSorted())
    const left = (await kept(id)).map(({ storage_key }) => storage_key)
    await until(async () => (await stored()).length === 2)
    assert.deepEqual(await stored(), left.toSorted(), 'nothing is stored of the others')

    const file = (await download(`/api/documents/${version.attach_id}/file/`)).bytes
    const enclosed = (await PDF.load(file)).getAttachments()
    assert.deepEqual([...enclosed.keys()].toSorted(), [
      'contract.pdf',
      'passport (2).png',
      'passport.png',
      'signatures.json',
    ])
    if (!lacks('qpdf')) {
      const { text } = await told('qpdf', ['--check', 'in.pdf'], { 'in.pdf': file })
      assert.match(text, /No syntax or stream encoding errors/)
      const out = await told('qpdf', ['in.pdf', '--show-attachment=passport.png'], {
        'in.pdf': file,
      })
      assert.ok(out.text)
    }
    if (lacks('pdftotext', 'pdfdetach')) return
    const detached = await told('pdfdetach', ['-saveall', 'in.pdf'], { 'in.pdf': file })
    assert.deepEqual(await detached.read('passport.png'), passport)
    assert.deepEqual(await detached.read('passport (2).png'), register)
    const { text } = await told('pdftotext', ['in.pdf', '-'], { 'in.pdf': file })
    const flat = text.replaceAll(/\s+/g, '')
    assert.ok(
      flat.includes(`AttachedPassport:“passport.png”(68.4KiB),SHA-256${sha256(passport)}`),
      text,
    )
    assert.ok(flat.includes(`(90bytes),SHA-256${sha256(register)}`))
  })

  test('is refused in words: too large, empty, locked, without room, where none is asked for', async () => {
    const { link } = await asked([field('Proof', 0.1), { ...field('Note', 0.2), kind: 'text' }])
    const attach = (name: string, bytes: Uint8Array, at = 'file.0') =>
      send(link, { act: 'attach', lang: 'de', [at]: [name, bytes] })
    const large = await attach('large.bin', Buffer.alloc(10 * mebibyte + 1))
    assert.equal(large.status, 400)
    assert.match(large.text, /large\.bin is larger than 10 MiB/)
    const page = await service.call('GET', `${link}?lang=de`)
    const action = /action="(\/sign\/[^"]*)"\s+id="sign"/.exec(page.text)?.[1] ?? ''
    const inGerman = await send(action, {
      act: 'attach',
      'file.0': ['large.bin', Buffer.alloc(10 * mebibyte + 1)],
    })
    assert.match(inGerman.text, /large\.bin ist größer als 10 MiB/)
    const many = await send(action, {
      act: 'attach',
      'file.0': ['large.bin', Buffer.alloc(14 * mebibyte)],
    })
    assert.match(many.text, /Die Dateien sind zusammen größer als 10 MiB/)
    assert.match((await attach('empty.bin', new Uint8Array())).text, /empty\.bin ist leer/)
    assert.match((await attach('a.bin', randomBytes(9 * mebibyte))).text, /data-attach="a\.bin"/)
    const { link: other } = await asked([field('Proof', 0.1)])
    const full = await send(other, {
      act: 'attach',
      'file.0': ['b.bin', randomBytes(8 * mebibyte)],
    })
    assert.equal(full.status, 400)
    assert.match(
      full.text,
      /There is no room left for b\.bin\. Tell whoever sent you this document/,
    )
    assert.equal((await attach('c.txt', randomBytes(9), 'file.1')).status, 400)
    if (!lacks('qpdf')) {
      const args = ['--encrypt', 'user', 'owner', '256', '--', 'in.pdf', 'out.pdf']
      const locked = await changedBy('qpdf', args, plainPdf([{}]))
      assert.match((await attach('locked.pdf', locked)).text, /locked\.pdf/)
    }
    const { link: plain } = await asked([{ ...field('Note', 0.1), kind: 'text' }])
    assert.equal(
      (await send(plain, { act: 'attach', 'file.0': ['d.txt', randomBytes(9)] })).status,
      415,
    )
    const prefilled = { ...field('Proof', 0.1), prefill: 'x.pdf' }
    const { id } = await asked([])
    await call('POST', `${id}/signature/void/`, {})
    const recipients = [{ email: 'prefilled@files.test', fields: [prefilled] }]
    const refused = await call('POST', `${id}/signature/request/`, { recipients })
    assert.equal(refused.body.errors?.[0]?.field, 'recipients.0.fields.0.prefill')
    // so that others find room again
    assert.equal((await send(link, { act: 'detach.0' })).status, 200)
  })

  test('is asked for where its condition holds, and goes where it does not', async () => {
    const fields = [
      { ...field('Terms', 0.1), kind: 'checkbox', required: false, key: 'terms' },
      field('Proof', 0.2, { show_if: { field: 'terms', operator: 'filled' } }),
    ]
    const { id, link } = await asked(fields)
    const lacking = await send(link, { ...signed, 'field.0': 'yes' })
    assert.equal(lacking.status, 400)
    assert.match(lacking.text, /Choose a file first/)
    await send(link, { act: 'attach', 'file.1': ['proof.pdf', randomBytes(40)] })
    assert.equal((await send(link, signed)).status, 303)
    assert.deepEqual(await filesIn(id), [undefined, undefined])
    assert.equal((await kept(id)).length, 0)
  })

  test('has an equal share of the request at each field, so that nobody takes the room of another', async () => {
    const three = [field('One', 0.1), field('Two', 0.2), field('Three', 0.3)]
    const other = { name: 'Bob Ross', email: `sharing${people}@files.test`, fields: three }
    const { id, link } = await asked(three, [other])
    const page = await service.call('GET', `${link}?lang=de`)
    assert.match(page.text, /Eine Datei bis 8,33 MiB\. Wer das unterschriebene Dokument bekommt/)
    assert.match(page.text, /data-most="8734638"/)
    const large = await send(link, {
      act: 'attach',
      'file.0': ['large.bin', Buffer.alloc(9 * mebibyte)],
    })
    assert.match(large.text, /large\.bin is larger than 8\.33 MiB/)
    assert.equal((await kept(id)).length, 0)
  })

  /** The keys of what is stored of all signers. */
  const stored = async () => {
    const keys: string[] = []
    for await (const { key } of service.runtime.files.list('signature-files')) keys.push(key)
    return keys.toSorted()
  }

  const kept = (id: string) =>
    rows(
      service,
      sql`select f.id, f.storage_key from signature_files f
      join signature_recipients r on r.organization_id = f.organization_id and r.id = f.recipient_id
      join signature_requests q on q.organization_id = r.organization_id and q.id = r.request_id
      where q.document_id = ${id}`,
    )

  test('goes with whoever had the link before, and when nothing was signed', async () => {
    const { id, link, recipient } = await asked([field('Proof', 0.1)])
    await send(link, { act: 'attach', 'file.0': ['proof.pdf', randomBytes(40)] })
    assert.equal((await kept(id)).length, 1)
    const [{ storage_key }] = await kept(id)
    await call('PATCH', `${id}/signature/recipients/${recipient}/`, { name: 'Eva Stein' })
    assert.equal((await kept(id)).length, 1, 'they are who they were')
    const email = `corrected${people}@files.test`
    await call('PATCH', `${id}/signature/recipients/${recipient}/`, { email })
    assert.equal((await kept(id)).length, 0)
    await until(async () => !(await stored()).includes(storage_key))
    const next = new URL(linkIn(await mailbox.next(email))).pathname
    await send(next, { act: 'attach', 'file.0': ['proof.pdf', randomBytes(40)] })
    await postForm(service, next, { act: 'decline', reason: 'No' })
    await housekeeping(service.runtime)
    assert.equal((await kept(id)).length, 1)
    await endedEarlier(id)
    await housekeeping(service.runtime)
    assert.equal((await kept(id)).length, 0)
  })

  const endedEarlier = (id: string) =>
    service.runtime.database.transaction(org.id, ({ run }) =>
      run(sql`update signature_requests set ended_at = now() - interval '2 days'
        where document_id = ${id}`),
    )

  test('goes also where they signed and another declined, and is named nowhere then', async () => {
    const other = { name: 'Bob Ross', email: `declining${people}@files.test` }
    const { id, link } = await asked([field('Proof', 0.1)], [other])
    const next = new URL(linkIn(await mailbox.next(other.email))).pathname
    const chosen: [string, Uint8Array] = ['proof.pdf', randomBytes(40)]
    assert.equal((await send(link, { ...signed, 'file.0': chosen })).status, 303)
    assert.deepEqual(await filesIn(id), ['proof.pdf'])
    const [{ id: file }] = await kept(id)
    const path = `/api/documents/${id}/signature/files/${file}/`
    assert.equal((await download(path)).reply.status, 200)
    await postForm(service, next, { act: 'decline', reason: 'No' })
    assert.deepEqual(await filesIn(id), [undefined])
    assert.equal((await download(path)).reply.status, 404)
    await endedEarlier(id)
    await housekeeping(service.runtime)
    assert.equal((await kept(id)).length, 0)
  })

  test('is read by no other recipient, and goes when who attached it is erased', async () => {
    const other = { name: 'Bob Ross', email: `other${people}@files.test` }
    const { id, email, link } = await asked([field('Proof', 0.1)], [other])
    const next = new URL(linkIn(await mailbox.next(other.email))).pathname
    await send(link, { act: 'attach', 'file.0': ['proof.pdf', randomBytes(40)] })
    const [{ id: file, storage_key }] = await kept(id)
    const { dataDir } = service.runtime.config
    await stat(join(dataDir, 'files', storage_key))
    assert.equal((await download(`${link}/attachments/${file}`, '')).reply.status, 200)
    assert.equal((await download(`${next}/attachments/${file}`, '')).reply.status, 404)
    const { token } = org.users.admin
    const reply = await service.call('POST', '/api/organization/personal-data/erase/', {
      token,
      body: { email, confirm: email },
    })
    assert.equal(reply.status, 201, reply.text)
    const done = () =>
      service.call('GET', `/api/organization/personal-data/${reply.body.request_id}/`, { token })
    await until(async () => (await done()).body.status === 'completed')
    const { files } = (await done()).body.receipt
    const [{ others }] = (await rows(
      service,
      sql`select count(*)::int as others from signature_files where organization_id = ${org.id}`,
    )) as [{ others: number }]
    assert.ok(others > 0)
    assert.ok(files.not_searched >= others, 'what others attached is said to be unsearched')
    await until(async () => (await kept(id)).length === 0)
    await until(() =>
      stat(join(dataDir, 'files', storage_key)).then(
        () => false,
        () => true,
      ),
    )
  })
})
