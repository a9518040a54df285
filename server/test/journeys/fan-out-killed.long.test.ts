import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshDatabase } from '../support/database.ts'
import { environment, freePort, makeWorld } from '../support/killed.ts'
import { startServer } from '../support/program.ts'
import { startReceiver, subscribe } from '../support/receiver.ts'
import { rows, sql } from '../support/service.ts'
import { until } from '../support/until.ts'

/** More than the job creates deliveries for in its first transaction. */
const subscriptions = 1050
const firstPart = 1000

test('kill -9 between an event and its last delivery leaves each subscription one delivery', async () => {
  const { url, database } = await freshDatabase()
  const port = await freePort()
  const world = await makeWorld(database, port)
  const { org, app, service } = world
  const serve = () => startServer({ ...environment(url), PORT: String(port) })
  const server = await serve()
  const receiver = await startReceiver()
  const { id } = await subscribe(app, 'company_created', receiver.url)
  // copies, the last of which has the highest id too
  await database.transaction(org.id, (queries) =>
    queries.run(sql`insert into subscriptions (organization_id, id, app_id, grant_id, user_id, events,
        url, unique_key, secret, creation_time)
      select s.organization_id, left(s.id, 20) || 'z' || lpad(n::text, 4, '0'), s.app_id, s.grant_id,
        s.user_id, s.events, s.url || '/' || n, sha256(convert_to(s.id || n, 'utf8')), s.secret,
        s.creation_time
      from subscriptions s, generate_series(1, ${subscriptions - 1}) n
      where s.organization_id = ${org.id} and s.id = ${id} order by n`),
  )
  const counts = async () =>
    (
      await rows<{ all: number; of: number }>(
        service,
        sql`select count(*)::integer as all, count(distinct subscription_id)::integer as of
          from deliveries where organization_id = ${org.id}`,
      )
    )[0]!

  // holds up the job's second part
  await database.transaction(org.id, async (queries) => {
    await queries.run(sql`select from subscriptions where organization_id = ${org.id}
      and id = (select max(id) from subscriptions where organization_id = ${org.id}) for update`)
    const reply = await app.call('POST', '/automation/company', {
      body: { company_name: 'Acme', industry: 'Retail' },
    })
    assert.equal(reply.status, 201, reply.text)
    await until(async () => (await counts()).all >= firstPart, 60)
    assert.equal((await counts()).all, firstPart)
    server.child.kill('SIGKILL')
    await server.ended
  })
  await serve()
  await until(async () => (await counts()).of >= subscriptions, 90)
  assert.deepEqual(await counts(), { all: subscriptions, of: subscriptions })
  const ids = () =>
    new Map(receiver.arrivals.map(({ path, headers }) => [path, headers['webhook-id']]))
  await until(() => ids().size >= subscriptions, 90)
  const idsOfAll = new Set(receiver.arrivals.map((a) => `${a.path} ${a.headers['webhook-id']}`))
  assert.equal(idsOfAll.size, subscriptions, 'a subscription got the event under two ids')
})
