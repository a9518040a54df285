import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { refused, refusedField } from '../../../../test/support/refused.ts'
import type { TestOrganization, TestService } from '../../../../test/support/service.ts'
import { makeOrganization, startService } from '../../../../test/support/service.ts'

describe('pipelines', () => {
  let service: TestService
  let org: TestOrganization

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
  })

  type Role = keyof TestOrganization['users']
  const call = (method: string, path: string, body?: unknown, role: Role = 'admin') =>
    service.call(method, path, { token: org.users[role].token, body })
  const at = '/api/pipelines/'
  const names = (pipeline: { stages: { stage_name: string }[] }) =>
    pipeline.stages.map(({ stage_name }) => stage_name)
  const deal = async (body: object) => {
    const input = { project_name: 'D', project_type: 'deal', ...body }
    return (await call('POST', '/api/project/info/', input)).headers.get('x-record-id')!
  }

  test('a fresh organization has one, and a new one has stages that can be won and lost', async () => {
    const [sales] = (await call('GET', at)).body
    assert.equal(sales.is_default, true)
    assert.equal(sales.stages.length, 6)
    const made = await call('POST', at, { pipeline_name: 'Renewals' })
    assert.equal(made.status, 201, made.text)
    assert.deepEqual(names(made.body), ['Open', 'Closed won', 'Closed lost'])
    const same = await call('POST', at, { pipeline_name: 'renewals' })
    refused(same, 409)
    assert.equal(same.body.data.pipeline_id, made.body.pipeline_id)
  })

  test('its stages are merged, ordered and put away, and deals follow', async () => {
    const stages = [
      { stage_name: 'Talk', probability: 20 },
      { stage_name: 'Sign', probability: 80 },
      { stage_name: 'Yes', category: 'won' },
    ]
    const { body: made } = await call('POST', at, { pipeline_name: 'Partners', stages })
    assert.deepEqual(names(made), ['Talk', 'Sign', 'Yes'])
    const path = `${at}${made.pipeline_id}/`
    const [talk, sign, yes] = made.stages
    const more = await call('PUT', path, { stages: [{ stage_name: 'No', category: 'lost' }] })
    assert.deepEqual(names(more.body), ['Talk', 'Sign', 'Yes', 'No'])
    const order = [sign, talk, yes, { stage_key: 'no', stage_name: 'Never' }]
    const turned = await call('PUT', path, { stages: order })
    assert.deepEqual(names(turned.body), ['Sign', 'Talk', 'Yes', 'Never'])
    const again = await call('PUT', path, { stages: turned.body.stages })
    assert.equal(again.headers.get('etag'), turned.headers.get('etag'))

    const id = await deal({ pipeline_id: made.pipeline_id, stage_id: 'talk' })
    const { body: one } = await call('GET', `/api/project/info/${id}/`)
    assert.equal(one.current_pipe_stage.stage_id, talk.stage_id)
    refused(await call('PUT', path, { stages: [{ ...talk, is_archived: true }] }), 409)
    refused(await call('PUT', path, { stages: [{ ...talk, category: 'won' }] }), 409)
    refused(await call('DELETE', path), 409)
    const moved = await call('PUT', `/api/project/info/${id}/`, { stage_id: sign.stage_id })
    assert.equal(moved.status, 200, moved.text)
    const put = await call('PUT', path, {
      stages: [{ stage_id: talk.stage_id, is_archived: true }],
    })
    assert.equal(put.status, 200, put.text)
    const back = await call('PUT', `/api/project/info/${id}/`, { stage_id: talk.stage_id })
    refusedField(back, ['stage_id'])
    assert.equal((await call('DELETE', `/api/project/info/${id}/`)).status, 204)
    assert.equal((await call('DELETE', path)).status, 204)
    assert.equal((await call('POST', `${path}restore/`)).status, 200)
  })

  test('a deal that is restored is closed or open by what its stage means now', async () => {
    const { body: made } = await call('POST', at, { pipeline_name: 'Restored' })
    const path = `${at}${made.pipeline_id}/`
    const [open] = made.stages
    const spare = { stage_name: 'Spare', category: 'open' }
    const id = await deal({ pipeline_id: made.pipeline_id })
    const restored = () => call('POST', `/api/project/info/${id}/restore/`)
    await call('DELETE', `/api/project/info/${id}/`)
    await call('PUT', path, { stages: [spare, { stage_id: open.stage_id, category: 'won' }] })
    assert.ok((await restored()).body.closed_at)
    await call('DELETE', `/api/project/info/${id}/`)
    await call('PUT', path, { stages: [{ stage_id: open.stage_id, category: 'open' }] })
    assert.equal((await restored()).body.closed_at, null)

    await call('DELETE', `/api/project/info/${id}/`)
    assert.equal((await call('DELETE', path)).status, 204)
    const early = await restored()
    refused(early, 409)
    assert.equal(early.body.code, 'parent_deleted')
    await call('POST', `${path}restore/`)
    assert.equal((await restored()).status, 200)
  })

  test('no deal comes into a pipeline or a stage that goes at the same moment', async () => {
    for (let i = 0; i < 6; i++) {
      const stages = [{ stage_name: 'One' }, { stage_name: 'Two' }]
      const { body: made } = await call('POST', at, { pipeline_name: `Race ${i}`, stages })
      const path = `${at}${made.pipeline_id}/`
      const id = await deal({ pipeline_id: made.pipeline_id })
      const two = made.stages[1].stage_id
      const [moved] = await Promise.all([
        call('PUT', `/api/project/info/${id}/`, { stage_id: two }),
        call('PUT', path, { stages: [{ stage_id: two, category: 'won' }] }),
      ])
      const { body: now } = await call('GET', `/api/project/info/${id}/`)
      assert.equal(now.closed_at !== null, now.current_pipe_stage.category === 'won', moved.text)

      await call('DELETE', `/api/project/info/${id}/`)
      const input = { project_name: 'D', project_type: 'deal', pipeline_id: made.pipeline_id }
      const [created, deleted] = await Promise.all([
        call('POST', '/api/project/info/', input),
        call('DELETE', path),
      ])
      assert.ok(created.status !== 201 || deleted.status === 409, `${created.text} ${deleted.text}`)
    }
  })

  test('there is one default, which stays until another takes its place', async () => {
    const [before] = (await call('GET', at)).body.filter((each: any) => each.is_default)
    const path = `${at}${before.pipeline_id}/`
    refusedField(await call('PUT', path, { is_default: false }), ['is_default'])
    refused(await call('DELETE', path), 409)
    const made = await call('POST', at, { pipeline_name: 'New default', is_default: true })
    assert.equal(made.status, 201, made.text)
    assert.equal((await call('GET', path)).body.is_default, false)
    const { body } = await call('GET', `/api/project/info/${await deal({})}/`)
    assert.equal(body.pipeline_id, made.body.pipeline_id)
    await call('PUT', path, { is_default: true })
  })

  test('what is wrong with a stage is named', async () => {
    const wrong = async (stages: unknown, field: string) =>
      refusedField(await call('POST', at, { pipeline_name: 'Wrong', stages }), [field])
    await wrong([{ probability: 20 }], 'stages.0.stage_name')
    await wrong([{ stage_name: 'A', probability: 120 }], 'stages.0.probability')
    await wrong([{ stage_name: 'A', category: 'maybe' }], 'stages.0.category')
    await wrong([{ stage_name: 'A', stage_id: 'nope' }], 'stages.0.stage_id')
    await wrong([{ stage_name: 'A' }, { stage_name: 'A' }], 'stages.1')
    await wrong([{ stage_name: 'A', category: 'won' }], 'stages')
  })

  test('are read by who reads deals and changed by who may change them all', async () => {
    const [{ pipeline_id }] = (await call('GET', at, undefined, 'member')).body
    const path = `${at}${pipeline_id}/`
    refused(await call('PUT', path, { description: 'x' }, 'member'), 403)
    refused(await call('POST', at, { pipeline_name: 'x' }, 'member'), 403)
    refused(await call('DELETE', path, undefined, 'member'), 403)
    assert.equal((await call('PUT', path, { description: 'x' }, 'manager')).status, 200)
  })
})
