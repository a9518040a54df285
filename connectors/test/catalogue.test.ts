import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { bodyOf, coerce } from '../coerce.ts'
import { records } from '../catalogue.ts'
import { customFields, hasCustom } from '../custom.ts'
import { dropdowns } from '../dropdowns.ts'
import type { ApiDocument } from '../join.ts'
import { modelOf } from '../join.ts'
import { triggers } from '../triggers.ts'

const document = () =>
  JSON.parse(
    readFileSync(new URL('../../docs/api/openapi.json', import.meta.url), 'utf8'),
  ) as ApiDocument

describe('the catalogue', () => {
  test('joins with the document: types, requirements and closed sets are the document’s', () => {
    const model = modelOf(document())
    assert.deepEqual(
      model.records.map(({ word }) => word),
      records.map(({ word }) => word),
    )
    assert.equal(model.triggers.length, Object.keys(triggers).length)
    const field = (word: string, key: string) =>
      model.records.find((each) => each.word === word)?.fields.find((each) => each.key === key)
    assert.deepEqual(
      ['domain', 'description', 'estimated_arr', 'tags', 'address', 'website_url'].map(
        (key) => field('company', key)?.type,
      ),
      ['text', 'long_text', 'number', 'list', 'address', 'url'],
    )
    assert.deepEqual(
      [field('task', 'due_date')?.type, field('task', 'is_completed')?.type],
      ['date', 'boolean'],
    )
    assert.deepEqual(
      [field('company', 'company_name')?.isRequired, field('task', 'project_id')?.isRequired],
      [true, true],
    )
    assert.deepEqual(
      field('contact', 'do_not_contact')?.options?.map(({ value }) => value),
      ['yes', 'no'],
    )
  })

  test('names everything that the document lacks', () => {
    const poorer = document()
    delete poorer.paths['/automation/users']
    delete poorer.webhooks.deal_won
    delete poorer.components.schemas.CompanyCreate?.properties?.domain
    delete poorer.components.schemas.CompanyUpdate?.properties?.domain
    poorer.webhooks.company_opened = poorer.webhooks.company_created!
    assert.throws(() => modelOf(poorer), {
      message: [
        'The catalogue of the connectors:',
        'company.domain is in no body of /automation/company',
        'operation get_users is not in the API document',
        'event deal_won is not in the API document',
        'event company_opened has no label',
      ].join('\n  '),
    })
  })

  test('has no dropdown that no field and no update uses', () => {
    const inFields = records.flatMap(({ fields }) => Object.values(fields))
    const used = new Set([
      ...inFields.map(({ dropdown }) => dropdown),
      ...records.map(({ word }) => word),
    ])
    assert.deepEqual(
      Object.keys(dropdowns).filter((key) => !used.has(key)),
      [],
    )
  })
})

describe('values of forms', () => {
  const cases: [type: Parameters<typeof coerce>[0], value: unknown, expected: unknown][] = [
    ['text', '', undefined],
    ['text', null, null],
    ['text', 42, '42'],
    ['number', '12.5', 12.5],
    ['number', 'twelve', 'twelve'],
    ['number', ' ', ' '],
    ['boolean', 'true', true],
    ['boolean', 'No', false],
    ['boolean', 1, true],
    ['boolean', 'perhaps', 'perhaps'],
    ['list', 'a, b,', ['a', 'b']],
    ['list', '["a, b"]', ['a, b']],
    ['list', ['a'], ['a']],
    ['list', 7, ['7']],
    ['list', ['a', '', ' b ', 2, null], ['a', 'b', '2']],
    ['multi_select', ['a', ''], ['a']],
    ['date', '2027-02-03T00:00:00.000+02:00', '2027-02-03'],
    ['date', '2027-02-03', '2027-02-03'],
    ['date', 'soon', 'soon'],
    ['date', new Date('2027-02-03T10:00:00Z'), '2027-02-03'],
    ['datetime', { toISO: () => '2027-02-03T10:00:00.000Z' }, '2027-02-03T10:00:00.000Z'],
    ['address', '{"city": "Nairobi"}', { city: 'Nairobi' }],
    ['address', 'Nairobi', 'Nairobi'],
  ]
  for (const [type, value, expected] of cases) {
    test(`${type}: ${JSON.stringify(value)}`, () => assert.deepEqual(coerce(type, value), expected))
  }

  test('fields of an organization’s own have the types that forms know', () => {
    const options = [{ value: 'a', label: 'A' }]
    const described = [
      { key: 'name', label: 'Name', type: 'text', is_built_in: true },
      { key: 'gone', label: 'Gone', type: 'text', is_archived: true },
      { key: 'renewal', label: 'Renewal', type: 'date', required: true },
      { key: 'plan', label: 'Plan', type: 'select', options },
      { key: 'buddy', label: 'Buddy', type: 'user' },
      { key: 'mood', label: 'Mood', type: 'of tomorrow' },
    ]
    const fields = customFields(described)
    assert.deepEqual(
      fields.map(({ key, type, isRequired }) => [key, type, isRequired]),
      [
        ['custom_fields__renewal', 'date', true],
        ['custom_fields__plan', 'select', false],
        ['custom_fields__buddy', 'select', false],
        ['custom_fields__mood', 'text', false],
      ],
    )
    assert.deepEqual([fields[1]?.options, fields[2]?.dropdown], [options, 'user'])
    assert.ok(hasCustom({ company_name: 'A', custom_fields__plan: null }))
    assert.ok(!hasCustom({ company_name: 'A', custom_fields__plan: '' }))
  })

  test('a body has the fields that are filled, and the custom ones in their place', () => {
    const fields = [
      { key: 'tags', label: 'Tags', type: 'list' as const, help: '' },
      { key: 'due_date', label: 'Due', type: 'date' as const, help: '' },
      { key: 'custom_fields__tier', label: 'Tier', type: 'number' as const, help: '' },
    ]
    const values = { tags: 'a', due_date: '', custom_fields__tier: '2', unknown: 'x' }
    assert.deepEqual(bodyOf(fields, values), { tags: ['a'], custom_fields: { tier: 2 } })
  })
})
