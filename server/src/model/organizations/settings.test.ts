import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { Temporal } from 'temporal-polyfill'
import { isTimeZone } from '../../kit/ground/time.ts'
import { refused, refusedField } from '../../../test/support/refused.ts'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { makeOrganization, rows, sql, startService } from '../../../test/support/service.ts'
import { pngOf } from '../../../test/support/picture.ts'

describe('settings of an organization', () => {
  let service: TestService
  let org: TestOrganization
  // a Wednesday
  const now = () => new Date('2026-03-11T12:00:00Z')

  before(async () => {
    service = await startService({}, now)
    org = await makeOrganization(service)
  })

  type Role = keyof TestOrganization['users']
  const call = (method: string, path: string, body?: unknown, role: Role = 'admin') =>
    service.call(method, path, { token: org.users[role].token, body })
  const at = '/api/organization/settings/'
  const logged = async () => {
    const { body } = await call('GET', '/api/activity/log/?items_per_page=1&page=1')
    return body[0]
  }

  test('refuse a time zone that Temporal or PostgreSQL does not know or reads differently', async () => {
    const wrong = [
      'PST',
      'IST',
      'AGT',
      '+02:00',
      '-0800',
      'SystemV/PST8PDT',
      'US/Pacific-New',
      'CET',
    ]
    for (const timezone of wrong) {
      const refusal = await call('PUT', at, { timezone })
      refusedField(refusal, ['timezone'], timezone)
    }
  })

  test('accept only those zone names without a place that mean the same time in PostgreSQL', async () => {
    const names = [
      'UTC',
      'GMT',
      'EST',
      'MST',
      'HST',
      'CET',
      'EET',
      'MET',
      'WET',
      'EST5EDT',
      'PST8PDT',
    ]
    const zones = [...names, 'Zulu', 'Japan', 'GB', 'NZ', 'PST', 'IST', 'Etc/GMT+5'].filter(
      isTimeZone,
    )
    assert.ok(zones.length > 8)
    for (const at of ['2026-01-15T12:00:00Z', '2026-07-15T12:00:00Z']) {
      const read = await rows<{ zone: string; local: string }>(
        service,
        sql`select zone, to_char(${at}::timestamptz at time zone zone, 'YYYY-MM-DD"T"HH24:MI') as local
          from unnest(${zones}::text[]) zone`,
      )
      for (const { zone, local } of read) {
        const time = Temporal.Instant.from(at).toZonedDateTimeISO(zone).toPlainDateTime()
        assert.equal(local, time.toString({ smallestUnit: 'minute' }), zone)
      }
    }
  })

  test('are changed by admins, logged, and read by everybody', async () => {
    const { body: fresh } = await call('GET', at, undefined, 'customer')
    assert.deepEqual(
      [fresh.language, fresh.week_start, fresh.working_days, fresh.logo_url, fresh.currency_unit],
      ['en', 1, [1, 2, 3, 4, 5], null, 'USD'],
    )
    const change = {
      name: ' Acme Care ',
      primary_color: '#14704C',
      currency_unit: 'EUR',
      timezone: 'Europe/Zurich',
      language: 'de',
    }
    const { body, status } = await call('PUT', at, change)
    assert.equal(status, 200)
    assert.deepEqual(body, { ...fresh, ...change, name: 'Acme Care' })
    assert.deepEqual((await call('GET', at)).body, body)
    const entry = await logged()
    const fields = entry.changes.map(({ field }: { field: string }) => field)
    assert.deepEqual(fields.sort(), [
      'currency_unit',
      'language',
      'name',
      'primary_color',
      'timezone',
    ])
    for (const role of ['manager', 'member', 'customer'] as const) {
      assert.equal((await call('PUT', at, change, role)).status, 403)
    }
    // what changes nothing is not logged
    await call('PUT', at, body)
    assert.equal((await logged()).log_id, entry.log_id)
  })

  test('refuse what they do not know, with the nearest name', async () => {
    const reply = await call('PUT', at, { primary_colour: '#14704C' })
    refusedField(reply, ['primary_colour'])
    assert.match(reply.body.message, /did you mean primary_color\?/)
    for (const [field, value] of Object.entries({
      name: ' ',
      language: 'xx',
      timezone: 'Mars/Olympus',
      week_start: 8,
      working_days: [],
      primary_color: 'green',
      currency_unit: 'Euro',
      logo_url: 'ftp://x.test/logo.png',
    })) {
      refusedField(await call('PUT', at, { [field]: value }), [field])
    }
  })

  test('say what would be right in words rather than as a pattern', async () => {
    const reply = await call('PUT', at, { primary_color: 'green', currency_unit: 'Euro' })
    assert.deepEqual(
      reply.body.errors.map(({ message }: { message: string }) => message),
      ['must be a color, as #14704C', 'must be a currency of ISO 4217, such as EUR'],
    )
  })

  test('decide when weeks start and on which days people work', async () => {
    const project = { project_name: 'P', start_date: '2026-03-02' }
    const made = await call('POST', '/api/project/info/', project)
    const project_id = made.headers.get('x-record-id')
    for (const [title, due_date] of [
      ['sunday', '2026-03-08'],
      ['monday', '2026-03-09'],
      ['next sunday', '2026-03-15'],
    ]) {
      const task = await call('POST', '/api/tasks/', { title, due_date, project_id })
      assert.equal(task.status, 201, task.text)
    }
    const due = async () => {
      const filter = JSON.stringify([{ field: 'due_date', operator: 'current_week' }])
      const list = await call(
        'GET',
        `/api/tasks/?sort=due_date&filter=${encodeURIComponent(filter)}`,
      )
      return list.body.map(({ title }: { title: string }) => title)
    }
    assert.deepEqual(await due(), ['monday', 'next sunday'])
    await call('PUT', at, { week_start: 7 })
    assert.deepEqual(await due(), ['sunday', 'monday'])

    const friday = { name: 'Fair', date: '2026-03-13' }
    await call('POST', '/api/holidays/holinfo/', { country: 'CH', state: 'ZH', holidays: [friday] })
    const next = async () => {
      const recurrence_pattern = { frequency: 'daily' }
      const task = {
        title: 'Daily',
        due_date: '2026-03-12',
        is_recurring: true,
        recurrence_pattern,
      }
      const { body, text } = await call('POST', '/api/tasks/', task)
      assert.ok(body.recurrence_pattern, text)
      return body.recurrence_pattern.next_occurrence
    }
    assert.equal(await next(), '2026-03-16')
    await call('PUT', at, { working_days: [7, 1, 2, 3] })
    assert.deepEqual((await call('GET', at)).body.working_days, [1, 2, 3, 7])
    assert.equal(await next(), '2026-03-15')
  })

  test('hold a logo that everybody can load', async () => {
    const bytes = pngOf()
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(bytes)]), 'logo.png')
    const { token } = org.users.admin
    const sent = await fetch(`${service.url}${at}logo/`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}` },
      body: form,
    })
    assert.equal(sent.status, 200, await sent.clone().text())
    const { logo_url } = (await sent.json()) as { logo_url: string }
    assert.equal((await call('GET', at)).body.logo_url, logo_url)
    const path = new URL(logo_url).pathname
    const loaded = await fetch(`${service.url}${path}`)
    assert.equal(loaded.headers.get('content-type'), 'image/png')
    assert.deepEqual(Buffer.from(await loaded.arrayBuffer()), bytes)
    const text = { image: Buffer.from('<svg/>').toString('base64') }
    refusedField(await call('PUT', `${at}logo/`, text), ['image'])
    refusedField(await call('PUT', `${at}logo/`, {}), ['file'])
    assert.equal((await call('PUT', `${at}logo/`, text, 'manager')).status, 403)
    assert.equal((await call('DELETE', `${at}logo/`)).status, 204)
    assert.equal((await fetch(`${service.url}${path}`)).status, 404)
    assert.equal((await call('GET', at)).body.logo_url, null)
  })

  test('say how mails and sharing begin', async () => {
    const mail = {
      sender_name: 'Care',
      reply_to: 'care@acme.test',
      footer: 'Acme',
      delivery: 'daily',
      survey_rest_days: null,
      survey_quiet_hours: { from: '20:00', to: '07:30' },
    }
    assert.deepEqual((await call('PUT', `${at}mail/`, mail)).body, mail)
    for (const [quiet, field] of [
      [{ from: '24:00', to: '07:00' }, 'survey_quiet_hours.from'],
      [{ from: '20:00' }, 'survey_quiet_hours.to'],
      [{ from: '20:00', to: '20:00' }, 'survey_quiet_hours.to'],
    ] as const) {
      refusedField(await call('PUT', `${at}mail/`, { survey_quiet_hours: quiet }), [field])
    }
    refusedField(await call('PUT', `${at}mail/`, { sender_name: 'A\nBcc: x@y.test' }), [
      'sender_name',
    ])
    const sharing = await call('PUT', `${at}sharing/`, { meetings: true })
    assert.deepEqual(sharing.body, {
      tasks: false,
      milestones: false,
      documents: false,
      meetings: true,
      comments: false,
    })
    for (const path of ['mail', 'sharing']) {
      assert.equal((await call('PUT', `${at}${path}/`, {}, 'manager')).status, 403)
      refused(await call('GET', `${at}${path}/`, undefined, 'customer'), 403)
    }
  })

  test('share new records by the organization’s default if a request does not say', async () => {
    const of = async (path: string, body: object) => {
      const made = await call('POST', path, body)
      assert.ok(made.status < 300, made.text)
      const location = made.headers.get('location')
      return (await call('GET', location ?? `${path}${made.headers.get('x-record-id')}/`)).body
        .is_shared as boolean
    }
    await call('PUT', `${at}sharing/`, { tasks: true, meetings: false })
    assert.equal(await of('/api/tasks/', { title: 'By default' }), true)
    assert.equal(await of('/api/tasks/', { title: 'Not this', is_shared: false }), false)
    const times = { start: '2026-03-02T09:00:00Z', end: '2026-03-02T10:00:00Z' }
    assert.equal(await of('/api/calendar/info/', { title: 'Internal', ...times }), false)
    await call('PUT', `${at}sharing/`, { tasks: false, meetings: true, documents: true })
    assert.equal(await of('/api/tasks/', { title: 'Again not' }), false)
    assert.equal(await of('/api/calendar/info/', { title: 'With them', ...times }), true)
    assert.equal(await of('/api/documents/', { document_name: 'Plan' }), true)
    await call('PUT', `${at}sharing/`, { meetings: false, documents: false })
  })

  test('hold the statuses of projects, milestones and tasks', async () => {
    const path = `${at}statuses/tasks/`
    const [body] = (await call('GET', `${at}statuses/?module=tasks`)).body
    assert.deepEqual((await call('PUT', path, body)).body, body)
    const keys = (statuses: { status_key: string }[]) => statuses.map((each) => each.status_key)
    const review = { status_name: 'In review', category: 'in_progress', color: '#112233' }
    const added = await call('PUT', path, { statuses: [review] })
    assert.deepEqual(keys(added.body.statuses), [...keys(body.statuses), 'in_review'])
    const turned = added.body.statuses.toReversed()
    assert.deepEqual(
      keys((await call('PUT', path, { statuses: turned })).body.statuses),
      keys(turned),
    )
    const task = await call('POST', '/api/tasks/', { title: 'T', status: 'in_review' })
    assert.equal(task.body.status.status_name, 'In review')
    refused(await call('DELETE', `${path}in_review/`), 409)
    const other = { status_key: 'in_review', category: 'completed' }
    refused(await call('PUT', path, { statuses: [other] }), 409)
    const archived = { status_key: 'in_review', is_archived: true }
    assert.equal((await call('PUT', path, { statuses: [archived] })).status, 200)
    refusedField(await call('POST', '/api/tasks/', { title: 'T', status: 'in_review' }), ['status'])
    const last = { status_key: 'completed', is_archived: true }
    refusedField(await call('PUT', path, { statuses: [last] }), ['statuses'])
    refused(await call('PUT', path, { statuses: [review] }, 'member'), 403)
    refusedField(await call('PUT', path, { statuses: [{ ...review, colour: 'x' }] }), [
      'statuses.0.colour',
    ])
    const spare = await call('PUT', path, {
      statuses: [{ status_name: 'Spare', category: 'on_hold' }],
    })
    assert.equal(spare.status, 200)
    assert.equal((await call('DELETE', `${path}spare/`)).status, 204)
  })

  test('change what a status means before a task takes it, or not at all', async () => {
    const path = `${at}statuses/tasks/`
    for (let i = 0; i < 6; i++) {
      const status = { status_key: `race_${i}`, status_name: `Race ${i}`, category: 'in_progress' }
      await call('PUT', path, { statuses: [status] })
      const { item_id } = (await call('POST', '/api/tasks/', { title: 'T' })).body
      await Promise.all([
        call('PUT', `/api/tasks/${item_id}/`, { status: status.status_key }),
        call('PUT', path, { statuses: [{ ...status, category: 'completed' }] }),
      ])
      const { body } = await call('GET', `/api/tasks/${item_id}/`)
      assert.equal(body.is_completed, body.status.category === 'completed')
    }
  })

  test('hold custom fields for every module that has them', async () => {
    for (const module of [
      'companies',
      'contacts',
      'accounts',
      'deals',
      'projects',
      'tasks',
      'documents',
      'users',
    ]) {
      const path = `${at}fields/${module}/`
      const field = { key: 'floor', label: 'Floor', type: 'number' }
      const { status, body, text } = await call('PUT', path, {
        fields: [field, { ...field, key: 'room', position: 0 }],
      })
      assert.equal(status, 200, text)
      const custom = body.fields.filter((each: { is_built_in: boolean }) => !each.is_built_in)
      assert.deepEqual(
        custom.map(({ key }: { key: string }) => key),
        ['room', 'floor'],
      )
      assert.equal((await call('DELETE', `${path}room/`)).status, 204)
      refused(await call('DELETE', `${path}room/`), 404)
    }
    const wrong = await call('POST', '/api/tasks/', { title: 'T', floor: 'high' })
    refusedField(wrong, ['custom_fields.floor'])
    assert.equal((await call('POST', '/api/tasks/', { title: 'T', floor: 3 })).status, 201)
    refused(await call('DELETE', `${at}fields/tasks/floor/`), 409)
    refused(await call('DELETE', `${at}fields/tasks/title/`), 409)
    refused(await call('PUT', `${at}fields/tasks/`, [], 'member'), 403)
    refusedField(await call('GET', `${at}fields/?module=milestones`), ['module'])
    const { body: all } = await call('GET', `${at}fields/`)
    assert.equal(all.length, 8)
    const sent = await call(
      'PUT',
      `${at}fields/tasks/`,
      all.find((each: { module: string }) => each.module === 'tasks'),
    )
    assert.equal(sent.status, 200, sent.text)
  })
})
