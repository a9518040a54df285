import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import ICAL from 'ical.js'
import type { Mailbox, Received } from '../../../test/support/mailbox.ts'
import { startMailbox } from '../../../test/support/mailbox.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'
import { newId } from '../../kit/ground/ids.ts'

describe('invitations to meetings', () => {
  let service: TestService
  let org: TestOrganization
  let mailbox: Mailbox

  before(async () => {
    mailbox = await startMailbox()
    service = await startService({ smtpUrl: mailbox.url }, undefined, true)
    org = await makeOrganization(service)
  })

  const call = (method: string, path: string, body?: object) =>
    service.call(method, path, { token: org.users.admin.token, body })

  const year = new Date().getUTCFullYear() + 1
  const weekly = () => ({
    calendar_id: newId(),
    title: 'Weekly; with, commas\nand lines',
    start: `${year}-03-01T09:00:00.000Z`,
    end: `${year}-03-01T10:00:00.000Z`,
    timezone: { name: 'Europe/Berlin' },
    repeat: { rrule: 'FREQ=WEEKLY;COUNT=8', exdates: [`${year}-03-08`] },
    attendees: [
      { type: 'user', id: org.users.member.user_id },
      { type: 'external', email: 'guest@acme.test', name: 'Guest' },
    ],
  })

  /** The event of a mail's or a feed's iCalendar part, read by another implementation. */
  function eventIn(text: string) {
    const calendar = new ICAL.Component(ICAL.parse(text))
    for (const zone of calendar.getAllSubcomponents('vtimezone')) {
      ICAL.TimezoneService.register(zone)
    }
    const event = new ICAL.Event(calendar.getFirstSubcomponent('vevent')!)
    return { event, method: calendar.getFirstPropertyValue('method') }
  }

  function partOf(mail: Received) {
    const part = mail.attachments.find(({ mimeType }) => mimeType === 'text/calendar')
    assert.ok(part, JSON.stringify(mail.attachments.map(({ mimeType }) => mimeType)))
    const { content } = part
    return typeof content === 'string' ? content : new TextDecoder().decode(content)
  }

  function startsOf(event: ICAL.Event): string[] {
    const starts: string[] = []
    const each = event.iterator()
    for (let next = each.next(); next; next = each.next()) {
      starts.push(next.toJSDate().toISOString())
    }
    return starts
  }

  test('everybody invited is mailed an event that other programs read the same', async () => {
    const meeting = weekly()
    const made = await call('POST', '/api/calendar/info/', meeting)
    assert.equal(made.status, 201, made.text)
    for (const address of [org.users.member.email, 'guest@acme.test']) {
      const mail = await mailbox.next(address)
      const { event, method } = eventIn(partOf(mail))
      assert.equal(method, 'REQUEST')
      assert.match(mail.text!, /^Repeats: every week, 8 times$/m)
      assert.equal(event.summary, 'Weekly; with, commas\nand lines')
      assert.match(event.uid, new RegExp(`^${meeting.calendar_id}@`))
      const bounds = `start=${year}-01-01T00:00:00Z&end=${year}-12-31T00:00:00Z`
      const listed = await call('GET', `/api/calendar/info/?page=1&items_per_page=50&${bounds}`)
      const own = listed.body.filter((each: any) => each.calendar_id === meeting.calendar_id)
      // across the change of the clocks, without the one left out
      assert.deepEqual(
        startsOf(event),
        own.map((each: any) => each.start),
      )
      assert.equal(own.length, 7)
    }
  })

  test('a change, an invitation taken back and a cancellation are mailed to whom they concern', async () => {
    const meeting = { ...weekly(), repeat: null }
    const at = `/api/calendar/info/${meeting.calendar_id}/`
    await call('POST', '/api/calendar/info/', meeting)
    const invited = eventIn(partOf(await mailbox.next('guest@acme.test')))
    await mailbox.next(org.users.member.email)
    const guest = meeting.attendees[1]!
    await call('PUT', at, { location: 'Room 2', attendees: [guest] })
    const changed = eventIn(partOf(await mailbox.next('guest@acme.test')))
    assert.equal(changed.event.location, 'Room 2')
    assert.equal(changed.event.uid, invited.event.uid)
    assert.ok(changed.event.sequence > invited.event.sequence)
    assert.equal(eventIn(partOf(await mailbox.next(org.users.member.email))).method, 'CANCEL')
    await call('PUT', at, { title: 'Only its name' })
    await call('PUT', at, { is_meeting_cancelled: true, cancel_note: 'Too many meetings.' })
    const cancelled = await mailbox.next('guest@acme.test')
    assert.equal(eventIn(partOf(cancelled)).method, 'CANCEL')
    assert.match(cancelled.text ?? '', /Too many meetings\./)
    // calendar programs have removed it: whoever attends is invited anew, and so after a deletion
    for (const [method, path, body] of [
      ['PUT', at, { is_meeting_cancelled: false }],
      ['POST', `${at}restore/`, undefined],
    ] as const) {
      if (method === 'POST') {
        await call('DELETE', at)
        assert.equal(eventIn(partOf(await mailbox.next('guest@acme.test'))).method, 'CANCEL')
      }
      await call(method, path, body)
      const again = eventIn(partOf(await mailbox.next('guest@acme.test')))
      assert.equal(again.method, 'REQUEST')
      assert.ok(again.event.sequence > eventIn(partOf(cancelled)).event.sequence)
    }
  })

  test('a change says what it was and what it is, in the language of who reads it', async () => {
    const contact = await call('POST', '/api/contact/', {
      full_name: 'Jürgen',
      email: 'juergen@kunde.test',
      language: 'German',
      timezone: 'Asia/Tokyo',
    })
    assert.ok(contact.status < 300, contact.text)
    const meeting = {
      ...weekly(),
      repeat: null,
      title: 'Review',
      attendees: [{ type: 'external', email: 'juergen@kunde.test', name: 'Jürgen' }],
    }
    const at = `/api/calendar/info/${meeting.calendar_id}/`
    await call('POST', '/api/calendar/info/', meeting)
    const invited = await mailbox.next('juergen@kunde.test')
    assert.equal(invited.subject, 'Einladung: Review')
    assert.match(
      invited.text!,
      /Wann: [^\n]*1\. März[^\n]*10:00–11:00 Uhr \(Europe\/Berlin\)\n[^\n]*18:00–19:00 Uhr \(Asia\/Tokyo\)/,
    )
    await call('PUT', at, {
      location: 'Raum 2',
      start: `${year}-03-02T09:00:00Z`,
      end: `${year}-03-02T10:00:00Z`,
    })
    const changed = await mailbox.next('juergen@kunde.test')
    assert.equal(changed.subject, 'Geändert: Review')
    assert.match(
      changed.text!,
      /Was sich geändert hat:\nWann: [^\n]*1\. März[^\n]* → [^\n]*2\. März[^\n]*\nWo: keine Angabe → Raum 2\n/,
    )
  })

  test('a change of the zone alone says the hours there, and one to the same zone is none', async () => {
    const meeting = { ...weekly(), repeat: null, title: 'Elsewhere' }
    const at = `/api/calendar/info/${meeting.calendar_id}/`
    await call('POST', '/api/calendar/info/', meeting)
    const { email } = org.users.manager
    await call('PUT', at, { attendees: [{ type: 'user', id: org.users.manager.user_id }] })
    await mailbox.next(email)
    const changesIn = async () => {
      const mail = await mailbox.next(email)
      assert.equal(mail.subject, 'Changed: Elsewhere')
      return mail.text?.split('What changed:\n')[1]?.split('\n\n')[0] ?? ''
    }
    await call('PUT', at, { timezone: 'Asia/Tokyo' })
    assert.match(
      await changesIn(),
      /^When: [^\n]*10:00–11:00 \(Europe\/Berlin\) → [^\n]*18:00–19:00 \(Asia\/Tokyo\)$/,
    )
    // whole days are those of the meeting, wherever it is read
    const [start, end] = [`${year}-03-01T15:00:00Z`, `${year}-03-01T15:00:00Z`]
    await call('PUT', at, { all_day: true, start, end })
    assert.match(await changesIn(), /^When: [^\n]* 1 March[^\n]* → [^\n]* 2 March[^\n]*$/)
    // another name of the same zone, and an hour that no day shows
    await call('PUT', at, { timezone: { value: 'Asia/Tokyo' } })
    const hour = `${year}-03-01T16:00:00Z`
    await call('PUT', at, { start: hour, end: hour })
    assert.equal(await changesIn(), '')
  })

  test('whoever is invited answers by a link, until the meeting is over', async () => {
    const meeting = {
      ...weekly(),
      repeat: null,
      title: 'Kick-off',
      attendees: [{ type: 'external', email: 'answerer@acme.test', name: 'Ann <Swerer>' }],
    }
    await call('POST', '/api/calendar/info/', meeting)
    const { text } = await mailbox.next('answerer@acme.test')
    const [accept, maybe, decline] = text!
      .match(/https?:\S+\/meeting\/\S+/g)!
      .map((url) => new URL(url))
    assert.deepEqual(
      [accept, maybe, decline].map((url) => url!.searchParams.get('answer')),
      ['accepted', 'tentative', 'declined'],
    )
    const path = decline!.pathname
    // opening a link stores nothing: mail programs open links, too
    const page = await service.call('GET', path + decline!.search)
    assert.equal(page.status, 200)
    assert.match(page.text, /Kick-off/)
    const attendee = async () =>
      (await call('GET', `/api/calendar/info/${meeting.calendar_id}/`)).body.attendees[0].response
    assert.equal(await attendee(), 'needs_action')
    const post = (answer: string) =>
      fetch(service.url + path, {
        method: 'POST',
        body: new URLSearchParams({ answer }),
        redirect: 'manual',
      })
    assert.equal((await post('perhaps')).status, 400)
    assert.equal((await post('declined')).status, 303)
    assert.equal(await attendee(), 'declined')
    const mail = await mailbox.next(org.users.admin.email)
    assert.equal(mail.subject, 'Ann <Swerer> declined: Kick-off')
    assert.equal((await post('declined')).status, 303)
    const entries = await call(
      'GET',
      `/api/activity/log/?module_name=calendar&reference_id=${meeting.calendar_id}`,
    )
    assert.match(entries.text, /Invitation answered/)
    assert.equal((await post('accepted')).status, 303)
    assert.equal(await attendee(), 'accepted')
    assert.match((await service.call('GET', path)).text, /You accepted/)
    await call('PUT', `/api/calendar/info/${meeting.calendar_id}/`, { is_meeting_cancelled: true })
    assert.equal((await service.call('GET', path)).status, 410)
    assert.equal((await post('declined')).status, 409)
    assert.equal(await attendee(), 'accepted')
    assert.equal((await service.call('GET', '/meeting/made-up')).status, 404)
  })

  test('the feed of a user is read by whoever has its address, until it is renewed', async () => {
    const meeting = weekly()
    await call('POST', '/api/calendar/info/', meeting)
    const { token } = org.users.member
    const { body } = await service.call('GET', '/api/calendar/feed-url/', { token })
    const { pathname } = new URL(body.url)
    const feed = await service.call('GET', pathname)
    assert.equal(feed.status, 200)
    assert.match(feed.headers.get('content-type') ?? '', /^text\/calendar/)
    const calendar = new ICAL.Component(ICAL.parse(feed.text))
    const ids = calendar
      .getAllSubcomponents('vevent')
      .map((each) => String(each.getFirstPropertyValue('uid')).split('@')[0])
    assert.ok(ids.includes(meeting.calendar_id))
    const other = await service.call('GET', '/api/calendar/feed-url/', {
      token: org.users.partner.token,
    })
    const none = await service.call('GET', new URL(other.body.url).pathname)
    assert.doesNotMatch(none.text, /VEVENT/)
    const renewed = await service.call('POST', '/api/calendar/feed-url/', { token })
    assert.equal((await service.call('GET', pathname)).status, 404)
    assert.equal((await service.call('GET', new URL(renewed.body.url).pathname)).status, 200)
    assert.equal((await service.call('GET', '/calendar/made-up.ics')).status, 404)
  })

  test('days last the days of their zone in calendar programs, and series end on their last', async () => {
    const timezone = { name: 'Pacific/Auckland' }
    const made = async (body: object) => {
      const email = `${newId()}@acme.test`
      const attendees = [{ type: 'external', email }]
      const meeting = { title: 'Days', calendar_id: newId(), timezone, attendees, ...body }
      assert.equal((await call('POST', '/api/calendar/info/', meeting)).status, 201)
      return eventIn(partOf(await mailbox.next(email))).event
    }
    const days = await made({
      all_day: true,
      start: `${year}-03-02`,
      end: `${year}-03-03`,
      repeat: {
        rrule: `FREQ=WEEKLY;UNTIL=${year}0316T000000Z`,
        exdates: [`${year}-03-09`],
      },
    })
    assert.equal(days.startDate.toString(), `${year}-03-02`)
    // iCalendar names the day after the last one
    assert.equal(days.endDate.toString(), `${year}-03-04`)
    const starts: string[] = []
    const each = days.iterator()
    for (let next = each.next(); next; next = each.next()) starts.push(next.toString())
    assert.deepEqual(starts, [`${year}-03-02`, `${year}-03-16`])

    const times = await made({
      start: `${year}-03-02T09:00:00`,
      end: `${year}-03-02T10:00:00`,
      repeat: `FREQ=WEEKLY;UNTIL=${year}0316`,
    })
    assert.equal(startsOf(times).length, 3)
  })

  test('calendar programs are told the instant, the first occurrence, and no end that is the start', async () => {
    const timezone = { name: 'America/New_York' }
    const made = async (body: object) => {
      const email = `${newId()}@acme.test`
      const attendees = [{ type: 'external', email }]
      const meeting = { title: 'Times', calendar_id: newId(), timezone, attendees, ...body }
      assert.equal((await call('POST', '/api/calendar/info/', meeting)).status, 201)
      const text = partOf(await mailbox.next(email))
      return { text, event: eventIn(text).event }
    }
    // half past one, twice: the second one has no local time of its own
    const hour = { start: '2026-11-01T05:30:00.000Z', end: '2026-11-01T06:30:00.000Z' }
    const { event: twice } = await made(hour)
    assert.equal(twice.startDate.toJSDate().toISOString(), hour.start)
    assert.equal(twice.endDate.toJSDate().toISOString(), hour.end)
    const { text: short } = await made({ start: hour.start, end: hour.start })
    assert.doesNotMatch(short, /^DTEND/m)
    // a Wednesday, and a rule of Mondays
    const start = '2027-01-06T14:00:00.000Z'
    const mondays = {
      start,
      end: '2027-01-06T15:00:00.000Z',
      repeat: 'FREQ=WEEKLY;BYDAY=MO;COUNT=2',
    }
    const { event: series } = await made(mondays)
    const days = startsOf(series)
    assert.deepEqual(days, ['2027-01-11T14:00:00.000Z', '2027-01-18T14:00:00.000Z'])
    assert.equal(series.duration.toSeconds(), 3600)
    const bounds = 'start=2027-01-01T00:00:00Z&end=2027-03-01T00:00:00Z&items_per_page=100'
    const { body: listed } = await call('GET', `/api/calendar/info/?${bounds}`)
    const id = series.uid.split('@')[0]
    const own = listed.filter((each: any) => each.calendar_id === id)
    assert.deepEqual(
      own.map((each: any) => each.start),
      days,
    )
  })

  test('a meeting that takes place after all, or was deleted and restored, is mailed anew', async () => {
    const at = async (body: object) => {
      const email = `${newId()}@acme.test`
      const attendees = [{ type: 'external', email }]
      const { calendar_id } = (
        await call('POST', '/api/calendar/info/', { ...weekly(), attendees, ...body })
      ).body
      const next = async () => {
        const { event, method } = eventIn(partOf(await mailbox.next(email)))
        return { method, status: event.component.getFirstPropertyValue('status'), event }
      }
      return { path: `/api/calendar/info/${calendar_id}/`, next }
    }
    const single = await at({ repeat: null })
    await single.next()
    await call('PUT', single.path, { is_meeting_cancelled: true })
    const cancelled = await single.next()
    await call('PUT', single.path, { is_meeting_cancelled: false })
    const revived = await single.next()
    assert.deepEqual([revived.method, revived.status], ['REQUEST', 'CONFIRMED'])
    assert.ok(revived.event.sequence > cancelled.event.sequence)

    // its first occurrence is over, and the series continues
    const start = { start: '2020-03-02T09:00:00Z', end: '2020-03-02T10:00:00Z' }
    const series = await at({ ...start, repeat: 'FREQ=WEEKLY' })
    await series.next()
    await call('DELETE', series.path)
    const deleted = await series.next()
    assert.equal(deleted.method, 'CANCEL')
    await call('POST', `${series.path}restore/`)
    const restored = await series.next()
    assert.equal(restored.method, 'REQUEST')
    assert.ok(restored.event.sequence > deleted.event.sequence)
  })

  test('each time refers to the rules of a zone that the calendar contains', async () => {
    const email = 'zones@acme.test'
    const zones = ['Asia/Kolkata', 'Europe/Amsterdam', 'Europe/Kiev', 'US/Eastern', 'etc/gmt+5']
    for (const timezone of zones) {
      const times = { start: `${year}-03-02T09:00`, end: `${year}-03-02T10:00`, timezone }
      const exdates = [`${year}-03-03T09:00`, `${year}-03-04`]
      const repeat = { rrule: 'FREQ=DAILY;COUNT=4', exdates }
      const attendees = [{ type: 'external', email }]
      const made = await call('POST', '/api/calendar/info/', {
        ...weekly(),
        ...times,
        repeat,
        attendees,
      })
      assert.equal(made.status, 201, made.text)
      const text = partOf(await mailbox.next(email))
      const named = [...text.matchAll(/TZID[=:]([^:\s]+)/g)].map(([, zone]) => zone)
      const [zone = ''] = named
      assert.deepEqual(new Set(named), new Set([zone]))
      assert.equal(zone.toLowerCase(), timezone.toLowerCase())
      // nine o'clock of the zone, on its first and last day
      const days = startsOf(eventIn(text).event).map((start) => Date.parse(start))
      const first = Date.parse(made.body.start)
      assert.deepEqual(days, [first, first + 3 * 86_400_000])
    }
  })

  test('what came of a meeting is mailed to those who were invited', async () => {
    const attendees = ['one', 'two'].map((name) => ({
      type: 'external',
      email: `${name}@acme.test`,
    }))
    const meeting = { ...weekly(), repeat: null, attendees }
    await call('POST', '/api/calendar/info/', meeting)
    await mailbox.next('one@acme.test')
    const insight = { meeting_insight_id: newId(), calendar_id: meeting.calendar_id }
    const summary = 'We agreed on everything.'
    await call('POST', '/api/calendar/insight/', {
      ...insight,
      summary,
      action_items: ['Call Ada'],
    })
    const sent = await call('POST', '/api/calendar/insight/email/', insight)
    assert.deepEqual([sent.status, sent.body], [200, { status: 'success', sent: 2 }])
    const mail = await mailbox.next('one@acme.test')
    assert.match(mail.text ?? '', /We agreed on everything\.[^]*• Call Ada/)
    const wrong = await call('POST', '/api/calendar/insight/email/', {
      ...insight,
      calendar_id: 'x',
    })
    assert.equal(wrong.status, 400)
    assert.match(wrong.text, /calendar_id/)
  })

  test('whoever agreed is asked again when that changes, but not for a dropped date', async () => {
    const meeting = { ...weekly(), title: 'Consent' }
    const at = `/api/calendar/info/${meeting.calendar_id}/`
    assert.equal((await call('POST', '/api/calendar/info/', meeting)).status, 201)
    const { email, token } = org.users.member
    const next = async () => {
      for (;;) {
        const mail = await mailbox.next(email)
        // what other tests have sent to the same person
        if (mail.subject?.includes('Consent')) return mail
      }
    }
    await next()
    const stored = async () => (await call('GET', at)).body.attendees[0].response
    const change = async (body: object) => {
      const answered = { token, body: { response: 'accepted' } }
      assert.equal((await service.call('POST', `${at}respond/`, answered)).status, 200)
      assert.equal(await stored(), 'accepted')
      const reply = await call('PUT', at, body)
      assert.ok(reply.status < 300, reply.text)
    }
    const mailed = async () => {
      const mail = await next()
      const me = eventIn(partOf(mail)).event.attendees.find(
        (each) => String(each.getFirstValue()).toLowerCase() === `mailto:${email}`,
      )
      return { mail, rsvp: me?.getParameter('rsvp'), answer: me?.getParameter('partstat') }
    }
    for (const changed of [
      { location: 'Room 9' },
      { link: 'https://meet.acme.test/9' },
      { start: `${year}-03-01T10:00:00.000Z`, end: `${year}-03-01T11:00:00.000Z` },
      { timezone: { name: 'Europe/London' } },
      { repeat: { rrule: 'FREQ=WEEKLY;COUNT=9' } },
    ]) {
      await change(changed)
      assert.equal(await stored(), 'needs_action', JSON.stringify(changed))
      const { rsvp, answer } = await mailed()
      assert.deepEqual([rsvp, answer], ['TRUE', 'NEEDS-ACTION'], JSON.stringify(changed))
    }
    await change({ title: 'Consent, renamed', description: 'What it is about' })
    assert.equal(await stored(), 'accepted')
    await change({ repeat: { exdates: [`${year}-03-08`, `${year}-03-15`] } })
    assert.equal(await stored(), 'accepted')
    const { mail, answer } = await mailed()
    assert.equal(answer, 'ACCEPTED')
    const [, changes = ''] = mail.text?.split('What changed:') ?? []
    assert.match(changes, /^\nNot on [^\n]*15 March/)
    assert.doesNotMatch(changes.split('\n\n')[0] ?? '', /8 March/)
    // the page to answer names them, too
    const [url = ''] = mail.text?.match(/https?:\S+\/meeting\/\S+/) ?? []
    const page = await service.call('GET', new URL(url).pathname)
    assert.match(page.text, /Not on [^\n]*8 March[^\n]*\n?[^\n]*Not on [^\n]*15 March/)
    // a date that takes place after all was not part of it
    await change({ repeat: { exdates: [] } })
    assert.equal(await stored(), 'needs_action')
  })

  test('whoever is taken out reads that, and not that the meeting is cancelled', async () => {
    const meeting = { ...weekly(), title: 'Steering' }
    const at = `/api/calendar/info/${meeting.calendar_id}/`
    const { email } = org.users.manager
    const both = [...meeting.attendees, { type: 'user', id: org.users.manager.user_id }]
    await call('POST', '/api/calendar/info/', { ...meeting, attendees: both })
    await mailbox.next(email)
    await call('PUT', at, { attendees: meeting.attendees })
    const mail = await mailbox.next(email)
    assert.equal(mail.subject, 'No longer invited: Steering')
    assert.doesNotMatch(mail.text ?? '', /has cancelled/)
    assert.equal(eventIn(partOf(mail)).method, 'CANCEL')
  })
})
