import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import ICAL from 'ical.js'
import { createTransport } from 'nodemailer'
import type { Mailbox, Received } from '../../../test/support/mailbox.ts'
import { startMailbox } from '../../../test/support/mailbox.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'
import { newId } from '../../kit/ground/ids.ts'

// Mails as calendar programs send them: their parts, encodings, zones and ways to name people.

const domain = 'reply.acme.test'
const year = new Date().getUTCFullYear() + 1
const guest = 'guest@acme.test'

/** What a program knows of the invitation that it answers. */
type Invitation = { address: string; uid: string; sequence: number }
type Layout = {
  who?: string
  envelope?: string
  results?: string
  mail(invitation: Invitation): { headers: string[]; body: string[] }
}
type Expected = {
  kind?: string
  state?: string
  response?: string | null
  comment?: string | null
  occurrence?: string | null
  start?: string | null
  end?: string | null
}

const base64 = (text: string[]) =>
  Buffer.from(text.join('\r\n'))
    .toString('base64')
    .replaceAll(/(.{76})/g, '$1\r\n')
const calendar = (...lines: string[]) => [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  ...lines,
  'END:VCALENDAR',
]
const event = (...lines: string[]) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT']
const stamp = 'DTSTAMP:20260101T080000Z'
const alone = (type: string, lines: string[]) => ({
  headers: [`Content-Type: ${type}`],
  body: lines,
})

/** Google Calendar: three parts and a file, sent by a machine, the comment at the attendee. */
function google(method: string, params: string, lines: string[] = []): Layout {
  return {
    envelope: '3bounces@calendar-server.bounces.google.com',
    results: `${domain}; dkim=pass header.i=@acme.test; dmarc=pass (p=NONE) header.from=acme.test`,
    mail({ uid, sequence, address }) {
      const text = calendar(
        'PRODID:-//Google Inc//Google Calendar 70.9054//EN',
        'CALSCALE:GREGORIAN',
        `METHOD:${method}`,
        ...event(
          ...(lines.length ? lines : [`DTSTART:${year}0301T090000Z`, `DTEND:${year}0301T100000Z`]),
          stamp,
          `ORGANIZER;CN=admin:mailto:${address}`,
          `UID:${uid}`,
          'ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;CN=Guest;X-NUM-GUE',
          ` STS=0;${params}:mailto:${guest}`,
          `SEQUENCE:${sequence}`,
          'STATUS:CONFIRMED',
          'SUMMARY:Review',
          'TRANSP:OPAQUE',
        ),
      )
      return {
        headers: [
          'Auto-Submitted: auto-generated',
          'Sender: Google Calendar <calendar-notification@google.com>',
          'Content-Type: multipart/mixed; boundary="m"',
        ],
        body: [
          '--m',
          'Content-Type: multipart/alternative; boundary="a"',
          '',
          '--a',
          'Content-Type: text/plain; charset="UTF-8"; format=flowed; delsp=yes',
          '',
          'Guest has answered this invitation.',
          '--a',
          'Content-Type: text/html; charset="UTF-8"',
          '',
          '<p>Guest has answered</p>',
          '--a',
          `Content-Type: text/calendar; charset="UTF-8"; method=${method}`,
          'Content-Transfer-Encoding: 7bit',
          '',
          ...text,
          '--a--',
          '--m',
          'Content-Type: application/ics; name="invite.ics"',
          'Content-Disposition: attachment; filename="invite.ics"',
          'Content-Transfer-Encoding: base64',
          '',
          base64(text),
          '--m--',
        ],
      }
    },
  }
}

