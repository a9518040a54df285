import { pino } from 'pino'
import { readConfig } from '../server/src/config.ts'
import { connect } from '../server/src/database/connect.ts'
import { createService } from '../server/src/service.ts'

/** An access token of a user, as signing in gives it. */
export async function tokenOf(
  url: string,
  secretKey: string,
  organization_id: string,
  user_id: string,
): Promise<string> {
  const log = pino({ level: 'silent' })
  const database = connect({ url, log, role: null })
  const service = await createService({ config: readConfig({}), database, secretKey, log })
  const identity = { organization_id, user_id, full_name: '', email: '', role: '' }
  const session = (await service.signIn.start(identity)) as { access_token: string }
  await service.close()
  await database.close()
  return session.access_token
}
