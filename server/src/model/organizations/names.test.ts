import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeOrganization, startService } from '../../../test/support/service.ts'
import { allOrganizations } from '../../kit/ground/context.ts'
import { sql } from '../../kit/ground/sql.ts'
import { isNameTaken, looksLike, storeMissingLooks } from './names.ts'

test('a name that looks like another is found by an index, and without what it looks like being stored', async () => {
  const service = await startService()
  const { runtime } = service
  const org = await makeOrganization(service)
  const reads = runtime.database.reads(allOrganizations)
  const unique = org.id.slice(-6)
  const name = `Nordwind ${unique}`
  const twins = [name, ` NORDWIND  ${unique} `, `Nоrdwind ${unique}`, `Nord\u200bwind ${unique}`]
  const write = (query: ReturnType<typeof sql>) =>
    runtime.database.transaction(allOrganizations, (queries) => queries.run(query))
  const found = async () => {
    for (const twin of twins) assert.equal(await isNameTaken(reads, twin), true, twin)
    assert.equal(await isNameTaken(reads, name, org.id), false)
    assert.equal(await isNameTaken(reads, `Sudwind ${unique}`), false)
  }
  // as an earlier version, or somebody in SQL, changes it
  await write(sql`update organizations set name = ${name} where organization_id = ${org.id}`)
  await found()
  await runtime.database.transaction(allOrganizations, storeMissingLooks)
  await found()
  const [stored] = await reads.all<{ is_stored: boolean }>(sql`
    select name_looks_of = name as is_stored from organizations where organization_id = ${org.id}`)
  assert.equal(stored?.is_stored, true)

  // the longest that there may be, of a character that becomes eighteen
  const long = unique + '\ufdfa'.repeat(249)
  await write(sql`update organizations set name = ${long} where organization_id = ${org.id}`)
  await runtime.database.transaction(allOrganizations, storeMissingLooks)
  assert.equal(await isNameTaken(reads, long), true)

  await runtime.database.transaction(allOrganizations, async (queries) => {
    await queries.run(sql`set local enable_seqscan = off`)
    const lines = await queries.all<{ 'QUERY PLAN': string }>(sql`
      explain select from organizations o where ${looksLike([name.toLowerCase()])}`)
    const plan = lines.map((line) => line['QUERY PLAN']).join('\n')
    assert.match(plan, /organizations_name_small[^]*organizations_name_skeleton/)
  })
})
