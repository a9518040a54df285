import { reencrypt } from '../database/installation-secrets.ts'
import { makeTokens } from '../surfaces/tokens.ts'
import type { Command } from './command.ts'
import { withDatabase } from './open.ts'

/** `perennial keys rotate` */
export const rotate: Command = {
  summary: 'replace the key that signs tokens',
  about: `Access tokens are signed with a key that is replaced automatically every 90 days. This replaces it now, for
example after a backup was lost. Tokens signed with the old key stay valid for their hour.`,
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
SECRET_KEY_PREVIOUS. If several processes run, first restart them with the two exchanged, so that each can
read what the others write. Then run this command with both set. Sessions, connections and keys of apps stay
valid. Links to surveys and calendars that were sent before need the old key for as long as they should work,
queued mails and Idempotency-Keys for a day; then remove SECRET_KEY_PREVIOUS.`,
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
