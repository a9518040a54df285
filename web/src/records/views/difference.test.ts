import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { View } from '../../data/views.ts'
import { isChanged, searchOf } from './difference.ts'

const view = {
  filter_id: 'v1',
  conditions: [{ field: 'lead_status', operator: 'eq', value: 'new' }],
  columns: ['full_name', 'phone'],
  sort: '-full_name',
} as unknown as View

describe('a saved view', () => {
  test('is an address that differs from it only once something is changed', () => {
    const search = searchOf(view)
    assert.equal(search.cols, 'full_name,phone')
    assert.equal(isChanged(view, search), false)
    assert.equal(isChanged(view, { ...search, page: 3, peek: 'x' }), false)
    const turned = [{ value: 'new', operator: 'eq', field: 'lead_status' }]
    assert.equal(isChanged(view, { ...search, f: turned }), false)
    assert.equal(isChanged(view, { ...search, sort: 'full_name' }), true)
    assert.equal(isChanged(view, { ...search, f: [] }), true)
    assert.equal(isChanged(view, { ...search, cols: 'phone' }), true)
  })
})
