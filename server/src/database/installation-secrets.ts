import type pg from 'pg'
import { allOrganizations } from '../kit/ground/context.ts'
import { ConfigError } from '../kit/ground/errors.ts'
import { sql } from '../kit/ground/sql.ts'
import type { Secrets } from '../secrets.ts'
import { hashingKeyOf, knownSecretKey, makeSecretKey, secretsFrom } from '../secrets.ts'
import type { Database } from './connect.ts'

/**
 * Every column that holds something encrypted with SECRET_KEY, and the columns of its table's key. A
 * request's stored answers and waiting mails are left out: they are gone within a day.
 */
export const encryptedColumns: readonly [table: string, column: string, ...key: string[]][] = [
  ['hash_keys', 'sealed', 'is_only'],
  ['signing_keys', 'private_jwk', 'kid'],
  ['apps', 'client_secret', 'organization_id', 'id'],
  ['subscriptions', 'secret', 'organization_id', 'id'],
  ['subscriptions', 'previous_secret', 'organization_id', 'id'],
  ['signature_recipients', 'token_sealed', 'organization_id', 'id'],
  ['signing_certificates', 'private_key', 'organization_id', 'id'],
  ['one_time_codes', 'secret', 'organization_id', 'user_id'],
  ['openid_providers', 'client_secret', 'organization_id'],
  ['personal_data_requests', 'sealed', 'organization_id', 'id'],
  ['calendar_connections', 'secret', 'organization_id', 'id'],
  ['webhook_inspectors', 'token', 'organization_id', 'id'],
  ['webhook_inspectors', 'secret', 'organization_id', 'id'],
]

/**
 * The keys of this installation: SECRET_KEY, the previous one for what is not re-encrypted yet, and the
 * stored key of hashes. Throws a ConfigError if stored secrets were encrypted with another key.
 */
export async function installationSecrets(
  database: Database,
  secretKey: string,
  previous: string | null,
): Promise<Secrets> {
  const secrets = secretsFrom(secretKey, { previous })
  const read = database.reads(allOrganizations)
  const stored = await newestStored(database)
  try {
    for (const { bytes } of stored) secrets.decrypt(bytes)
  } catch {
    throw new ConfigError(
      'The secrets in this database were encrypted with another SECRET_KEY: set SECRET_KEY to that one, or restore the file secret.key that belongs to this database into the data folder',
    )
  }
  const known = await read.one<{ sealed: Buffer }>(sql`select sealed from hash_keys`)
  // installations from before that table hashed under the key that encrypted what they stored
  const isOlder = previous !== null && stored.some(({ bytes }) => !secrets.isCurrent(bytes))
  const sealed =
    known?.sealed ?? (await newHashKey(database, secrets, isOlder ? previous : secretKey))
  return secretsFrom(secretKey, { previous, hashing: Buffer.from(secrets.decrypt(sealed), 'hex') })
}

/**
 * The secret key of an installation that had none when it was looked for: a new one in the data folder. Throws a
 * ConfigError, and makes none, where the database holds what only the lost key decrypts.
 */
export async function firstSecretKey(database: Database, dataDir: string): Promise<string> {
  if (!(await newestStored(database)).length) return makeSecretKey(dataDir)
  // another process that starts too may have made it since, and stored something
  const key = knownSecretKey(null, dataDir)
  if (key) return key
  throw new ConfigError(
    `The secrets in this database were encrypted with a key that is neither SECRET_KEY nor in "${dataDir}": set SECRET_KEY to it, or bring back the file secret.key of the data folder that belongs to this database`,
  )
}

/** Secrets that show whether a key fits: of the installation, or else of an app, which may be there before them. */
async function newestStored(database: Database): Promise<{ bytes: Buffer }[]> {
  const read = database.reads(allOrganizations)
  const own = await read.all<{ bytes: Buffer }>(sql.raw(ofInstallation))
  // only then, since the tables of organizations may be on many machines
  return own.length ? own : read.all(sql.raw(newestOfApps))
}

const signingKey =
  '(select private_jwk as bytes from perennial.signing_keys order by creation_time desc limit 1)'
const ofInstallation = `${signingKey} union all (select sealed from perennial.hash_keys)`
const newestOfApps = 'select client_secret as bytes from perennial.apps order by id desc limit 1'

/**
 * The same over a connection that sees every organization; of an older version's database, too.
 */
export async function newestSecrets(client: pg.Client): Promise<Buffer[]> {
  const { rows: found } = await client.query<{ is_there: boolean }>(
    `select to_regclass('perennial.hash_keys') is not null as is_there`,
  )
  const own = found[0]?.is_there ? ofInstallation : signingKey
  const stored = await client.query<{ bytes: Buffer }>(own)
  const { rows } = stored.rowCount ? stored : await client.query<{ bytes: Buffer }>(newestOfApps)
  return rows.map(({ bytes }) => bytes)
}

/** Stores the key of hashes, unless another process has done so meanwhile. */
async function newHashKey(database: Database, secrets: Secrets, from: string): Promise<Buffer> {
  const sealed = secrets.encrypt(hashingKeyOf(from).toString('hex'))
  const stored = await database.transaction(allOrganizations, async (queries) => {
    await queries.run(sql`insert into hash_keys (sealed) values (${sealed}) on conflict do nothing`)
    return queries.one<{ sealed: Buffer }>(sql`select sealed from hash_keys`)
  })
  return stored?.sealed ?? sealed
}

/** Values that are read at once. */
const pageSize = 500

/**
 * Re-encrypts with SECRET_KEY whatever the previous one encrypted, a value at a time while the service
 * runs; returns how many.
 */
export async function reencrypt(database: Database, secrets: Secrets): Promise<number> {
  const read = database.reads(allOrganizations)
  let count = 0
  for (const [table, column, ...key] of encryptedColumns) {
    const texts = key.map((name) => sql`${sql.ref(name)}::text`)
    const at = sql`array[${sql.join(texts, sql`, `)}]`
    let last: string[] = []
    for (let rows = [{ bytes: Buffer.alloc(0), at: last }]; rows.length;) {
      rows = await read.all(sql`
        select ${sql.ref(column)} as bytes, ${at} as at from ${sql.table(table)}
        where ${sql.ref(column)} is not null and ${at} > ${last}::text[]
        order by ${at} limit ${pageSize}`)
      last = rows.at(-1)?.at ?? last
      for (const row of rows) {
        if (secrets.isCurrent(row.bytes)) continue
        const organization = key[0] === 'organization_id' ? row.at[0] : undefined
        const place = key.map((name, i) => sql`${sql.ref(name)} = ${row.at[i]}`)
        const fresh = secrets.encrypt(secrets.decrypt(row.bytes))
        // one that was replaced meanwhile is encrypted with this key already
        count += await database.transaction(organization ?? allOrganizations, (queries) =>
          queries.run(sql`update ${sql.table(table)} set ${sql.ref(column)} = ${fresh}
            where ${sql.join(place, sql` and `)} and ${sql.ref(column)} = ${row.bytes}`),
        )
      }
    }
  }
  return count
}
