import assert from 'node:assert/strict'
import pg from 'pg'
import { changedChannel, sessionChannel } from '../../src/database/cached-tables.ts'
import { atEnd } from './finally.ts'

/**
 * Compares the notifications of transactions with the changes that triggers find: the triggers are
 * changed to notify on a separate channel, and `check` fails for each change without a notification of the service.
 */
export async function compareNotices(url: string): Promise<{ check(): Promise<void> }> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  atEnd(() => client.end())
  for (const name of ['tell_changed', 'tell_session']) {
    const { rows } = await client.query<{ definition: string }>(
      `select pg_get_functiondef('perennial.${name}()'::regprocedure) as definition`,
    )
    const definition = rows[0]!.definition
      .replaceAll(`'${changedChannel}', `, `'test_found', tg_table_name || ' ' || `)
      .replaceAll(`'${sessionChannel}', `, `'test_found', 'refreshed ' || `)
    assert.equal(definition.match(/test_found/g)?.length, name === 'tell_session' ? 2 : 1)
    await client.query(definition)
  }
  /** what was found on a connection and not notified of yet; a transaction's notifications come in their order */
  const found = new Map<number, Set<string>>()
  const missing: string[] = []
  let count = 0
  client.on('notification', ({ processId, channel, payload = '' }) => {
    const open = found.get(processId) ?? new Set()
    found.set(processId, open)
    if (channel === 'test_found') {
      // the same again is of a later transaction
      if (open.has(payload)) missing.push(payload)
      open.add(payload)
      count++
    }
    for (const each of open) {
      const [, organization = '', session] = each.split(' ')
      const isNoticed =
        (channel === changedChannel && ['', organization].includes(payload)) ||
        (channel === sessionChannel && payload === `${organization} ${session}`)
      if (isNoticed) open.delete(each)
    }
  })
  const { rowCount: triggers } = await client.query(`select from pg_trigger where tgname = 'tell'`)
  for (const channel of [changedChannel, sessionChannel, 'test_found']) {
    await client.query(`listen ${channel}`)
  }
  return {
    async check() {
      // notifications come before the answer to what is asked after them
      await client.query('select')
      const open = [...found.values()].flatMap((each) => [...each])
      assert.deepEqual([...missing, ...open], [])
      // Citus has none
      if (triggers) assert.ok(count > 50, `only ${count} changes were found`)
    },
  }
}
