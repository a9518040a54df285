import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { ConnectedApp } from '../../../test/support/integration.ts'
import { connectApp } from '../../../test/support/integration.ts'
import { refusedField } from '../../../test/support/refused.ts'
import type { TestService } from '../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../test/support/service.ts'

describe('days and times in custom fields', () => {
  let service: TestService
  let app: ConnectedApp

  before(async () => {
    service = await startService()
    app = await connectApp(service, await makeOrganization(service, 'Europe/Paris'))
    const fields = [
      { key: 'seen_at', type: 'datetime' },
      { key: 'renewal', type: 'date' },
      { key: 'begins_at', type: 'datetime', default: '2026-07-01T09:00' },
      { key: 'slot', type: 'datetime', unique: true },
    ]
    const reply = await app.call('PUT', '/automation/contact/field-config', { body: { fields } })
    assert.equal(reply.status, 200, reply.text)
  })

  const create = (custom_fields: object, query = {}) =>
    app.call('POST', '/automation/contact', { body: { full_name: 'Ada', custom_fields }, query })

  test('a time is stored in UTC, and one without an offset is of the zone of the organization', async () => {
    for (const [sent, stored] of [
      ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.000Z'],
      ['2026-01-02T03:04:05.678+02:00', '2026-01-02T01:04:05.678Z'],
      ['2026-01-02T03:04:05', '2026-01-02T02:04:05.000Z'],
      ['2026-07-02 03:04', '2026-07-02T01:04:00.000Z'],
      [' 2026-07-02T03:04Z ', '2026-07-02T03:04:00.000Z'],
      ['2026-01-02', '2026-01-01T23:00:00.000Z'],
    ]) {
      const reply = await create({ seen_at: sent })
      assert.equal(reply.status, 201, reply.text)
      assert.equal(reply.body.data.custom_fields.seen_at, stored, sent)
      assert.equal(reply.body.data.custom_fields.begins_at, '2026-07-01T07:00:00.000Z')
    }
    for (const wrong of [
      'soon',
      '2026-02-30T10:00',
      '2026-01-02T25:00Z',
      '2026-01-02T03:04 GMT',
      5,
    ]) {
      refusedField(await create({ seen_at: wrong }), ['custom_fields.seen_at'])
    }
  })

  test('a time without an offset is found, sorted and compared like any other', async () => {
    await create({ seen_at: '2027-03-04T10:00' })
    const filter = (operator: string, value?: string) =>
      JSON.stringify([{ field: 'custom_fields.seen_at', operator, value }])
    for (const condition of [
      filter('eq', '2027-03-04T09:00:00Z'),
      filter('gt', '2027-03-04T08:59:59Z'),
    ]) {
      const reply = await app.call('GET', '/automation/contact', { query: { filter: condition } })
      assert.equal(reply.body.results.length, 1, condition)
    }
  })

  test('a day takes a time, and has its day in the zone of the organization', async () => {
    for (const [sent, stored] of [
      ['2026-01-02T23:30:00Z', '2026-01-03'],
      ['2026-01-02T23:30:00', '2026-01-02'],
      ['2026-01-02', '2026-01-02'],
    ]) {
      const reply = await create({ renewal: sent })
      assert.equal(reply.status, 201, reply.text)
      assert.equal(reply.body.data.custom_fields.renewal, stored, sent)
    }
    refusedField(await create({ renewal: '02.01.2026' }), ['custom_fields.renewal'])
  })

  test('the same time is the same value of a unique field, however it is written', async () => {
    assert.equal((await create({ slot: '2026-01-02T10:00:00+01:00' })).status, 201)
    assert.equal((await create({ slot: '2026-01-02T09:00Z' })).status, 409)
    const query = { match: 'custom_fields.slot', on_duplicate: 'update' }
    assert.equal((await create({ slot: '2026-01-02T10:00' }, query)).status, 200)
  })

  test('what a read gave, sent back, changes nothing', async () => {
    const { data } = (await create({ seen_at: '2026-01-02', renewal: '2026-01-02T12:00Z' })).body
    const path = `/automation/contact/${data.contact_id}`
    const reply = await app.call('PUT', path, { body: data })
    assert.equal(reply.status, 200, reply.text)
    assert.equal(reply.body.data.version, data.version)
  })
})
