import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { freshDatabase } from './support/database.ts'
import { freshFolder, startServer } from './support/program.ts'

/** The packages that modules of the service import until it is ready: what others need is loaded on first use. */
const packages = [
  '@fastify/busboy',
  '@fastify/compress',
  '@fastify/cookie',
  '@fastify/proxy-addr',
  '@fastify/static',
  'ajv',
  'ajv-formats',
  'close-with-grace',
  'csv-parse',
  'fastify',
  'ipaddr.js',
  'jose',
  'kysely',
  'leven',
  'lru-cache',
  'otpauth',
  'pg',
  'pg-boss',
  'pino',
  'prom-client',
  'rrule-temporal',
  'secure-json-parse',
  'temporal-polyfill',
  'typebox',
  'undici',
  'unhomoglyph',
  'uuid25',
  'uuidv7',
]

test('a service that nobody uses has loaded few libraries', async () => {
  const folder = freshFolder()
  const file = join(folder, 'loaded.json')
  const { url } = await freshDatabase()
  const server = await startServer({
    DATABASE_URL: url,
    DATA_DIR: folder,
    LOADED_FILE: file,
    NODE_OPTIONS: `--import ${import.meta.resolve('./support/loaded.ts')}`,
  })
  assert.equal((await fetch(`${server.url}/readyz`)).status, 200)
  server.child.kill('SIGTERM')
  assert.equal(await server.ended, 0, server.err())

  const loaded = JSON.parse(readFileSync(file, 'utf8')) as [module: string, importer: string][]
  const found = loaded.flatMap(([module, importer]) => {
    const [, name] = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(module) ?? []
    return name && importer.includes('/server/src/') ? [name] : []
  })
  assert.deepEqual([...new Set(found)].toSorted(), packages)
})
