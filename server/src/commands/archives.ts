import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { exportOrganization } from '../archive/export.ts'
import { importOrganization } from '../archive/import.ts'
import { moveOrganization } from '../archive/move.ts'
import { removeOrganization } from '../archive/remove.ts'
import type { Config } from '../config.ts'
import { readConfig } from '../config.ts'
import { ConfigError } from '../kit/ground/errors.ts'
import type { Secrets } from '../secrets.ts'
import { secretsFrom } from '../secrets.ts'
import type { Command } from './command.ts'
import { UsageError } from './command.ts'
import { organizationNamed } from './named.ts'
import type { Opened } from './open.ts'
import { withDatabase } from './open.ts'
import { asOwner } from './owner.ts'
import { checkOutput, outputFailure } from './output.ts'

const environment = ['DATABASE_URL', 'DATABASE_MIGRATE_URL', 'DATA_DIR', 'SECRET_KEY']
const keyFile = {
  value: 'FILE',
  about: 'a file with the key for the secrets in the archive, 32 characters or more (SECRET_KEY)',
}

/** `perennial org export` */
export const exportOne: Command = {
  summary: 'write an organization to an archive',
  about: `Writes a consistent snapshot of every row and file of one organization to one file, while the server runs.
Secrets, such as those of apps and webhooks, are encrypted with SECRET_KEY, or with another key in
--key-file. Everything else is readable: protect the file like a backup. The search index is left out
and built anew. Jobs in the queue of the workers are left out, too.`,
  takes: 'NAME',
  examples: ['perennial org export Acme --to acme.perennial'],
  options: {
    to: { value: 'FILE', about: 'the file to write; it must not exist yet' },
    'key-file': keyFile,
  },
  environment,
  async run({ config, argument, needed, text, terminal }) {
    const path = needed('to')
    if (existsSync(path)) throw new UsageError(`"${path}" already exists`)
    checkOutput(path)
    return withDatabase(config, terminal.note, async (opened) => {
      const organization = await organizationNamed(opened.runtime, argument)
      const key = keyOf(opened, text('key-file'))
      const contents = await exportOrganization(opened.runtime, organization, { path, key }).catch(
        (error: unknown) => {
          throw outputFailure(error, path)
        },
      )
      const { rows, files, missing_files } = contents
      const missing = missing_files.length
        ? `\n${missing_files.length} files were missing: ${missing_files.join(', ')}`
        : ''
      return {
        json: { organization_id: organization.id, path, ...contents },
        text: `Wrote ${organization.name} to ${path}: ${rows} rows, ${files} files${missing}`,
      }
    })
  },
}

/** `perennial org import` */
export const importOne: Command = {
  summary: 'import an organization from an archive',
  about: `Imports an organization with its files into this installation, all or nothing, and compares every table
with the archive before the import is committed. Both installations must have the same version. With the same
SECRET_KEY on both, sessions, connected apps and keys stay valid; with different keys, users sign in again, apps
connect again, and function keys are rotated.`,
  takes: 'FILE',
  examples: ['perennial org import acme.perennial', 'perennial org import acme.perennial --json'],
  options: { 'key-file': keyFile },
  environment,
  async run({ config, argument, text, terminal }) {
    const path = argument?.trim()
    if (!path) throw new UsageError('org import needs a FILE')
    return withDatabase(config, terminal.note, async (opened) => {
      const key = keyOf(opened, text('key-file'))
      const imported = await importOrganization(opened.runtime, { path, key })
      const { organization, rows, files, knows_tokens } = imported
      return {
        json: { ...imported, path },
        text: `Imported ${organization.name} (${organization.id}): ${rows} rows, ${files} files${renewal('This', knows_tokens)}`,
      }
    })
  },
}

