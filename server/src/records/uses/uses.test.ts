import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, describe, test } from 'node:test'
import type { TestOrganization, TestService } from '../../../test/support/service.ts'
import { idOf, makeOrganization, startService } from '../../../test/support/service.ts'

/** An id of a dashboard, which its creator chooses. */
const fresh = () => randomBytes(12).toString('hex')

describe('what uses a record', () => {
  let service: TestService
  let org: TestOrganization

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
  })

  const send = (method: string, path: string, body?: object, as: 'admin' | 'member' = 'admin') =>
    service.call(method, path, { token: org.users[as].token, ...(body ? { body } : {}) })
  const uses = async (module: string, id: string, as: 'admin' | 'member' = 'admin') =>
    send('GET', `/api/uses/${module}/${id}/`, undefined, as)
  const made = async (path: string, body: object, as: 'admin' | 'member' = 'admin') => {
    const reply = await send('POST', path, body, as)
    assert.equal(reply.status, 201, reply.text)
    return idOf(reply)
  }
  const filter = (name: string) =>
    made('/api/filters/filter/', { name, module: 'deals', visibility: 'public', conditions: [] })
  const dashboard = (dashboard_name: string, filter_id: string, as: 'admin' | 'member') =>
    made(
      '/api/dashboards/info/',
      {
        dashboard_id: fresh(),
        dashboard_name,
        widgets: [
          {
            widget_id: 'w1',
            widget_type: 'deals_by_stage',
            position: { x: 0, y: 0, w: 4, h: 4 },
            config: { filter_id },
          },
        ],
      },
      as,
    )

  test('a saved filter names the dashboards of the reader, and counts those of others', async () => {
    const id = await filter('Open deals')
    assert.deepEqual((await uses('filters', id)).body, [])
    const own = await dashboard('Mine', id, 'admin')
    await dashboard('Private', id, 'member')
    const { body } = await uses('filters', id)
    assert.deepEqual(
      body.map(({ word, field, count, hidden, records, effect }: { [name: string]: unknown }) => ({
        word,
        field,
        count,
        hidden,
        records,
        effect,
      })),
      [
        {
          word: 'dashboard',
          field: 'widgets',
          count: 1,
          hidden: 1,
          records: [{ id: own, name: 'Mine' }],
          effect: 'without_effect',
        },
      ],
    )
  })

  test('who may not delete the record is not told', async () => {
    const id = await filter('Of the admin')
    assert.equal((await uses('filters', id, 'member')).status, 404)
    assert.equal((await uses('nothing', id)).status, 404)
    const other = await makeOrganization(service)
    const path = `/api/uses/filters/${id}/`
    const { status } = await service.call('GET', path, { token: other.users.admin.token })
    assert.equal(status, 404)
  })

  test('a widget whose filter is deleted says so instead of 404, and works again once it is restored', async () => {
    const id = await filter('To be deleted')
    const dashboard_id = await dashboard('With it', id, 'admin')
    const path = `/api/dashboards/widget/?widget_type=deals_by_stage&dashboard_id=${dashboard_id}&widget_id=w1`
    const gone = async () => {
      const { status, body, text } = await send('GET', path)
      assert.equal(status, 200, text)
      return body.is_filter_deleted
    }
    assert.equal(await gone(), false)
    await send('DELETE', `/api/filters/filter/${id}/`)
    assert.equal(await gone(), true)
    await send('POST', `/api/filters/filter/${id}/restore/`)
    assert.equal(await gone(), false)
  })

  test('a pipeline names its deals', async () => {
    const pipeline_id = await made('/api/pipelines/', { pipeline_name: 'For uses' })
    assert.deepEqual((await uses('pipeline', pipeline_id)).body, [])
    const body = { project_name: 'Renewal', project_type: 'deal', pipeline_id }
    const id = await made('/api/project/info/', body)
    const { status, text, body: found } = await uses('pipeline', pipeline_id)
    assert.equal(status, 200, text)
    const deals = found.find(({ word }: { word: string }) => word === 'deal')
    assert.ok(deals, text)
    assert.deepEqual(
      [deals.field, deals.effect, deals.records],
      ['pipeline_id', 'shown_empty', [{ id, name: 'Renewal' }]],
    )
  })
})
