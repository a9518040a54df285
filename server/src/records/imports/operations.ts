import type { Context } from '../../kit/ground/context.ts'
import { crud, pageQuery } from '../../kit/crud.ts'
import { without } from '../../kit/ground/json-schema.ts'
import { badField, conflict, forbidden } from '../../kit/ground/errors.ts'
import { listPage } from '../../kit/read/list.ts'
import type { Can, Input, Operation } from '../../kit/ground/operation.ts'
import { Answer, Stream } from '../../kit/ground/operation.ts'
import { readSchema } from '../../kit/record/schema.ts'
import { levelOf } from '../../kit/record/scope.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'
import { lock, readOne, update, written } from '../../kit/write/write.ts'
import type { Line } from './csv.ts'
import { csvLine, harmless, plainText } from './csv.ts'
import type { ImportRow, Status } from './import.ts'
import { Import, importModules, lockImport, moves, undoDays } from './import.ts'
import { importables } from './importable.ts'
import { targetsOf } from './mapping.ts'
import { begin, checkMove, undoJobName } from './start.ts'
import { undoBatch } from './undo.ts'
import { checkMay, createImport, optionsOf, planSchema, previewOf } from './upload.ts'

const { list, read } = crud(Import)
const can: Can = { module: 'contacts', action: 'create', or: 'companies' }
const common = { can, topic: 'imports' }
const byId = read.input.params!
const plainQuery = without(pageQuery(), 'filter', 'filter_id')
const listQuery = {
  ...plainQuery,
  properties: {
    ...(plainQuery.properties as object),
    module: { type: 'string', enum: [...importModules], description: 'only of this module' },
    status: { type: 'string', enum: Object.keys(moves), description: 'only with this status' },
  },
}
const errorQuery = without(
  pageQuery(),
  'sort',
  'reverse',
  'q',
  'filter',
  'filter_id',
  'fields',
  'include_count',
)

