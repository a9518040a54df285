import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { freshDatabase } from '../support/database.ts'
import { atEnd } from '../support/finally.ts'
import type { World } from '../support/killed.ts'
import { environment, freePort, idOf, makeWorld } from '../support/killed.ts'
import { startMailbox } from '../support/mailbox.ts'
import { startServer } from '../support/program.ts'
import { call, rows, sql } from '../support/service.ts'
import { patient, pause } from '../support/until.ts'

test('a scheduled mailing and mentions are notified of once, though their process dies in the middle of it', async () => {
  const { url, database } = await freshDatabase()
  const mailbox = await startMailbox()
  const mail = { SMTP_URL: mailbox.url, MAIL_FROM: 'perennial@acme.test' }
  const port = await freePort()
  const world = await makeWorld(database, port)
  const serve = () => startServer({ ...environment(url), ...mail, PORT: String(port) })
  const server = await serve()
  const addresses = Array.from({ length: 30 }, (_, i) => `guest${i}@acme.test`)
  const { survey_id, schedule_id } = await schedule(world, addresses)

  // it waits for this one in the middle of asking for the mails
  const other = new pg.Client({ connectionString: url })
  await other.connect()
  atEnd(() => other.end())
  await other.query('begin')
  await other.query('select from perennial.survey_schedules where id = $1 for update', [
    schedule_id,
  ])
  const mentioning = mentionAll(world, 30)
  await blocked(other)
  server.child.kill('SIGKILL')
  await server.ended
  await other.query('rollback')
  await serve()

  await Promise.all(addresses.map((address) => mailbox.next(address)))
  const recipients = mailbox.received.flatMap(({ to_addresses }) => to_addresses)
  assert.deepEqual(
    recipients.filter((each) => addresses.includes(each)).sort(),
    addresses.toSorted(),
  )
  const { token } = world.org.users.admin
  const path = `/api/surveys/${survey_id}/schedules/`
  const [listed] = (await world.service.call('GET', path, { token })).body
  assert.deepEqual([listed.status, listed.sent_count], ['sent', addresses.length])
  const mentions = await mentioning
  const notices = await rows<{ of: string }>(
    world.service,
    sql`select notification_obj ->> 'interaction_id' as of from notifications where category = 'mention'`,
  )
  assert.deepEqual(notices.map((each) => each.of).sort(), mentions.toSorted())
})

/** A published survey that is mailed in five seconds. */
async function schedule({ service, org }: World, email_addresses: string[]) {
  const { token } = org.users.admin
  const question = { id: 'score', type: 'nps', label: 'How likely?' }
  const body = { name: 'Pulse', status: 'published', form_structure: [{ fields: [question] }] }
  const survey = await service.call('POST', '/api/surveys/', { token, body })
  const { survey_id } = survey.body
  const scheduled_at = new Date(Date.now() + 5000).toISOString().slice(0, -1)
  const at = { email_addresses, scheduled_at, timezone: 'UTC' }
  const path = `/api/surveys/${survey_id}/schedule/`
  const reply = await service.call('POST', path, { token, body: at })
  assert.equal(reply.status, 201, reply.text)
  return { survey_id, schedule_id: reply.body.schedule_id as string }
}

/** Mentions a person again and again until all of it is acknowledged; gives the interactions. */
async function mentionAll({ org, url }: World, count: number): Promise<string[]> {
  const { token } = org.users.admin
  const made = await call(url, 'POST', '/api/company/', { token, body: { company_name: 'Acme' } })
  const body = {
    module_name: 'companies',
    reference_id: idOf(made),
    content: 'Have a look',
    mentions: [org.users.member.user_id],
  }
  const ids: string[] = []
  const patience = patient()
  for (let i = 0; i < count;) {
    patience()
    const headers = { 'idempotency-key': `mention ${i}` }
    const sent = call(url, 'POST', '/api/interactions/info/', { token, body, headers })
    const reply = await sent.catch(() => undefined)
    if (reply?.status === 201) {
      ids.push(reply.body.interaction_id)
      i++
    } else await pause(20)
    // so that the process dies among them
    if (reply) await pause(200)
  }
  return ids
}

/** Resolves when another session waits for what this one has locked. */
async function blocked(client: pg.Client) {
  const patience = patient()
  for (;;) {
    // a transaction goes on seeing the sessions that there were when it first looked
    await client.query('select pg_stat_clear_snapshot()')
    const waiting = await client.query(
      'select from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))',
    )
    if (waiting.rowCount) return
    patience()
    await pause(20)
  }
}
