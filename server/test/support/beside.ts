import { pino } from 'pino'
import { connect } from '../../src/database/connect.ts'
import { sql } from '../../src/kit/ground/sql.ts'
import { createService } from '../../src/service.ts'
import { silent } from './database.ts'
import { atEnd } from './finally.ts'
import type { TestService } from './service.ts'
import { call, rows, secretKey } from './service.ts'

/** A second service on the same database, with its own connections and memory. */
export async function startBeside(first: TestService): Promise<TestService> {
  const { config, now } = first.runtime
  const [{ role }] = await rows(first, sql`select current_user as role`)
  const { isDistributed } = first.runtime.database
  const database = connect({ url: first.runtime.database.url, log: silent, role, isDistributed })
  const log = pino({ level: process.env.TEST_LOG ?? 'silent' })
  const service = await createService({ config, database, secretKey, log, now })
  const url = await service.app.listen({ port: 0, host: '127.0.0.1' })
  await service.start()
  atEnd(async () => {
    await service.close()
    await database.close()
  })
  return { ...service, url, call: (method, path, sent) => call(url, method, path, sent) }
}
