import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Life } from './life.ts'
import { version } from './version.ts'

/** A server that was started on a data folder, as registered there. */
export type Server = {
  pid: number
  host: string
  url: string
  /** the address under which callers reach it */
  public_url: string
  version: string
  since: string
}

/**
 * Registers this process as a server of a data folder, and returns the others that run there. `leave`
 * removes the entry; entries of killed processes are removed by the next start.
 */
export function joinServers(
  dataDir: string,
  server: Pick<Server, 'url' | 'public_url' | 'version'>,
): { others: Server[]; leave(): void } {
  const folder = join(dataDir, 'servers')
  mkdirSync(folder, { recursive: true })
  const { pid } = process
  const host = hostname()
  const own = join(folder, fileOf({ pid, host }))
  const entry: Server = { pid, host, ...server, since: new Date().toISOString() }
  writeFileSync(own, `${JSON.stringify(entry)}\n`, { mode: 0o600 })
  const others: Server[] = []
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (path === own) continue
    const server = readServer(path)
    if (server && isRunning(server)) others.push(server)
    else rmSync(path, { force: true })
  }
  return { others, leave: () => rmSync(own, { force: true }) }
}

/** The warning for the operator before anything is written. */
export function warningOf(others: Server[], dataDir: string, version: string): string | undefined {
  if (!others.length) return undefined
  const named = others.map(({ url, pid, host, since, version: its }) => {
    const place = host === hostname() ? `process ${pid}` : `process ${pid} of ${host}`
    const other = its === version ? '' : `, version ${its}`
    return `${url} (${place}${other}, since ${since.slice(0, 16).replace('T', ' ')} UTC)`
  })
  const isNewer = others.some((each) => each.version !== version)
  return (
    `Another server runs on "${dataDir}": ${named.join('; ')}. This one joins its database.` +
    (isNewer ? ` This is version ${version}: its migrations apply to the other one, too.` : '')
  )
}

function fileOf({ pid, host }: Pick<Server, 'pid' | 'host'>): string {
  return `${host.replace(/[^\w.-]/g, '_')}-${pid}.json`
}

function readServer(path: string): Server | undefined {
  try {
    const { pid, host, url, public_url, version, since } = JSON.parse(
      readFileSync(path, 'utf8'),
    ) as Server
    return {
      pid: Number(pid),
      host: String(host),
      url: String(url),
      // earlier versions wrote none
      public_url: String(public_url ?? url),
      version: String(version),
      since: String(since),
    }
  } catch {
    // removed meanwhile, or no entry
    return undefined
  }
}

/** Whether the server runs. A process on another machine cannot be checked: its entry counts until it leaves. */
function isRunning({ pid, host }: Server): boolean {
  if (host !== hostname()) return true
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // it exists, but belongs to another user
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * Warns the operator of the other servers on this folder, before anything is migrated or written. With a
 * operator's own database several servers are normal, and there is no warning.
 */
export function warnOfOthers(config: Config, note: (message: string) => void, life: Life) {
  if (config.databaseUrl) return
  const own = { url: localUrl(config), public_url: config.publicUrl, version: version() }
  const { others, leave } = joinServers(config.dataDir, own)
  life.atEnd(async () => leave())
  const warning = warningOf(others, config.dataDir, own.version)
  if (warning) note(warning)
}

/**
 * Where people open the service, for the texts of commands: the address of the server that runs on the data folder, else
 * the configured one; undefined where neither is known yet, because a server will choose its port.
 */
export function addressFor({ dataDir, publicUrl }: Config): string | undefined {
  const running = serversOf(dataDir).toSorted((a, b) => (a.since < b.since ? 1 : -1))[0]
  const address = running?.public_url ?? publicUrl
  return new URL(address).port === '0' ? undefined : address
}

function serversOf(dataDir: string): Server[] {
  const folder = join(dataDir, 'servers')
  const names = existsSync(folder) ? readdirSync(folder) : []
  return names.flatMap((name) => readServer(join(folder, name)) ?? []).filter(isRunning)
}

/** The address at which this machine reaches the service. */
export function localUrl({ host, port }: Config): string {
  const isAll = host === '0.0.0.0' || host === '::'
  const shown = isAll ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `http://${shown}:${port}`
}
