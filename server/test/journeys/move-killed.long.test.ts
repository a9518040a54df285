import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { archivedTables, sumOf } from '../../src/archive/tables.ts'
import type { Database } from '../../src/database/connect.ts'
import { connect } from '../../src/database/connect.ts'
import { makeDemo } from '../../src/demo/make.ts'
import type { Files } from '../../src/kit/ground/files.ts'
import { filesFrom } from '../../src/files/open.ts'
import { readConfig } from '../../src/config.ts'
import { freshDatabase, silent } from '../support/database.ts'
import { atEnd } from '../support/finally.ts'
import { environment, freePort, makeWorld } from '../support/killed.ts'
import { freshFolder, runProgram, startProgram } from '../support/program.ts'
import { sql } from '../support/service.ts'
import { until } from '../support/until.ts'

test('a move that is killed leaves the organization whole, and is resumed by the same command', async () => {
  const [old, fresh] = [await freshDatabase(), await freshDatabase()]
  const { service } = await makeWorld(old.database, await freePort())
  const settings = environment(old.url)
  const demo = (await makeDemo(service.runtime, { keep() {} }))!
  const id = demo.organization_id
  const there = environment(fresh.url)
  const [ours, theirs] = [settings, there].map(({ DATA_DIR }) =>
    filesFrom(readConfig({ DATA_DIR })),
  )
  const file = join(freshFolder(), 'plan.txt')
  const key = `documents/${id}/plan`
  writeFileSync(file, 'a plan '.repeat(50_000))
  await ours!.put(key, file, 'text/plain')
  const cell = join(freshFolder(), 'cell.env')
  writeFileSync(
    cell,
    Object.entries(there)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  )

  /** The sums of the tables that have rows of the organization. */
  const sumsIn = ({ url }: { url: string }) =>
    asOwner(url, (database) =>
      database.transaction(id, async (queries) => {
        const sums: { [table: string]: string } = {}
        for (const table of await archivedTables(queries)) {
          const sum = await sumOf(queries, id, table)
          if (sum.rows) sums[table.name] = `${sum}`
        }
        return sums
      }),
    )
  const move = ['org', 'move', demo.name, '--to', cell, '--confirm', demo.name, '--json']
  const whole = await sumsIn(old)
  assert.ok(Object.keys(whole).length > 30)

  /** Starts the move and kills it as soon as something holds in the new installation. */
  async function killedWhen(holds: () => Promise<boolean>) {
    const moving = startProgram(move, settings)
    await until(holds, 60)
    moving.child.kill('SIGKILL')
    assert.equal(await moving.ended, 'SIGKILL', moving.err())
  }

  const isWriting = async () => {
    const found = await fresh.database.reads('*').one<{ writes: boolean }>(sql`
      select exists (select from pg_locks where relation = 'contacts'::regclass
        and mode = 'RowExclusiveLock') as writes`)
    return found!.writes
  }
  await killedWhen(isWriting)
  await until(async () => !(await isWriting()))
  assert.deepEqual(await sumsIn(fresh), {})
  assert.deepEqual(await sumsIn(old), whole)

  const isThere = async () => {
    const found = await fresh.database
      .reads(id)
      .one(sql`select from organizations where organization_id = ${id}`)
    return found !== undefined
  }
  await killedWhen(isThere)
  assert.deepEqual(await sumsIn(fresh), whole)
  assert.deepEqual(await sumsIn(old), whole)

  const rename = (database: Database, name: string) =>
    database.transaction(id, (queries) =>
      queries.run(sql`update organizations set name = ${name} where organization_id = ${id}`),
    )
  await asOwner(fresh.url, (database) => rename(database, 'Used since'))
  const used = await runProgram(move, settings)
  assert.notEqual(used.status, 0)
  assert.match(used.err, /is in both installations, with different rows of organizations/)
  assert.deepEqual(await sumsIn(old), whole)
  await asOwner(fresh.url, (database) => rename(database, demo.name))

  const again = await runProgram(move, settings)
  assert.equal(again.status, 0, again.err)
  assert.equal(JSON.parse(again.out).files, 1)
  assert.deepEqual(await sumsIn(fresh), whole)
  assert.deepEqual(await sumsIn(old), {})
  assert.deepEqual([await keysIn(theirs!, id), await keysIn(ours!, id)], [[key], []])
})

async function keysIn(files: Files, id: string): Promise<string[]> {
  const keys = []
  for await (const { key } of files.list(`documents/${id}`)) keys.push(key)
  return keys
}

/** Runs something as the owner of the tables. */
async function asOwner<T>(url: string, run: (database: Database) => Promise<T>): Promise<T> {
  const database = connect({ url, role: null, log: silent })
  atEnd(() => database.close())
  return run(database)
}
