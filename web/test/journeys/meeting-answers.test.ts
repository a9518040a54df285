import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { newId } from '../../../server/src/kit/ground/ids.ts'
import { noBrowser, problemsOf } from '../../../server/test/support/browser.ts'
import type { Mailbox } from '../../../server/test/support/mailbox.ts'
import { startMailbox } from '../../../server/test/support/mailbox.ts'
import { sendTo } from '../../../server/test/support/send-to.ts'
import { picture } from '../support/picture.ts'
import type { TestWorkspace } from '../support/workspace.ts'
import { startWorkspace } from '../support/workspace.ts'

// Somebody outside answers from the own calendar program, and the organizer decides.

describe('answers of calendar programs', { skip: noBrowser() }, () => {
  let workspace: TestWorkspace
  let mailbox: Mailbox
  let call: Awaited<ReturnType<TestWorkspace['as']>>

  before(async () => {
    mailbox = await startMailbox()
    const settings = { smtpUrl: mailbox.url, inboundDomain: 'reply.acme.test', inboundPort: 0 }
    workspace = await startWorkspace({ settings })
    call = await workspace.as('admin')
  })

  /** A meeting of next year with somebody outside, whose program proposes another time; somebody else forges an answer. */
  async function proposed() {
    const guest = `helene-${newId()}@clairval.test`
    const calendar_id = newId()
    const day = `${new Date().getUTCFullYear() + 1}-03-0`
    await call('POST', '/api/calendar/info/', {
      calendar_id,
      title: 'Clairval steering',
      start: `${day}1T09:00:00Z`,
      end: `${day}1T10:00:00Z`,
      attendees: [{ type: 'external', email: guest, name: 'Hélène Vasseur' }],
    })
    const mail = await mailbox.next(guest)
    const part = mail.attachments.find(({ mimeType }) => mimeType === 'text/calendar')
    assert.ok(part)
    const { content: event } = part
    const folded = typeof event === 'string' ? event : new TextDecoder().decode(event)
    const text = folded.replaceAll(/\r?\n[ \t]/g, '')
    const to = /ORGANIZER.*mailto:(\S+)/i.exec(text)?.[1] ?? ''
    const uid = /^UID:(.+)$/m.exec(text)?.[1]?.trim()
    const answer = (method: string, partstat: string) =>
      [
        'BEGIN:VCALENDAR',
        `METHOD:${method}`,
        'BEGIN:VEVENT',
        `UID:${uid}`,
        'SEQUENCE:1',
        `DTSTART:${day.replaceAll('-', '')}2T130000Z`,
        `DTEND:${day.replaceAll('-', '')}2T140000Z`,
        `ATTENDEE;PARTSTAT=${partstat}:mailto:${guest}`,
        'COMMENT:I am in Lyon on Monday.',
        'END:VEVENT',
        'END:VCALENDAR',
      ].join('\r\n')
    const port = workspace.service.repliesPort()
    assert.ok(port)
    const mails = [
      { from: guest, method: 'COUNTER', content: answer('COUNTER', 'TENTATIVE') },
      { from: 'mallory@evil.test', method: 'REPLY', content: answer('REPLY', 'ACCEPTED') },
    ]
    await sendTo(
      port,
      mails.map(({ from, method, content }) => ({ from, to, icalEvent: { method, content } })),
    )
    return { id: calendar_id, guest }
  }

  for (const [screen, theme] of [
    ['wide', 'light'],
    ['phone', 'dark'],
  ] as const) {
    test(`propose another time, which is accepted by key, ${screen}, ${theme}`, async () => {
      const { id } = await proposed()
      const page = await workspace.open('admin', { path: `/meetings/${id}/people`, screen, theme })
      const proposal = page.getByRole('region', { name: 'Another time is proposed' })
      await proposal.getByText(/^Hélène Vasseur proposes .*(2 Mar|Mar 2)/).waitFor()
      await proposal.getByText('I am in Lyon on Monday.').waitFor()
      const apart = page.getByText('1 mail was kept apart')
      await apart.click()
      await page.getByText(/^It answers for somebody else/).waitFor()
      assert.deepEqual(await problemsOf(page), [])
      await picture(page, `meeting-answers-${screen}-${theme}`)
      await proposal.getByRole('button', { name: 'Accept' }).press('Enter')
      await page.getByText(/^Hélène Vasseur proposed .*: accepted$/).waitFor()
      const { start, attendees } = await call('GET', `/api/calendar/info/${id}/`)
      assert.match(start, /-03-02T13:00/)
      assert.equal(attendees[0].response, 'accepted')
    })
  }

  test('propose another time, and the meeting stays as it is', async () => {
    const { id, guest } = await proposed()
    const page = await workspace.open('admin', { path: `/meetings/${id}/people` })
    await page.getByRole('button', { name: 'Keep' }).click()
    await page
      .getByText(/^The meeting stays as it is, and Hélène Vasseur/)
      .first()
      .waitFor()
    await page.getByText(/^Hélène Vasseur proposed .*: not taken$/).waitFor()
    assert.match((await call('GET', `/api/calendar/info/${id}/`)).start, /-03-01T09:00/)
    assert.match((await mailbox.next(guest)).subject!, /^Stays as it is/)
  })
})
