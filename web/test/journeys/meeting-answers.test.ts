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

  for (const [screen, theme, by] of [
    ['wide', 'light', 'pointer'],
    ['phone', 'dark', 'keys'],
  ] as const) {
    test(`are asked for on the page, and again when all are free at another time, by ${by}`, async () => {
      const calendar_id = newId()
      const guest = `helene-${newId()}@clairval.test`
      // a Monday, before and behind which nobody has anything
      const day = '2034-03-06'
      await call('POST', '/api/calendar/info/', {
        calendar_id,
        title: 'Clairval kick-off',
        start: `${day}T09:00:00Z`,
        end: `${day}T10:00:00Z`,
      })
      const path = `/meetings/${calendar_id}/people`
      const page = await workspace.open('admin', { path, screen, theme })
      const press = (name: string | RegExp) => {
        const button = page.getByRole('button', { name })
        return by === 'keys' ? button.press('Enter') : button.click()
      }
      const field = page.getByRole('combobox', { name: 'Invite people' })
      if (by === 'keys') await field.press('Enter')
      else await field.click()
      const search = page.getByRole('combobox', { name: 'Search people' })
      if (by === 'pointer') {
        // what is no address is not taken silently
        await search.fill('helene')
        await page.getByRole('button', { name: 'Invite “helene” by mail' }).click()
        await page.getByText('This is no e-mail address.').waitFor()
      }
      await search.fill(guest)
      const invite = page.getByRole('button', { name: `Invite “${guest}” by mail` })
      await invite.waitFor()
      if (by === 'keys') await page.keyboard.press('Enter')
      else await invite.click()
      await page.keyboard.press('Escape')
      await invite.waitFor({ state: 'detached' })
      await page.getByText('No answer yet').waitFor()
      const partOf = async () => {
        const mail = await mailbox.next(guest)
        const part = mail.attachments.find(({ mimeType }) => mimeType === 'text/calendar')
        assert.ok(part)
        const { content } = part
        const text = typeof content === 'string' ? content : new TextDecoder().decode(content)
        return text.replaceAll(/\r?\n[ \t]/g, '')
      }
      const asked = await partOf()
      const to = /ORGANIZER.*mailto:(\S+)/i.exec(asked)?.[1] ?? ''
      const lines = (name: string) => new RegExp(`^${name}.*$`, 'm').exec(asked)?.[0].trim() ?? ''
      const content = [
        'BEGIN:VCALENDAR',
        'METHOD:REPLY',
        'BEGIN:VEVENT',
        ...['UID', 'SEQUENCE', 'DTSTART', 'DTEND'].map(lines),
        `ATTENDEE;PARTSTAT=ACCEPTED:mailto:${guest}`,
        'END:VEVENT',
        'END:VCALENDAR',
      ].join('\r\n')
      const port = workspace.service.repliesPort()
      assert.ok(port)
      await sendTo(port, [{ from: guest, to, icalEvent: { method: 'REPLY', content } }])
      await page.getByText('Accepted', { exact: true }).waitFor()

      await press('Find a time')
      const strip = page.getByRole('region', { name: 'Who is free' })
      await strip.getByText('unknown, not in Perennial').waitFor()
      await page.getByLabel('From').fill('03:00')
      await strip.getByText('outside working hours').waitFor()
      assert.deepEqual(await problemsOf(page), [])
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      assert.ok(width <= (screen === 'phone' ? 360 : 1440), `${width}`)
      await picture(page, `meeting-find-time-${screen}-${theme}`)
      const free = strip.getByRole('button').last()
      if (by === 'keys') await page.keyboard.press('Alt+3')
      else await free.click()
      await strip.getByText('free', { exact: true }).waitFor()
      await press(/^Move to/)
      await page.getByText('No answer yet').waitFor()
      const again = await partOf()
      assert.match(again, /ATTENDEE[^\r\n]*RSVP=TRUE/)
      assert.notEqual(/^DTSTART.*$/m.exec(again)?.[0], lines('DTSTART'))
      const { start, attendees } = await call('GET', `/api/calendar/info/${calendar_id}/`)
      assert.notEqual(start, `${day}T09:00:00.000Z`)
      assert.equal(attendees[0].response, 'needs_action')
      await press(/^Take out/)
      await page.getByText('Nobody is invited').waitFor()
      assert.match((await mailbox.next(guest)).text ?? '', /no longer invited/)
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
