import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boolean, integer, list, number, object, oneOf, reference, text } from './fields.ts'
import type { Field } from './record.ts'

const rows = { name: 'sums', rows: 'select 1 as n' }
const link = { table: 'things', shows: null, by: {} }

test('a field may be left out and cleared, unless a fact settles its value', () => {
  const cases: [Field, Field['access'], boolean][] = [
    [text(), 'optional', true],
    [reference(link), 'optional', true],
    [text(20, { nullable: false }), 'optional', false],
    [text(20, { required: true }), 'required', false],
    [boolean({ default: false }), 'optional', false],
    [list(undefined, { default: [] }), 'optional', false],
    [integer({ readOnly: true }), 'readOnly', false],
    [integer({ readOnly: true, nullable: true }), 'readOnly', true],
    [integer({ readOnly: true, default: 0, refusal: 'follows from something' }), 'readOnly', false],
    [number({ expression: '1' }), 'readOnly', false],
    [number({ expression: '1', nullable: true }), 'readOnly', true],
    [number({ readOnly: true, shared: { ...rows, value: 'sums.n' } }), 'readOnly', false],
  ]
  for (const [field, access, nullable] of cases) {
    assert.deepEqual([field.access, field.nullable], [access, nullable], JSON.stringify(field))
  }
})

test('the schema has the title first, then the type, further keywords and the description', () => {
  const facts = { title: 'Word', description: 'what it says', schema: { format: 'word' } }
  assert.equal(
    JSON.stringify(text(9, { ...facts, required: true }).schema),
    '{"title":"Word","type":"string","maxLength":9,"format":"word","description":"what it says","pattern":"\\\\S"}',
  )
  // the schema of a link says how bodies name what it leads to
  const to = reference(link, { required: true, description: 'what it belongs to' })
  assert.deepEqual(
    [to.description, to.schema],
    ['what it belongs to', { type: 'string', minLength: 1, maxLength: 25 }],
  )
})

test('rows that fields share give the value that is read, and the whole value where it is computed', () => {
  const shared = { ...rows, value: 'sums.n' }
  const sql = '(select sums.n from (select 1 as n) sums)'
  assert.equal(integer({ shared }).read, sql)
  assert.equal(integer({ shared, readOnly: true }).expression, sql)
})

test('an object is found by filters only by its word', () => {
  assert.deepEqual(
    [object().filterable, object({ word: 't.state' }).filterable, list().filterable],
    [false, true, true],
  )
})

test('the compiler refuses facts that there are none of, and a default of another type', () => {
  // @ts-expect-error
  text(20, { requird: true })
  // @ts-expect-error
  boolean({ default: 'yes' })
  // @ts-expect-error
  oneOf(['open', 'shut'], { default: 'ajar' })
  const state: Field<'open' | 'shut' | null, 'open' | 'shut' | null> = oneOf(['open', 'shut'])
  assert.equal(state.access, 'optional')
})
