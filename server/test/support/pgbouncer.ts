import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, writeFileSync } from 'node:fs'
import { connect as connectTo } from 'node:net'
import { join } from 'node:path'
import { atEnd } from './finally.ts'
import { freePort } from './killed.ts'
import { freshFolder } from './program.ts'
import { until } from './until.ts'

/** Why tests with PgBouncer are skipped; false where it is installed. */
export const noBouncer =
  spawnSync('pgbouncer', ['--version']).status === 0 ? false : 'PgBouncer is not installed'

/** The user that PgBouncer runs as: it refuses to be root. */
const nobody = 65_534

/** Starts PgBouncer in transaction mode before a database; gives the address to reach it there. */
export async function startBouncer(url: string, settings: string[]): Promise<string> {
  const port = await freePort()
  const { hostname, port: behind, username, password, pathname } = new URL(url)
  const folder = freshFolder()
  const users = join(folder, 'users.txt')
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(users, `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`)
  writeFileSync(
    file,
    [
      '[databases]',
      `* = host=${hostname} port=${behind}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = trust',
      `auth_file = ${users}`,
      'pool_mode = transaction',
      ...settings,
    ].join('\n'),
  )
  const isRoot = process.getuid?.() === 0
  if (isRoot) for (const each of [folder, users, file]) chownSync(each, nobody, nobody)
  chmodSync(folder, 0o755)
  const child = spawn('pgbouncer', [file], {
    stdio: 'ignore',
    ...(isRoot && { uid: nobody, gid: nobody }),
  })
  const ended = once(child, 'close')
  atEnd(async () => {
    child.kill('SIGTERM')
    await ended
  })
  await until(async () => {
    const socket = connectTo(port, '127.0.0.1')
    const isUp = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false)
    socket.destroy()
    return isUp
  })
  const through = new URL(url)
  through.hostname = '127.0.0.1'
  through.port = String(port)
  assert.ok(pathname.length > 1)
  return through.href
}
