import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { TestService } from '../../test/support/service.ts'
import { makeOrganization, startService } from '../../test/support/service.ts'
import type { Organization } from '../kit/ground/context.ts'
import { inTurns } from './in-turns.ts'

describe('work for many organizations', () => {
  let service: TestService
  let organizations: Organization[]
  before(async () => {
    service = await startService()
    const made = [await makeOrganization(service), await makeOrganization(service)]
    organizations = made.map(({ id }) => ({ id, name: id, timezone: 'UTC' }))
  })

  test('much of it in one does not delay that of the others', async () => {
    const [busy, other] = organizations.map(({ id }) => id)
    const left = new Map([
      [busy, 3],
      [other, 1],
    ])
    const order: string[] = []
    const total = await inTurns(service.runtime, organizations, async (ctx) => {
      const { id } = ctx.organization
      const batches = left.get(id) ?? 0
      if (!batches) return 0
      left.set(id, batches - 1)
      order.push(id)
      return 10
    })
    assert.deepEqual(order, [busy, other, busy, busy])
    assert.equal(total, 40)
  })

  test('a failure in one does not stop that of the others, and is reported', async () => {
    const [broken, other] = organizations.map(({ id }) => id)
    const done: string[] = []
    const work = inTurns(service.runtime, organizations, async (ctx) => {
      const { id } = ctx.organization
      if (id === broken) throw new Error('broken')
      return done.push(id) > 2 ? 0 : 1
    })
    await assert.rejects(work, /broken/)
    assert.deepEqual(done, [other, other, other])
  })
})
