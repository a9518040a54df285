import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { TestOrganization, TestService } from '../../test/support/service.ts'
import { makeOrganization, startService } from '../../test/support/service.ts'
import type { PublicContext } from '../kit/ground/context.ts'
import { Failure } from '../kit/ground/errors.ts'
import { may } from '../kit/record/scope.ts'
import { mine, sql } from '../kit/ground/sql.ts'
import { loadActor } from '../records/users/actor.ts'
import { UserProfile } from '../model/users/user.ts'
import { anonymousCaller, publicContext } from '../runtime.ts'
import { readOne } from '../kit/read/one.ts'

describe('a caller without credentials', () => {
  let service: TestService
  let org: TestOrganization
  let ctx: PublicContext

  before(async () => {
    service = await startService()
    org = await makeOrganization(service)
    ctx = publicContext(service.runtime, anonymousCaller('a request'))
  })

  test('reads no row of any organization, whatever the statement is', async () => {
    assert.deepEqual(await ctx.all(sql`select id from users`), [])
    assert.deepEqual(await ctx.all(sql`select id from users where organization_id = ${org.id}`), [])
    assert.deepEqual(await ctx.all(sql`select id from users t where ${mine(ctx)}`), [])
    const reading = readOne(ctx, UserProfile, org.users.admin.user_id)
    await assert.rejects(reading, (error) => error instanceof Failure && error.status === 404)
  })

  test('reads none on a connection that has just read for an organization', async () => {
    const { database } = service.runtime
    const reads = Array.from({ length: 40 }, (_, i) =>
      i % 2
        ? database.reads(org.id).all(sql`select id from users`)
        : ctx.all(sql`select id from users`),
    )
    for (const [i, found] of (await Promise.all(reads)).entries()) {
      assert.equal(found.length > 0, i % 2 === 1)
    }
  })

  test('has no permission, and cannot write', async () => {
    for (const action of ['create', 'read', 'update', 'delete'] as const) {
      assert.equal(may(ctx.actor, { module: 'companies', action }), false)
    }
    await assert.rejects(ctx.run(sql`update users set full_name = 'x'`))
    assert.throws(() => ctx.emit({ type: null, title: 'x', module_id: null, reference_id: null }))
  })

  test('acts in an organization only as somebody whom the operation has identified', async () => {
    const user = await loadActor(ctx.lookup, org.id, org.users.admin.user_id)
    const found = await ctx.actAs(user!).reads.all(sql`select distinct organization_id from users`)
    assert.deepEqual(found, [{ organization_id: org.id }])
  })
})
