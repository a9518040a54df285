import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { before, describe, test } from 'node:test'
import { createTransport } from 'nodemailer'
import type { Mailbox } from '../../../test/support/mailbox.ts'
import { startMailbox } from '../../../test/support/mailbox.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, sql, startService } from '../../../test/support/service.ts'
import { asService } from '../../../test/support/contexts.ts'
import { until } from '../../../test/support/until.ts'
import { readInbound } from '../../records/mail/inbound.ts'

describe('replies by mail', () => {
  let service: TestService
  let org: TestOrganization
  let mailbox: Mailbox
  const domain = 'reply.acme.test'
  let made = 0

  before(async () => {
    mailbox = await startMailbox()
    service = await startService(
      { smtpUrl: mailbox.url, inboundDomain: domain, inboundPort: 0 },
      undefined,
      true,
    )
    org = await makeOrganization(service)
  })

  const call = (method: string, path: string, body?: object) =>
    service.call(method, path, { token: org.users.admin.token, body })

  /** A comment that mentions the member, and the address that the mail about it may be answered at. */
  async function mentioned() {
    const company = await call('POST', '/api/company/', { company_name: `Acme ${++made}` })
    const reference_id = company.headers.get('x-record-id')!
    const about = { module_name: 'companies', reference_id }
    const mentions = [org.users.member.user_id]
    const written = await call('POST', '/api/interactions/info/', {
      ...about,
      content: 'What do you think?',
      mentions,
    })
    assert.equal(written.status, 201, written.text)
    const mail = await mailbox.next(org.users.member.email)
    const address = mail.replyTo?.[0]?.address ?? ''
    assert.match(address, /^reply\+[\da-f]{32}@reply\.acme\.test$/)
    assert.match(mail.text!, /^## Please write your reply above this line ##\n/)
    const { interaction_id } = written.body
    const replies = async () =>
      (await call('GET', `/api/interactions/info/?parent_interaction_id=${interaction_id}`)).body
        .results as { content: string; user_details: { user_id: string }; module_name: string }[]
    return { interaction_id, address, mail, replies }
  }

  type Sent = {
    from?: string
    envelopeFrom?: string
    raw?: string
    text?: string
    html?: string
    id?: string
  }

  /** What the server answers to a mail: 250, or the refusal. */
  async function send(to: string, sent: Sent & { headers?: { [name: string]: string } } = {}) {
    const port = service.repliesPort()
    const transport = createTransport({ host: '127.0.0.1', port, secure: false, ignoreTLS: true })
    const {
      from = org.users.member.email,
      envelopeFrom = from,
      text,
      html,
      id,
      headers,
      raw,
    } = sent
    try {
      const { response } = await transport.sendMail({
        envelope: { from: envelopeFrom, to },
        ...(raw ? { raw } : {}),
        from,
        to,
        subject: 'Re: you were mentioned',
        ...(id ? { messageId: id } : {}),
        ...(headers ? { headers } : {}),
        ...(text === undefined && html === undefined ? { text: 'Fine.' } : { text, html }),
      })
      return Number(response.slice(0, 3))
    } catch (error) {
      return (error as { responseCode?: number }).responseCode
    } finally {
      transport.close()
    }
  }

  test('become comments of who was mailed, without what they quote, once', async () => {
    const { address, mail, replies } = await mentioned()
    const quoted = mail.text!.replaceAll(/^/gm, '> ')
    const text = `Good <b>idea</b>!\n\nLet us do it.\n\nAm 22.11.2026 um 10:00 schrieb admin via ${org.name}:\n${quoted}`
    assert.equal(await send(address, { text, id: '<one@acme.test>' }), 250)
    assert.equal(await send(address.toUpperCase(), { text, id: '<one@acme.test>' }), 250)
    const [reply, ...others] = await replies()
    assert.deepEqual(others, [])
    assert.equal(reply!.content, 'Good &lt;b&gt;idea&lt;/b&gt;!\n\nLet us do it.')
    assert.equal(reply!.user_details.user_id, org.users.member.user_id)
    assert.equal(reply!.module_name, 'companies')
    // who wrote the first comment is mailed the reply, and may answer it in the same way
    const back = await mailbox.next(org.users.admin.email)
    assert.match(back.subject!, /replied: Acme/)
    assert.equal(await send(back.replyTo![0]!.address!, { from: org.users.admin.email }), 250)
    assert.match((await mailbox.next(org.users.member.email)).text!, /> Fine\./)
  })

  test('of HTML alone lose its tags and what it quotes', async () => {
    const { address, replies } = await mentioned()
    const html =
      '<div>Yes,<br>please &amp; soon</div><script>no()</script><blockquote>What?</blockquote>'
    assert.equal(await send(address, { html, text: '' }), 250)
    assert.equal((await replies())[0]?.content, 'Yes,\nplease & soon')
  })

  test('are refused from others, at unknown addresses, without text and when too large', async () => {
    const { address, interaction_id, replies } = await mentioned()
    assert.equal(await send(address, { from: 'mallory@evil.test' }), 550)
    assert.equal(await send(`reply+${'0'.repeat(32)}@${domain}`), 550)
    assert.equal(await send(`anybody@${domain}`), 550)
    assert.equal(await send(address.replace(domain, 'other.test')), 550)
    assert.equal(await send(address, { text: '> only what was quoted' }), 550)
    assert.equal(await send(address, { text: 'x'.repeat(11 * 2 ** 20) }), 552)
    assert.deepEqual(await replies(), [])
    await call('DELETE', `/api/interactions/info/${interaction_id}/`)
    assert.equal(await send(address), 550)
  })

  test('of programs are taken and dropped', async () => {
    const { address, replies } = await mentioned()
    for (const [name, value] of [
      ['Auto-Submitted', 'auto-replied'],
      ['Precedence', 'bulk'],
    ] as const) {
      assert.equal(await send(address, { headers: { [name]: value } }), 250)
    }
    assert.equal(await send(address, { envelopeFrom: '' }), 250)
    assert.deepEqual(await replies(), [])
  })

  test('are from whom the envelope or the own server’s results vouch for', async () => {
    const { address, replies } = await mentioned()
    const { email } = org.users.member
    const results = (server: string, text: string) => ({
      headers: { 'Authentication-Results': `${server} (checked); ${text}` },
    })
    const host = email.split('@')[1]!
    const pass = `dmarc=pass (p=none) header.from=${host}`
    const envelopeFrom = 'bounce@relay.test'
    assert.equal(await send(address, { envelopeFrom }), 550)
    assert.equal(await send(address, { envelopeFrom, ...results('mx.evil.test', pass) }), 550)
    assert.equal(await send(address, { ...results(domain, 'dmarc=fail header.from=x') }), 550)
    assert.equal(await send(address, { ...results(domain, 'spf=fail') }), 550)
    const other = results(domain, 'dmarc=pass header.from=evil.test')
    assert.equal(await send(address, { envelopeFrom, ...other }), 550)
    assert.deepEqual(await replies(), [])
    assert.equal(await send(address, { envelopeFrom, ...results(domain, pass) }), 250)
    assert.equal((await replies()).length, 1)
  })

  test('with two senders are refused, and with characters that no comment may have are taken', async () => {
    const { address, replies } = await mentioned()
    const { email } = org.users.member
    const raw = (...from: string[]) =>
      [...from, `To: ${address}`, 'Subject: Re', '', 'Fine\0.', ''].join('\r\n')
    for (const two of [
      raw(`From: ${email}`, 'From: mallory@evil.test'),
      raw('From: mallory@evil.test', `From: ${email}`),
      raw(`From: ${email}, mallory@evil.test`),
      raw(),
    ]) {
      assert.equal(await send(address, { raw: two }), 550)
    }
    assert.deepEqual(await replies(), [])
    assert.equal(await send(address, { raw: raw(`From: ${email}`) }), 250)
    assert.equal((await replies())[0]?.content, 'Fine.')
  })

  test('come to an address for 30 days', async () => {
    const { address, replies } = await mentioned()
    const age = (days: number) =>
      asService(service, org, (ctx) =>
        ctx.run(sql`update reply_addresses set creation_time = now() - ${days} * interval '1 day'
          where organization_id = ${org.id}`),
      )
    await age(31)
    assert.equal(await send(address), 550)
    await age(29)
    assert.equal(await send(address), 250)
    assert.equal((await replies()).length, 1)
  })

  test('find a place though idle connections have taken all of them', async () => {
    const { address } = await mentioned()
    const idle = Array.from({ length: 20 }, () => connect(service.repliesPort()!, '127.0.0.1'))
    const closed = idle.map((socket) => once(socket.on('error', () => {}).resume(), 'close'))
    await Promise.all(idle.map((socket) => once(socket, 'connect')))
    const begun = performance.now()
    await Promise.race(closed)
    assert.ok(performance.now() - begun > 5000)
    await until(async () => (await send(address)) === 250)
    assert.ok(performance.now() - begun < 30_000)
    for (const socket of idle) socket.destroy()
  })

  test('that take long to read hold nobody up', async () => {
    for (const body of ['>'.repeat(200_000), `${'\n> '.repeat(30_000)}:`, '-_'.repeat(100_000)]) {
      const begun = performance.now()
      await readInbound({ bytes: Buffer.from(`From: a@b.test\r\n\r\n${body}`), servers: [] })
      assert.ok(performance.now() - begun < 3000, `${performance.now() - begun} ms`)
    }
  })
})
