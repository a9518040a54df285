import { Type } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { byId, crud, pageQuery } from '../../kit/crud.ts'
import { arrayOf, enumeration, extend, schema, without } from '../../kit/ground/json-schema.ts'
import { badField, conflict, forbidden, notFound } from '../../kit/ground/errors.ts'
import { listPage } from '../../kit/read/list.ts'
import type { Can } from '../../kit/ground/operation.ts'
import { Stream, operation } from '../../kit/ground/operation.ts'
import { readSchema } from '../../kit/record/schema.ts'
import { settableOf } from '../../kit/record/validate.ts'
import { levelOf } from '../../kit/record/scope.ts'
import { all, sql } from '../../kit/ground/sql.ts'
import { lock, update, written } from '../../kit/write/write.ts'
import { firstLines } from './batches.ts'
import { storeChoices } from './choices.ts'
import { columnsOf, errorLines, importError, listErrors } from './errors.ts'
import { planOfFile, storedParts } from './file-plan.ts'
import type { ImportModule, ImportRow, Options } from '../../model/imports/import.ts'
import {
  Import,
  importModules,
  lockImport,
  permissionOf,
  statuses,
  undoDays,
  usualOptions,
} from '../../model/imports/import.ts'
import type { Mapping } from './mapping.ts'
import { addOptions } from './new-options.ts'
import { checkChosen, optionsOf, planSchema } from './plan.ts'
import { previewOf } from './preview.ts'
import { chosenSheet, ofOtherSheet, readSheet } from './sheet.ts'
import type { Outline } from './source.ts'
import { dropFile } from './source.ts'
import { begin, checkMove, undoJobName } from './start.ts'
import { undoBatch } from './undo.ts'
import { checkMayCreate, readUpload, upload } from './upload.ts'
import { readOne } from '../../kit/read/one.ts'

const { list, read } = crud(Import)
// depends on the module of the file, and is checked once that is known
const others = new Set(importModules.map((module) => permissionOf(module).module))
others.delete('contacts')
const can: Can = { module: 'contacts', action: 'create', or: [...others] }
const common = { can, topic: 'imports' }
const shape = readSchema(Import)
const planBody = Type.Object(planSchema, { title: 'ImportUpdate' })
const startBody = Type.Object(planSchema, { title: 'ImportStart' })

const listQuery = extend(without(pageQuery(), 'filter', 'filter_id'), {
  module: Type.Optional(
    enumeration(importModules, { title: 'ImportModule', description: 'only of this module' }),
  ),
  status: Type.Optional(
    enumeration(statuses, { title: 'ImportStatus', description: 'only with this status' }),
  ),
})
const errorQuery = without(
  pageQuery(),
  'offset',
  'sort',
  'reverse',
  'q',
  'filter',
  'filter_id',
  'fields',
  'include_count',
)

