import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import type { PdfRef } from '@libpdf/core'
import { PDF, PdfStream } from '@libpdf/core'
import { workFor } from '../../src/jobs/work.ts'
import { sealDocument } from '../../src/records/documents/sealing/seal.ts'
import { startAuthority } from '../support/certificate-authority.ts'
import { postForm } from '../support/integration.ts'
import type { Mailbox } from '../support/mailbox.ts'
import { linkIn, startMailbox } from '../support/mailbox.ts'
import { changedBy, lacks, plainPdf, told } from '../support/pdf.ts'
import type { TestOrganization, TestService } from '../support/service.ts'
import { makeOrganization, rows, sql, startService } from '../support/service.ts'
import { startTimestampService } from '../support/timestamp-service.ts'
import { until } from '../support/until.ts'

const run = promisify(execFile)

describe('a seal', () => {
  let service: TestService
  let org: TestOrganization
  let mailbox: Mailbox
  let people = 0

  before(async () => {
    mailbox = await startMailbox()
    service = await startService({ smtpUrl: mailbox.url }, undefined, true)
    org = await makeOrganization(service)
  })

  const call = (method: string, path: string, body?: unknown, token = org.users.admin.token) =>
    service.call(method, path, { token, body })

  async function upload(path: string, bytes: Uint8Array, token = org.users.admin.token) {
    const form = new FormData()
    form.append('file', new Blob([Uint8Array.from(bytes)]), 'contract.pdf')
    const headers = { authorization: `Bearer ${token}` }
    const reply = await fetch(service.url + path, { method: 'POST', headers, body: form })
    return { status: reply.status, body: (await reply.json()) as any }
  }

  /** Uploads a file and lets somebody sign it; the id of what was signed. */
  async function signed(bytes: Uint8Array = plainPdf([{}])): Promise<string> {
    const uploaded = await upload('/api/documents/', bytes)
    assert.equal(uploaded.status, 201, JSON.stringify(uploaded.body))
    const id = uploaded.body.attach_id as string
    const email = `signer${++people}@${org.id}.test`
    const asked = { recipients: [{ name: 'Ada', email }] }
    const requested = await call('POST', `/api/documents/${id}/signature/request/`, asked)
    assert.equal(requested.status, 200, requested.text)
    const { pathname } = new URL(linkIn(await mailbox.next(email)))
    const done = await postForm(service, pathname, { name: 'Ada', agree: 'yes', act: 'sign' })
    assert.equal(done.status, 303)
    return id
  }

  async function sealedOf(id: string) {
    let found: any
    await until(async () => {
      const versions = (await call('GET', `/api/documents/${id}/versions/`)).body as any[]
      found = versions.find((each) => each.is_signed_version)
      return found !== undefined
    }, 60)
    return found
  }

  async function fileOf(id: string): Promise<Buffer> {
    const headers = { authorization: `Bearer ${org.users.admin.token}` }
    const reply = await fetch(`${service.url}/api/documents/${id}/file/`, { headers })
    return Buffer.from(await reply.arrayBuffer())
  }

  const verify = (bytes: Uint8Array, token?: string) =>
    upload('/api/documents/signature/verify/', bytes, token)

  async function publicly(bytes: Uint8Array) {
    const form = new FormData()
    form.append('file', new Blob([Uint8Array.from(bytes)]), 'any.pdf')
    const reply = await fetch(`${service.url}/check`, { method: 'POST', body: form })
    return { status: reply.status, text: await reply.text() }
  }

  test('says whose it is and whether the file was changed, to members and to everybody', async () => {
    const sealed = await sealedOf(await signed())
    const bytes = await fileOf(sealed.attach_id)
    if (!lacks('pdfsig')) {
      const { text } = await told('pdfsig', ['-nocert', 'in.pdf'], { 'in.pdf': bytes })
      assert.match(text, /Signature is Valid/)
    }
    const stored = await call('GET', `/api/documents/${sealed.attach_id}/signature/verify/`)
    assert.equal(stored.status, 200, stored.text)
    assert.equal(stored.body.state, 'ours')
    assert.equal(stored.body.signatures.length, 1)
    assert.equal(stored.body.timestamp, null)
    assert.equal(stored.body.signed_at.slice(0, 19), sealed.signed_at.slice(0, 19))
    const own = await verify(bytes)
    assert.deepEqual(own.body, stored.body)
    const stranger = await makeOrganization(service)
    assert.equal((await verify(bytes, stranger.users.admin.token)).body.state, 'other')
    const changed = Buffer.from(bytes)
    changed[200]! ^= 1
    assert.equal((await verify(changed)).body.state, 'changed')
    assert.equal((await verify(Buffer.concat([bytes, Buffer.from('\n%')]))).body.state, 'changed')
    assert.equal((await verify(plainPdf([{}]))).body.state, 'unsigned')
    const wrong = await verify(Buffer.from('Hello'))
    assert.equal(wrong.status, 400)
    assert.equal(wrong.body.errors[0].field, 'file')

    const [{ name }] = await rows(
      service,
      sql`select name from organizations where organization_id = ${org.id}`,
    )
    const page = await publicly(bytes)
    assert.equal(page.status, 200)
    assert.ok(page.text.includes(`sealed by ${name} with this service`), page.text)
    assert.match((await publicly(changed)).text, /this file is not what was signed/)
    assert.match((await publicly(plainPdf([{}]))).text, /No signature/)
    assert.match((await publicly(Buffer.from('Hello'))).text, /not a PDF/)
    assert.equal((await service.call('GET', '/check')).status, 200)
  })

  test(
    'is made with a certificate of one’s own, and earlier ones stay known',
    { skip: lacks('openssl') },
    async () => {
      const bytes = await fileOf((await sealedOf(await signed())).attach_id)
      const before = await call('GET', '/api/organization/signing/')
      assert.equal(before.body.certificate.is_made_here, true)
      const folder = await mkdtemp(join(tmpdir(), 'perennial-own-'))
      const openssl = (...args: string[]) => run('openssl', args, { cwd: folder })
      try {
        const req = ['req', '-x509', '-newkey', 'rsa:2048', '-days', '30']
        await openssl(
          ...req,
          '-nodes',
          '-subj',
          '/CN=Larkspur Works',
          '-keyout',
          'k.pem',
          '-out',
          'c.pem',
        )
        await openssl(
          'pkcs12',
          '-export',
          '-inkey',
          'k.pem',
          '-in',
          'c.pem',
          '-passout',
          'pass:secret',
          '-out',
          'own.p12',
        )
        const p12 = (await readFile(join(folder, 'own.p12'))).toString('base64')
        const key = await readFile(join(folder, 'k.pem'), 'utf8')
        const certificate = await readFile(join(folder, 'c.pem'), 'utf8')
        for (const [body, field] of [
          [{ p12, password: 'wrong' }, 'p12'],
          [{ p12: 'AAAA' }, 'p12'],
          [{ pem: certificate }, 'pem'],
          [{ pem: key }, 'pem'],
          [{ pem: key, p12 }, 'pem'],
          [{ timestamp_url: 'ftp://nowhere' }, 'timestamp_url'],
          [{ timestamp_url: 'http://127.0.0.1:1/' }, 'timestamp_url'],
        ] as const) {
          const refused = await call('PUT', '/api/organization/signing/', body)
          assert.equal(refused.status, 400, refused.text)
          assert.equal(refused.body.errors[0].field, field)
        }
        const { member } = org.users
        assert.equal(
          (await call('PUT', '/api/organization/signing/', { p12 }, member.token)).status,
          403,
        )
        for (const body of [{ p12, password: 'secret' }, { pem: key + certificate }]) {
          const set = await call('PUT', '/api/organization/signing/', body)
          assert.equal(set.status, 200, set.text)
          const { subject, is_made_here } = set.body.certificate
          assert.deepEqual([subject, is_made_here], ['Larkspur Works', false])
        }
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
      const next = await fileOf((await sealedOf(await signed())).attach_id)
      const checked = (await verify(next)).body
      assert.deepEqual([checked.state, checked.signer], ['ours', 'Larkspur Works'])
      assert.equal((await verify(bytes)).body.state, 'ours')
      if (!lacks('pdfsig')) {
        const { text } = await told('pdfsig', ['-nocert', 'in.pdf'], { 'in.pdf': next })
        assert.match(text, /Signature is Valid/)
      }
      const [stored] = await rows(
        service,
        sql`select private_key from signing_certificates where organization_id = ${org.id}
        and private_key is not null`,
      )
      assert.ok(!stored.private_key.includes('PRIVATE KEY'))
    },
  )

  test(
    'carries the word of a time stamp service, waits for it, and says that it waits',
    { skip: lacks('openssl') },
    async () => {
      const clock = await startTimestampService()
      const set = await call('PUT', '/api/organization/signing/', { timestamp_url: clock.url })
      assert.equal(set.status, 200, set.text)
      assert.equal(set.body.timestamp_url, clock.url)
      const bytes = await fileOf((await sealedOf(await signed())).attach_id)
      const { body } = await verify(bytes)
      assert.deepEqual([body.state, body.timestamp.authority], ['ours', 'Clock'])
      assert.ok(Math.abs(+new Date(body.timestamp.at) - Date.now()) < 120_000)
      assert.match((await publicly(bytes)).text, /Clock confirms/)
      if (!lacks('pdfsig')) {
        const { text } = await told('pdfsig', ['-nocert', 'in.pdf'], { 'in.pdf': bytes })
        assert.match(text, /Signature is Valid/)
      }

      clock.isDown = true
      const { asked } = clock
      const id = await signed()
      await until(async () => clock.asked > asked, 60)
      const titled = () =>
        rows(
          service,
          sql`select title from notifications where organization_id = ${org.id}
          and user_id = ${org.users.admin.user_id} and title like '%could not be sealed yet%'`,
        )
      await until(async () => (await titled()).length > 0, 60)
      const versions = (await call('GET', `/api/documents/${id}/versions/`)).body
      assert.equal(versions.length, 1, 'nothing is sealed without its time stamp')
      clock.isDown = false
      const enqueued = { organization_id: org.id, id: `seal-${id}`, user_id: null }
      const work = await workFor(
        service.runtime,
        sealDocument,
        enqueued,
        new AbortController().signal,
      )
      await sealDocument.run(work, { document_id: id })
      assert.ok(await sealedOf(id))
      assert.equal((await titled()).length, 1)
      await call('PUT', '/api/organization/signing/', { timestamp_url: null })
    },
  )

  test(
    'carries what shows later that its certificates were valid, where it can be had',
    { skip: lacks('openssl', 'qpdf', 'pdfsig') },
    async () => {
      const authority = await startAuthority()
      const clock = await startTimestampService(
        await authority.issue('Clock of others', { usage: 'timeStamping' }),
      )
      const use = async (certificate: { key: string; certificate: string }, url: string | null) => {
        const pem = certificate.key + certificate.certificate
        const body = { pem, timestamp_url: url }
        const set = await call('PUT', '/api/organization/signing/', body)
        assert.equal(set.status, 200, set.text)
      }
      /** What stands in the store of a sealed file, which is valid, whole and ours. */
      async function store(bytes: Uint8Array) {
        const { text } = await told('pdfsig', ['-nocert', 'in.pdf'], { 'in.pdf': bytes })
        assert.match(text, /Signature is Valid/)
        assert.match(text, /Total document signed/)
        const checked = await told('qpdf', ['--check', 'in.pdf'], { 'in.pdf': bytes })
        assert.match(checked.text, /No syntax or stream encoding errors/)
        assert.equal((await verify(bytes)).body.state, 'ours')
        const pdf = await PDF.load(bytes)
        const resolve = (ref: PdfRef) => pdf.context.resolve(ref) ?? null
        const dss = pdf.getCatalog().getDict('DSS', resolve)
        const contents = (name: string) =>
          (dss?.getArray(name, resolve)?.toArray() ?? []).map((_, i) => {
            const stream = dss?.getArray(name, resolve)?.at(i, resolve)
            assert.ok(stream instanceof PdfStream)
            return Buffer.from(stream.getDecodedData())
          })
        return {
          certificates: contents('Certs'),
          responses: contents('OCSPs'),
          lists: contents('CRLs'),
        }
      }
      const namesIn = (certificates: Buffer[]) =>
        certificates.map((each) => new X509Certificate(each).subject.replace('CN=', '')).toSorted()
      const sealedBy = async () => fileOf((await sealedOf(await signed())).attach_id)

      // its issuer is not in the file: where to have it is said in the certificate
      const own = await authority.issue('Larkspur Works')
      await use(own, clock.url)
      const full = await store(await sealedBy())
      assert.deepEqual(namesIn(full.certificates), ['Between', 'Clock of others', 'Larkspur Works'])
      assert.equal(full.responses.length, 2, 'of the seal and of the time stamp')
      assert.ok(full.responses.some((each) => each.equals(authority.answers.get('/ocsp')!)))
      assert.equal(full.lists.length, 0)

      // the issuer itself need not say who it is
      authority.answeredBy = 'issuer'
      const plain = await store(await sealedBy())
      assert.equal(plain.responses.length, 2)
      assert.ok(plain.responses.some((each) => each.equals(authority.answers.get('/ocsp')!)))
      assert.equal(plain.lists.length, 0)

      // an answer of a stranger counts for nothing, nor of who may not answer for the issuer
      for (const who of ['stranger', 'client'] as const) {
        authority.answeredBy = who
        const listed = await store(await sealedBy())
        assert.equal(listed.responses.length, 0, who)
        assert.ok(listed.lists.some((each) => each.equals(authority.answers.get('/list')!)))
      }

      authority.answeredBy = 'responder'
      authority.isDown.ocsp = true
      authority.isDown.list = true
      const without = await store(await sealedBy())
      assert.deepEqual(without, { certificates: [], responses: [], lists: [] })

      await use(await authority.issue('No address', { names: false }), null)
      authority.isDown.ocsp = false
      authority.isDown.list = false
      assert.deepEqual(await store(await sealedBy()), without)

      // nothing is sealed with a certificate that its issuer has revoked
      await use(own, null)
      await authority.revoke(own)
      const id = await signed()
      await until(async () => {
        const [found] = await rows(
          service,
          sql`select q.seal_failed_at from documents d join signature_requests q
            on q.organization_id = d.organization_id and q.id = d.signature_request
            where d.organization_id = ${org.id} and d.id = ${id}`,
        )
        return found.seal_failed_at !== null
      }, 60)
      assert.equal((await call('GET', `/api/documents/${id}/versions/`)).body.length, 1)
      await use(await authority.issue('Another'), null)
    },
  )

  test(
    'is not made of a file that a password locks: it is refused when it is uploaded',
    { skip: lacks('qpdf') },
    async () => {
      const locked = (...args: string[]) =>
        changedBy('qpdf', ['--encrypt', ...args, '256', '--', 'in.pdf', 'out.pdf'], plainPdf([{}]))
      const refused = await upload('/api/documents/', await locked('user', 'owner'))
      assert.equal(refused.status, 400)
      assert.equal(refused.body.errors[0].field, 'file')
      assert.match(refused.body.errors[0].message, /password/)
      const open = await upload('/api/documents/', await locked('', 'owner'))
      assert.equal(open.status, 201)
    },
  )
})