/** Outlook with Exchange: base64, zones of Windows with their rules, the language at each text. */
function outlook(method: string, partstat: string, lines: string[] = [], comment = ''): Layout {
  return {
    mail({ uid, sequence, address }) {
      const zone = 'W. Europe Standard Time'
      const own = lines.length
        ? lines
        : [`DTSTART;TZID=${zone}:${year}0301T100000`, `DTEND;TZID=${zone}:${year}0301T110000`]
      const text = calendar(
        `METHOD:${method}`,
        'PRODID:Microsoft Exchange Server 2010',
        'BEGIN:VTIMEZONE',
        `TZID:${zone}`,
        'BEGIN:STANDARD',
        'DTSTART:16010101T030000',
        'TZOFFSETFROM:+0200',
        'TZOFFSETTO:+0100',
        'RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10',
        'END:STANDARD',
        'BEGIN:DAYLIGHT',
        'DTSTART:16010101T020000',
        'TZOFFSETFROM:+0100',
        'TZOFFSETTO:+0200',
        'RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3',
        'END:DAYLIGHT',
        'END:VTIMEZONE',
        ...event(
          `ORGANIZER;CN=admin:MAILTO:${address}`,
          `ATTENDEE;PARTSTAT=${partstat};CN=Guest:MAILTO:${guest}`,
          `COMMENT;LANGUAGE=de-DE:${comment}\\n`,
          `UID:${uid}`,
          'SUMMARY;LANGUAGE=de-DE:Zugesagt: Review',
          ...own,
          'CLASS:PUBLIC',
          'PRIORITY:5',
          stamp,
          'TRANSP:OPAQUE',
          'STATUS:CONFIRMED',
          `SEQUENCE:${sequence}`,
          `X-MICROSOFT-CDO-APPT-SEQUENCE:${sequence}`,
          'X-MICROSOFT-DISALLOW-COUNTER:FALSE',
        ),
      )
      return {
        headers: ['Content-Type: multipart/alternative; boundary="_000_"', 'X-MS-Has-Attach:'],
        body: [
          '--_000_',
          'Content-Type: text/plain; charset="iso-8859-1"',
          'Content-Transfer-Encoding: quoted-printable',
          '',
          'Gr=FC=DFe',
          '--_000_',
          `Content-Type: text/calendar; charset="utf-8"; method=${method}`,
          'Content-Transfer-Encoding: base64',
          '',
          base64(text),
          '--_000_--',
        ],
      }
    },
  }
}

/** Apple: the address beside a path of the server, lines folded within names, UTC. */
function apple(partstat: string, lines: string[]): Layout {
  return {
    mail: ({ uid, sequence, address }) =>
      alone(
        'text/calendar; charset=utf-8; method=REPLY; name="iCal.ics"',
        calendar(
          'CALSCALE:GREGORIAN',
          'PRODID:-//Apple Inc.//macOS 14.5//EN',
          'METHOD:REPLY',
          ...event(
            'CREATED:20260101T070000Z',
            `UID:${uid}`,
            ...lines,
            'SUMMARY:Review',
            'LAST-MODIFIED:20260101T080000Z',
            stamp,
            `ORGANIZER;CN="admin";EMAIL="${address}":mailto:${address}`,
            `SEQUENCE:${sequence}`,
            `ATTENDEE;CN="Guest";CUTYPE=INDIVIDUAL;EMAIL="${guest}";PARTSTAT=${partstat.slice(0, 4)}`,
            ` ${partstat.slice(4)};ROLE=REQ-PARTICIPANT:/1234567890/principal/`,
          ),
        ),
      ),
  }
}

/** Thunderbird: zones of its own names, a comment as a line of its own. */
function thunderbird(method: string, partstat: string, lines: string[]): Layout {
  return {
    mail: ({ uid, sequence, address }) => ({
      headers: ['Content-Type: multipart/mixed; boundary="t"'],
      body: [
        '--t',
        `Content-Type: text/calendar; method=${method}; charset=UTF-8; name="invite.ics"`,
        'Content-Transfer-Encoding: 8bit',
        '',
        ...calendar(
          'PRODID:-//Mozilla.org/NONSGML Mozilla Calendar V1.1//EN',
          `METHOD:${method}`,
          ...event(
            'CREATED:20260101T070000Z',
            stamp,
            `UID:${uid}`,
            'SUMMARY:Review',
            `ORGANIZER;RSVP=TRUE;CN=admin;PARTSTAT=ACCEPTED;ROLE=CHAIR:mailto:${address}`,
            `ATTENDEE;CN=Guest;PARTSTAT=${partstat};ROLE=REQ-PARTICIPANT:mailto:Guest@ACME.test`,
            ...lines,
            `SEQUENCE:${sequence}`,
          ),
        ),
        '--t--',
      ],
    }),
  }
}

const at = (day: string, hour: string) => `${year}-${day}T${hour}:00.000Z`
const monday = `RECURRENCE-ID;TZID=Europe/Berlin:${year}0308T100000`

