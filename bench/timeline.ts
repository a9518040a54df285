import { parseArgs } from 'node:util'
import pg from 'pg'
import { connect } from '../server/src/database/connect.ts'
import { firstIdAt, newId } from '../server/src/kit/ground/ids.ts'
import { createOrganization } from '../server/src/records/organizations/organization.ts'
import { createUser } from '../server/src/records/users/create.ts'
import { secretKey, withService } from './service.ts'
import { tokenOf } from './token.ts'

/**
 * The time of the first page of an account's timeline, for an admin, a member and a customer:
 * medians in milliseconds, HTTP included. Half of the entries are comments, half are of the log.
 * `node bench/timeline.ts --entries 5000 --rounds 60`.
 */
const { values: flags } = parseArgs({
  options: {
    entries: { type: 'string', default: '5000' },
    rounds: { type: 'string', default: '60' },
    url: { type: 'string' },
  },
})
const log = { info() {}, warn() {}, error() {} }
const tasks = 100

await withService(flags.url, async (url, start) => {
  const { organization, users, account } = await seed(url, Math.ceil(Number(flags.entries) / 2))
  const app = await start()
  for (const [role, user] of Object.entries(users)) {
    const token = await tokenOf(url, secretKey, organization, user)
    for (const path of [
      `/api/timeline/accounts/${account}/`,
      `/api/timeline/?account_id=${account}`,
    ]) {
      const { first, median, worst, found } = await measure(app + path, token)
      const ms = (time: number) => `${time.toFixed(1).padStart(6)} ms`
      console.log(
        `${role.padEnd(8)} ${path.slice(0, 23)} ${found} entries: first ${ms(first)}, ` +
          `median ${ms(median)}, p95 ${ms(worst)}`,
      )
    }
  }
})

async function measure(url: string, token: string) {
  const times: number[] = []
  let found = 0
  // connections prepare a statement when it is repeated, and cache a plan after a few more executions
  for (let round = -30; round < Number(flags.rounds); round++) {
    const before = performance.now()
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
    const text = await response.text()
    if (response.status !== 200) throw new Error(`${url}: ${response.status} ${text}`)
    times.push(performance.now() - before)
    found = (JSON.parse(text) as { results: unknown[] }).results.length
  }
  const [first = 0] = times
  const sorted = times.slice(30).toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0
  return { first, median: at(0.5), worst: at(0.95), found }
}

/** An account whose customers see a shared project with half of its tasks, and their comments. */
async function seed(url: string, each: number) {
  const database = connect({ url, log, role: null })
  const organization = newId()
  const account = newId()
  const project = newId()
  const users = await database.transaction(organization, async (queries) => {
    const roles = await createOrganization(queries, organization, { name: 'Timelines' })
    const made: { [role: string]: string } = {}
    for (const role of ['admin', 'member', 'customer'] as const) {
      const email = `${role}@${organization}.test`
      const person = { email, full_name: role, password_hash: null, role_id: roles[role] }
      made[role] = await createUser(queries, organization, person)
    }
    return made
  })
  await database.close()
  const options = '-c search_path=perennial,public'
  const client = new pg.Client({ connectionString: url, options })
  await client.connect()
  const run = async (rows: number, text: string, ...values: unknown[]) => {
    const sent = text
      .replaceAll('$org', `'${organization}'`)
      .replaceAll('$account', `'${account}'`)
      .replaceAll('$project', `'${project}'`)
      .replaceAll('$admin', `'${users.admin}'`)
    const { rowCount } = await client.query(sent, values)
    if (rowCount !== rows) throw new Error(`${rowCount} rows instead of ${rows}: ${text}`)
  }
  const task = newId().slice(0, 17)
  const comment = newId().slice(0, 17)
  const taskOf = (n: string) => `'${task}' || lpad((${n} % ${tasks})::text, 8, '0')`
  await run(
    1,
    `insert into accounts (organization_id, id, account_name, created_by, account_owner)
    values ($org, $account, 'Account', $admin, $admin)`,
  )
  await run(1, `update users set account_id = $account where id = $1`, users.customer)
  await run(
    1,
    `insert into projects (organization_id, id, project_name, account_id, status_id, created_by,
      is_shared)
    select $org, $project, 'Project', $account, min(id), $admin, true from statuses
    where organization_id = $org and module = 'projects'`,
  )
  await run(
    tasks,
    `insert into tasks (organization_id, id, title, project_id, status_id, created_by, is_shared)
    select $org, ${taskOf('i')}, 'Task ' || i, $project, s.id, $admin, i % 2 = 0
    from generate_series(0, ${tasks - 1}) i, (select min(id) as id from statuses
      where organization_id = $org and module = 'tasks') s`,
  )
  await run(
    each,
    `insert into interactions (organization_id, id, module_id, reference_id, content, thread_id,
      created_by, is_shared, creation_time)
    select $org, $1 || lpad(i::text, 8, '0'), 1, ${taskOf('i')}, 'Comment number ' || i,
      $1 || lpad(i::text, 8, '0'), $admin, i % 2 = 0, now() - i * interval '1 hour'
    from generate_series(1, $2::int) i`,
    comment,
    each,
  )
  await run(
    each,
    `insert into record_activity (organization_id, id, subject_module, subject_id, kind, module_id,
      reference_id, source_id, at)
    select $org, $1 || lpad(i::text, 8, '0'), 8, $account, 'comment', 1, ${taskOf('i')},
      $1 || lpad(i::text, 8, '0'), now() - i * interval '1 hour' from generate_series(1, $2::int) i`,
    comment,
    each,
  )
  // the log's ids rise with time, as they do where each is made when it happens
  const event = firstIdAt(new Date(Date.now() - each * 3_600_000)).slice(0, 17)
  await run(
    each,
    `insert into events (organization_id, id, type, title, module_id, reference_id, project_id,
      actor_type, actor_id, actor_name, source, raw_description, occurred_at)
    select $org, $1 || lpad(i::text, 8, '0'), 'task_completed', 'Task completed', 1, ${taskOf('i')},
      $project, 'user', $admin, 'admin', 'application',
      json_build_object('action', 'updated', 'module', 'tasks', 'name', 'Task'),
      now() - ($2::int - i) * interval '1 hour' from generate_series(1, $2::int) i`,
    event,
    each,
  )
  await client.query('vacuum analyze')
  await client.end()
  return { organization, users, account }
}
