import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { freshDatabase } from '../../test/support/database.ts'
import { makeOrganization, secretKey, sql, startService } from '../../test/support/service.ts'
import { allOrganizations } from '../kit/ground/context.ts'
import { issueApp } from '../records/apps/app.ts'
import { reencrypt, encryptedColumns, installationSecrets } from './installation-secrets.ts'

const next = 'another secret key that replaces it, 32+ characters'

describe('the secret key', () => {
  test('is replaced without a token, an app or a code that stops working', async () => {
    const service = await startService()
    const { database } = service.runtime
    const before = await installationSecrets(database, secretKey, null)
    const token = 'a token of high entropy'
    assert.deepEqual(before.hash(token), service.runtime.secrets.hash(token))
    const org = await makeOrganization(service)
    const apps = ['Connector', 'Another'].map((name) =>
      database.transaction(allOrganizations, (queries) =>
        issueApp(queries, before, org.id, { name }),
      ),
    )
    assert.equal((await Promise.all(apps)).length, 2)

    const both = await installationSecrets(database, next, secretKey)
    assert.deepEqual(both.hash(token), before.hash(token))
    // the key of hashes and both apps, at least
    assert.ok((await reencrypt(database, both)) >= 3)
    assert.equal(await reencrypt(database, both), 0)

    const after = await installationSecrets(database, next, null)
    assert.deepEqual(after.hash(token), before.hash(token))
    const [stored] = await database
      .reads(allOrganizations)
      .all<{ client_secret: Buffer }>(sql`select client_secret from apps order by id desc limit 1`)
    assert.ok(after.decrypt(stored!.client_secret))
    await assert.rejects(installationSecrets(database, secretKey, null), /another SECRET_KEY/)
  })

  test('that came first hashes, whichever of two is named first', async () => {
    const { database } = await freshDatabase()
    const first = await installationSecrets(database, secretKey, null)
    const swapped = await installationSecrets(database, secretKey, next)
    assert.deepEqual(swapped.hash('x'), first.hash('x'))
  })

  test('encrypts columns that are all known', async () => {
    const { database } = await freshDatabase()
    const found = await database.reads(allOrganizations).all<{ name: string }>(sql`
      select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'perennial' and data_type = 'bytea' order by 1`)
    const known = encryptedColumns.map(([table, column]) => `${table}.${column}`)
    // hashes, files, and answers that are gone within a day
    const others = /_hash$|\.unique_key$|^idempotency_keys\.body$|\.content$|\.hash$/
    assert.deepEqual(
      found.map(({ name }) => name).filter((name) => !known.includes(name) && !others.test(name)),
      [],
    )
  })
})
