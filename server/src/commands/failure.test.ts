import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError } from '../kit/ground/errors.ts'
import { databaseFailure } from './failure.ts'

test('a PostgreSQL without its contrib modules is a sentence that names the missing one', () => {
  const refusal = Object.assign(new Error('extension "pg_trgm" is not available'), {
    code: '0A000',
  })
  const failure = databaseFailure(refusal, 'postgres://db.test/perennial', 'DATABASE_URL')
  assert.ok(failure instanceof ConfigError)
  assert.match(failure.message, /db\.test:5432\/perennial has no extension pg_trgm: install/)
})
