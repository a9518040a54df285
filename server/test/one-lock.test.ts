import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Context, Queries, Query } from '../src/kit/ground/context.ts'
import { compile } from '../src/kit/ground/sql.ts'
import { caseOf, everyRoute, send } from './support/routes.ts'
import { startService } from './support/service.ts'
import { makeWorld } from './support/world.ts'

// A change reads and locks its record once: a second time costs each of them a round trip.

const service = await startService()
const world = await makeWorld(service)
/** Who changes a user reads what they may read, and then writes what a user's own rights do not show them. */
const lockingTwice = ['update_user', 'upload_user_image']

/** The statements that the operation waited for, since it was called. */
let sent: string[] = []

/** The same queries, each noted with what it is about. */
function noting<C extends Queries>(ctx: C, organization: string): C {
  const noted = Object.fromEntries(
    (['all', 'one', 'cells', 'run'] as const).map((how) => [
      how,
      (query: Query) => {
        const { text, values } = compile(query, organization)
        sent.push(`${text} ${JSON.stringify(values)}`)
        return ctx[how](query)
      },
    ]),
  )
  return { ...ctx, ...noted }
}

for (const { surface, route, title } of everyRoute(world)) {
  const { operation, method } = route
  if ((method !== 'PUT' && method !== 'PATCH') || lockingTwice.includes(operation.name)) continue
  describe(title, () => {
    test('locks no record twice', async (t) => {
      const request = await caseOf(route).request(world)
      const { run } = operation
      sent = []
      operation.run = (ctx: Context, input) => run(noting(ctx, ctx.organization.id), input)
      try {
        const reply = await send(world, surface, route, request)
        assert.equal(reply.status, route.status, reply.text)
      } finally {
        operation.run = run
      }
      const locks = sent.filter((statement) => statement.includes('for update of t'))
      assert.deepEqual(locks, [...new Set(locks)])
      t.diagnostic(`${sent.length} statements, ${locks.length} of them locks`)
    })
  })
}
