import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { depth } from '../support/depth.ts'
import type { TestOrganization, TestService } from '../support/service.ts'
import { makeOrganization, rows, sql, startService } from '../support/service.ts'

const wanted = depth(200, 600)
const connections = 50
const limit = Math.floor(wanted * 0.9)

describe(`${wanted} answers to one survey from ${connections} connections`, () => {
  let service: TestService
  let org: TestOrganization

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
  })

  test('none goes over the limit, and what the insights say is what was answered', async () => {
    const { token } = org.users.admin
    const call = (method: string, path: string, body?: object) =>
      service.call(method, path, { token, body })
    const fields = [
      { id: 'nps', type: 'nps', label: 'Recommend?', required: true },
      { id: 'csat', type: 'csat', label: 'Satisfied?' },
      { id: 'best', type: 'single-select', label: 'Best?', options: ['a', 'b', 'c'] },
    ]
    const made = await call('POST', '/api/surveys/', {
      name: 'Load',
      form_structure: [{ id: 'p', title: '', fields }],
      status: 'published',
      response_limit: limit,
    })
    const path = `/api/surveys/${made.body.survey_id}/`
    const accepted: { nps: number; csat?: number; best: string }[] = []
    const statuses = new Map<number, number>()
    let next = 0
    const work = async () => {
      while (next < wanted) {
        const n = next++
        const answers = {
          nps: (n * 7) % 11,
          ...(n % 3 ? { csat: 1 + (n % 5) } : {}),
          best: 'abc'[n % 3]!,
        }
        const { status } = await call('POST', `${path}fill/`, { answers })
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        if (status === 201) accepted.push(answers)
      }
    }
    await Promise.all(Array.from({ length: connections }, work))

    assert.deepEqual(Object.fromEntries(statuses), { 201: limit, 409: wanted - limit })
    const [stored] = await rows(
      service,
      sql`select count(*)::int as count from survey_responses where organization_id = ${org.id}`,
    )
    assert.equal(stored.count, limit)
    const { body } = await call('GET', `${path}insights/`)
    assert.equal(body.response_count, limit)
    const { insights } = body
    assert.equal(insights.total_responses, limit)
    const promoters = accepted.filter(({ nps }) => nps >= 9).length
    const detractors = accepted.filter(({ nps }) => nps <= 6).length
    assert.equal(insights.nps, percent(promoters - detractors, limit))
    const rated = accepted.flatMap(({ csat }) => (csat === undefined ? [] : [csat]))
    const happy = rated.filter((csat) => csat >= 4).length
    assert.equal(insights.csat, percent(happy, rated.length))
    const question = insights.questions.find((each: any) => each.field_id === 'best')
    for (const { value, count } of question.distribution) {
      assert.equal(count, accepted.filter(({ best }) => best === value).length, value)
    }
  })
})

/** In per cent, with two digits. */
function percent(some: number, all: number): number {
  return Number(((100 * some) / all).toFixed(2))
}
