import { reencrypt } from '../database/installation-secrets.ts'
import { makeTokens } from '../surfaces/tokens.ts'
import type { Command } from './command.ts'
import { withDatabase } from './open.ts'

/** `perennial keys rotate` */
export const rotate: Command = {
  summary: 'make a new key for signing tokens',
  about: `Access tokens are signed with a key that is replaced every 90 days by itself. This replaces it now, for
instance after a backup was lost. Tokens signed with the old key stay good for the hour they live.`,
  examples: ['perennial keys rotate'],
  options: {},
  environment: ['DATABASE_URL', 'DATA_DIR', 'SECRET_KEY'],
  run: ({ config, terminal }) =>
    withDatabase(config, terminal.note, async ({ runtime }) => {
      const tokens = makeTokens(runtime)
      await tokens.rotate()
      const [newest] = (await tokens.jwks()).keys
      return { json: { kid: newest!.kid }, text: `New tokens are signed with ${newest!.kid}` }
    }),
}

/** `perennial keys encrypt` */
export const encrypt: Command = {
  summary: 're-encrypt stored secrets with the current SECRET_KEY',
  about: `To replace the secret key, give every process the new one as SECRET_KEY and the old one as
SECRET_KEY_PREVIOUS. Where several processes run, restart them with the two the other way round first,
so that each can read what the others write. Then run this command with both set. Sessions, connections
and keys of apps stay valid. Links to surveys and calendars that were sent before need the old key for
as long as they are to work, queued mails and Idempotency-Keys for a day; then remove
SECRET_KEY_PREVIOUS.`,
  examples: ['SECRET_KEY=… SECRET_KEY_PREVIOUS=… perennial keys encrypt'],
  options: {},
  environment: ['DATABASE_URL', 'DATA_DIR', 'SECRET_KEY', 'SECRET_KEY_PREVIOUS'],
  run: ({ config, terminal }) =>
    withDatabase(config, terminal.note, async ({ runtime }) => {
      const count = await reencrypt(runtime.database, runtime.secrets)
      return {
        json: { encrypted: count },
        text: `${count} secrets were re-encrypted with the current key`,
      }
    }),
}
