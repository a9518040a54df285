import pg from 'pg'
import { isoFromPostgres } from '../kit/ground/time.ts'
import type { Rows } from './client.ts'

/** Rows as objects with JavaScript values: numbers, booleans, parsed JSON, instants as ISO text. */
export function objects(result: Rows) {
  const { fields, rows } = result
  const columns = fields.map(({ name, dataTypeID }) => ({ name, parse: parserOf(dataTypeID) }))
  return rows.map((cells) => {
    const row: { [column: string]: unknown } = {}
    for (let i = 0; i < columns.length; i++) {
      const { name, parse } = columns[i]!
      const cell = cells[i] ?? null
      row[name] = cell === null ? null : parse(cell)
    }
    return row
  })
}

type Parse = (text: string) => unknown

const parseArray = pg.types.getTypeParser(1009 as never) as Parse

const parseJson: Parse = (text) => JSON.parse(text)

/** By the type's OID. */
const parsers = new Map<number, Parse>([
  [16, (text) => text === 't'],
  [17, (text) => Buffer.from(text.slice(2), 'hex')],
  [20, Number],
  [21, Number],
  [23, Number],
  [114, parseJson],
  [700, Number],
  [701, Number],
  [1184, isoFromPostgres],
  [1700, Number],
  [3802, parseJson],
])

function parserOf(oid: number): Parse {
  const parser = parsers.get(oid)
  if (parser) return parser
  return oid === 1009 || oid === 1015 ? parseArray : (text) => text
}
