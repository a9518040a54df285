import { readFileSync } from 'node:fs'
import { importOrganization } from '../archive/import.ts'
import { removeOrganization } from '../archive/remove.ts'
import { isIdentity } from '../backup/archive.ts'
import { restoreBackup } from '../backup/restore.ts'
import { sourceOf } from '../backup/write.ts'
import { filesFrom } from '../files/open.ts'
import { ConfigError } from '../kit/ground/errors.ts'
import { keepSecretKey, keyInDataDir, secretsFrom } from '../secrets.ts'
import { passphraseIn, sum } from './backup.ts'
import type { Command } from './command.ts'
import { openEngine } from './engine.ts'
import { openForCommand } from './open.ts'
import { asOwner } from './owner.ts'

/** `perennial restore` */
export const restore: Command = {
  summary: 'restore a backup into an empty installation',
  about: `Restores an archive of perennial backup into a database without organizations, and its file store. The rows are
written in one transaction, which checks every reference at its end. A backup of an older version is migrated to
this one. One by organization, as backup writes it on Citus, is restored by its own version, on one PostgreSQL or on Citus.
No service may be running on that database.`,
  examples: [
    'DATA_DIR=./restored perennial restore --from perennial.backup --identity-file key.txt',
    'DATABASE_URL=postgres://… SECRET_KEY=… perennial restore --from - < perennial.backup',
  ],
  options: {
    from: { value: 'FILE', about: 'the backup; - is standard input' },
    'identity-file': {
      value: 'FILE',
      about: 'the age identity (AGE-SECRET-KEY-1…) that decrypts it',
    },
    'passphrase-file': { value: 'FILE', about: 'the passphrase that decrypts it' },
  },
  environment: ['DATABASE_URL', 'DATABASE_MIGRATE_URL', 'DATA_DIR', 'SECRET_KEY', 'S3_BUCKET'],
  async run({ config, needed, text, terminal }) {
    const from = needed('from')
    const keys = {
      identities: identitiesIn(text('identity-file')),
      passphrase: passphraseIn(text('passphrase-file')),
    }
    const engine = await openEngine(config, { note: terminal.note, endsOnSignal: true })
    try {
      const { head, tail } = await restoreBackup(sourceOf(from), keys, {
        url: engine.owner,
        files: filesFrom(config),
        migrate: async (only) => void (await engine.migrate(only)),
        open: async () => {
          const opened = await openForCommand(config, terminal.note)
          const { runtime, close } = opened
          return {
            async bring(path, key) {
              const { organization, rows, files } = await importOrganization(runtime, { path, key })
              return { id: organization.id, rows, files }
            },
            remove: (id) =>
              asOwner(opened, async ({ owner }) => {
                await removeOrganization(owner, runtime.files, id)
              }),
            close,
          }
        },
        keepKey(secretKey) {
          const own = config.secretKey ?? keyInDataDir(config.dataDir)
          const key = own ?? secretKey
          if (key === undefined) {
            throw new ConfigError(
              'The backup contains no secret key: set SECRET_KEY to that of the installation it is from, or put its secret.key into the data folder',
            )
          }
          if (own === undefined) keepSecretKey(key, config.dataDir)
          else if (secretKey !== undefined && own !== secretKey) {
            throw new ConfigError(
              'The backup uses another secret key than this installation: unset SECRET_KEY and remove secret.key from the data folder, so that the key of the backup is restored there',
            )
          }
          return secretsFrom(key, { previous: config.previousSecretKey })
        },
      }).catch((error: unknown) => {
        throw engine.ownerFailure(error)
      })
      // checks that it can be served
      const opened = await openForCommand(config, terminal.note)
      await opened.close()
      const rows = sum({ ...tail.rows, ...tail.organizations })
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

/** The identities in an age file, without comments. */
function identitiesIn(file: string | undefined): string[] {
  if (file === undefined) return []
  const lines = readFileSync(file, 'utf8').split(/\r?\n/)
  const found = lines
    .map((line) => line.trim())
    .filter((line) => line.startsWith('AGE-SECRET-KEY-') && isIdentity(line))
  if (found.length) return found
  throw new ConfigError(`"${file}" contains no age identity (AGE-SECRET-KEY-1…)`)
}