/** `perennial org remove` */
export const removeOne: Command = {
  summary: 'remove an organization for good',
  about: `Removes every row and file of one organization, for example after it was imported elsewhere. Only an
archive can bring it back: repeat the organization's name in --confirm.`,
  takes: 'NAME',
  examples: ['perennial org remove Acme --confirm Acme'],
  options: { confirm: { value: 'NAME', about: 'the name of the organization, repeated' } },
  environment,
  async run({ config, argument, needed, terminal }) {
    if (!argument?.trim()) throw new UsageError('org remove needs a NAME')
    const confirmed = needed('confirm')
    return withDatabase(config, terminal.note, async (opened) => {
      const { id, name } = await organizationNamed(opened.runtime, argument)
      if (confirmed !== name) throw new UsageError(`--confirm must be "${name}"`)
      const removed = await asOwner(opened, ({ runtime, owner }) =>
        removeOrganization(owner, runtime.files, id),
      )
      return {
        json: { organization_id: id, name, ...removed },
        text: `Removed ${name} (${id}): ${removed.rows} rows, ${removed.files} files`,
      }
    })
  },
}

/** `perennial org move` */
export const moveOne: Command = {
  summary: 'move an organization to another installation',
  about: `Moves one organization with its files to the installation whose settings are in a file, as lines of
NAME=value (DATABASE_URL, DATABASE_MIGRATE_URL, SECRET_KEY, DATA_DIR or S3_*). It compares every row and every file by hash, and then
removes the organization here. If anything differs, or was changed here meanwhile, the organization stays here and is
removed there. First let the proxy answer its host name with 503, and stop the workers of both installations. The same
command resumes an interrupted move. Both installations must have the same version. Queued jobs do not move: wait until
the queue is empty.`,
  takes: 'NAME',
  examples: ['perennial org move Acme --to cell-b.env --confirm Acme'],
  options: {
    to: { value: 'FILE', about: 'a file with the settings of the other installation' },
    confirm: {
      value: 'NAME',
      about: 'the name of the organization, repeated: it is removed here at the end',
    },
  },
  environment,
  async run({ config, argument, needed, terminal }) {
    if (!argument?.trim()) throw new UsageError('org move needs a NAME')
    const there = settingsIn(needed('to'))
    const confirmed = needed('confirm')
    return withDatabase(config, terminal.note, async (from) => {
      const organization = await organizationNamed(from.runtime, argument)
      const { id, name } = organization
      if (confirmed !== name) throw new UsageError(`--confirm must be "${name}"`)
      return withDatabase(there, terminal.note, (to) =>
        asOwner(from, (here) =>
          asOwner(to, async (other) => {
            const moved = await moveOrganization(here, other, organization)
            const { rows, files, knows_tokens } = moved
            return {
              json: { organization_id: id, name, ...moved },
              text: `Moved ${name} (${id}) to ${to.place}: ${rows} rows, ${files} files${renewal('That', knows_tokens)}`,
            }
          }),
        ),
      )
    })
  },
}

/** The settings of another installation, from a file such as Docker's or systemd's. */
function settingsIn(path: string): Config {
  if (!existsSync(path)) throw new UsageError(`The file "${path}" does not exist`)
  const settings = parseEnv(readFileSync(path, 'utf8'))
  // the usual data folder of a command is that of this installation, or of none
  if (!settings.DATABASE_URL && !settings.DATA_DIR) {
    throw new UsageError(`"${path}" names no installation: it needs DATABASE_URL or DATA_DIR`)
  }
  try {
    return readConfig(settings)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    throw new ConfigError(`In "${path}": ${error.message}`, { cause: error })
  }
}

/** What people must do if an installation cannot read tokens of the previous one. */
function renewal(which: 'This' | 'That', knowsTokens: boolean): string {
  return knowsTokens
    ? ''
    : `\n${which} installation has another SECRET_KEY: users sign in again, apps connect again, and function keys are rotated`
}

/** The key of an archive: from a file, or that of the installation. */
function keyOf({ secretKey }: Opened, file: string | undefined): Secrets {
  if (file === undefined) return secretsFrom(secretKey)
  if (!existsSync(file)) throw new ConfigError(`The key file "${file}" does not exist`)
  const key = readFileSync(file, 'utf8').trim()
  if (key.length < 32) throw new UsageError(`The key in "${file}" has fewer than 32 characters`)
  return secretsFrom(key)
}
