import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { migrate } from '../server/src/database/migrate.ts'
import { contactPage } from './lists.ts'
import { rate, type Target } from './rate.ts'
import { seed } from './seed.ts'
import { secretKey, startApp } from './service.ts'
import { tokenOf } from './token.ts'

/**
 * What Citus costs and what it separates: requests a second and the time of one caller's requests as ratios to one
 * PostgreSQL, and reads of an organization while another one, on its machine or on the other, lists as fast as it can. It builds
 * nothing: both databases are there, empty, the first with the extension and its machines (`docs/scale.md`), and the addresses
 * are of a superuser.
 * `node bench/citus.ts --citus postgres://postgres@db0/bench --plain postgres://postgres@db9/bench`
 */
const { values: flags } = parseArgs({
  options: {
    citus: { type: 'string' },
    plain: { type: 'string' },
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '5' },
    contacts: { type: 'string', default: '8000' },
    connections: { type: 'string', default: '16' },
  },
})
if (!flags.citus || !flags.plain) throw new Error('--citus and --plain: the two databases')
const seconds = Number(flags.seconds)
const rounds = Number(flags.rounds)
const connections = Number(flags.connections)
const children: ChildProcess[] = []
let made = 0
try {
  const many = await prepared(flags.citus)
  const one = await prepared(flags.plain)
  const kinds = ['read one', 'list 50', 'create'] as const
  console.log(
    '| | one PostgreSQL, /s | Citus, /s | ratio | one caller, ms | on Citus, ms | ratio |',
  )
  console.log('|---|---|---|---|---|---|---|')
  for (const kind of kinds) {
    const [plain, citus] = [one.targets(), many.targets()]
    const together = await compare(plain[kind], citus[kind], connections)
    const alone = await compare(plain[kind], citus[kind], 1)
    const ms = alone.slice(0, 2).map((each) => (1000 / each!).toFixed(1))
    const ratios = [together[2]!.toFixed(2), (1 / alone[2]!).toFixed(2)]
    console.log(`| ${[kind, together[0], together[1], ratios[0], ...ms, ratios[1]].join(' | ')} |`)
  }
  await besideNeighbours(many)
} catch (error) {
  // before connections are closed, whose errors would hide the cause
  console.error(error)
  process.exitCode = 1
} finally {
  for (const child of children) child.kill()
}

type Installation = Awaited<ReturnType<typeof prepared>>

/** A database with contacts of twenty organizations, and a service on it. */
async function prepared(url: string) {
  const { isDistributed } = await migrate(url)
  const { organizations, companies, ...chosen } = await seed(
    url,
    Number(flags.contacts),
    20,
    isDistributed,
  )
  const app = await started(url)
  const token = await tokenOf(url, secretKey, chosen.organization, chosen.user)
  const targets = () => ({
    ...reads(app, token, chosen.ids),
    create: {
      url: `${app}/api/contact/`,
      method: 'POST' as const,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: () => contact(companies),
    },
  })
  return { url, app, token, organizations, ...chosen, targets }
}

function started(url: string): Promise<string> {
  const { child, app } = startApp(url)
  children.push(child)
  return app
}

function reads(app: string, token: string, ids: string[]) {
  const headers = { authorization: `Bearer ${token}` }
  return {
    'read one': { url: app, paths: ids.map((id) => `/api/contact/${id}/`), headers },
    'list 50': { url: app + contactPage, headers },
  }
}

function contact(companies: string[]): string {
  made++
  return JSON.stringify({
    full_name: `Ada Bench ${made}`,
    primary_email: `ada.${process.pid}.${made}@bench.test`,
    company_id: companies[made % companies.length],
  })
}

/** Requests a second of both and their ratio, of the round with the median ratio; in turns, since the machine has other work. */
async function compare(plain: Target, citus: Target, callers: number): Promise<number[]> {
  for (const target of [plain, citus]) await rate(target, 1, callers)
  const pairs: number[][] = []
  for (let round = 0; round < rounds; round++) {
    const [first, second] = round % 2 ? [citus, plain] : [plain, citus]
    const rates = [await rate(first, seconds, callers), await rate(second, seconds, callers)]
    const [a, b] = (round % 2 ? rates.toReversed() : rates) as [number, number]
    pairs.push([a, b, b / a])
  }
  return pairs.toSorted((a, b) => a[2]! - b[2]!)[Math.floor(rounds / 2)]!
}

/** The reads of one organization, alone and while neighbours list over a service of their own. */
async function besideNeighbours({
  url,
  app,
  token,
  organization,
  organizations,
  ids,
}: Installation) {
  const placeOf = await places(
    url,
    organizations.map((each) => each.organization),
  )
  const own = placeOf.get(organization)
  const others = organizations.filter((each) => each.organization !== organization)
  const near = others.find((each) => placeOf.get(each.organization) === own)
  const far = others.find((each) => placeOf.get(each.organization) !== own)
  const neighbours = await started(url)
  console.log('\n| reads of one organization, one caller | /s | of those alone |')
  console.log('|---|---|---|')
  const reading = reads(app, token, ids)['read one']
  let alone: number | undefined
  for (const [what, neighbour] of [
    ['alone', undefined],
    ['while one on the same machine lists', near],
    ['while one on another machine lists', far],
  ] as const) {
    if (what !== 'alone' && !neighbour) continue
    const theirs =
      neighbour && (await tokenOf(url, secretKey, neighbour.organization, neighbour.user))
    const load =
      theirs && rate(reads(neighbours, theirs, [])['list 50'], seconds * rounds + 2, connections)
    if (load) await sleep(1000)
    const found = await rate(reading, seconds * rounds, 1)
    await load
    alone ??= found
    console.log(`| ${what} | ${found} | ${(found / alone).toFixed(2)} |`)
  }
}

/** The machine of each organization. */
async function places(url: string, ids: string[]): Promise<Map<string, string>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ id: string; place: string }>(
      `select o.organization_id as id, s.nodename || ':' || s.nodeport as place
       from unnest($1::text[]) as o (organization_id)
       join citus_shards s on s.table_name = 'perennial.organizations'::regclass
         and s.shardid = get_shard_id_for_distribution_column('perennial.organizations', o.organization_id)`,
      [ids],
    )
    return new Map(rows.map(({ id, place }) => [id, place]))
  } finally {
    await client.end()
  }
}
