import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeOrganization, sql, startService } from '../../test/support/service.ts'

test('long statements, such as those of filters, are not stored by PostgreSQL on each connection', async () => {
  const service = await startService()
  const { id } = await makeOrganization(service)
  const { all } = service.runtime.database.reads(id)
  const select = (length: number) => sql.raw(`select 1 as one /* ${'x'.repeat(length)} */`)
  for (let n = 0; n < 40; n++) await Promise.all([all(select(26_000)), all(select(1000))])
  const found = await all<{ long: number; short: number }>(sql`
    select count(*) filter (where length(statement) > 25000)::int as long,
      count(*) filter (where statement like 'select 1 as one%')::int as short
    from pg_prepared_statements`)
  assert.equal(found[0]?.long, 0)
  assert.equal(found[0]?.short, 1)
})