/** Twelve layouts, each with what lands on a meeting of March 1, 10:00 to 11:00 in Berlin; those with a date on a series. */
const layouts: [name: string, layout: Layout, expected: Expected, isSeries?: true][] = [
  ['Google accepts', google('REPLY', 'PARTSTAT=ACCEPTED'), { response: 'accepted' }],
  [
    'Google says maybe, with a comment',
    google('REPLY', 'PARTSTAT=TENTATIVE;X-RESPONSE-COMMENT="A little late, sorry"'),
    { response: 'tentative', comment: 'A little late, sorry' },
  ],
  [
    'Google declines one date of a series',
    google('REPLY', 'PARTSTAT=DECLINED', [
      `DTSTART;TZID=Europe/Berlin:${year}0308T100000`,
      `DTEND;TZID=Europe/Berlin:${year}0308T110000`,
      monday,
    ]),
    { response: 'declined', occurrence: at('03-08', '09:00') },
    true,
  ],
  [
    'Google proposes another time',
    google('COUNTER', 'PARTSTAT=TENTATIVE', [
      `DTSTART:${year}0301T130000Z`,
      `DTEND:${year}0301T143000Z`,
    ]),
    {
      kind: 'counter',
      state: 'open',
      response: 'tentative',
      start: at('03-01', '13:00'),
      end: at('03-01', '14:30'),
    },
  ],
  [
    'Outlook accepts, with a comment',
    outlook('REPLY', 'ACCEPTED', [], 'Bis dann\\, grüße'),
    { response: 'accepted', comment: 'Bis dann, grüße' },
  ],
  ['Outlook declines', outlook('REPLY', 'DECLINED'), { response: 'declined', comment: null }],
  [
    'Outlook proposes another time',
    outlook('COUNTER', 'TENTATIVE', [
      `DTSTART;TZID=W. Europe Standard Time:${year}0302T150000`,
      `DTEND;TZID=W. Europe Standard Time:${year}0302T160000`,
      `X-MS-OLK-ORIGINALSTART;TZID=W. Europe Standard Time:${year}0301T100000`,
    ]),
    { kind: 'counter', state: 'open', start: at('03-02', '14:00'), end: at('03-02', '15:00') },
  ],
  [
    'Apple accepts',
    apple('ACCEPTED', [`DTSTART:${year}0301T090000Z`, `DTEND:${year}0301T100000Z`]),
    { response: 'accepted' },
  ],
  [
    'Apple declines one date of a series',
    apple('DECLINED', [`DTSTART:${year}0308T090000Z`, `RECURRENCE-ID:${year}0308T090000Z`]),
    { response: 'declined', occurrence: at('03-08', '09:00') },
    true,
  ],
  [
    'Thunderbird accepts',
    thunderbird('REPLY', 'ACCEPTED', [
      `DTSTART;TZID=/mozilla.org/20050126_1/Europe/Berlin:${year}0301T100000`,
      'DURATION:PT1H',
    ]),
    { response: 'accepted' },
  ],
  [
    'Thunderbird proposes another time for one date, by its length',
    thunderbird('COUNTER', 'DECLINED', [
      `DTSTART;TZID=Europe/Berlin:${year}0309T080000`,
      'DURATION:PT30M',
      monday,
      'COMMENT:Tuesday is better',
    ]),
    {
      kind: 'counter',
      state: 'open',
      comment: 'Tuesday is better',
      occurrence: at('03-08', '09:00'),
      start: at('03-09', '07:00'),
      end: at('03-09', '07:30'),
    },
    true,
  ],
  [
    'Evolution asks for the invitation again',
    {
      mail: ({ uid }) =>
        alone(
          'application/ics; name="meeting.ics"',
          calendar(
            'PRODID:-//Ximian//NONSGML Evolution Calendar//EN',
            'METHOD:REFRESH',
            ...event(`UID:${uid}`, stamp, `ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:${guest}`),
          ),
        ),
    },
    { kind: 'refresh', response: null },
  ],
]

