import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JSONSchema } from '../src/kit/ground/json-schema.ts'
import type { AnyRecord, Field } from '../src/kit/record/record.ts'
import { readSchema } from '../src/kit/record/schema.ts'
import { records } from '../src/model/all.ts'
import { widgets } from '../src/records/dashboards/widgets.ts'
import { forecast } from '../src/records/projects/forecast.ts'
import { ShownMilestone } from '../src/model/milestones/milestone.ts'
import { ShownProject } from '../src/model/projects/project.ts'

// A number that is counted or summed up means nothing until it is said what is counted: each has a
// sentence in the API document.

const sentence = /^[A-Z`].* .*\S\.$/

describe('each total is defined in one sentence', () => {
  test('of records', () => {
    const missing = ([...records, ShownMilestone, ShownProject] as AnyRecord[]).flatMap(
      (record) => {
        const { properties = {} } = readSchema(record) as JSONSchema
        return Object.entries(record.fields)
          .filter(([, field]) => isTotal(field))
          .flatMap(([name]) =>
            undefinedIn((properties as Properties)[name]!, `${record.word}.${name}`),
          )
      },
    )
    assert.deepEqual(missing, [])
  })

  test('of widgets', () => {
    const missing = Object.entries(widgets).flatMap(([type, { series, totals }]) => [
      ...undefinedIn(series as unknown as JSONSchema, `${type}.series`),
      ...undefinedIn(totals as unknown as JSONSchema, `${type}.totals`),
    ])
    assert.deepEqual(missing, [])
  })

  test('of the forecast', () => {
    assert.deepEqual(undefinedIn(forecast.output as unknown as JSONSchema, 'forecast'), [])
  })

  test('is found where it lacks', () => {
    const schema = { type: 'object', properties: { sum: { type: ['number', 'null'] } } }
    assert.deepEqual(undefinedIn(schema, 'x'), ['x.sum'])
    const list = { type: 'array', items: { anyOf: [schema, { type: 'null' }] } }
    assert.deepEqual(undefinedIn(list, 'x'), ['x[].sum'])
    const named = { ...schema.properties.sum, description: 'number of deals' }
    assert.deepEqual(undefinedIn({ ...schema, properties: { sum: named } }, 'x'), ['x.sum'])
  })
})

type Properties = { [name: string]: JSONSchema }

/** What a read shows of other rows as it is stored there, and what orders them. */
const stored =
  /^(position|order|item_type|probability|file_size|thread_level|expected_deal_value|minimum|maximum|page|x|y|width|height)$/

/** Whether a read computes it and it holds numbers. */
function isTotal({ kind, expression, read, shared }: Field): boolean {
  const isComputed = expression !== undefined || read !== undefined || shared !== undefined
  return isComputed && ['integer', 'number', 'json', 'list'].includes(kind)
}

/** The numbers in a schema that no sentence defines. */
function undefinedIn(schema: JSONSchema, path: string): string[] {
  const { type, properties, items, anyOf, description } = schema as JSONSchema & {
    properties?: Properties
    items?: JSONSchema
    anyOf?: JSONSchema[]
  }
  const types = [type].flat()
  if (types.includes('integer') || types.includes('number')) {
    return typeof description === 'string' && sentence.test(description) ? [] : [path]
  }
  return [
    ...Object.entries(properties ?? {}).flatMap(([name, each]) =>
      stored.test(name) ? [] : undefinedIn(each, `${path}.${name}`),
    ),
    ...(items ? undefinedIn(items, `${path}[]`) : []),
    ...(anyOf ?? []).flatMap((each) => undefinedIn(each, path)),
  ]
}
