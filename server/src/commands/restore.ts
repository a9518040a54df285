import { readFileSync } from 'node:fs'
import { isIdentity } from '../backup/archive.ts'
import { restoreBackup } from '../backup/restore.ts'
import { sourceOf } from '../backup/write.ts'
import { filesFrom } from '../files/open.ts'
import { ConfigError } from '../kit/ground/errors.ts'
import { keepSecretKey, keyInDataDir, secretsFrom } from '../secrets.ts'
import { passphraseIn } from './backup.ts'
import type { Command } from './command.ts'
import { openEngine } from './engine.ts'
import { open } from './open.ts'

/** `perennial restore` */
export const restore: Command = {
  summary: 'bring a backup back into an empty installation',
  about: `Reads what perennial backup has written into a database without organizations and a store of files: the
rows in one transaction, with every reference checked at its end. A backup of an older version is brought
to this one. Stop no service for it: there must be none on that database.`,
  examples: [
    'DATA_DIR=./restored perennial restore --from perennial.backup --identity-file key.txt',
    'DATABASE_URL=postgres://… SECRET_KEY=… perennial restore --from - < perennial.backup',
  ],
  options: {
    from: { value: 'FILE', about: 'the backup; - is standard input' },
    'identity-file': { value: 'FILE', about: 'the age identity (AGE-SECRET-KEY-1…) that opens it' },
    'passphrase-file': { value: 'FILE', about: 'the passphrase that opens it' },
  },
  environment: ['DATABASE_URL', 'DATABASE_MIGRATE_URL', 'DATA_DIR', 'SECRET_KEY', 'S3_BUCKET'],
  async run({ config, needed, text, terminal }) {
    const from = needed('from')
    const keys = {
      identities: identitiesIn(text('identity-file')),
      passphrase: passphraseIn(text('passphrase-file')),
    }
    const engine = await openEngine(config, terminal.note)
    try {
      const { head, tail } = await restoreBackup(sourceOf(from), keys, {
        url: engine.owner,
        files: filesFrom(config),
        migrate: async (only) => void (await engine.migrate(only)),
        keepKey(secretKey) {
          const own = config.secretKey ?? keyInDataDir(config.dataDir)
          const key = own ?? secretKey
          if (key === undefined) {
            throw new ConfigError(
              'The backup holds no secret key: set SECRET_KEY to the one of its installation, or put its secret.key into the data folder',
            )
          }
          if (own === undefined) keepSecretKey(key, config.dataDir)
          else if (secretKey !== undefined && own !== secretKey) {
            throw new ConfigError(
              'The backup belongs to another secret key than this installation has: unset SECRET_KEY and take secret.key out of the data folder, and the one of the backup is put there',
            )
          }
          return secretsFrom(key, { previous: config.previousSecretKey })
        },
      }).catch((error: unknown) => {
        throw engine.ownerFailure(error)
      })
      // whether it can be served
      const say = (_fields: object, message: string) => terminal.note(message)
      const log = { info() {}, warn: say, error: say }
      const opened = await open(config, { log, note: terminal.note, readers: 1, writers: 2 })
      await opened.close()
      const rows = Object.values(tail.rows).reduce((sum, each) => sum + each, 0)
      const { version, created_at } = head
      return {
        json: { from, rows, files: tail.files, version, created_at, database: engine.place },
        text: `${rows} rows and ${tail.files} files of ${created_at} (version ${version}) are in ${engine.place}`,
      }
    } finally {
      await engine.close()
    }
  },
}

/** The identities in a file as age writes them, comments left out. */
function identitiesIn(file: string | undefined): string[] {
  if (file === undefined) return []
  const lines = readFileSync(file, 'utf8').split(/\r?\n/)
  const found = lines
    .map((line) => line.trim())
    .filter((line) => line.startsWith('AGE-SECRET-KEY-') && isIdentity(line))
  if (found.length) return found
  throw new ConfigError(`"${file}" holds no age identity (AGE-SECRET-KEY-1…)`)
}
