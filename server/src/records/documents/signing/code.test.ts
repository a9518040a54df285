import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { postForm } from '../../../../test/support/integration.ts'
import type { Mailbox } from '../../../../test/support/mailbox.ts'
import { linkIn, startMailbox } from '../../../../test/support/mailbox.ts'
import { pngOf } from '../../../../test/support/picture.ts'
import type { TestOrganization, TestService } from '../../../../test/support/service.ts'
import { makeOrganization, rows, sql, startService } from '../../../../test/support/service.ts'

const secretPicture = pngOf(30, 20)

describe('A mailed code before a signing page', () => {
  let service: TestService
  let org: TestOrganization
  let mailbox: Mailbox

  before(async () => {
    mailbox = await startMailbox()
    service = await startService({ smtpUrl: mailbox.url }, undefined, true)
    org = await makeOrganization(service)
  })

  const call = (method: string, path: string, body?: object) =>
    service.call(method, path, { token: org.users.admin.token, ...(body ? { body } : {}) })
  let people = 0

  /** A document with a picture in its text, sent to somebody with a code, and their link. */
  async function sent() {
    const email = `signer${++people}@codes.test`
    const made = await call('POST', '/api/documents/', { document_name: 'Agreement' })
    const id = made.body.attach_id as string
    const picture = new FormData()
    picture.append('file', new Blob([new Uint8Array(secretPicture)]), 'secret.png')
    const stored = await fetch(`${service.url}/api/documents/${id}/images/`, {
      method: 'POST',
      body: picture,
      headers: { authorization: `Bearer ${org.users.admin.token}` },
    })
    const { src } = (await stored.json()) as { src: string }
    await call('PUT', `/api/documents/${id}/`, {
      editor_html_content: `<p>Secret words</p><img src="${src}" alt="Secret" />`,
    })
    const asked = await call('POST', `/api/documents/${id}/signature/request/`, {
      recipients: [
        {
          name: 'Ada',
          email,
          fields: [{ kind: 'attachment', page: 1, x: 0, y: 0, required: false }],
        },
      ],
      check: 'email_code',
    })
    assert.equal(asked.status, 200, asked.text)
    assert.equal(asked.body.signature_check, 'email_code')
    const link = new URL(linkIn(await mailbox.next(email))).pathname
    const image = `${link}${src.slice(src.indexOf('/images/'))}`
    return { id, email, link, image }
  }
  const open = (path: string, cookie = '') =>
    fetch(`${service.url}${path}`, { headers: { cookie }, redirect: 'manual' })
  const mailed = async (email: string) =>
    /\b\d{6}\b/.exec((await mailbox.next(email)).subject ?? '')?.[0] ?? ''
  const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
  const enter = (link: string, code: string) =>
    postForm(service, link, { act: 'confirm_code', code })

  test('shows nothing of the document until it is entered, in the browser that entered it', async () => {
    const { id, email, link, image } = await sent()
    const first = await open(link)
    const text = await first.text()
    assert.equal(first.status, 200)
    assert.doesNotMatch(text, /Secret words/)
    assert.match(text, /s•••@codes\.test/)
    assert.equal((await open(`${link}/file`)).status, 403)
    const hidden = await open(image)
    assert.equal(hidden.status, 403)
    assert.ok(!Buffer.from(await hidden.arrayBuffer()).includes(secretPicture))
    assert.equal((await open(`${link}/attachments/file`)).status, 403)
    const attached = new FormData()
    attached.append('act', 'attach')
    attached.append('file.0', new Blob(['Proof']), 'proof.txt')
    const refused = await fetch(`${service.url}${link}`, { method: 'POST', body: attached })
    assert.equal(refused.status, 400)
    assert.deepEqual(await rows(service, sql`select from signature_files`), [])

    const form = { name: 'Ada', agree: 'yes', act: 'sign' }
    assert.equal((await postForm(service, link, form)).status, 400)
    await service.call('POST', `${link}/viewed`)
    assert.equal((await call('GET', `/api/documents/${id}/`)).body.view_count, 0)

    assert.equal((await postForm(service, link, { act: 'send_code' })).status, 200)
    const code = await mailed(email)
    const wrong = await enter(link, other(code))
    assert.equal(wrong.status, 400)
    const right = await enter(link, code)
    assert.equal(right.status, 303, right.text)
    const set = right.headers.get('set-cookie') ?? ''
    assert.match(set, /HttpOnly/)
    const [cookie = ''] = set.split(';')
    assert.match(await (await open(link, cookie)).text(), /Secret words/)
    const shown = await open(image, cookie)
    assert.ok(Buffer.from(await shown.arrayBuffer()).equals(secretPicture))
    assert.equal((await open(image, `${cookie}0`)).status, 403)
    assert.doesNotMatch(await (await open(link)).text(), /Secret words/)
    assert.doesNotMatch(await (await open(link, `${cookie}0`)).text(), /Secret words/)
    // a code is used once
    assert.equal((await enter(link, code)).status, 400)
    const signed = await postForm(service, link, form, { cookie })
    assert.equal(signed.status, 303)
    const audit = await call('GET', `/api/documents/${id}/signature/audit/`)
    const steps = audit.body.entries.map(({ step }: { step: string }) => step)
    assert.ok(steps.indexOf('confirmed') < steps.indexOf('signed'), audit.text)
  })

  test('is not guessed: a few tries, and a few codes an hour', async () => {
    const { email, link } = await sent()
    for (let sending = 0; sending < 5; sending++) {
      assert.equal((await postForm(service, link, { act: 'send_code' })).status, 200)
      const code = await mailed(email)
      for (let tries = 0; tries < 5; tries++) await enter(link, other(code))
      assert.equal((await enter(link, code)).status, 400, 'after five tries it is good no longer')
    }
    assert.equal((await postForm(service, link, { act: 'send_code' })).status, 429)
  })

  test('of a former address opens nothing for the new one', async () => {
    const { id, email, link } = await sent()
    await postForm(service, link, { act: 'send_code' })
    const entered = await enter(link, await mailed(email))
    const [cookie = ''] = (entered.headers.get('set-cookie') ?? '').split(';')
    const { body } = await call('GET', `/api/documents/${id}/`)
    const recipient = body.signature_recipients[0].id as string
    const next = `corrected${people}@codes.test`
    await call('PATCH', `/api/documents/${id}/signature/recipients/${recipient}/`, { email: next })
    const link2 = new URL(linkIn(await mailbox.next(next))).pathname
    assert.equal((await open(link, cookie)).status, 404)
    assert.doesNotMatch(await (await open(link2, cookie)).text(), /Secret words/)
  })
})
