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
