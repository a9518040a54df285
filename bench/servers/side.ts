import { fork } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { startEmbedded as StartEmbedded } from '../../server/src/database/embedded.ts'
import type { migrate as Migrate } from '../../server/src/database/migrate.ts'
import type { seed as Seed } from '../seed.ts'
import { parentOf } from '../processor-time.ts'
import type { tokenOf as TokenOf } from '../token.ts'
import { temporaryFolder } from '../folder.ts'

/** What a side reports once it is ready. */
export type Side = {
  app: string
  token: string
  ids: string[]
  companies: string[]
  /** the processes of the service and of its database */
  service: number
  database: number
}

/**
 * One version of the service, from its own folder, with its own database and processes:
 * `node side.ts ROOT CONTACTS FLAGS`, where the flags are those of Node for the service. It ends with
 * its parent.
 */
const [root = '', contacts = '', flags = ''] = process.argv.slice(2)
/** A CPU profile is written at exit, which a signal alone would skip. */
const endsInOrder = `data:text/javascript,process.once('SIGTERM',()=>process.exit())`
const secretKey = 'a secret key for measuring only, 32+ characters'
const from = <T>(file: string) => import(join(root, file)) as Promise<T>
const { startEmbedded } = await from<{ startEmbedded: typeof StartEmbedded }>(
  'server/src/database/embedded.ts',
)
const { migrate } = await from<{ migrate: typeof Migrate }>('server/src/database/migrate.ts')
const { seed } = await from<{ seed: typeof Seed }>('bench/seed.ts')
const { tokenOf } = await from<{ tokenOf: typeof TokenOf }>('bench/token.ts')

const folder = temporaryFolder('side')
const embedded = await startEmbedded({ dataDir: folder, log: () => {} })
try {
  await migrate(embedded.url)
  const { organization, user, ids, companies } = await seed(embedded.url, Number(contacts))
  const token = await tokenOf(embedded.url, secretKey, organization, user)
  const server = fork(join(root, 'bench/servers/app.ts'), [embedded.url, secretKey], {
    cwd: root,
    execArgv: [...flags.split(' ').filter(Boolean), '--import', endsInOrder],
  })
  const app = await new Promise<string>((resolve, reject) => {
    server.once('message', (message) => resolve((message as { app: string }).app))
    server.once('exit', (code) => reject(new Error(`the service ended with ${code}`)))
  })
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: embedded.url })
  await client.connect()
  // background work of the database is not part of a request
  await client.query('alter system set autovacuum = off')
  await client.query('select pg_reload_conf()')
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const database = parentOf(rows[0]!.pid)
  await client.end()
  const side: Side = { app, token, ids, companies, service: server.pid!, database }
  process.send!(side)
  await new Promise<void>((resolve) => process.once('disconnect', resolve))
  server.kill()
  await new Promise((resolve) => server.once('exit', resolve))
} finally {
  await embedded.stop()
  rmSync(folder, { recursive: true, force: true })
}