/** The operations on imports. */
export const imports = {
  create: operation({
    ...common,
    name: 'create_import',
    summary: 'Upload a spreadsheet to import',
    description:
      'CSV, TSV or .xlsx as a form with the file in `file`, or JSON with the text in `csv`. Nothing is ' +
      'written before the import is started: the response shows what each column becomes and what ' +
      'came of the first rows: of up to 1,000, and of as many as can be checked in 1.5 seconds ' +
      '(`checked.rows`). 400 `format_needed` names columns such as one of `8.000` that ' +
      'could be read in two ways, where it was to start at once.',
    writes: true,
    input: {
      body: Type.Object(
        {
          module: schema<ImportModule>({
            title: 'ImportModule',
            type: 'string',
            enum: importModules,
          }),
          csv: Type.Optional(Type.String({ description: 'the text, where no file is sent' })),
          file_name: Type.Optional(Type.String({ maxLength: 255 })),
          ...planSchema,
          start: Type.Optional(Type.Boolean({ description: 'starts it at once' })),
        },
        { title: 'ImportCreate', additionalProperties: false },
      ),
    },
    output: shape,
    before: (ctx, { body, file }) => readUpload(ctx, body, file),
    run: (ctx, { body, file }) => upload(ctx, body, file),
  }),

  list: operation({
    ...list,
    ...common,
    input: { query: listQuery },
    run(ctx, { query }) {
      const { module, status } = query
      const ofModule = module && sql`t.module = ${module}`
      const inStatus = status && sql`t.status = ${status}`
      return listPage(ctx, Import, query, all(ofModule, inStatus))
    },
  }),

  read: { ...read, ...common },

  update: operation({
    ...common,
    name: 'update_import',
    summary: 'Change what an import will do',
    description:
      'Another mapping or other options, before it is started. The response shows what each column ' +
      'becomes now and what came of the first rows; nothing is written.',
    writes: true,
    isVersioned: true,
    input: { params: byId, body: planBody },
    output: shape,
    before: (ctx, { params, body }) => readSheet(ctx, params.id, body),
    async run(ctx, { params, body, ifMatch }) {
      const found = await ours(ctx, params.id, ifMatch)
      checkMove(found, 'running')
      const plan = settableOf(body, planBody, shape)
      const { set } = await planned(ctx, found, plan, chosenSheet(body))
      return written(
        await update(ctx, found.locked, besidePlan(found, body), {
          set,
        }),
      )
    },
  }),

  start: operation({
    ...common,
    name: 'start_import',
    summary: 'Start an import',
    description:
      'Optionally with another mapping or other options. It runs in the background with the rights of ' +
      'the caller: retrieve it to see its progress.',
    writes: true,
    input: { params: byId, body: startBody },
    output: shape,
    before: (ctx, { params, body }) => readSheet(ctx, params.id, body),
    async run(ctx, { params, body }) {
      const found = await ours(ctx, params.id)
      if (found.status === 'running') return readOne(ctx, Import, params.id)
      checkMove(found, 'running')
      const plan = settableOf(body, startBody, shape)
      const sheet = chosenSheet(body)
      const { planned: its, reports, set } = await planned(ctx, found, plan, sheet, true)
      const { columns, mapping, options } = its
      await addOptions(ctx, its)
      checkChosen(reports.column_report)
      const { formats, values } = options
      await storeChoices(ctx, found.module, columns, { mapping, formats }, values)
      await begin(ctx, found.locked, set)
      return readOne(ctx, Import, params.id)
    },
  }),

  cancel: operation({
    ...common,
    name: 'cancel_import',
    summary: 'Cancel an import',
    description:
      'It stops after the current batch. The rows written until then stay and can be undone.',
    writes: true,
    input: { params: byId },
    output: shape,
    async run(ctx, { params }) {
      const found = await ours(ctx, params.id)
      if (found.status === 'cancelled') return readOne(ctx, Import, params.id)
      checkMove(found, 'cancelled')
      const finished_at = ctx.now().toISOString()
      const set = { status: 'cancelled', finished_at }
      const cancelled = await update(ctx, found.locked, {}, { set })
      if (found.status === 'uploaded') await dropFile(ctx, params.id)
      return written(cancelled)
    },
  }),

  undo: operation({
    ...common,
    name: 'undo_import',
    summary: 'Undo an import',
    description:
      `Possible for ${undoDays} days. Created records are deleted, updated records get their former ` +
      'values back. Records that were changed since stay as they are and are listed with the errors.',
    writes: true,
    input: { params: byId },
    output: shape,
    async run(ctx, { params }) {
      const { id } = params
      const found = await ours(ctx, id)
      if (found.status === 'undone' || found.status === 'undoing') return readOne(ctx, Import, id)
      checkMove(found, 'undoing')
      checkMayUndo(ctx, found)
      const since = +ctx.now() - undoDays * 86_400_000
      if (found.finished_at && Date.parse(found.finished_at) < since) {
        throw conflict(`An import can be undone for ${undoDays} days`, 'too_late')
      }
      await update(ctx, found.locked, {}, { set: { status: 'undoing' } })
      // a small one is done immediately
      if (await undoBatch(ctx, id)) ctx.enqueue(undoJobName, { import_id: id }, { as: 'caller' })
      return readOne(ctx, Import, id)
    },
  }),

  errors: operation({
    ...common,
    name: 'list_import_errors',
    summary: 'List the errors of an import',
    description:
      'The rows that failed, cells that were left empty (`cell`), rows whose record exists (`skipped`), ' +
      'and the records that an undo left as they are.',
    writes: false,
    input: { params: byId, query: errorQuery },
    output: arrayOf(importError),
    run: (ctx, { params, query }) => listErrors(ctx, params.id, query),
  }),

  exportErrors: operation({
    ...common,
    name: 'export_import_errors',
    summary: 'Export the failed rows of an import as CSV',
    description: 'With line and reason: correct them and import them again.',
    writes: false,
    lane: 'heavy',
    input: { params: byId },
    output: null,
    gives: 'text/csv',
    async run(ctx, { params }) {
      const columns = await columnsOf(ctx, params.id)
      return new Stream(
        'text/csv; charset=utf-8',
        () => errorLines(ctx, params.id, columns),
        'errors.csv',
      )
    },
  }),
}

/** 403 for imports of others if the caller may not delete their records. */
function checkMayUndo({ actor }: Context, { module, created_by }: ImportRow) {
  const level = levelOf(actor, permissionOf(module).module, 'delete')
  const reached = level === 'team' ? actor.team : [actor.user_id]
  if (level === 'all' || reached.includes(created_by) || created_by === actor.user_id) return
  throw forbidden(`Your role may not delete these ${module}`)
}

/** The properties of a read besides the plan, which are ignored if they are sent back. */
function besidePlan({ module }: ImportRow, body: object): object {
  const known = Object.keys(planSchema)
  const beside = Object.entries(body).filter(([name]) => !known.includes(name))
  const { module: sent = module, ...rest } = Object.fromEntries<unknown>(beside)
  if (sent !== module) throw badField('module', 'is decided by the upload: upload the file again')
  return rest
}

type Plan = Partial<Options> & { mapping?: Mapping; options?: Partial<Options> }

/** The plan of an import with a body's mapping and options, or of another sheet, and the results of its first rows. */
async function planned(
  ctx: Context,
  found: ImportRow,
  body: Plan,
  sheet: Outline | undefined,
  starts = false,
) {
  const before = { ...usualOptions, ...found.options, ...(sheet ? ofOtherSheet : {}) }
  const options = optionsOf(before, body)
  for (const name of ['delimiter', 'encoding'] as const) {
    if (options[name] !== found.options[name]) {
      throw badField(name, 'decides how the file is read: upload it again')
    }
  }
  const { module, columns, profiles } = found
  if (sheet) return planOfFile(ctx, { ...body, module }, sheet, options, starts)
  const plan = { module, columns, mapping: body.mapping ?? found.mapping, options, profiles }
  const reports = await previewOf(ctx, plan, await firstLines(ctx, found.id))
  return {
    planned: plan,
    reports,
    set: storedParts({ mapping: plan.mapping, options, ...reports }),
  }
}

/** An import, locked, that the caller sees and whose records it may create. */
async function ours(ctx: Context, id: string, ifMatch?: number[]) {
  const locked = await lock(ctx, Import, id, 'update', ifMatch)
  const found = await lockImport(ctx, id)
  if (!found) throw notFound('Import')
  checkMayCreate(ctx, found.module)
  return { ...found, locked }
}
