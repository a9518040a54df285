import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The database server of a run of tests. */
export type Engine = { url: string; stop(): Promise<unknown> }

/** For the services of four processes at once: each may have several, of up to 36 connections. */
export const mostConnections = 500

/**
 * A throw-away cluster of PostgreSQL 15 from the distribution's binaries, run as another user when we are root;
 * undefined if there are none.
 */
export function startPostgres15(data: string): Engine | undefined {
  const bin = ['/usr/lib/postgresql/15/bin', '/opt/homebrew/opt/postgresql@15/bin'].find((path) =>
    existsSync(join(path, 'initdb')),
  )
  if (!bin) return undefined
  const isRoot = process.getuid?.() === 0
  const port = 24_000 + (process.pid % 900)
  const as = (command: string) => {
    const [program, ...rest] = isRoot
      ? ['su', 'postgres', '-s', '/bin/sh', '-c', command]
      : ['sh', '-c', command]
    const { status, stderr } = spawnSync(program!, rest, { encoding: 'utf8' })
    if (status !== 0) throw new Error(`${command}: ${stderr}`)
  }
  if (isRoot) spawnSync('chown', ['postgres', data])
  as(`${bin}/initdb -D ${data}/15 -U perennial --auth=trust -E UTF8 --no-sync --locale=C.UTF-8`)
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=${mostConnections}`
  as(`${bin}/pg_ctl -w -D ${data}/15 -l ${data}/15.log -o '${options}' start`)
  return {
    url: `postgres://perennial@127.0.0.1:${port}/postgres`,
    stop: async () => as(`${bin}/pg_ctl -w -D ${data}/15 -m fast stop`),
  }
}
