import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Query } from '../../../kit/ground/context.ts'
import { sql } from '../../../kit/ground/sql.ts'
import { connectApp } from '../../../../test/support/integration.ts'
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

  test('a stage says what a deal needs to go on to it, and every way in asks for exactly that', async () => {
    const fields = [{ key: 'sponsor', label: 'Sponsor', type: 'text' }]
    const settings = '/api/organization/settings/fields/deals/'
    assert.equal((await call('PUT', settings, { fields })).status, 200)
    const required_fields = ['contract_duration', 'custom_fields.sponsor', 'customer']
    const input = {
      pipeline_name: 'Needy',
      stages: [{ stage_name: 'Talk' }, { stage_name: 'Sign', required_fields }],
    }
    const made = await call('POST', at, input)
    assert.equal(made.status, 201, made.text)
    const [talk, sign] = made.body.stages
    assert.deepEqual([talk.required_fields, sign.required_fields], [[], required_fields])
    for (const name of ['no_such_field', 'creation_time', 'custom_fields.gone']) {
      const stages = [{ ...talk, required_fields: [name] }]
      const reply = await call('PUT', `${at}${made.body.pipeline_id}/`, { stages })
      refusedField(reply, ['stages.0.required_fields.0'])
    }

    const { pipeline_id } = made.body
    const id = await deal({ pipeline_id, stage_id: talk.stage_id, contract_duration: 12 })
    const path = `/api/project/info/${id}/`
    const app = await connectApp(service, org)
    const set = { stage_id: sign.stage_id }
    const missing = ['custom_fields.sponsor', 'customer']
    const replies = [
      await call('PUT', path, set),
      await call('POST', `${path}move/`, { set }),
      await app.call('PUT', `/automation/project/${id}`, { body: set }),
    ]
    for (const reply of replies) {
      assert.deepEqual([reply.status, reply.body.code], [400, 'stage_requires'], reply.text)
      const named = reply.body.errors.map(({ field }: { field: string }) => field)
      assert.deepEqual(named, missing)
      assert.match(reply.body.message, /Sponsor is required to go on to Sign/)
    }
    const bulk = { ids: [id], action: 'update', fields: set }
    const many = await call('POST', '/api/project/info/bulk/', bulk)
    assert.equal(many.status, 200, many.text)
    assert.deepEqual([many.body.updated, many.body.failed.length], [0, 1])
    assert.match(many.body.failed[0].error, /Sponsor is required to go on to Sign/)
    const whole = { pipeline_id, stage_id: sign.stage_id, project_name: 'D', project_type: 'deal' }
    const fresh = await call('POST', '/api/project/info/', whole)
    assert.deepEqual([fresh.status, fresh.body.code], [400, 'stage_requires'])
    assert.equal((await call('GET', path)).body.current_pipe_stage.stage_id, talk.stage_id)

    // what is missing may come with the move, and a step back needs nothing
    const person = await call('POST', '/api/contact/', { full_name: 'Inès Vautrin' })
    const customer = { contact_id: person.headers.get('x-record-id') }
    const more = { custom_fields: { sponsor: 'Inès' }, customer }
    const moved = await call('PUT', path, { ...set, ...more })
    assert.equal(moved.status, 200, moved.text)
    const emptied = { stage_id: talk.stage_id, contract_duration: null }
    assert.equal((await call('PUT', path, emptied)).status, 200)
    const again = await call('PUT', path, set)
    assert.deepEqual(
      again.body.errors.map(({ field }: { field: string }) => field),
      ['contract_duration'],
    )
    // a field that the organization has archived is required of nobody
    await call('PUT', path, { contract_duration: 3, custom_fields: { sponsor: null } })
    assert.equal((await call('PUT', path, set)).body.code, 'stage_requires')
    const archived = fields.map((field) => ({ ...field, is_archived: true }))
    assert.equal((await call('PUT', settings, { fields: archived })).status, 200)
    assert.equal((await call('PUT', path, set)).status, 200)
    // and may be sent back with its stage
    const stages = made.body.stages.map((each: object) => ({ ...each, color: '#336699' }))
    const kept = await call('PUT', `${at}${pipeline_id}/`, { stages })
    assert.equal(kept.status, 200, kept.text)
    assert.deepEqual(kept.body.stages[1].required_fields, required_fields)
  })

  test('a deal says how long it is in its stage, what is usual, and how its day has slipped', async () => {
    const { body: made } = await call('POST', at, { pipeline_name: 'Measured' })
    const { pipeline_id, stages } = made
    const [open, won] = stages
    const first = { pipeline_id, stage_id: open.stage_id, forecasted_date: '2027-03-01' }
    const ids = [await deal(first), await deal(first), await deal(first), await deal(first)]
    const run = (query: Query) =>
      service.runtime.database.transaction(org.id, (queries) => queries.run(query))
    const figures = async (id: string) =>
      (await call('GET', `/api/project/info/${id}/figures/`)).body
    const none = { stage_age_days: 0, stage_usual_days: null }
    assert.deepEqual(await figures(ids[3]!), {
      ...none,
      close_date_moves: 0,
      close_date_days: null,
    })
    for (const [at, id] of ids.slice(0, 3).entries()) {
      const path = `/api/project/info/${id}/`
      assert.equal((await call('PUT', path, { stage_id: won.stage_id })).status, 200)
      // the past of a stage is what only time writes
      await run(sql`update stage_changes
        set entered_at = left_at - make_interval(days => ${[3, 5, 20][at]!})
        where project_id = ${id} and left_at is not null`)
    }
    await run(
      // whole days: 20 hours more are none
      sql`update projects set stage_entered_at = now() - interval '8 days 20 hours'
        where id = ${ids[3]!}`,
    )
    for (const forecasted_date of ['2027-03-11', '2027-03-22']) {
      await call('PUT', `/api/project/info/${ids[3]}/`, { forecasted_date })
    }
    const slipped = { close_date_moves: 2, close_date_days: 21 }
    assert.deepEqual(await figures(ids[3]!), {
      stage_age_days: 8,
      stage_usual_days: 5,
      ...slipped,
    })
    assert.equal((await figures(ids[0]!)).stage_age_days, null)
    const project = await call('POST', '/api/project/info/', { project_name: 'No deal' })
    const id = project.headers.get('x-record-id')
    assert.equal((await call('GET', `/api/project/info/${id}/figures/`)).status, 404)
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
