import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import pg from 'pg'
import type { Database } from '../src/database/connect.ts'
import { allOrganizations } from '../src/kit/ground/context.ts'
import { ConfigError } from '../src/kit/ground/errors.ts'
import { checkFilters } from '../src/commands/filter-columns.ts'
import { boolean, date, integer, tagList, text } from '../src/kit/record/fields.ts'
import type { AnyRecord, Fields } from '../src/kit/record/record.ts'
import { Account } from '../src/model/accounts/account.ts'
import { records } from '../src/model/all.ts'
import { Contact } from '../src/model/contacts/contact.ts'
import { person } from '../src/model/people/person.ts'
import { freshDatabase } from './support/database.ts'
import { atEnd } from './support/finally.ts'

// A migration adds a field with one call, and a start refuses a table whose filters do not know it.

describe('a field in one step', () => {
  let client: pg.Client
  let database: Database

  before(async () => {
    const fresh = await freshDatabase()
    database = fresh.database
    client = new pg.Client({
      connectionString: fresh.url,
      options: '-c search_path=perennial -c app.organization=*',
    })
    await client.connect()
    atEnd(() => client.end())
  })

  const rows = async <T = any>(text: string): Promise<T[]> => (await client.query(text)).rows
  const check = (record: AnyRecord, fields: Fields) =>
    checkFilters(database.reads(allOrganizations), [
      { ...record, fields: { ...record.fields, ...fields } },
    ])
  const termsOf = async (table: string, id: string) =>
    (await rows(`select terms from filter_entries where source = '${table}' and id = '${id}'`))[0]
      ?.terms as number[] | undefined
  const choices = async (table: string) =>
    (await rows(`select filter_choices('${table}') as choices`))[0].choices

  test('the triggers of all tables know what filters look for', async () => {
    await checkFilters(database.reads(allOrganizations), records)
  })

  test('a column that a migration adds alone is refused at the start, by its name', async () => {
    await client.query('alter table accounts add column forgotten text')
    const fields = { forgotten: text(20) }
    await assert.rejects(check(Account, fields), (error) => {
      assert.ok(error instanceof ConfigError)
      assert.match(error.message, /by accounts\.forgotten: /)
      return true
    })
    await client.query(`select make_filterable('accounts')`)
    await check(Account, fields)
  })

  test('one of another type than its field is refused', async () => {
    await client.query(`select add_field('accounts', 'wrong', 'text')`)
    await check(Account, { wrong: text(20) })
    await assert.rejects(check(Account, { wrong: date() }), /accounts\.wrong/)
    await assert.rejects(check(Account, { wrong: integer() }), /accounts\.wrong/)
  })

  test('fields of every type are filtered from then on', async () => {
    const types = {
      note: 'text',
      is_key: 'boolean',
      began: 'date',
      points: 'integer',
      labels: 'jsonb',
    }
    for (const [name, type] of Object.entries(types)) {
      await client.query(`select add_field('contacts', 'new_${name}', '${type}')`)
    }
    const before = { whole: (await choices('contacts')).whole as string[] }
    await check(Contact, {
      new_note: text(20),
      new_is_key: boolean(),
      new_began: date(),
      new_points: integer(),
      new_labels: tagList(),
    })
    // what the table said of others stays
    assert.ok(before.whole.includes('full_name'))
    await assert.rejects(
      checkFilters(database.reads(allOrganizations), [
        { ...Contact, find: { ...Contact.find, terms: {} } },
      ]),
      /contacts\.full_name/,
    )
  })

  test('one that is never null begins with its value in every row, and filters find it', async () => {
    await client.query(`insert into organizations (organization_id, name) values ('o1', 'One')`)
    await client.query(`insert into tags (organization_id, id, tag_name) values ('o1', 't1', 'T')`)
    const before = (await termsOf('tags', 't1'))!
    await client.query(`select add_field('tags', 'is_old', 'boolean', 'false')`)
    assert.deepEqual(await termsOf('tags', 't1'), before)
    await client.query(`select add_field('tags', 'rank', 'integer', '7')`)
    const [row] = await rows(`select is_old, rank from tags where id = 't1'`)
    assert.deepEqual(row, { is_old: false, rank: 7 })
    assert.ok((await termsOf('tags', 't1'))!.length > before.length)
  })

  test('times are instants in milliseconds', async () => {
    await client.query(`select add_field('tags', 'seen_at', 'timestamptz')`)
    const [column] = await rows(`select data_type as type, datetime_precision as digits
      from information_schema.columns where table_name = 'tags' and column_name = 'seen_at'`)
    assert.deepEqual(column, { type: 'timestamp with time zone', digits: 3 })
  })

  test('a reference has its key, deferrable and validated, and its index', async () => {
    await client.query(`select add_reference('accounts', 'sponsor', 'users')`)
    const [key] = await rows(`select condeferrable, convalidated, pg_get_constraintdef(oid) as text
      from pg_constraint where conname = 'accounts_sponsor_fkey'`)
    assert.deepEqual(key, {
      condeferrable: true,
      convalidated: true,
      text: 'FOREIGN KEY (organization_id, sponsor) REFERENCES users(organization_id, id) DEFERRABLE',
    })
    const [index] = await rows(
      `select indexdef as text from pg_indexes where indexname = 'accounts_sponsor'`,
    )
    assert.match(index.text, /\(organization_id, sponsor\) WHERE \(sponsor IS NOT NULL\)$/)
    const [column] =
      await rows(`select character_maximum_length as size, collation_name as collation
      from information_schema.columns where table_name = 'accounts' and column_name = 'sponsor'`)
    assert.deepEqual(column, { size: 25, collation: 'C' })
    await check(Account, { sponsor: person() })
  })

  test('a table that filters do not read gets its column, and nothing else', async () => {
    await client.query(`select add_field('sessions', 'extra', 'text')`)
    const made = await rows(`select from pg_proc where proname = 'filter_terms_sessions'`)
    assert.equal(made.length, 0)
  })
})
