import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { readConfig } from '../src/config.ts'
import type { Database } from '../src/database/connect.ts'
import { createService } from '../src/service.ts'

// Writes docs/api/openapi.json from the route tables; with --check it only says whether it is new.

const file = new URL('../../docs/api/openapi.json', import.meta.url)

/** The committed text of the API document: the routes alone make it, no database is asked. */
export async function documentText(): Promise<string> {
  const config = readConfig({ LOG_LEVEL: 'silent' })
  const log = pino({ level: 'silent' })
  const none = {
    listen() {},
    isListening: () => false,
    lane: () => none,
    counts: { counter: () => ({}) },
  } as unknown as Database
  const service = await createService({ config, database: none, secretKey: 'x'.repeat(32), log })
  await service.close()
  return JSON.stringify(service.document(), null, 2) + '\n'
}

/** Whether the committed document is what the routes say. */
export async function isUpToDate(): Promise<boolean> {
  return readFileSync(file, 'utf8') === (await documentText())
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { check: { type: 'boolean' } } })
  if (!values.check) writeFileSync(file, await documentText())
  else if (!(await isUpToDate())) {
    console.error('docs/api/openapi.json is not what the routes say: run `npm run openapi`')
    process.exitCode = 1
  }
}
