import type { ChildProcess } from 'node:child_process'
import { fork } from 'node:child_process'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import autocannon from 'autocannon'
import { contactPage, filteredContactPage, searchedContactPage } from './lists.ts'
import { processorTime, processorTimesUnder } from './processor-time.ts'
import type { Side } from './servers/side.ts'

/**
 * Compares this version with another by the processor time that a request takes, in the service and in
 * the database: unlike rates, that depends little on the machine's other work. Both run at once, each
 * with its own database, and take turns: `npm run bench:compare -- --base ../perennial-before`, a
 * worktree of the other version with its own dependencies. `--profile FOLDER` writes CPU profiles of both
 * there. Linux only.
 */
const { values: flags } = parseArgs({
  options: {
    base: { type: 'string' },
    rounds: { type: 'string', default: '40' },
    requests: { type: 'string', default: '600' },
    contacts: { type: 'string', default: '40000' },
    connections: { type: 'string', default: '16' },
    only: { type: 'string' },
    profile: { type: 'string' },
  },
})
if (!flags.base) throw new Error('--base: the folder of the other version')

const kinds = ['list 50', 'filtered list 50', 'searched list', 'read one', 'create'] as const
type Kind = (typeof kinds)[number]
/** Microseconds of processor time that one request takes. */
type Cost = { service: number; database: number }

let created = 0
const children: ChildProcess[] = []
try {
  const base = await start(resolve(flags.base), 'base')
  const ours = await start(resolve(import.meta.dirname, '..'), 'ours')
  console.log('| request | service, µs | ratio | database, µs | ratio | together |')
  console.log('|---|---|---|---|---|---|')
  for (const kind of kinds) {
    if (flags.only && !kind.startsWith(flags.only)) continue
    for (const side of [base, ours]) await cost(side, kind)
    const pairs: [before: Cost, after: Cost][] = []
    for (let round = 0; round < Number(flags.rounds); round++) {
      // in turns, because the machine may change between the first and the second
      const first = await cost(round % 2 ? base : ours, kind)
      const second = await cost(round % 2 ? ours : base, kind)
      pairs.push(round % 2 ? [first, second] : [second, first])
    }
    const of = (part: (cost: Cost) => number) => [
      `${shown(median(pairs.map(([before]) => part(before))))} → ` +
        shown(median(pairs.map(([, after]) => part(after)))),
      spread(pairs.map(([before, after]) => part(after) / part(before))),
    ]
    const parts = [...of(({ service }) => service), ...of(({ database }) => database)]
    const [, together] = of(({ service, database }) => service + database)
    console.log(`| ${[kind, ...parts, together].join(' | ')} |`)
  }
} finally {
  for (const child of children) if (child.connected) child.disconnect()
}

/** The mean processor time of a kind of request on one side. */
async function cost(side: Side, kind: Kind): Promise<Cost> {
  const before = {
    service: processorTime(side.service),
    database: processorTimesUnder(side.database),
  }
  const requests = Number(flags.requests)
  await send(side, kind, requests)
  let database = 0
  for (const [pid, time] of processorTimesUnder(side.database)) {
    database += time - (before.database.get(pid) ?? 0)
  }
  return {
    service: (processorTime(side.service) - before.service) / requests,
    database: database / requests,
  }
}

async function send({ app, token, ids, companies }: Side, kind: Kind, amount: number) {
  let next = 0
  const setupRequest = (request: autocannon.Request): autocannon.Request => {
    if (kind === 'list 50') return { ...request, path: contactPage }
    if (kind === 'filtered list 50') return { ...request, path: filteredContactPage }
    if (kind === 'searched list')
      return { ...request, path: searchedContactPage(next++ % ids.length) }
    if (kind === 'read one')
      return { ...request, path: `/api/contact/${ids[next++ % ids.length]}/` }
    return { ...request, path: '/api/contact/', body: contact(companies) }
  }
  const result = await autocannon({
    url: app,
    amount,
    connections: Number(flags.connections),
    headers: {
      authorization: `Bearer ${token}`,
      ...(kind === 'create' ? { 'content-type': 'application/json' } : {}),
    },
    requests: [{ method: kind === 'create' ? 'POST' : 'GET', setupRequest }],
  })
  if (result.non2xx || result.errors) {
    throw new Error(`${kind}: ${result.non2xx} refusals, ${result.errors} errors`)
  }
}

function contact(companies: string[]): string {
  created++
  return JSON.stringify({
    full_name: `Ada Bench ${created}`,
    primary_email: `ada.${process.pid}.${created}@bench.test`,
    job_title: 'Director of Operations',
    company_id: companies[created % companies.length],
    lead_status: 'qualified',
  })
}

function start(root: string, name: string): Promise<Side> {
  const profile = flags.profile
    ? `--cpu-prof --cpu-prof-dir=${resolve(flags.profile)} --cpu-prof-name=${name}.cpuprofile`
    : ''
  const file = new URL('./servers/side.ts', import.meta.url)
  const child = fork(file, [root, flags.contacts, profile])
  children.push(child)
  return new Promise((found, failed) => {
    child.once('message', (side) => found(side as Side))
    child.once('exit', (code) => failed(new Error(`the side ${name} ended with ${code}`)))
  })
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

/** The median and the quartiles. */
function spread(values: number[]): string {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (part: number) => (sorted[Math.floor(sorted.length * part)] ?? 0).toFixed(2)
  return `${median(values).toFixed(3)} (${at(0.25)}–${at(0.75)})`
}

function shown(microseconds: number): string {
  return microseconds.toFixed(0)
}
