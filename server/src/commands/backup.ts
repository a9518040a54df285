import { createWriteStream, openSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { isRecipient } from '../backup/archive.ts'
import { writeBackup } from '../backup/write.ts'
import type { Config } from '../config.ts'
import { filesFrom } from '../files/open.ts'
import { ConfigError } from '../kit/ground/errors.ts'
import { keyInDataDir } from '../secrets.ts'
import type { Command } from './command.ts'
import { UsageError } from './command.ts'
import { openEngine } from './engine.ts'
import { checkOutput, outputFailure } from './output.ts'
import { version } from './version.ts'

/** `perennial backup` */
export const backup: Command = {
  summary: 'write everything into one file, while the service goes on',
  about: `Writes all rows of the database as of one moment, then the files of documents (of the data folder or the
bucket), into one archive: a tar, compressed by zstd and, if asked, encrypted by age (age-encryption.org). An
encrypted one holds the secret key of the data folder, too; otherwise keep that, or SECRET_KEY, beside it.
The same for the embedded database and your own. Waiting mails are rows as well.`,
  examples: [
    'perennial backup --to perennial.backup --encrypt-for age1…',
    'perennial backup --to - --passphrase-file pass.txt | ssh elsewhere "cat > perennial.backup"',
  ],
  options: {
    to: { value: 'FILE', about: 'where to; - is standard output' },
    'encrypt-for': {
      value: 'RECIPIENT',
      about: 'an age recipient (age1…), whose identity opens it; again for more',
      multiple: true,
    },
    'passphrase-file': { value: 'FILE', about: 'encrypt with the passphrase in this file' },
    'without-files': { about: 'leave the files of documents out' },
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
    const engine = await openEngine(config, terminal.note)
    // a backup that was broken off must not look like one
    const draft = `${to}.part`
    try {
      const target = to === '-' ? process.stdout : fileAt(draft)
      const { rows, files, missingFiles } = await writeBackup(
        {
          url: engine.owner,
          version: version(),
          files: flag('without-files') ? undefined : filesFrom(config),
          secretKey: isLocked ? keyOf(config) : undefined,
        },
        target,
        { recipients, passphrase },
      ).catch((error: unknown) => {
        throw outputFailure(engine.ownerFailure(error), to)
      })
      if (to !== '-') renameSync(draft, to)
      const count = Object.values(rows).reduce((sum, each) => sum + each, 0)
      const kept = isLocked
        ? ''
        : '. It is not encrypted, and holds no secret key: keep SECRET_KEY, or secret.key of the data folder, elsewhere'
      const lost = missingFiles
        ? `. Files that records name and the store does not have: ${missingFiles}`
        : ''
      const said = `${count} rows and ${files} files of ${engine.place} are in ${to}${lost}${kept}`
      const json = { to, rows: count, files, missing_file_count: missingFiles, encrypted: isLocked }
      if (to !== '-') return { json, text: said }
      terminal.note(said)
      return undefined
    } finally {
      if (to !== '-') rmSync(draft, { force: true })
      await engine.close()
    }
  },
}

/** Opened at once, so that what is wrong with the place is an error of this call. */
function fileAt(path: string) {
  return createWriteStream(path, { fd: openSync(path, 'w', 0o600) })
}

function keyOf({ secretKey, dataDir }: Config): string | undefined {
  return secretKey ?? keyInDataDir(dataDir)
}

/** The first line of a file; a ConfigError where there is none. */
export function passphraseIn(file: string | undefined): string | undefined {
  if (file === undefined) return undefined
  const [line = ''] = readFileSync(file, 'utf8').split(/\r?\n/)
  if (line.length >= 8) return line
  throw new ConfigError(`"${file}" must begin with a passphrase of 8 characters or more`)
}
