import { Type } from 'typebox'
import { byId } from '../../kit/crud.ts'
import { badField } from '../../kit/ground/errors.ts'
import type { Can, Input, Operation } from '../../kit/ground/operation.ts'
import { operation } from '../../kit/ground/operation.ts'
import { all, sql } from '../../kit/ground/sql.ts'
import { listPage } from '../../kit/read/list.ts'
import { conditions, count } from '../../kit/read/selection.ts'
import { readSchema } from '../../kit/record/schema.ts'
import { groupsOf } from '../../records/modules/groups.ts'
import type { Kind } from '../integration/kinds.ts'
import { kinds } from '../integration/kinds.ts'
import { jsonOf } from './call.ts'
import { checkedFields, findBody, finding, selecting, withMe } from './find.ts'
import type { Family } from './tool.ts'
import { family } from './tool.ts'

const countBody = Type.Object({
  ...selecting,
  by: Type.Optional(
    Type.String({ maxLength: 300, description: 'a field, for the number of each of its values' }),
  ),
  sum: Type.Optional(
    Type.String({
      maxLength: 1000,
      description: 'with by: up to 5 fields to add up, comma-separated',
    }),
  ),
})

/** Who may read a kind. */
export const canRead = ({ record: { module } }: Kind): Can => ({ module, action: 'read' })

/** `find_records`: lists of every kind. */
export const findRecords: Family = family(
  {
    name: 'find_records',
    title: 'Find records',
    description:
      'A list of one kind of record, by text, by conditions on any field, or all; newest first unless sorted. get_fields lists the fields.',
  },
  eachKind((module, kind) => [
    finding(kind.record, {
      name: `find_${module}`,
      summary: `Find ${module}`,
      can: canRead(kind),
      scope: null,
      ...(kind.own ? { own: kind.own } : {}),
      ...(kind.only ? { only: kind.only } : {}),
    }),
    {
      shown: [...Object.keys(findBody.properties), ...Object.keys(kind.own ?? {})].filter(
        // list_due_tasks is for it
        (name) => name !== 'due_filter',
      ),
      scopes: kind.scopes,
      answers: ['results', 'next_cursor'],
    },
  ]),
)

/** `get_record`: one record of every kind. */
export const getRecord: Family = family(
  {
    name: 'get_record',
    title: 'Get a record',
    description:
      'One record with all its fields, or with the named ones: of an account its health with reasons, of a meeting its attendees and notes, of a document its signatures. The tasks of a project are those that find_records finds.',
  },
  eachKind((module, kind) => [
    reading(module, kind),
    { id: 'id', shown: ['fields'], scopes: kind.scopes },
  ]),
)

/** `count_records`: how many there are of every kind, in groups if asked. */
export const countRecords: Family = family(
  {
    name: 'count_records',
    title: 'Count records',
    description:
      'How many records of one kind there are, by text or conditions; with by the same for each value of a field, and with sum its amounts.',
  },
  eachKind((module, kind) => [counting(module, kind), { scopes: kind.scopes }]),
)

/** A tool for each kind, by the word of its module. */
export function eachKind(
  make: (module: string, kind: Kind) => Parameters<typeof family>[1][string],
): Parameters<typeof family>[1] {
  return Object.fromEntries(
    Object.entries<Kind>(kinds).map(([module, kind]) => [module, make(module, kind)]),
  )
}

/** A read of a record, or of some of its fields. */
function reading(module: string, { record, read, doubled = [] }: Kind): Operation {
  const [inPath = 'id'] = Object.keys((read.input.params as { properties: object }).properties)
  return operation({
    name: `get_${module}`,
    summary: `Retrieve one of ${module}`,
    can: read.can,
    scope: null,
    writes: false,
    input: { params: byId, body: Type.Object({ fields: findBody.properties.fields }) },
    output: readSchema(record),
    async run(ctx, input) {
      const params = { [inPath]: input.params.id }
      const { fields } = input.body
      const names = fields && checkedFields(record, fields)
      const value = (await jsonOf(await read.run(ctx, { ...input, params } as Input))) as object
      const shown = Object.entries(value).filter(([name]) =>
        names ? names.includes(name) : !doubled.includes(name),
      )
      return Object.fromEntries(shown)
    },
  })
}

/** How many records a list has, as a whole or by the values of a field. */
function counting(module: string, kind: Kind): Operation {
  const { record, only } = kind
  const can = canRead(kind)
  const groups = groupsOf(
    record,
    operation({
      name: `list_${module}`,
      summary: `List ${module}`,
      can,
      scope: null,
      writes: false,
      input: { query: Type.Object({}, { additionalProperties: true }) },
      output: Type.Array(readSchema(record)),
      run: async (ctx, { query }) => listPage(ctx, record, query, await only?.(ctx, {})),
    }),
  )
  return operation({
    name: `count_${module}`,
    summary: `Count ${module}`,
    can,
    scope: null,
    writes: false,
    lane: 'heavy',
    input: { body: countBody },
    output: Type.Object({}, { additionalProperties: true }),
    async run(ctx, input) {
      const { by, sum, ...rest } = input.body
      const filter = withMe(ctx, record, rest.filter)
      const q = rest.q?.trim() || undefined
      if (by === undefined) {
        if (sum !== undefined) throw badField('sum', 'needs by: a field whose values are groups')
        const condition = all(sql`true`, await only?.(ctx, {}))
        return {
          count: await count(ctx, record, await conditions(ctx, record, { q, filter }, condition)),
        }
      }
      const text = filter === undefined ? undefined : JSON.stringify(filter)
      const query = { by, sum, q, filter: text, items: 0 }
      return groups.run(ctx, { ...input, query, params: {}, body: undefined } as Input)
    },
  })
}
