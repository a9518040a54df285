import type { Cells } from './context.ts'
import type { AnyRecord, Field, Kind } from './record.ts'
import { columnOf } from './record.ts'
import { isoFromPostgres } from './time.ts'

/** How a record is selected and written: the columns in order, the joins, the text of one row. */
export type Shape = {
  /** `t.id`, `t.version`, then the record's cells */
  select: string
  joins: string
  /** one row's cells → JSON text */
  write(cells: Cells): string
}

type Part = { name: string; cells: number; write(cells: Cells, at: number): string }

const shapes = new WeakMap<AnyRecord, Map<string, Shape>>()

/**
 * The shape of a record, or of some of its fields. Turning rows into JavaScript values and back
 * costs more than the query, so cells stay PostgreSQL's text and JSON is written straight from them.
 */
export function shapeOf(record: AnyRecord, only?: string[]): Shape {
  let known = shapes.get(record)
  if (!known) shapes.set(record, (known = new Map()))
  const name = only ? only.join() : ''
  let shape = known.get(name)
  if (!shape) {
    // a caller chooses the fields, so the number of remembered choices is bounded
    if (known.size > 200) known.clear()
    known.set(name, (shape = makeShape(record, only)))
  }
  return shape
}

/** One cell as JSON text, by its kind. */
export function cellToJson(kind: Kind, cell: string | null): string {
  return cell === null ? 'null' : writers[kind](cell)
}

/** Rows as the text of a JSON array. */
export function writeArray(shape: Shape, rows: Cells[]): string {
  let text = '['
  for (let i = 0; i < rows.length; i++) text += (i ? ',' : '') + shape.write(rows[i]!)
  return text + ']'
}

const extraCells = 2

function makeShape(record: AnyRecord, only?: string[]): Shape {
  const columns = ['t.id', 't.version']
  const joins: string[] = []
  const parts: Part[] = []
  for (const name of only ?? Object.keys(record.fields)) {
    const field = record.fields[name]!
    if (field.reference?.shows) joins.push(joinOf(name, field))
    parts.push(partOf(name, field, columns))
  }
  const prefixes = parts.map((part, i) => `${i ? ',' : ''}${JSON.stringify(part.name)}:`)
  return {
    select: columns.join(', '),
    joins: joins.join('\n'),
    write(cells) {
      let text = '{'
      let at = extraCells
      for (let i = 0; i < parts.length; i++) {
        const part = parts[i]!
        text += prefixes[i]! + part.write(cells, at)
        at += part.cells
      }
      return text + '}'
    },
  }
}

/**
 * A look-up by key for each row, whatever the planner thinks of the number of rows: `limit 1` keeps
 * it from turning the join round and reading the organization's whole other table.
 */
function joinOf(name: string, field: Field): string {
  const { table, to, shows } = field.reference!
  const columns = Object.values(shows!).map(({ column }) => `x.${column}`)
  const alive = to?.().softDelete ? ' and x.deleted_at is null' : ''
  return (
    `left join lateral (select ${columns.join(', ')} from ${table} x` +
    ` where x.organization_id = t.organization_id and x.id = ${columnOf(name, field)}${alive}` +
    ` limit 1) "${name}" on true`
  )
}

function partOf(name: string, field: Field, columns: string[]): Part {
  const shows = field.reference?.shows
  if (!shows) {
    columns.push(columnOf(name, field))
    const write = writers[field.kind]
    return {
      name,
      cells: 1,
      write: (cells, at) => (cells[at] === null ? 'null' : write(cells[at]!)),
    }
  }
  const inner = Object.entries(shows)
  for (const [, { column }] of inner) columns.push(`"${name}".${column}`)
  return {
    name,
    cells: inner.length,
    // the first shown field is the other record's id: none, no object
    write(cells, at) {
      if (cells[at] === null) return 'null'
      const members = inner.map(
        ([key, { kind }], i) => `"${key}":${cellToJson(kind, cells[at + i] ?? null)}`,
      )
      return `{${members.join()}}`
    },
  }
}

// oxlint-disable-next-line no-control-regex -- these are the characters JSON must escape
const mustEscape = /["\\\u0000-\u001f\ud800-\udfff]/

const writers: { [kind in Kind]: (cell: string) => string } = {
  text: (cell) => (mustEscape.test(cell) ? JSON.stringify(cell) : `"${cell}"`),
  integer: (cell) => cell,
  number: (cell) => cell,
  boolean: (cell) => (cell === 't' ? 'true' : 'false'),
  timestamp: (cell) => `"${isoFromPostgres(cell)}"`,
  date: (cell) => `"${cell}"`,
  json: (cell) => cell,
  list: (cell) => cell,
}
