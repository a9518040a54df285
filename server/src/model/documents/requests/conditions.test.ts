import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Condition } from './conditions.ts'
import { areAsked, conditionErrors } from './conditions.ts'

const field = (key: string, show_if?: Condition, kind = 'text') => ({
  key,
  kind,
  ...(show_if ? { show_if } : {}),
})
const asked = (fields: ReturnType<typeof field>[], values: string[]) =>
  areAsked(fields, (position) => values[position] ?? '')

describe('conditions of fields', () => {
  test('hold by what is filled in, and spaces are nothing', () => {
    const of = (operator: Condition['operator'], value?: string) => [
      field('a'),
      field('b', { field: 'a', operator, ...(value === undefined ? {} : { value }) }),
    ]
    const table: [Condition['operator'], string | undefined, string, boolean][] = [
      ['filled', undefined, 'x', true],
      ['filled', undefined, '  ', false],
      ['empty', undefined, '  ', true],
      ['empty', undefined, 'x', false],
      ['equals', 'yes', ' yes ', true],
      ['equals', 'yes', 'Yes', false],
      ['differs', 'yes', 'no', true],
      ['differs', 'yes', '', true],
      ['differs', 'yes', 'yes', false],
    ]
    for (const [operator, value, text, expected] of table) {
      assert.deepEqual(asked(of(operator, value), [text]), [true, expected], `${operator} ${text}`)
    }
  })

  test('of a field that is not asked for do not see what was filled in before', () => {
    const chain = [
      field('c', { field: 'b', operator: 'filled' }),
      field('b', { field: 'a', operator: 'filled' }),
      field('a'),
    ]
    assert.deepEqual(asked(chain, ['', 'left over', '']), [false, false, true])
    assert.deepEqual(asked(chain, ['', 'text', 'x']), [true, true, true])
  })

  test('name what cannot be', () => {
    const filled = (name: string): Condition => ({ field: name, operator: 'filled' })
    const wrong = (...fields: ReturnType<typeof field>[]) =>
      conditionErrors(fields).map(({ position, message }) => `${position} ${message}`)
    assert.deepEqual(wrong(field('a'), field('b', filled('a'))), [])
    assert.match(String(wrong(field('a', filled('z')))), /^0 must name the key/)
    assert.match(String(wrong(field('a'), field('b', filled('a'), 'signature'))), /^1 is not for/)
    assert.match(String(wrong(field('a', undefined, 'date'), field('b', filled('a')))), /by hand/)
    assert.match(String(wrong(field('a', filled('a')))), /leads back/)
    assert.deepEqual(wrong(field('a', filled('b')), field('b', filled('a'))).length, 2)
    assert.match(
      String(wrong(field('a'), field('b', { field: 'a', operator: 'equals', value: ' ' }))),
      /^1 needs a value/,
    )
  })
})
