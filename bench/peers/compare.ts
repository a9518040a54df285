import { fork, type ChildProcess } from 'node:child_process'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import pg from 'pg'
import type { Target } from '../rate.ts'
import { rate } from '../rate.ts'
import { install } from './install.ts'
import type { Operation, Product, Row, Running } from './products.ts'
import { abilities, perennialDoes, perennialRows, products } from './products.ts'

/** The duration and number of measurements, and the folder for the packages of the other products. */
export type PeerOptions = {
  seconds: number
  rounds: number
  connections: number
  folder?: string
  /** the beginning of the names of those compared; all without it */
  only?: string
}

/** A running product, with its answers. */
type Side = { product: Product; targets: { [operation in Operation]: Target } }

/** Seconds of warm-up before each measurement. */
const warmUpSeconds = 2

/**
 * Compares Perennial with similar products over the same rows on the same PostgreSQL, each in one
 * process with production settings, in turns within one run; prints two tables of Markdown.
 */
export async function comparePeers(
  url: string,
  perennial: Running,
  token: string,
  options: PeerOptions,
): Promise<void> {
  const folder = resolve(options.folder ?? join(homedir(), '.cache', 'perennial-peers'))
  const children: ChildProcess[] = []
  const sides: Side[] = []
  try {
    for (const product of products) {
      if (!product.name.startsWith(options.only ?? '')) continue
      const own = join(folder, product.server.replace('.ts', ''))
      const failure = install(own, product.packages)
      if (failure) {
        console.log(`${product.name} cannot be installed here and is left out: ${failure}`)
        continue
      }
      const database = `peer_${sides.length}`
      const fresh = await freshDatabase(url, database)
      const running = await start(product, children, own, fresh, url, product.variant ?? '')
      sides.push({ product, targets: product.targets(running) })
    }
    await print(perennialRows(perennial, token), sides, options)
  } finally {
    // errors at their end do not matter
    for (const child of children) child.kill('SIGKILL')
  }
}

async function print(ours: Row[], sides: Side[], { seconds, rounds, connections }: PeerOptions) {
  const names = sides.map(({ product }) => product.name)
  console.log(`| | Perennial | ${names.join(' | ')} |`)
  console.log(`|---|---|${names.map(() => '---|').join('')}`)
  for (const { name, operation, target: own } of ours) {
    const targets = [own, ...sides.map((side) => side.targets[operation])]
    const sizes: number[] = []
    for (const target of targets) sizes.push(await checked(target, operation))
    for (const target of targets) await rate(target, warmUpSeconds, connections)
    const rates = targets.map((): number[] => [])
    for (let round = 0; round < rounds; round++) {
      for (const [i, target] of targets.entries()) {
        rates[i]!.push(await rate(target, seconds, connections))
      }
    }
    const cells = rates.map((measured, i) => {
      const bytes = `${(sizes[i]! / 1000).toFixed(1)} kB`
      if (i === 0) return `${median(measured)}/s, ${bytes}`
      // of the same round, so that the machine's other work affects both
      const ratio = median(measured.map((theirs, round) => rates[0]![round]! / theirs))
      return `${median(measured)}/s, ${bytes}: ${ratio.toFixed(2)} ×`
    })
    console.log(`| ${name} | ${cells.join(' | ')} |`)
  }
  console.log(`\n| | Perennial | ${names.join(' | ')} |`)
  console.log(`|---|---|${names.map(() => '---|').join('')}`)
  const versions = sides.map(({ product }) => Object.values(product.packages)[0])
  console.log(`| version | this one | ${versions.join(' | ')} |`)
  for (const ability of abilities) {
    const cells = [perennialDoes, ...sides.map(({ product }) => product.does)]
    console.log(`| ${ability} | ${cells.map((does) => does[ability]).join(' | ')} |`)
  }
}

/** Sends a request once and returns the bytes of its answer; throws unless it contains what was requested. */
async function checked(target: Target, operation: Operation): Promise<number> {
  const { url, method, headers, body, paths } = target
  const address = paths ? new URL(paths[0]!, url).href : url
  const answer = await fetch(address, { method, headers, body: body?.() })
  const text = await answer.text()
  const found = text.split('Contact Number ').length - 1
  const wanted = operation === 'create' ? 0 : operation === 'read one' ? 1 : 50
  // including the contact's company, which a product may omit without the right to it
  const isWhole = operation === 'create' || /company ?1?\d/i.test(text)
  const isRight = answer.ok && !text.includes('"errors"') && found === wanted && isWhole
  if (!isRight) throw new Error(`${operation} at ${url}: ${answer.status} ${text.slice(0, 500)}`)
  return Buffer.byteLength(text)
}

function start(
  { name, server }: Product,
  children: ChildProcess[],
  ...args: string[]
): Promise<Running> {
  const child = fork(new URL(`./servers/${server}`, import.meta.url), args, {
    cwd: args[0],
    env: { ...process.env, NODE_ENV: 'production', GRAPHILE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  children.push(child)
  let said = ''
  child.stdout!.on('data', (chunk) => (said = `${said}${chunk}`.slice(-2000)))
  return new Promise((found, failed) => {
    child.once('message', (message) => found(message as Running))
    child.once('exit', (code) => failed(new Error(`${name} ended with ${code}: ${said}`)))
  })
}

/** An empty database for the product on the same server. */
async function freshDatabase(url: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`drop database if exists ${name} with (force)`)
  await client.query(`create database ${name} template template0 encoding 'UTF8'`)
  await client.end()
  const other = new URL(url)
  other.pathname = `/${name}`
  return other.href
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
