import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Field, Module } from '../../data/modules.ts'
import { appliedTo } from './applied.ts'
import { withLinked } from './question.ts'

const field = (name: string, more: Partial<Field> = {}) =>
  ({
    name,
    label: name,
    type: 'reference',
    look: null,
    is_groupable: true,
    is_filterable: true,
    is_summable: false,
    is_custom: false,
    options: [],
    operators: ['eq'],
    ...more,
  }) as unknown as Field
const projects = {
  module: 'projects',
  key: 'project_id',
  fields: [field('owner', { look: 'owner' }), field('stage')],
} as unknown as Module
const link = field('project', { reference: { module: 'projects' } as Field['reference'] })
const module = (fields: Field[]) => ({ module: 'calendar', key: 'calendar_id', fields }) as Module

test('a dashboard filtered by owner counts by the owner of the records, not of those that they lead to', () => {
  const meetings = withLinked(module([link]), [projects])
  assert.ok(meetings.fields.some(({ name }) => name === 'project.owner'))
  assert.deepEqual(appliedTo(meetings, { owner: 'ada' }), { clauses: [], leftOut: ['owner'] })
  const owned = withLinked(module([link, field('by', { look: 'owner' })]), [projects])
  assert.deepEqual(appliedTo(owned, { owner: 'ada' }), {
    clauses: [{ field: 'by', operator: 'eq', value: 'ada' }],
    leftOut: [],
  })
})
