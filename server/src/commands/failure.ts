import { EmbeddedError } from '../database/embedded.ts'
import { innermost } from '../database/while-starting.ts'
import { Failure, ConfigError } from '../kit/ground/errors.ts'
import { UsageError } from './command.ts'

/**
 * An error as one sentence for the operator; undefined for a bug of ours, which should be shown with its
 * stack.
 */
export function sentenceOf(error: unknown): string | undefined {
  if (error instanceof Failure && error.code === 'files_unavailable') return bucketFailure(error)
  const known = [UsageError, ConfigError, EmbeddedError, Failure]
  if (known.some((kind) => error instanceof kind)) return (error as Error).message
  const { code = '', path } = (error ?? {}) as NodeJS.ErrnoException
  // a read of a folder does not say which: it was named as a file
  if (code === 'EISDIR' && !path) return 'A folder is named where a file should be'
  return files[code]?.(path ? `"${path}"` : 'the data folder')
}

function bucketFailure({ cause }: Failure): string {
  const why = cause instanceof Error ? ` (${cause.message || cause.name})` : ''
  return `The bucket does not answer${why}: correct S3_BUCKET, S3_ENDPOINT and the keys, or what they may do`
}

const permission = (file: string) =>
  `This user has no permission for ${file}: give it to them (chown), or set DATA_DIR to another folder`
const full = (file: string) =>
  `The disk of ${file} is full: make room, or set DATA_DIR to another disk`
const inTheWay = (file: string) =>
  `${file} is a file where a folder should be: move it away, or set DATA_DIR to another folder`

const files: { [code: string]: (file: string) => string } = {
  EACCES: permission,
  EPERM: permission,
  EROFS: (file) =>
    `${file} is on a read-only disk: mount it for writing, or set DATA_DIR to another folder`,
  ENOSPC: full,
  EDQUOT: full,
  ENOTDIR: inTheWay,
  EEXIST: inTheWay,
  EISDIR: (file) => `${file} is a folder where a file should be: move it away`,
  ENOENT: (file) => `There is no ${file}`,
  EMFILE: () => 'Too many files are open: raise the limit (ulimit -n)',
}

/** A setting that names a database, or a pooler before it. */
export type DatabaseSetting =
  | 'DATABASE_URL'
  | 'DATABASE_MIGRATE_URL'
  | 'DATABASE_POOLER_URL'
  | 'DATABASE_LISTEN_URL'

/**
 * An error of the database at start, with a message that says what to do about its setting; others stay as
 * they are, and so do all of the embedded one, which has no setting.
 */
export function databaseFailure(
  error: unknown,
  url: string,
  setting: DatabaseSetting | undefined,
): unknown {
  const first = innermost(error)
  if (!setting || sentenceOf(first) || !(first instanceof Error)) return error
  const { code = '' } = first as NodeJS.ErrnoException
  const sentence = databaseCodes[code] ?? databaseMessage(first.message)
  if (!sentence) return error
  const named = sentence.replaceAll('DATABASE_URL', setting)
  return new ConfigError(named.replaceAll('%', `at ${placeOf(url)}`), { cause: error })
}

const unreachable = (why: string) =>
  `The database % cannot be reached (${why}): start it, or correct DATABASE_URL`
const untrusted =
  'The certificate of the database % is not trusted: add its authority with sslrootcert=… or use sslmode=no-verify in DATABASE_URL'

const refusedUser = 'The database % refused the user or the password: correct DATABASE_URL'
const noDatabase = 'There is no such database %: create it, or correct DATABASE_URL'

const databaseCodes: { [code: string]: string } = {
  ECONNREFUSED: unreachable('the connection was refused'),
  ECONNRESET: unreachable('the connection was reset'),
  ENOENT: unreachable('there is no such socket'),
  ENOTFOUND: unreachable('no such host'),
  EAI_AGAIN: unreachable('its name cannot be looked up'),
  EHOSTUNREACH: unreachable('there is no route to the host'),
  ENETUNREACH: unreachable('there is no route to the network'),
  ETIMEDOUT: unreachable('it did not answer in time'),
  '57P03': unreachable('it is still starting or already stopping'),
  '53300': 'The database % has no connection left: raise max_connections or stop what uses them',
  '28P01': refusedUser,
  '28000': 'The database % refused the user: correct DATABASE_URL or its pg_hba.conf',
  '3D000': noDatabase,
  '42501':
    'The user in DATABASE_URL may not set up the database %: give it the right to create in it',
  '53100': 'The disk of the database % is full: make room',
  '25006': 'The database % is read-only: name the primary in DATABASE_URL, not a replica',
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
}

function databaseMessage(message: string): string | undefined {
  if (/does not support SSL/.test(message)) {
    return 'The database % has no TLS: add sslmode=disable to DATABASE_URL, or turn TLS on there'
  }
  if (/password must be a (non-empty )?string/.test(message)) {
    return 'The database % requires a password: put it into DATABASE_URL'
  }
  if (/unsupported startup parameter/.test(message)) {
    return 'The database % is behind a pooler that drops connection settings: connect to PostgreSQL itself, or let the pooler pass on the startup parameter "options"'
  }
  if (/not currently accepting connections/.test(message)) {
    return 'The database % accepts no connections: allow them there (alter database … allow_connections true), or correct DATABASE_URL'
  }
  const [, extension] = /extension "(\w+)" is not available/.exec(message) ?? []
  if (extension) {
    return `The PostgreSQL of the database % has no extension ${extension}: install its contrib modules there (the package postgresql-contrib)`
  }
  // poolers use one code for all of these
  if (/password authentication failed|no such user|auth failed/i.test(message)) return refusedUser
  if (/no such database/i.test(message)) return noDatabase
  if (/timeout/.test(message)) return unreachable('it did not answer in time')
  if (/terminated|ended/.test(message)) return unreachable('what answers there is not PostgreSQL')
  return undefined
}

/** Host, port and name of a database, without user and password. */
export function placeOf(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url)
  const host = hostname || searchParams.get('host') || 'localhost'
  return `${host}:${port || 5432}${decodeURI(pathname)}`
}

/** An error of listening, with a message that says what to do. */
export function listenFailure(
  error: unknown,
  host: string,
  port: number,
  setting: 'PORT' | 'mail_inbound_port in CONFIG_FILE' = 'PORT',
): unknown {
  const { code = '' } = error as NodeJS.ErrnoException
  const sentence = {
    EADDRINUSE: `Port ${port} is in use: stop what listens there, or set ${setting} to another`,
    EACCES: `This user may not listen on port ${port}: set ${setting} to 1024 or above`,
    EADDRNOTAVAIL: `"${host}" is not an address of this machine: set HOST to one, or to 0.0.0.0`,
    ENOTFOUND: `"${host}" is not an address: set HOST to one, such as 127.0.0.1 or 0.0.0.0`,
    EAI_AGAIN: `"${host}" is not an address: set HOST to one, such as 127.0.0.1 or 0.0.0.0`,
  }[code]
  return sentence ? new ConfigError(sentence, { cause: error }) : error
}
