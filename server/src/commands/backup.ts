import { createWriteStream, openSync, readFileSync, renameSync } from 'node:fs'
import { isRecipient } from '../backup/archive.ts'
import { connectOwner } from '../backup/tables.ts'
import { writeBackup } from '../backup/write.ts'
import type { Config } from '../config.ts'
import { isOnCitus } from '../database/citus.ts'
import { isMigrated } from '../database/migrate.ts'
import { filesFrom } from '../files/open.ts'
import { ConfigError } from '../kit/ground/errors.ts'
import { draftOf } from '../kit/ground/interruption.ts'
import { keyInDataDir, secretsFrom } from '../secrets.ts'
import type { Command } from './command.ts'
import { UsageError } from './command.ts'
import { type Engine, openEngine } from './engine.ts'
import { type Opened, openForCommand } from './open.ts'
import { checkOutput, outputFailure } from './output.ts'
import { version } from './version.ts'

/** `perennial backup` */
export const backup: Command = {
  summary: 'back up everything to one file, while the service runs',
  about: `Writes a consistent snapshot of all rows of the database, and then the document files (from the data folder or
the bucket), to one archive: a tar, compressed with zstd and optionally encrypted with age (age-encryption.org).
An encrypted archive also contains the secret key of the data folder; otherwise keep that key, or SECRET_KEY,
with the backup. It works with the embedded database and your own. Queued mails are included. On Citus each organization
is a snapshot of its own.`,
  examples: [
    'perennial backup --to perennial.backup --encrypt-for age1…',
    'perennial backup --to - --passphrase-file pass.txt | ssh elsewhere "cat > perennial.backup"',
  ],
  options: {
    to: { value: 'FILE', about: 'where to; - is standard output' },
    'encrypt-for': {
      value: 'RECIPIENT',
      about: 'an age recipient (age1…), whose identity decrypts it; may be repeated',
      multiple: true,
    },
    'passphrase-file': { value: 'FILE', about: 'encrypt with the passphrase in this file' },
    'without-files': { about: 'leave out document files' },
    'by-organization': {
      about:
        'a snapshot of each organization in place of one of everything, as always on Citus: the same version restores it, on one PostgreSQL or on Citus',
    },
  },
  environment: ['DATABASE_URL', 'DATABASE_MIGRATE_URL', 'DATA_DIR', 'SECRET_KEY', 'S3_BUCKET'],
  async run({ config, needed, list, text, flag, terminal }) {
    const to = needed('to')
    const recipients = list('encrypt-for')
    const passphrase = passphraseIn(text('passphrase-file'))
    if (recipients.length && passphrase !== undefined) {
      throw new UsageError('backup takes --encrypt-for or --passphrase-file, not both')
    }
    for (const recipient of recipients) {
      if (!isRecipient(recipient)) {
        throw new UsageError(
          `--encrypt-for must be an age recipient such as age1…, not "${recipient}"`,
        )
      }
    }
    if (to !== '-') checkOutput(to)
    const isLocked = recipients.length > 0 || passphrase !== undefined
    const engine = await openEngine(config, { note: terminal.note, endsOnSignal: true })
    // an aborted backup must not look complete
    const draft = to === '-' ? undefined : draftOf(to)
    let opened: Opened | undefined
    try {
      if (await isByOrganization(engine, flag('by-organization'))) {
        opened = await openForCommand(config, terminal.note)
      }
      const target = draft ? fileAt(draft.path) : process.stdout
      const { rows, organizations, files, missingFiles } = await writeBackup(
        {
          url: engine.owner,
          version: version(),
          files: flag('without-files') ? undefined : filesFrom(config),
          secretKey: isLocked ? keyOf(config) : undefined,
          each: opened && { runtime: opened.runtime, key: secretsFrom(opened.secretKey) },
        },
        target,
        { recipients, passphrase },
      ).catch((error: unknown) => {
        throw outputFailure(engine.ownerFailure(error), to)
      })
      if (draft) renameSync(draft.path, to)
      const count = sum({ ...rows, ...organizations })
      const kept = isLocked
        ? ''
        : '. It is not encrypted, and contains no secret key: keep SECRET_KEY, or secret.key of the data folder, elsewhere'
      const lost = missingFiles
        ? `. Files that records name and the store does not have: ${missingFiles}`
        : ''
      const said = `${count} rows and ${files} files of ${engine.place} are in ${to}${lost}${kept}`
      const json = { to, rows: count, files, missing_file_count: missingFiles, encrypted: isLocked }
      if (draft) return { json, text: said }
      terminal.note(said)
      return undefined
    } finally {
      draft?.remove()
      await opened?.close()
      await engine.close()
    }
  },
}

/** Whether each organization is a snapshot of its own. ConfigError where opening the database for that would migrate it. */
async function isByOrganization(engine: Engine, isWanted: boolean): Promise<boolean> {
  const failed = (error: unknown) => {
    throw engine.ownerFailure(error)
  }
  const client = await connectOwner(engine.owner, 'backup').catch(failed)
  try {
    if (!isWanted && !(await isOnCitus(client))) return false
    if (await isMigrated(client)) return true
  } catch (error) {
    return failed(error)
  } finally {
    await client.end().catch(() => {})
  }
  throw new ConfigError(
    'The database is not of this version: back it up with its own, as this one would migrate it first',
  )
}

/** How many rows there are in all. */
export function sum(rows: { [part: string]: number }): number {
  return Object.values(rows).reduce((total, each) => total + each, 0)
}

/** Opens the file at once, so that a wrong path is an error of this call. */
function fileAt(path: string) {
  // on the disk before it has its name
  return createWriteStream(path, { fd: openSync(path, 'w', 0o600), flush: true })
}

function keyOf({ secretKey, dataDir }: Config): string | undefined {
  return secretKey ?? keyInDataDir(dataDir)
}

/** The first line of a file; ConfigError if there is none. */
export function passphraseIn(file: string | undefined): string | undefined {
  if (file === undefined) return undefined
  const [line = ''] = readFileSync(file, 'utf8').split(/\r?\n/)
  if (line.length >= 8) return line
  throw new ConfigError(`"${file}" must begin with a passphrase of 8 characters or more`)
}
