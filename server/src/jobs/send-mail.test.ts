import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import PostalMime from 'postal-mime'
import { asService } from '../../test/support/contexts.ts'
import { atEnd } from '../../test/support/finally.ts'
import type { Mailbox } from '../../test/support/mailbox.ts'
import { startMailbox } from '../../test/support/mailbox.ts'
import type { TestOrganization, TestService } from '../../test/support/service.ts'
import { makeOrganization, rows, sql, startService } from '../../test/support/service.ts'
import { until } from '../../test/support/until.ts'
import { voiceOf } from '../model/languages/language.ts'
import type { Brand } from '../records/mail/brand.ts'
import { letter } from '../records/mail/letter.ts'
import { mail } from '../records/mail/mail.ts'
import { sendMails } from './send-mail.ts'
import { workFor } from './work.ts'

/** The job of mails that are not about accounts. */
const sendMail = (config: Parameters<typeof sendMails>[0]) => sendMails(config).at(-1)!

const brand: Brand = {
  name: 'Acme',
  language: 'en',
  timezone: 'UTC',
  colour: null,
  logo: null,
  sender: 'Acme',
  reply_to: null,
  footer: null,
}

describe('mail', () => {
  let service: TestService
  let org: TestOrganization
  let mailbox: Mailbox

  before(async () => {
    mailbox = await startMailbox()
    service = await startService(
      { smtpUrl: mailbox.url, mailFrom: 'Acme <crm@acme.test>' },
      undefined,
      true,
    )
    org = await makeOrganization(service)
  })

  async function send(address: string, subject = 'Hello') {
    const content = {
      subject,
      paragraphs: ['Dear <Ada> & others,'],
      actions: [{ label: 'Open', url: 'https://crm.example.test/x?a=1&b=2' }],
      note: 'That is all.',
    }
    const words = await letter(content, voiceOf('en', 'UTC'), brand)
    await asService(service, org, async (ctx) =>
      mail(ctx, { kind: 'meeting', to: { name: 'Ada Lovelace', address }, ...words }),
    )
  }

  test('goes to its one recipient as text and as HTML that says the same', async () => {
    await send('ada@acme.test', 'Grüße\r\nBcc: everyone@acme.test')
    const got = await mailbox.next('ada@acme.test')
    assert.equal(got.subject, 'Grüße Bcc: everyone@acme.test')
    assert.deepEqual(got.to_addresses, ['ada@acme.test'])
    assert.equal(got.from_address, 'crm@acme.test')
    assert.equal(got.from?.name, 'Acme')
    assert.match(got.text ?? '', /Dear <Ada> & others,[^]*x\?a=1&b=2[^]*That is all/)
    assert.match(got.html ?? '', /Dear &lt;Ada&gt; &amp; others,[^]*x\?a=1&amp;b=2/)
    assert.match(got.messageId ?? '', /^<[0-9a-z]{25}@127\.0\.0\.1>$/)
  })

  test('has names of one line, whatever people are called', async () => {
    const words = await letter(
      { subject: 'Hi', paragraphs: [], note: '' },
      voiceOf('en', 'UTC'),
      brand,
    )
    const name = 'Ada\r\nBcc: everyone@acme.test'
    await asService(service, org, async (ctx) =>
      mail(ctx, {
        kind: 'meeting',
        to: { name, address: 'named@acme.test' },
        from: name,
        replyTo: { name, address: 'answers@acme.test' },
        ...words,
      }),
    )
    const got = await mailbox.next('named@acme.test')
    for (const shown of [got.from, got.to?.[0], got.replyTo?.[0]]) {
      assert.equal(shown?.name, 'Ada Bcc: everyone@acme.test')
    }
  })

  test('what waits is not sent to a user who was deactivated meanwhile', async () => {
    const { user_id, email: address } = org.users.observer
    const id = 'leaver-job'
    const enqueued = { organization_id: org.id, id, user_id: null }
    const job = sendMail(service.runtime.config)
    const work = await workFor(service.runtime, job, enqueued, new AbortController().signal)
    const words = { subject: 'x', text: 'x', html: 'x' }
    const sealed = service.runtime.secrets
      .encrypt(JSON.stringify({ to: { address }, ...words, needed: { user: user_id } }))
      .toString('base64')
    mailbox.refuse(address, 451, 1)
    await assert.rejects(job.run(work, { sealed }))
    await asService(service, org, (ctx) =>
      ctx.run(sql`update users t set is_active = false where t.id = ${user_id}`),
    )
    await job.run(work, { sealed })
    const [stored] = await rows(
      service,
      sql`select is_done, refusal from sent_mails where id = ${id}`,
    )
    assert.deepEqual(stored, { is_done: true, refusal: 'the user is no longer active' })
    assert.ok(!mailbox.received.some((got) => got.to_addresses.includes(address)))
  })

  test('a reminder to sign that waits goes to nobody once the place is another person’s', async () => {
    const { token } = org.users.admin
    const call = (method: string, path: string, body: object) =>
      service.call(method, `/api/documents/${path}`, { token, body })
    const id = (await call('POST', '', { document_name: 'Agreement' })).body.attach_id as string
    const address = 'former@signers.test'
    const asked = await call('POST', `${id}/signature/request/`, {
      recipients: [{ name: 'Former', email: address }],
    })
    await mailbox.next(address)
    const recipient = asked.body.signature_recipients[0].id as string
    mailbox.refuse(address, 451, 1)
    const reminded = await call('POST', `${id}/signature/recipients/${recipient}/remind/`, {})
    assert.equal(reminded.status, 200, reminded.text)
    const corrected = await call('PATCH', `${id}/signature/recipients/${recipient}/`, {
      email: 'present@signers.test',
    })
    assert.equal(corrected.status, 200, corrected.text)
    await mailbox.next('present@signers.test')
    const why = 'its link has ended: there is another one, or another person'
    await until(async () => {
      const found = await rows(
        service,
        sql`select id from sent_mails where organization_id = ${org.id} and refusal = ${why}`,
      )
      return found.length === 1
    })
    const reached = mailbox.received.filter((got) => got.to_addresses.includes(address))
    assert.equal(reached.length, 1)
  })

  test('after a temporary refusal the server is tried again', async () => {
    mailbox.refuse('later@acme.test', 451, 1)
    await send('later@acme.test')
    await mailbox.next('later@acme.test')
  })

  test('a permanent refusal is stored, and not tried again', async () => {
    mailbox.refuse('nobody@acme.test', 550, 1)
    const id = 'refused-job'
    const enqueued = { organization_id: org.id, id, user_id: null }
    const job = sendMail(service.runtime.config)
    const work = await workFor(service.runtime, job, enqueued, new AbortController().signal)
    const words = { subject: 'x', text: 'x', html: 'x' }
    const sealed = service.runtime.secrets
      .encrypt(JSON.stringify({ to: { address: 'nobody@acme.test' }, ...words }))
      .toString('base64')
    await job.run(work, { sealed })
    await job.run(work, { sealed })
    const [stored] = await rows(service, sql`select refusal from sent_mails where id = ${id}`)
    assert.match(stored.refusal, /^550/)
    assert.equal(
      mailbox.received.filter((got) => got.to_addresses.includes('nobody@acme.test')).length,
      0,
    )
  })

  test('one that an erasure withdraws is not sent, and its file is removed if it was just written', async () => {
    const config = { ...service.runtime.config, smtpUrl: '' }
    const outbox = join(config.dataDir, 'outbox')
    const job = sendMail(config)
    const words = { subject: 'x', text: 'x', html: 'x' }
    const sealed = service.runtime.secrets
      .encrypt(JSON.stringify({ to: { address: 'erased@acme.test' }, ...words }))
      .toString('base64')
    const withdraw = (id: string) =>
      asService(service, org, (ctx) =>
        ctx.run(sql`insert into sent_mails (organization_id, id, is_done, is_withdrawn, sent_at)
          values (${org.id}, ${id}, true, true, now())
          on conflict (organization_id, id) do update set is_done = true, is_withdrawn = true`),
      )
    const run = async (id: string, afterFirstWrite?: () => Promise<unknown>) => {
      const enqueued = { organization_id: org.id, id, user_id: null }
      const work = await workFor(service.runtime, job, enqueued, new AbortController().signal)
      let writes = 0
      const write: typeof work.write = async (each) => {
        const result = await work.write(each)
        if (++writes === 1) await afterFirstWrite?.()
        return result
      }
      await job.run({ ...work, write }, { sealed })
      return readdirSync(outbox).includes(`${id}.eml`)
    }
    assert.equal(await run('sentmail'), true)
    await withdraw('beforehand')
    assert.equal(await run('beforehand'), false)
    assert.equal(await run('meanwhile', () => withdraw('meanwhile')), false)
  })

  test('what waits to be sent is not to be read in the database', async () => {
    await asService(service, org, async (write) => {
      mail(write, {
        kind: 'meeting',
        to: { address: 'secret@acme.test' },
        subject: 'a secret',
        text: 'a secret',
        html: '',
      })
      await write.run(sql`select 1`)
      const requested = await write.all<{ data: string }>(sql`select data::text from asked_jobs
        where organization_id = ${org.id}`)
      assert.equal(requested.length, 1)
      assert.doesNotMatch(requested[0]!.data, /secret/)
    })
    await mailbox.next('secret@acme.test')
  })

  test('without a server it is stored as a file that only this user reads', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'perennial-outbox-'))
    atEnd(async () => rmSync(dataDir, { recursive: true, force: true }))
    const job = sendMail({ ...service.runtime.config, smtpUrl: null, dataDir })
    const enqueued = { organization_id: org.id, id: 'kept-job', user_id: null }
    const work = await workFor(service.runtime, job, enqueued, new AbortController().signal)
    const message = {
      to: { address: 'ada@acme.test' },
      subject: 'Kept',
      text: 'here',
      html: '<p>here',
    }
    const sealed = service.runtime.secrets.encrypt(JSON.stringify(message)).toString('base64')
    await job.run(work, { sealed })
    const file = join(dataDir, 'outbox', 'kept-job.eml')
    assert.deepEqual(readdirSync(join(dataDir, 'outbox')), ['kept-job.eml'])
    assert.equal(statSync(file).mode & 0o077, 0)
    const written = await PostalMime.parse(readFileSync(file))
    assert.deepEqual([written.subject, written.to?.[0]?.address], ['Kept', 'ada@acme.test'])
  })
})
