import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Module } from '../../data/modules.ts'
import { isComplete, summaryOf, takesMany } from './words.ts'

const module = {
  fields: [{ name: 'due_date', label: 'Due date', type: 'date' }],
} as unknown as Module

describe('the words of filters', () => {
  test('say of dates that they come before and after', () => {
    const clause = { field: 'due_date', operator: 'lt', value: '2026-01-01' }
    assert.equal(summaryOf(module, clause), 'Due date is before')
    assert.equal(summaryOf(module, { or: [clause, clause] }), 'Any of 2 conditions')
    assert.equal(summaryOf(module, { not: clause }), 'Not: Due date is before')
  })

  test('know which conditions are complete', () => {
    assert.equal(isComplete({ field: 'a', operator: 'is_empty' }), true)
    assert.equal(isComplete({ field: 'a', operator: 'eq', value: '' }), false)
    assert.equal(isComplete({ field: 'a', operator: 'eq', value: false }), true)
    assert.equal(isComplete({ field: 'a', operator: 'in', value: [] }), false)
    assert.equal(isComplete({ field: 'a', operator: 'between', value: [1, null] }), false)
    assert.equal(isComplete({ field: 'a', operator: 'between', value: [1, 2] }), true)
    assert.ok(takesMany('in') && !takesMany('eq'))
  })
})
