import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sortOf } from './sort.ts'

const module = {
  fields: [
    { name: 'company_name', is_sortable: true },
    { name: 'is_completed', is_sortable: true },
    { name: 'tags', is_sortable: false },
  ],
}

test('an order by fields that a list cannot be sorted by is dropped, and the rest of it stays', () => {
  assert.equal(sortOf(module, '-company_name'), '-company_name')
  assert.equal(sortOf(module, 'is_completed,-company_name'), 'is_completed,-company_name')
  assert.equal(sortOf(module, '-tags'), undefined)
  assert.equal(sortOf(module, 'gone,-company_name'), '-company_name')
  assert.equal(sortOf(module, '-company_owner.full_name'), '-company_owner.full_name')
  assert.equal(sortOf(module, undefined), undefined)
})
