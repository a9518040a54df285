import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listSearch } from './search.ts'

test('of a list’s address what is wrong is dropped, and the rest holds', () => {
  const condition = { field: 'industry', operator: 'eq', value: 'energy' }
  const cases: [search: object, found: object][] = [
    [{ f: 'notjson', sort: 'xyz', page: -4, size: 99_999, as: 'bogus' }, { sort: 'xyz' }],
    [{ f: [1, null, [condition], { field: 'industry' }, condition] }, { f: [condition] }],
    [
      { f: [{ or: [condition, { not: condition }] }] },
      { f: [{ or: [condition, { not: condition }] }] },
    ],
    [{ f: [{ or: [condition, 'x'] }, { and: 3 }] }, {}],
    [
      { q: 2026, page: '3', size: 100, as: 'board', new: true },
      { q: '2026', page: 3, size: 100, as: 'board', new: true },
    ],
    [{ q: '', page: 1, cols: {} }, {}],
  ]
  for (const [search, found] of cases) assert.deepEqual(listSearch({ ...search }), found)
})
