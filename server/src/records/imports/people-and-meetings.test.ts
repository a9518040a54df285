import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { before, describe, test } from 'node:test'
import { bringing } from '../../../test/imports/bring.ts'
import { workbookOfSheets, zipOf } from '../../../test/spreadsheets/workbook.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'
import { NoSuchSheet, rowsBelow } from '../../model/sheets/rows.ts'

const lines = (...all: string[]) => all.join('\r\n')
const card = (...all: string[]) => lines('BEGIN:VCARD', ...all, 'END:VCARD', '')
const calendar = (...all: string[]) =>
  lines('BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//A//B//EN', ...all, 'END:VCALENDAR', '')
const event = (...all: string[]) => lines('BEGIN:VEVENT', ...all, 'END:VEVENT')

describe('people and meetings of other programs', () => {
  let service: TestService
  let org: TestOrganization
  let its: ReturnType<typeof bringing>

  before(async () => {
    service = await startService({}, undefined, true)
    org = await makeOrganization(service)
    its = bringing(service, org)
  })

  async function call(method: string, path: string, body?: unknown) {
    return (await its.call(method, path, body)).body
  }

  async function refused(method: string, path: string, body: unknown) {
    const reply = await service.call(method, path, { token: org.users.admin.token, body })
    assert.equal(reply.status, 400, reply.text)
    return reply.body
  }

  async function send(content: string | Buffer, name: string, module = 'contacts', status = 201) {
    const form = new FormData()
    form.set('module', module)
    form.set('file', new Blob([content as any]), name)
    const reply = await fetch(`${service.url}/api/imports/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${org.users.admin.token}` },
      body: form,
    })
    const body = (await reply.json()) as any
    assert.equal(reply.status, status, JSON.stringify(body))
    return body
  }

  const run = (id: string, body = { unknown_links: 'create' }) => its.run(id, body)

  async function imported(content: string | Buffer, name: string, module = 'contacts') {
    const uploaded = await send(content, name, module)
    const done = await run(uploaded.import_id)
    assert.deepEqual([done.failed, done.cell_errors], [0, 0], JSON.stringify(done.errors))
    return { ...done, uploaded }
  }

  const person = async (q: string) => {
    const [found] = await call(
      'GET',
      `/api/contact/?page=1&items_per_page=50&q=${encodeURIComponent(q)}`,
    )
    assert.ok(found, q)
    return call('GET', `/api/contact/${found.contact_id}/`)
  }

  const meeting = async (title: string) => {
    const all = await call(
      'GET',
      `/api/calendar/info/?page=1&items_per_page=50&q=${encodeURIComponent(title)}`,
    )
    const found = all.find((each: any) => each.title === title)
    assert.ok(found, title)
    return call('GET', `/api/calendar/info/${found.calendar_id}/`)
  }

  test('a vCard file of both versions arrives whole, and an undo takes it back', async () => {
    const file = await readFile(new URL('../../../test/imports/files/people.vcf', import.meta.url))
    const { import_id, created, uploaded } = await imported(file, 'people.vcf')
    assert.equal(created, 2)
    assert.equal(uploaded.reading.type, 'vcard')
    assert.deepEqual(uploaded.warnings, [])
    const elin = await person('elin@sandvik.example')
    assert.equal(elin.full_name, 'Elin Sandvik')
    assert.equal(elin.company.company_name, 'Sandvik Bygg AB')
    assert.equal(elin.job_title, 'Inköpschef')
    assert.equal(elin.phone, '+46 70 111 11 11')
    assert.deepEqual(elin.location, {
      address: 'Storgatan 1',
      city: 'Göteborg',
      zip_code: '411 01',
      country: 'Sverige',
    })
    assert.deepEqual(elin.custom_fields, { notes: 'Föredrar svenska, ring inte före nio' })
    const tomas = await person('tomas@ferro.example')
    assert.deepEqual([tomas.full_name, tomas.phone], ['Tomás Ferro', '+351-21-000-0000'])

    await call('POST', `/api/imports/${import_id}/undo/`)
    assert.deepEqual(
      await call('GET', '/api/contact/?page=1&items_per_page=50&q=sandvik.example'),
      [],
    )
  })

  test('cards as Google, Apple, Outlook and telephones write them', async () => {
    const photo = `PHOTO;ENCODING=b;TYPE=JPEG:/9j/${'A'.repeat(60)}\r\n ${'B'.repeat(70)}\r\n ${'C'.repeat(70)}`
    const google = card(
      'VERSION:3.0',
      'FN:Iris van Dam',
      'N:van Dam;Iris;;;',
      'EMAIL;TYPE=INTERNET;TYPE=WORK:iris@dam.example',
      'EMAIL;TYPE=INTERNET;TYPE=HOME:iris@home.example',
      'TEL;TYPE=CELL:+31 6 1234 0001',
      'TEL;TYPE=WORK:+31 20 000 0002',
      'ADR;TYPE=WORK:;Unit 4;Kade 12\\, 3e;Rotterdam;ZH;3011 AB;Netherlands',
      'ORG:Van Dam Logistics;Fleet;North',
      'TITLE:Head of Operations',
      'BDAY:19850412',
      'URL:https\\://dam.example',
      'item1.URL:https://www.linkedin.com/in/iris',
      'item1.X-ABLabel:LinkedIn',
      'CATEGORIES:myContacts,VIP\\, old,Partner',
      'PHOTO:https://pictures.example/iris.jpg',
      'NOTE:First line\\nsecond\\, with a comma\\; and more th',
      ' an one line',
    )
    const apple = card(
      'VERSION:3.0',
      'PRODID:-//Apple Inc.//iOS 17//EN',
      'N:Lindqvist;Åsa;Maria;Dr.;',
      'FN:Åsa Lindqvist',
      'ORG:Nordlys AS;',
      'item1.EMAIL;type=INTERNET:asa@old.example',
      'item2.EMAIL;type=INTERNET;type=pref:asa@nordlys.example',
      'TEL;type=HOME;type=FAX:+47 1',
      'TEL;type=CELL;type=VOICE;type=pref:+47 900 00 001',
      'BDAY;X-APPLE-OMIT-YEAR=1604:1604-02-29',
      'item3.ADR;type=HOME;type=pref:;;Strandgata 5;Bergen;;5003;Norge',
      'REV:nonsense without a meaning',
      'this line is none',
      photo,
    )
    const outlook = Buffer.concat([
      Buffer.from(
        lines('BEGIN:VCARD', 'VERSION:2.1', 'N;LANGUAGE=de;CHARSET=Windows-1252:', '').slice(0, -2),
      ),
      Buffer.from('Größ;Jürgen\r\n', 'latin1'),
      Buffer.from('FN;CHARSET=Windows-1252:Jürgen Größ\r\n', 'latin1'),
      Buffer.from(
        lines(
          'ORG:Hellwerk GmbH;Einkauf',
          'TITLE;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Leiter f=C3=BCr Eink=',
          '=C3=A4ufe',
          'TEL;WORK;VOICE:+49 30 1234',
          'TEL;CELL;VOICE:+49 170 1234',
          'ADR;WORK;PREF:;;Hauptstr. 1;Berlin;;10115;Deutschland',
          'EMAIL;PREF;INTERNET:juergen@hellwerk.example',
          'END:VCARD',
          '',
        ),
      ),
    ])
    const group = card('VERSION:3.0', 'FN:Team', 'X-ADDRESSBOOKSERVER-KIND:group')
    const modern = card(
      'VERSION:4.0',
      'FN;PREF=2:Nobody',
      'FN;PREF=1:Li Wei',
      'EMAIL;PREF=2:second@li.example',
      'EMAIL;PREF=1:li@li.example',
      'TEL;VALUE=uri;TYPE="voice,work":tel:+86-10-0000;ext=12',
      'ADR;LABEL="1 Road; x: y":;;1 Road;Beijing;;100000;China',
      'BDAY:--0412',
    )
    const others = await send(`${google}${apple}${group}${modern}`, 'all.vcf')
    assert.deepEqual(others.warnings, [
      'Pictures inside the file are left out: 1; addresses of pictures are taken',
      'Groups of people are left out: 1',
    ])
    assert.equal(others.total, 3)
    const done = await run(others.import_id)
    assert.deepEqual([done.created, done.failed, done.cell_errors], [3, 0, 0])
    const iris = await person('iris@dam.example')
    assert.deepEqual(
      [iris.full_name, iris.phone, iris.department, iris.job_title, iris.company.company_name],
      [
        'Iris van Dam',
        '+31 6 1234 0001',
        'Fleet, North',
        'Head of Operations',
        'Van Dam Logistics',
      ],
    )
    assert.deepEqual(iris.location, {
      address: 'Kade 12, 3e, Unit 4',
      city: 'Rotterdam',
      state: 'ZH',
      zip_code: '3011 AB',
      country: 'Netherlands',
    })
    assert.deepEqual(iris.tags, ['VIP, old', 'Partner'])
    assert.deepEqual(iris.custom_fields, {
      birthday: '1985-04-12',
      website: 'https://dam.example',
      email_2: 'iris@home.example',
      phone_2: '+31 20 000 0002',
      notes: 'First line\nsecond, with a comma; and more than one line',
    })
    assert.equal(iris.linkedin_url, 'https://www.linkedin.com/in/iris')
    assert.equal(iris.profile_image, 'https://pictures.example/iris.jpg')
    const asa = await person('asa@nordlys.example')
    assert.deepEqual(
      [asa.full_name, asa.phone, asa.company.company_name],
      ['Åsa Lindqvist', '+47 900 00 001', 'Nordlys AS'],
    )
    assert.deepEqual(asa.custom_fields, {
      birthday: '--02-29',
      email_2: 'asa@old.example',
      phone_2: '+47 1',
    })
    const li = await person('li@li.example')
    assert.deepEqual([li.full_name, li.phone], ['Li Wei', '+86-10-0000 ext. 12'])
    assert.deepEqual(li.custom_fields, { birthday: '--04-12', email_2: 'second@li.example' })

    await imported(outlook, 'jg.vcf')
    const juergen = await person('juergen@hellwerk.example')
    assert.deepEqual(
      [juergen.full_name, juergen.job_title, juergen.department, juergen.phone],
      ['Jürgen Größ', 'Leiter für Einkäufe', 'Einkauf', '+49 30 1234'],
    )
    assert.equal(juergen.custom_fields.phone_2, '+49 170 1234')
  })

  test('a card may come as text, and is refused where it is to become something else', async () => {
    const csv = card('VERSION:3.0', 'FN:As Text', 'EMAIL:text@card.example')
    const uploaded = await call('POST', '/api/imports/', { module: 'contacts', csv })
    assert.equal((await run(uploaded.import_id)).created, 1)
    await person('text@card.example')
    const other = await refused('POST', '/api/imports/', { module: 'deals', csv })
    const message = 'must be contacts: the file is a vCard file'
    assert.deepEqual(other.errors, [{ field: 'module', message }])
    await send(calendar(event('UID:1')), 'a.ics', 'contacts', 400)
    const empty = await send(card('VERSION:3.0'), 'a.vcf', 'contacts', 400)
    assert.deepEqual(empty.errors, [{ field: 'file', message: 'is a vCard file without a person' }])
  })

  test('a calendar arrives with its series, its zones and its people', async () => {
    await call('POST', '/api/contact/', {
      full_name: 'Bo Berg',
      primary_email: 'bo@berg.example',
    })
    const contact = await person('bo@berg.example')
    const rules = [
      'BEGIN:VTIMEZONE',
      'TZID:W. Europe Standard Time',
      'BEGIN:STANDARD',
      'DTSTART:16010101T030000',
      'TZOFFSETFROM:+0200',
      'TZOFFSETTO:+0100',
      'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10',
      'END:STANDARD',
      'BEGIN:DAYLIGHT',
      'DTSTART:16010101T020000',
      'TZOFFSETFROM:+0100',
      'TZOFFSETTO:+0200',
      'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3',
      'END:DAYLIGHT',
      'END:VTIMEZONE',
    ]
    const own = rules.map((line) => line.replace('W. Europe Standard Time', 'Customized Zone'))
    const file = calendar(
      event(
        'UID:series@outlook',
        'SUMMARY:Weekly\\, review',
        'DTSTART;TZID=W. Europe Standard Time:20270105T090000',
        'DTEND;TZID=W. Europe Standard Time:20270105T100000',
        'RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=10',
        'EXDATE;TZID=W. Europe Standard Time:20270112T090000,20270119T090000',
        'LOCATION:Room 4',
        'DESCRIPTION:Agenda\\n- one\\n- tw',
        ' o',
        'ORGANIZER;CN=Ada Chair:mailto:ada@chair.example',
        'ATTENDEE;CN="Berg, Bo";ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;RSVP=TRUE:mailto:bo@berg.example',
        'ATTENDEE;ROLE=OPT-PARTICIPANT;CN=Opt:MAILTO:opt@else.example',
        'ATTENDEE;CUTYPE=ROOM;CN=Room 4:mailto:room4@else.example',
        'BEGIN:VALARM',
        'TRIGGER:-PT15M',
        'DESCRIPTION:Reminder',
        'SUMMARY:Not this',
        'END:VALARM',
      ),
      event(
        'UID:series@outlook',
        'RECURRENCE-ID;TZID=W. Europe Standard Time:20270126T090000',
        'SUMMARY:Weekly\\, moved',
        'DTSTART;TZID=W. Europe Standard Time:20270126T140000',
        'DTEND;TZID=W. Europe Standard Time:20270126T150000',
      ),
      event(
        'UID:days@google',
        'SUMMARY:Fair',
        'DTSTART;VALUE=DATE:20270301',
        'DTEND;VALUE=DATE:20270304',
        'STATUS:CANCELLED',
        'CLASS:PRIVATE',
      ),
      event(
        'UID:utc@google',
        'SUMMARY:Call',
        'DTSTART:20270210T130000Z',
        'DURATION:PT45M',
        'X-GOOGLE-CONFERENCE:https://meet.example/abc',
      ),
      event(
        'UID:own@apple',
        'SUMMARY:Summer call',
        'DTSTART;TZID=Customized Zone:20270701T100000',
        'DTEND;TZID=Customized Zone:20270701T110000',
      ),
      event(
        'UID:old@mozilla',
        'SUMMARY:New York',
        'DTSTART;TZID=/mozilla.org/20050126_1/America/New_York:20270701T100000',
      ),
      ...rules,
      ...own,
      lines('BEGIN:VTODO', 'UID:t', 'SUMMARY:Task', 'END:VTODO'),
    )
    const done = await imported(file, 'team.ics', 'meetings')
    assert.equal(done.created, 6)
    assert.deepEqual(done.uploaded.warnings, ['Tasks and journals of the calendar are left out: 1'])
    const series = await meeting('Weekly, review')
    assert.deepEqual(
      [series.start, series.end, series.timezone.name, series.location, series.description],
      [
        '2027-01-05T08:00:00.000Z',
        '2027-01-05T09:00:00.000Z',
        'Europe/Berlin',
        'Room 4',
        'Agenda\n- one\n- two',
      ],
    )
    assert.deepEqual(series.repeat, {
      rrule: 'FREQ=WEEKLY;BYDAY=TU;COUNT=10',
      exdates: ['2027-01-12T08:00:00Z', '2027-01-19T08:00:00Z', '2027-01-26T08:00:00Z'],
    })
    assert.deepEqual(
      series.attendees.map(({ type, id, email, is_optional, response }: any) => [
        type,
        id,
        email,
        is_optional,
        response,
      ]),
      [
        ['external', null, 'ada@chair.example', false, 'needs_action'],
        ['contact', contact.contact_id, 'bo@berg.example', false, 'accepted'],
        ['external', null, 'opt@else.example', true, 'needs_action'],
      ],
    )
    const moved = await meeting('Weekly, moved')
    assert.deepEqual([moved.start, moved.repeat], ['2027-01-26T13:00:00.000Z', null])
    const fair = await meeting('Fair')
    assert.deepEqual(
      [fair.start, fair.end, fair.all_day, fair.is_meeting_cancelled, fair.is_private],
      ['2027-03-01T00:00:00.000Z', '2027-03-03T00:00:00.000Z', true, true, true],
    )
    const talk = await meeting('Call')
    assert.deepEqual(
      [talk.start, talk.end, talk.link],
      ['2027-02-10T13:00:00.000Z', '2027-02-10T13:45:00.000Z', 'https://meet.example/abc'],
    )
    assert.equal((await meeting('Summer call')).start, '2027-07-01T08:00:00.000Z')
    const york = await meeting('New York')
    assert.deepEqual(
      [york.start, york.timezone.name],
      ['2027-07-01T14:00:00.000Z', 'America/New_York'],
    )

    // once more changes nothing, and an export keeps the days that are left out
    const again = await send(file, 'team.ics', 'meetings')
    const { created, updated } = await its.run(again.import_id, { on_duplicate: 'update' })
    assert.deepEqual([created, updated], [0, 0])
    const exported = await service.call('GET', '/api/exports/meetings/?q=review', {
      token: org.users.admin.token,
    })
    assert.match(exported.text, /2027-01-12T08:00:00Z; 2027-01-19T08:00:00Z/)
  })

  test('other kinds of files are named as what they are', async () => {
    const old = Buffer.alloc(2048)
    Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(old)
    const secret = Buffer.concat([old, Buffer.from('EncryptedPackage', 'utf16le')])
    const kinds: [Buffer, RegExp][] = [
      [old, /old Excel file \(\.xls\)/],
      [secret, /password/],
      [Buffer.from('%PDF-1.7\n'), /pdf/],
      [Buffer.from('\ufeff[\n  {"name": "Ada"}\n]'), /JSON/],
      [Buffer.from('{"contacts": []}'), /JSON/],
      [zipOf({ 'xl/workbook.bin': 'x' }), /\.xlsb/],
      [zipOf({ 'word/document.xml': 'x' }), /Word/],
      [zipOf({ mimetype: 'application/vnd.oasis.opendocument.spreadsheet' }), /\.xlsx/],
    ]
    for (const [bytes, words] of kinds) {
      const { errors } = await send(bytes, 'file', 'contacts', 400)
      assert.equal(errors[0].field, 'file')
      assert.match(errors[0].message, words)
    }
  })

  test('another sheet of a workbook can be chosen until the start', async () => {
    const header = ['Full name', 'Email']
    const book = workbookOfSheets([
      { name: 'Cover', rows: [['Export of today'], ['by Ada']] },
      { name: 'People', rows: [header, ['Sheet One', 'one@sheet.example']] },
      {
        name: 'More "people"',
        rows: [
          ['E-mail', 'Name', 'Phone'],
          ['two@sheet.example', 'Sheet Two', '+1 2'],
        ],
      },
    ])
    const uploaded = await send(book, 'book.xlsx')
    const { reading, warnings, import_id } = uploaded
    assert.deepEqual(
      [reading.sheet, reading.sheets],
      ['People', ['Cover', 'People', 'More "people"']],
    )
    assert.match(warnings[0], /Only the sheet People/)
    const changed = await call('PUT', `/api/imports/${import_id}/`, { sheet: 'more "PEOPLE"' })
    assert.deepEqual(changed.columns, ['E-mail', 'Name', 'Phone'])
    assert.deepEqual(changed.mapping, {
      'E-mail': 'primary_email',
      Name: 'full_name',
      Phone: 'phone',
    })
    assert.equal(changed.reading.sheet, 'More "people"')
    assert.equal(changed.preview[0].values.phone, '+1 2')
    const wrong = await refused('PUT', `/api/imports/${import_id}/`, { sheet: 'None' })
    assert.match(wrong.errors[0].message, /sheets are Cover, People/)
    const done = await run(import_id)
    assert.deepEqual([done.created, done.reading.sheet], [1, 'More "people"'])
    assert.equal((await person('two@sheet.example')).phone, '+1 2')
    assert.deepEqual(
      await call('GET', '/api/contact/?page=1&items_per_page=50&q=one@sheet.example'),
      [],
    )

    const second = await send(book, 'book.xlsx')
    assert.equal((await its.run(second.import_id, { sheet: 'People' })).created, 1)
    await person('one@sheet.example')
  })

  test('a date of a calendar that is none is reported with its row, and the others arrive', async () => {
    const days = (uid: string, ...more: string[]) =>
      event(`UID:${uid}`, `SUMMARY:${uid}`, 'DTSTART;VALUE=DATE:20270105', ...more)
    const file = calendar(
      event('UID:start', 'SUMMARY:No such day', 'DTSTART;VALUE=DATE:20270230'),
      days('End', 'DTEND;VALUE=DATE:20270230'),
      days('Too long', 'DURATION:P400000Y'),
      event('UID:4', 'SUMMARY:Endless', 'DTSTART:20270105T100000Z', 'DURATION:P400000Y'),
      event('UID:5', 'SUMMARY:Ends', 'DTSTART:20270105T100000Z', 'DTEND:20270132T100000Z'),
      days('Fair again', 'RDATE:20270112T090000Z,20270230'),
    )
    const { import_id, warnings } = await send(file, 'dates.ics', 'meetings')
    assert.deepEqual(warnings, [])
    const done = await run(import_id)
    assert.deepEqual([done.created, done.failed], [2, 6])
    const found = await its.list('/api/calendar/info/?q=fair again')
    const times = found.map(({ start, end, all_day }) => [start, end, all_day])
    assert.deepEqual(times.sort(), [
      ['2027-01-05T00:00:00.000Z', '2027-01-05T00:00:00.000Z', true],
      ['2027-01-12T00:00:00.000Z', '2027-01-12T00:00:00.000Z', true],
    ])
    for (const { errors } of done.errors) assert.match(errors[0].message, /is not a date/)
  })

  test('one tag of a card is one, whatever signs it has', async () => {
    const tagged = (name: string, tags: string) =>
      card('VERSION:3.0', `FN:${name}`, `EMAIL:${name}@tag.example`, `CATEGORIES:${tags}`)
    await imported(tagged('comma', 'VIP\\, old') + tagged('list', '[a]\\;b,c'), 'tags.vcf')
    assert.deepEqual((await person('comma@tag.example')).tags, ['VIP, old'])
    assert.deepEqual((await person('list@tag.example')).tags, ['[a];b', 'c'])
  })

  test('choosing another sheet is as uploading it', async () => {
    const rows = [
      ['Full name', 'Email'],
      ['Sheet One', 'first@book.example'],
    ]
    const strange = [
      ['Qux', 'Zap'],
      ['Sheet Two', 'second@book.example'],
    ]
    const broken = [...rows, [...Array.from({ length: 501 }, () => ''), 'too far away']]
    const book = workbookOfSheets([
      { name: 'People', rows },
      { name: 'Un\u2028known', rows: strange },
      { name: 'Broken', rows: broken },
    ])
    const { import_id } = await send(book, 'book.xlsx')
    const path = `/api/imports/${import_id}/`
    const unknown = await call('PUT', path, { sheet: 'Un\u2028known' })
    assert.deepEqual([unknown.mapping, unknown.is_remembered], [{ Qux: null, Zap: null }, false])
    assert.match(unknown.warnings[0], /No column is known/)
    assert.equal(unknown.checked, null)
    const lost = await refused('PUT', path, { sheet: 'Broken' })
    assert.deepEqual(
      lost.errors.map(({ field }: { field: string }) => field),
      ['sheet'],
    )
    const mapping = { Qux: 'full_name', Zap: 'primary_email' }
    const mapped = await call('PUT', path, { mapping })
    assert.equal(mapped.checked.created, 1)
    assert.equal((await its.run(import_id)).created, 1)
    await person('second@book.example')

    // what was chosen for such a sheet is known for the next one
    const next = await send(book, 'book.xlsx')
    const chosen = await call('PUT', `/api/imports/${next.import_id}/`, { sheet: 'Un\u2028known' })
    assert.deepEqual([chosen.mapping, chosen.is_remembered], [mapping, true])
    assert.deepEqual(chosen.warnings, [])
  })

  test('a workbook that waits without the names of its sheets has one sheet', async () => {
    const header = () => 2
    const read = async (isNamed: boolean) => {
      const names = []
      const bytes = Readable.from([Buffer.from('[1,["Name"]]\n[2,["Ada"]]\n')])
      const reading = { type: 'xlsx', sheet: 'People' } as const
      for await (const { cells } of rowsBelow(bytes, reading, header, isNamed)) names.push(...cells)
      return names
    }
    assert.deepEqual(await read(false), ['Name', 'Ada'])
    await assert.rejects(read(true), NoSuchSheet)
  })
})
