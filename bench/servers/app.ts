import { pino } from 'pino'
import { readConfig } from '../../server/src/config.ts'
import { setOnMachines } from '../../server/src/database/citus.ts'
import { settingsOnMachines } from '../../server/src/database/client.ts'
import { connect } from '../../server/src/database/connect.ts'
import { migrate } from '../../server/src/database/migrate.ts'
import { createService } from '../../server/src/service.ts'
import { Answer } from '../../server/src/kit/ground/operation.ts'
import { insert } from '../../server/src/kit/write/write.ts'
import type { Draft } from '../../server/src/kit/record/record.ts'
import { Contact } from '../../server/src/model/contacts/contact.ts'
import { contacts } from '../../server/src/records/contacts/operations.ts'

/** The whole service; `without` omits one layer, so that its cost can be measured. */
const [url, secretKey, without = ''] = process.argv.slice(2) as [string, string, string?]
const log = pino({ level: 'silent' })
const off = { count: 0, seconds: 1 }
const limits = { count: 100_000_000, seconds: 10 }
const config = {
  ...readConfig({ LOG_LEVEL: 'silent' }),
  rateLimits: { integration: limits, application: limits, login: off, public: off },
}
const role = without === 'row-level security' ? null : 'perennial_service'
if (without === 'event and log') {
  contacts.create.run = async (ctx, { body }) => {
    const set = { record_source: 'bench' }
    const { id } = await insert(
      { ...ctx, emit: () => '' },
      Contact,
      body as Draft<typeof Contact>,
      { set },
    )
    return new Answer(null, { id })
  }
}
const { isDistributed } = await migrate(url)
const options = { url, log, role, isDistributed }
if (isDistributed) await setOnMachines(url, role, settingsOnMachines(options))
const database = connect(options)
const service = await createService({ config, database, secretKey, log })
const app = await service.app.listen({ port: 0, host: '127.0.0.1' })
await service.start()
process.send!({ app })
