import assert from 'node:assert/strict'
import { test } from 'node:test'
import { records, related } from './definition.ts'

const rest = { icon: 'users' as const, tabs: [], empty: '' }

test('a field that the schema of a module does not have does not compile', () => {
  const right = records('accounts', { ...rest, table: ['account_owner'] })
  assert.deepEqual([right.module, right.address], ['accounts', '/accounts'])
  const wrong = records('accounts', {
    ...rest,
    // @ts-expect-error -- misspelled
    table: ['account_ownr'],
  })
  assert.deepEqual(wrong.table, ['account_ownr'])
  const foreign = records('tags', {
    ...rest,
    table: [],
    // @ts-expect-error -- a field of contacts
    sort: ['-full_name'],
  })
  assert.equal(foreign.sort, '-full_name')
  // @ts-expect-error -- contacts have `company`, deals have this
  assert.deepEqual(related('contacts', 'company_id').kind, 'related')
})

test('an order of several fields is as the API takes it', () => {
  const { sort } = records('tasks', { ...rest, table: [], sort: ['is_completed', '-due_date'] })
  assert.equal(sort, 'is_completed,-due_date')
})