describe('answers of calendar programs', () => {
  let service: TestService
  let org: TestOrganization
  let mailbox: Mailbox

  before(async () => {
    mailbox = await startMailbox()
    const settings = { smtpUrl: mailbox.url, inboundDomain: domain, inboundPort: 0 }
    service = await startService(settings, undefined, true)
    org = await makeOrganization(service)
  })

  const call = (method: string, path: string, body?: object) =>
    service.call(method, path, { token: org.users.admin.token, body })

  /** A meeting of the guest and of a member, and what the guest's program knows of it. */
  async function invited(more: object = {}) {
    const calendar_id = newId()
    const made = await call('POST', '/api/calendar/info/', {
      calendar_id,
      title: 'Review',
      start: `${year}-03-01T09:00:00Z`,
      end: `${year}-03-01T10:00:00Z`,
      timezone: 'Europe/Berlin',
      attendees: [
        { type: 'external', email: guest, name: 'Guest' },
        { type: 'user', id: org.users.member.user_id },
      ],
      ...more,
    })
    assert.equal(made.status, 201, made.text)
    const path = `/api/calendar/info/${calendar_id}/`
    return { path, calendar_id, invitation: invitationIn(await mailAbout(calendar_id)) }
  }

  /** The next mail about a meeting: those about others may still come. */
  async function mailAbout(calendar_id: string, address = guest) {
    for (;;) {
      const mail = await mailbox.next(address)
      if (textIn(mail).includes(calendar_id)) return mail
    }
  }

  function textIn(mail: Received): string {
    const part = mail.attachments.find(({ mimeType }) => mimeType === 'text/calendar')
    assert.ok(part)
    const { content } = part
    return typeof content === 'string' ? content : new TextDecoder().decode(content)
  }

  function invitationIn(mail: Received): Invitation & { method: unknown; start: string } {
    const read = new ICAL.Component(ICAL.parse(textIn(mail)))
    const found = new ICAL.Event(read.getFirstSubcomponent('vevent')!)
    const address = String(found.organizer).replace(/^mailto:/i, '')
    assert.match(address, /^meeting\+[\da-f]{32}@reply\.acme\.test$/)
    const start = found.startDate.toString()
    const method = read.getFirstPropertyValue('method')
    return { address, uid: found.uid, sequence: found.sequence, method, start }
  }

  /** What the server says to a mail: 250, or the refusal. */
  async function send(invitation: Invitation, layout: Layout, id = newId()) {
    const { who = guest, envelope = who, results } = layout
    const { headers, body } = layout.mail(invitation)
    const raw = [
      ...(results ? [`Authentication-Results: ${results}`] : []),
      `From: Guest <${who}>`,
      `To: ${invitation.address}`,
      `Message-ID: <${id}@mail.acme.test>`,
      'Subject: Re: Review',
      'MIME-Version: 1.0',
      ...headers,
      '',
      ...body,
      '',
    ].join('\r\n')
    const port = service.repliesPort()
    const transport = createTransport({ host: '127.0.0.1', port, secure: false, ignoreTLS: true })
    try {
      const { response } = await transport.sendMail({
        envelope: { from: envelope, to: invitation.address },
        raw,
      })
      return Number(response.slice(0, 3))
    } catch (error) {
      return (error as { responseCode?: number }).responseCode
    } finally {
      transport.close()
    }
  }

  const answersOf = async (path: string) => {
    const { status, body, text } = await call('GET', `${path}answers/`)
    assert.equal(status, 200, text)
    return body as ({ answer_id: string; reason: string | null } & Required<Expected>)[]
  }
  const responseOf = async (path: string, email = guest) =>
    (await call('GET', path)).body.attendees.find((each: any) => each.email === email)?.response
  const weekly = { repeat: 'FREQ=WEEKLY;BYDAY=MO;COUNT=4' }

  for (const [name, layout, expected, isSeries] of layouts) {
    test(`land on their meeting: ${name}`, async () => {
      const { path, calendar_id, invitation } = await invited(isSeries && weekly)
      assert.equal(await send(invitation, layout, 'one'), 250)
      assert.equal(await send(invitation, layout, 'one'), 250)
      const [answer, ...more] = await answersOf(path)
      assert.deepEqual(more, [])
      const wanted = { kind: 'reply', state: 'taken', reason: null, ...expected }
      const found = Object.fromEntries(
        Object.keys(wanted).map((key) => [key, answer![key as keyof Expected]]),
      )
      assert.deepEqual(found, wanted)
      const whole = expected.occurrence || !expected.response ? undefined : expected.response
      if (whole) assert.equal(await responseOf(path), whole)
      if (expected.occurrence) assert.equal(await responseOf(path), 'needs_action')
      if (expected.kind === 'refresh') {
        const again = invitationIn(await mailAbout(calendar_id))
        assert.deepEqual([again.method, again.uid], ['REQUEST', invitation.uid])
        // a program that asks again and again is mailed once an hour
        assert.equal(await send(invitation, layout), 250)
        assert.equal((await answersOf(path))[0]!.reason, 'repeated')
      }
    })
  }

  test('that are forged or stale change nothing, and are shown with the reason', async () => {
    const accepts = layouts[4]![1]
    const evil = 'mallory@evil.test'
    const as = (more: Partial<Layout>): Layout => ({ ...accepts, ...more })
    const of = (more: Partial<Invitation>): Layout =>
      as({ mail: (invitation) => accepts.mail({ ...invitation, ...more }) })
    const self = outlook('REPLY', 'ACCEPTED')
    const forged: [Layout, reason: string][] = [
      // for the guest, from somebody else's address
      [as({ who: evil }), 'other_sender'],
      // in the guest's name, from somebody else's server
      [as({ envelope: evil }), 'unverified'],
      [as({ results: `${domain}; dmarc=fail header.from=acme.test` }), 'unverified'],
      // everybody invited knows the address, so that a weak result does not do
      [
        as({ results: `${domain}; spf=softfail smtp.mailfrom=acme.test; dmarc=none` }),
        'unverified',
      ],
      [
        as({ envelope: evil, results: 'mail.evil.test; dmarc=pass header.from=acme.test' }),
        'unverified',
      ],
      // by somebody who is not invited
      [
        as({
          who: evil,
          mail: (invitation) => ({
            headers: ['Content-Type: text/calendar; method=REPLY'],
            body: Buffer.from(self.mail(invitation).body[9]!.replaceAll('\r\n', ''), 'base64')
              .toString()
              .replace(guest, evil)
              .split('\r\n'),
          }),
        }),
        'not_invited',
      ],
      [of({ uid: `${newId()}@localhost` }), 'other_meeting'],
      [of({ sequence: 999 }), 'unknown_version'],
    ]
    const { path, calendar_id, invitation } = await invited()
    for (const [layout, reason] of forged) {
      assert.equal(await send(invitation, layout), 250)
      const [answer] = await answersOf(path)
      assert.deepEqual([answer!.state, answer!.reason], ['forged', reason])
    }
    const stale = async (layout: Layout, reason: string) => {
      assert.equal(await send(invitation, layout), 250)
      const [answer] = await answersOf(path)
      assert.deepEqual([answer!.state, answer!.reason], ['stale', reason])
    }
    await stale(layouts[2]![1], 'no_such_date')
    await stale(outlook('REPLY', 'NEEDS-ACTION'), 'no_answer')
    assert.equal(await responseOf(path), 'needs_action')
    // an answer that was overtaken by a later one
    const later = layouts[5]![1]
    const isLater = (invitation: Invitation) => {
      const { headers, body } = later.mail(invitation)
      const text = Buffer.from(body[9]!.replaceAll('\r\n', ''), 'base64').toString()
      const dated = text.replace('20260101T080000Z', '20260101T090000Z').split('\r\n')
      return { headers, body: [...body.slice(0, 9), base64(dated), ...body.slice(10)] }
    }
    assert.equal(await send(invitation, { mail: isLater }), 250)
    assert.equal(await responseOf(path), 'declined')
    await stale(accepts, 'older_answer')
    assert.equal(await responseOf(path), 'declined')
    // the meeting was moved: what was agreed to is over
    await call('PUT', path, { start: `${year}-03-02T09:00:00Z`, end: `${year}-03-02T10:00:00Z` })
    await stale(layouts[0]![1], 'old_version')
    assert.equal(await responseOf(path), 'needs_action')
    const moved = invitationIn(await mailAbout(calendar_id))
    assert.deepEqual([moved.address, moved.uid], [invitation.address, invitation.uid])
    await call('PUT', path, { is_meeting_cancelled: true })
    await stale(layouts[0]![1], 'over')
    await call('DELETE', path)
    assert.equal(await send(invitation, accepts), 550)
  })

  test('are current as long as nothing that was agreed has changed, whoever answers first', async () => {
    const { path, invitation } = await invited()
    await call('PUT', path, { title: 'Another name' })
    const respond = await service.call('POST', `${path}respond/`, {
      token: org.users.member.token,
      body: { response: 'accepted' },
    })
    assert.equal(respond.status, 200, respond.text)
    assert.equal(await send(invitation, layouts[0]![1]), 250)
    assert.equal(await responseOf(path), 'accepted')
  })

  test('are refused where they are none', async () => {
    const { path, invitation } = await invited()
    const text = (lines: string[], type = 'text/plain'): Layout => ({
      mail: () => alone(type, lines),
    })
    assert.equal(await send(invitation, text(['I will come!'])), 550)
    const published = calendar('METHOD:PUBLISH', ...event(`UID:${invitation.uid}`, stamp))
    assert.equal(await send(invitation, text(published, 'text/calendar')), 550)
    const large = calendar(
      'METHOD:REPLY',
      ...event(`UID:${invitation.uid}`, `COMMENT:${'x'.repeat(600 * 1024)}`),
    )
    assert.equal(await send(invitation, text(large, 'text/calendar')), 550)
    const unknown = { ...invitation, address: `meeting+${'0'.repeat(32)}@${domain}` }
    assert.equal(await send(unknown, layouts[0]![1]), 550)
    assert.deepEqual(await answersOf(path), [])
  })

  const settle = (path: string, id: string, decision: string) =>
    call('POST', `${path}answers/${id}/`, { decision })

  test('with another time are accepted, and everybody else is asked again', async () => {
    const { path, calendar_id, invitation } = await invited()
    await service.call('POST', `${path}respond/`, {
      token: org.users.member.token,
      body: { response: 'accepted' },
    })
    assert.equal(await send(invitation, layouts[3]![1]), 250)
    assert.equal(await send(invitation, layouts[6]![1]), 250)
    const [newer, older] = await answersOf(path)
    assert.deepEqual([newer!.state, older!.state, older!.reason], ['open', 'stale', 'replaced'])
    assert.equal((await settle(path, older!.answer_id, 'accept')).status, 409)
    const accepted = await settle(path, newer!.answer_id, 'accept')
    assert.equal(accepted.status, 200, accepted.text)
    assert.deepEqual([accepted.body.start, accepted.body.end], [newer!.start, newer!.end])
    assert.equal(await responseOf(path), 'accepted')
    assert.equal(await responseOf(path, org.users.member.email), 'needs_action')
    assert.match((await mailAbout(calendar_id, org.users.member.email)).subject!, /^Invitation/)
    const mail = await mailAbout(calendar_id, org.users.member.email)
    assert.match(mail.subject!, /^Changed: Review/)
    assert.equal((await settle(path, newer!.answer_id, 'keep')).status, 409)
  })

  test('with another time for one date of a series move that date alone', async () => {
    const { path, calendar_id, invitation } = await invited(weekly)
    assert.equal(await send(invitation, layouts[10]![1]), 250)
    const [proposal] = await answersOf(path)
    const accepted = await settle(path, proposal!.answer_id, 'accept')
    assert.equal(accepted.status, 200, accepted.text)
    // proposed again, of a date that is no longer in the series
    assert.equal(await send(invitation, layouts[10]![1]), 250)
    const [again] = await answersOf(path)
    assert.notEqual(again!.state, 'open')
    const bounds = `start=${year}-03-01T00:00:00Z&end=${year}-04-01T00:00:00Z&items_per_page=500`
    const { body } = await call(
      'GET',
      `/api/calendar/info/?${bounds}&people=${org.users.member.user_id}`,
    )
    const own = body.filter((each: any) => each.start === proposal!.start)
    assert.equal(own.length, 1)
    assert.notEqual(own[0].calendar_id, calendar_id)
    assert.equal(own[0].end, proposal!.end)
    const left = body.filter((each: any) => each.calendar_id === calendar_id)
    assert.deepEqual(
      left.map((each: any) => each.start),
      ['03-01', '03-15', '03-22'].map((day) => at(day, '09:00')),
    )
  })

  test('with another time are turned down, which is mailed to whoever proposed it', async () => {
    const { path, calendar_id, invitation } = await invited()
    assert.equal(await send(invitation, layouts[3]![1]), 250)
    const [proposal] = await answersOf(path)
    const kept = await settle(path, proposal!.answer_id, 'keep')
    assert.equal(kept.body.start, at('03-01', '09:00'))
    assert.equal((await answersOf(path))[0]!.state, 'kept')
    const mail = await mailAbout(calendar_id)
    assert.equal(mail.subject, 'Stays as it is: Review')
    assert.equal(invitationIn(mail).method, 'DECLINECOUNTER')
  })

  test('are seen and settled by whoever may change the meeting', async () => {
    const { path, invitation } = await invited({
      is_private: true,
      attendees: [{ type: 'external', email: guest, name: 'Guest' }],
    })
    assert.equal(await send(invitation, layouts[3]![1]), 250)
    const [proposal] = await answersOf(path)
    const { token } = org.users.member
    assert.equal((await service.call('GET', `${path}answers/`, { token })).status, 404)
    const body = { decision: 'accept' }
    const refused = await service.call('POST', `${path}answers/${proposal!.answer_id}/`, {
      token,
      body,
    })
    assert.equal(refused.status, 404)
  })
})
