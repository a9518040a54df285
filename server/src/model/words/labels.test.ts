import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wordOf } from '../../kit/record/record.ts'
import { fieldLabelOf, labelOf } from '../../records/field-config/labels.ts'
import { recordsByModule } from '../by-module.ts'
import { labelIn, labels } from './labels.ts'

const valuesOf = (schema: { enum?: unknown }) =>
  Array.isArray(schema.enum) ? schema.enum.map(String) : []

test('labels are those of fields, their choices and records, the same in each language', () => {
  const words = Object.values(recordsByModule).flatMap((record) => [
    record.word.replaceAll('_', ' '),
    wordOf(record).replaceAll('_', ' '),
    ...Object.entries(record.fields).flatMap(([name, field]) => [
      fieldLabelOf(name, field, record),
      ...(field.choices?.() ?? []).map(({ label }) => labelOf(label)),
      ...valuesOf(field.readSchema ?? field.schema).map((word) => labelOf(word)),
    ]),
  ])
  const known = new Set(words)
  for (const [language, own] of Object.entries(labels)) {
    assert.deepEqual(
      Object.keys(own).filter((label) => !known.has(label)),
      [],
      language,
    )
    assert.deepEqual(Object.keys(own), Object.keys(labels.de ?? {}), language)
  }
})

test('a label that a language lacks is in English', () => {
  assert.equal(labelIn('de', 'Due date'), 'Fällig am')
  assert.equal(labelIn('de', 'constructor'), 'constructor')
  assert.equal(labelIn('en', 'Due date'), 'Due date')
})