/** What people do with imports; `POST /api/imports/` is in `upload.ts`. */
export const imports = {
  create: createImport,
  list: {
    ...list,
    ...common,
    input: { query: listQuery },
    run: (ctx: Context, { query }: Input) => {
      const of = ['module', 'status'].filter((name) => query[name] !== undefined)
      return listPage(
        ctx,
        Import,
        query,
        all(...of.map((name) => sql`${sql.ref(`t.${name}`)} = ${query[name]}`)),
      )
    },
  },
  read: { ...read, ...common },

  start: {
    ...common,
    name: 'start_import',
    summary: 'Start an import, with another mapping or other options where they are given',
    description:
      'It runs in the background with the rights of the caller: read it to see how far it is.',
    writes: true,
    input: {
      params: byId,
      body: { title: 'ImportStart', type: 'object', properties: planSchema },
    },
    output: readSchema(Import),
    async run(ctx: Context, { params, body }: Input) {
      const found = await ours(ctx, params.id)
      if (found.status === 'running') return readOne(ctx, Import, params.id)
      checkMove(found, 'running')
      const options = optionsOf(found.options, body)
      if (options.delimiter !== found.options.delimiter) {
        throw badField('delimiter', 'decides how the file is read: upload it again')
      }
      if (options.encoding !== found.options.encoding) {
        throw badField('encoding', 'decides how the file is read: upload it again')
      }
      const plan = { columns: found.columns, mapping: body.mapping ?? found.mapping, options }
      const importable = importables[found.module]
      await targetsOf(ctx, importable, plan.columns, plan.mapping)
      const preview = await previewOf(ctx, importable, plan, await firstLines(ctx, params.id))
      await begin(ctx, params.id, {
        mapping: JSON.stringify(plan.mapping),
        options: JSON.stringify(options),
        preview: JSON.stringify(preview),
      })
      return readOne(ctx, Import, params.id)
    },
  },

  cancel: {
    ...common,
    name: 'cancel_import',
    summary: 'Stop an import after the rows that it has in hand',
    description: 'What it wrote until then stays and can be undone.',
    writes: true,
    input: { params: byId },
    output: readSchema(Import),
    async run(ctx: Context, { params }: Input) {
      const found = await ours(ctx, params.id)
      if (found.status === 'cancelled') return readOne(ctx, Import, params.id)
      checkMove(found, 'cancelled')
      const finished_at = ctx.now().toISOString()
      return written(
        await update(ctx, Import, params.id, {}, { set: { status: 'cancelled', finished_at } }),
      )
    },
  },

  undo: {
    ...common,
    name: 'undo_import',
    summary: `Take an import back, within ${undoDays} days`,
    description:
      'What it made is deleted, what it changed has its values again. Records that were changed since ' +
      'stay as they are and are listed with the errors.',
    writes: true,
    input: { params: byId },
    output: readSchema(Import),
    async run(ctx: Context, { params }: Input) {
      const { id } = params
      const found = await ours(ctx, id)
      if (found.status === 'undone' || found.status === 'undoing') return readOne(ctx, Import, id)
      checkMove(found, 'undoing')
      mayTakeBack(ctx, found)
      const since = +ctx.now() - undoDays * 86_400_000
      if (found.finished_at && Date.parse(found.finished_at) < since) {
        throw conflict(`An import can be undone for ${undoDays} days`, 'too_late')
      }
      await update(ctx, Import, id, {}, { set: { status: 'undoing' } })
      // a small one is done at once
      if (await undoBatch(ctx, id)) ctx.enqueue(undoJobName, { import_id: id }, { as: 'caller' })
      return readOne(ctx, Import, id)
    },
  },

  errors: {
    ...common,
    name: 'list_import_errors',
    summary: 'List the rows that failed, and what an undo left as it is',
    writes: false,
    input: { params: byId, query: errorQuery },
    output: {
      type: 'array',
      items: {
        title: 'ImportError',
        type: 'object',
        properties: {
          line: { type: 'integer', description: 'of the file, from 1' },
          phase: { type: 'string', enum: ['import', 'undo'] },
          reason: { type: 'string' },
          errors: {
            type: 'array',
            items: {
              type: 'object',
              properties: { field: { type: 'string' }, message: { type: 'string' } },
              required: ['field', 'message'],
            },
          },
          values: { type: ['object', 'null'], description: 'the row by its columns' },
          record_id: { type: ['string', 'null'], description: 'the record that stays' },
        },
        required: ['line', 'phase', 'reason', 'errors', 'values', 'record_id'],
      },
    },
    async run(ctx: Context, { params, query }: Input) {
      const { columns } = await shown(ctx, params.id)
      const number = query.page ?? 1
      const size = query.items_per_page ?? 25
      const rows = await errorsAfter(ctx, params.id, undefined, size + 1, (number - 1) * size)
      const more = rows.length > size
      const body = rows.slice(0, size).map(({ cells, id: _id, ...each }) => ({
        ...each,
        values: cells && Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? ''])),
      }))
      return new Answer(body, { page: { number, size, more } })
    },
  },

  exportErrors: {
    ...common,
    name: 'export_import_errors',
    summary: 'The rows that failed as CSV, with line and reason: mend them and import them again',
    writes: false,
    input: { params: byId },
    output: null,
    gives: 'text/csv',
    async run(ctx: Context, { params }: Input) {
      const { columns } = await shown(ctx, params.id)
      return new Stream(
        'text/csv; charset=utf-8',
        () => errorLines(ctx, params.id, columns),
        'errors.csv',
      )
    },
  },
} satisfies { [name: string]: Operation }

/** 403 for what others brought in, where the caller may not delete what they make. */
function mayTakeBack({ actor }: Context, { module, created_by }: ImportRow) {
  const level = levelOf(actor, module, 'delete')
  const reached = level === 'team' ? actor.team : [actor.user_id]
  if (level === 'all' || reached.includes(created_by) || created_by === actor.user_id) return
  throw forbidden(`Your role may not delete these ${module}`)
}

/** An import under lock that the caller sees and whose records it may make. */
async function ours(ctx: Context, id: string): Promise<ImportRow> {
  await lock(ctx, Import, id, 'update')
  const found = await lockImport(ctx, id)
  checkMay(ctx, found!.module)
  return found!
}

async function shown(ctx: Context, id: string): Promise<{ columns: string[]; status: Status }> {
  const { body } = await readOne(ctx, Import, id)
  return JSON.parse((body as { text: string }).text) as { columns: string[]; status: Status }
}

async function firstLines(ctx: Context, id: string): Promise<Line[]> {
  const found = await ctx.one<{ rows: [line: number, cells: string[]][] }>(sql`
    select rows from import_batches t where ${mine(ctx)} and t.import_id = ${id} and t.number = 0`)
  return (found?.rows ?? []).map(([line, cells]) => ({ line, cells }))
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

async function* errorLines(ctx: Context, id: string, columns: string[]) {
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
