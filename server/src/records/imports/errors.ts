import { Type } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { enumeration, orNull, schema } from '../../kit/ground/json-schema.ts'
import { Answer, Json } from '../../kit/ground/operation.ts'
import type { Row } from '../../kit/record/record.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { csvLine, harmless, plainText } from '../../model/sheets/csv-text.ts'
import { Import, fieldError } from '../../model/imports/import.ts'
import { readOne } from '../../kit/read/one.ts'

/** A report about a row: it failed, lacks cells, was skipped, or an undo left its record unchanged. */
export const importError = Type.Object(
  {
    line: Type.Integer({ description: 'of the file, from 1' }),
    phase: enumeration(['import', 'cell', 'skipped', 'undo'], {
      title: 'ImportPhase',
      description:
        'what happened: the row was not imported, cells of it were left empty, its record exists, ' +
        'or its record was left as it is by an undo',
    }),
    reason: Type.String(),
    errors: Type.Array(fieldError),
    values: orNull(
      schema<{ [column: string]: string }>({
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'the row by its columns',
      }),
    ),
    record_id: orNull(Type.String({ description: 'the record of the row' })),
  },
  { title: 'ImportError' },
)

/** A page of the errors of an import that the caller sees. */
export async function listErrors(
  ctx: Context,
  id: string,
  { page: number = 1, items_per_page: size = 25 }: { page?: number; items_per_page?: number },
): Promise<Answer> {
  const columns = await columnsOf(ctx, id)
  const rows = await errorsAfter(ctx, id, undefined, size + 1, (number - 1) * size)
  const more = rows.length > size
  const body = rows.slice(0, size).map(({ cells, id: _id, ...each }) => ({
    ...each,
    values: cells && Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? ''])),
  }))
  return new Answer(body, { page: { number, size, more } })
}

/** The names of an import's columns; 404 if the caller does not see it. */
export async function columnsOf(ctx: Context, id: string): Promise<string[]> {
  const { body } = await readOne(ctx, Import, id)
  if (!(body instanceof Json)) return []
  const { columns } = JSON.parse(body.text) as Row<typeof Import>
  return columns
}

type ErrorRow = {
  id: string
  line: number
  phase: string
  reason: string
  errors: unknown[]
  cells: string[] | null
  record_id: string | null
}

function errorsAfter(
  ctx: Context,
  import_id: string,
  after: ErrorRow | undefined,
  size: number,
  skip = 0,
): Promise<ErrorRow[]> {
  const beyond = after ? sql`and (t.line, t.id) > (${after.line}, ${after.id})` : sql``
  return ctx.all<ErrorRow>(sql`
    select t.id, t.line, t.phase, t.message as reason, t.errors, t.cells, t.record_id
    from import_errors t where ${mine(ctx)} and t.import_id = ${import_id} ${beyond}
    order by t.line, t.id limit ${size} offset ${skip}`)
}

/** The rows that failed as CSV, with line and reason. */
export async function* errorLines(ctx: Context, id: string, columns: string[]) {
  yield csvLine([...columns.map(harmless), 'import_line', 'import_reason'])
  let last: ErrorRow | undefined
  do {
    const rows = await errorsAfter(ctx, id, last, 500)
    const failed = rows.filter(({ phase }) => phase === 'import')
    const lines = failed.map(({ cells, line, reason }) =>
      csvLine([
        ...columns.map((_, at) => harmless(plainText(cells?.[at] ?? ''))),
        String(line),
        harmless(reason),
      ]),
    )
    if (lines.length) yield lines.join('')
    last = rows.at(-1)
  } while (last)
}
