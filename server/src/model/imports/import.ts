import { Type } from 'typebox'
import type { Actor, Context, Query } from '../../kit/ground/context.ts'
import type { Action } from '../../kit/ground/operation.ts'
import { enumeration, orNull, schema } from '../../kit/ground/json-schema.ts'
import type { Row } from '../../kit/record/record.ts'
import { record } from '../../kit/record/record.ts'
import { levelOf } from '../../kit/record/scope.ts'
import { sql } from '../../kit/ground/sql.ts'
import { formats } from '../sheets/column.ts'
import type { Format, Profile } from '../sheets/column.ts'
import type { Reading } from '../sheets/rows.ts'
import { createdBy } from '../people/person.ts'
import {
  boolean,
  integer,
  key,
  list,
  listOf,
  object,
  objectOf,
  oneOf,
  stamp,
  text,
  timestamp,
} from '../../kit/record/fields.ts'
import type { CurrencyChoice, ValueChoices } from './shown.ts'
import {
  answersSchema,
  currencyChoicesSchema,
  currencyMembers,
  matchMembers,
  newOptionsSchema,
  questionMembers,
  refusedMembers,
  valueChoicesSchema,
  valueMembers,
} from './shown.ts'

/** What can be imported. */
export const importModules = [
  'companies',
  'contacts',
  'accounts',
  'deals',
  'projects',
  'milestones',
  'tasks',
  'meetings',
  'tags',
  'holidays',
] as const
export type ImportModule = (typeof importModules)[number]

/** The permission of a module, if it has another name: milestones are part of projects. */
export function permissionOf(module: ImportModule): { module: string; action: Action } {
  if (module === 'milestones') return { module: 'projects', action: 'update' }
  return { module: module === 'meetings' ? 'calendar' : module, action: 'create' }
}

/** The statuses that may follow each status. */
export const moves = {
  uploaded: ['running', 'cancelled'],
  running: ['completed', 'failed', 'cancelled'],
  completed: ['undoing'],
  failed: ['undoing'],
  cancelled: ['undoing'],
  undoing: ['undone', 'failed'],
  undone: [],
} as const satisfies { [status: string]: string[] }
export type Status = keyof typeof moves
export const statuses = Object.keys(moves) as Status[]

export const undoDays = 30
/** The number of rows that are read, checked and written in one transaction: with 100 an import took a quarter longer. */
export const batchSize = 500

/** How an import reads its file and treats existing records. */
export type Options = {
  on_duplicate: 'skip' | 'update' | 'create'
  empty_cells: 'keep' | 'clear'
  all_or_nothing: boolean
  dry_run: boolean
  delimiter: string | null
  encoding: string
  /** the format of a column's numbers or dates, by its name */
  formats: { [column: string]: Format }
  /** what happens if a row names a company or account that does not exist */
  unknown_links: 'report' | 'create'
  sheet: string | null
  values: ValueChoices
  new_options: { [column: string]: string[] }
  currencies: { [currency: string]: CurrencyChoice }
  /** by line: the id of its record, `new` or `skip` */
  answers: { [line: string]: string }
  /** whether webhooks and automations hear of records that arrive finished */
  tell_apps: boolean
}

export const usualOptions: Options = {
  on_duplicate: 'skip',
  empty_cells: 'keep',
  all_or_nothing: false,
  dry_run: false,
  delimiter: null,
  encoding: 'utf-8',
  formats: {},
  unknown_links: 'create',
  sheet: null,
  values: {},
  new_options: {},
  currencies: {},
  answers: {},
  tell_apps: false,
}

export const formatsSchema = schema<{ [column: string]: Format }>({
  type: 'object',
  additionalProperties: { title: 'ColumnFormat', type: 'string', enum: formats },
  maxProperties: 500,
  description:
    'column → how its numbers or dates are read, if the values are ambiguous: `decimal_comma` ' +
    'makes 8.000 eight thousand, `day_first` makes 03/04/2026 the third of April',
})

const optionMembers = {
  on_duplicate: enumeration(['skip', 'update', 'create'], { title: 'ImportPolicy' }),
  empty_cells: enumeration(['keep', 'clear'], { title: 'EmptyCells' }),
  all_or_nothing: Type.Boolean(),
  dry_run: Type.Boolean(),
  delimiter: orNull(Type.String({ description: 'null where it was guessed' })),
  encoding: Type.String(),
  formats: formatsSchema,
  unknown_links: enumeration(['report', 'create'], { title: 'UnknownLinks' }),
  sheet: orNull(
    Type.String({ description: 'of a workbook; null for the first visible one with data' }),
  ),
  // imports by earlier versions have none of these
  values: Type.Optional(valueChoicesSchema),
  new_options: Type.Optional(newOptionsSchema),
  currencies: Type.Optional(currencyChoicesSchema),
  answers: Type.Optional(answersSchema),
  tell_apps: Type.Optional(Type.Boolean()),
} satisfies { [name in keyof Options]: unknown }

/** An error in one field of a row, with its cell. */
export const fieldError = Type.Object({
  field: Type.String(),
  message: Type.String(),
  column: Type.Optional(Type.String({ description: 'the column whose cell it is' })),
  value: Type.Optional(Type.String({ description: 'what the cell holds' })),
})

const numbersOf = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, Type.Integer()]))

/** The results of the rows that were checked before the start. */
export const checkedNumbers = [
  'rows',
  'created',
  'updated',
  'skipped',
  'failed',
  'cell_errors',
] as const

const columnMembers = {
  column: Type.String(),
  field: orNull(Type.String({ description: 'what its cells become; null where it is left out' })),
  format: orNull(
    Type.String({
      description: 'how its numbers or dates are read; null where that does not matter',
    }),
  ),
  needs_choice: Type.Boolean({
    description: 'the values are ambiguous: choose one of `choices` in `formats` to start',
  }),
  choices: Type.Array(
    Type.Object({
      format: enumeration(formats, { title: 'ColumnFormat' }),
      example: Type.String({ description: 'a value of the column' }),
      becomes: Type.String({ description: 'what it would be' }),
    }),
  ),
  currency: orNull(Type.String({ description: 'the currency that its amounts name most often' })),
  filled: Type.Integer({ description: 'cells with a value, of all rows' }),
  examples: Type.Array(Type.String()),
  faults: Type.Integer({ description: 'cells of the checked rows that cannot be taken' }),
  first_faults: Type.Array(
    Type.Object({ line: Type.Integer(), value: Type.String(), message: Type.String() }),
  ),
}

const readingMembers = {
  type: Type.Optional(enumeration(['csv', 'xlsx', 'vcard', 'icalendar'], { title: 'SheetType' })),
  encoding: Type.Optional(orNull(Type.String())),
  delimiter: Type.Optional(orNull(Type.String())),
  sheet: Type.Optional(orNull(Type.String())),
  sheets: Type.Optional(Type.Array(Type.String())),
  header_line: Type.Optional(
    Type.Integer({ description: 'of the file, from 1; 0 where it is no line' }),
  ),
}

const previewMembers = {
  line: Type.Integer({ description: 'of the file, from 1' }),
  values: schema<{ [field: string]: unknown }>({
    type: 'object',
    additionalProperties: true,
    description: 'the record as it would be written; other records by the text that names them',
  }),
  errors: Type.Array(fieldError),
}

/** An import of a spreadsheet: what was uploaded, how it is read, and its progress. */
export const Import = record(
  {
    module: 'imports',
    word: 'import',
    title: 'file_name',
    rights: {
      // its creator, and those who may change records of its creator; its rows are part of it
      decide: (ctx: Context) =>
        sql`(${sql.join(
          importModules.map((module) => seen(ctx.actor, module)),
          sql` or `,
        )})`,
      // it is undone, not deleted
      can: (_ctx, action, allowed) => (action === 'update' ? allowed : sql`false`),
    },
    life: {
      softDelete: false,
    },
  },
  {
    import_id: key(),
    module: oneOf(importModules, { required: true, title: 'ImportModule' }),
    status: oneOf(statuses, { readOnly: true, title: 'ImportStatus' }),
    file_name: text(255, { required: true }),
    file_size: integer({ readOnly: true, look: 'bytes' }),
    columns: list(Type.String({ maxLength: 255 }), { readOnly: true, filterable: false }),
    mapping: object({
      readOnly: true,
      schema: { additionalProperties: { type: ['string', 'null'] } },
    }),
    options: objectOf(optionMembers, { readOnly: true, title: 'ImportOptions' }),
    preview: listOf(previewMembers, {
      readOnly: true,
      title: 'ImportPreviewRow',
      filterable: false,
    }),
    warnings: list(Type.String({ maxLength: 255 }), { readOnly: true, filterable: false }),
    column_report: listOf(columnMembers, {
      readOnly: true,
      title: 'ImportColumn',
      filterable: false,
    }),
    value_report: listOf(valueMembers, {
      readOnly: true,
      title: 'ImportValues',
      filterable: false,
    }),
    currency_report: listOf(currencyMembers, {
      readOnly: true,
      title: 'ImportCurrency',
      filterable: false,
    }),
    matches: listOf(matchMembers, { readOnly: true, title: 'ImportMatch', filterable: false }),
    questions: listOf(questionMembers, {
      readOnly: true,
      title: 'ImportQuestion',
      filterable: false,
    }),
    refused: listOf(refusedMembers, { readOnly: true, title: 'ImportRefused', filterable: false }),
    checked: objectOf(numbersOf(checkedNumbers), {
      readOnly: true,
      nullable: true,
      title: 'ImportCheck',
    }),
    reading: objectOf(readingMembers, { readOnly: true, title: 'ImportReading' }),
    is_remembered: boolean({ readOnly: true, filterable: false }),
    total: integer({ readOnly: true }),
    done: integer({ readOnly: true }),
    created: integer({ readOnly: true }),
    updated: integer({ readOnly: true }),
    skipped: integer({ readOnly: true }),
    failed: integer({ readOnly: true }),
    cell_errors: integer({ readOnly: true }),
    undone: integer({ readOnly: true }),
    kept: integer({ readOnly: true }),
    error: text(10_000, { readOnly: true, nullable: true }),
    created_by: createdBy(),
    started_at: timestamp({ readOnly: true, nullable: true }),
    finished_at: timestamp({ readOnly: true, nullable: true }),
    undone_at: timestamp({ readOnly: true, nullable: true }),
    creation_time: stamp(),
    last_update_time: stamp(),
  },
)

/** The columns of an import that its job needs. */
export type ImportRow = {
  id: string
  module: ImportModule
  created_by: string | null
  status: Status
  columns: string[]
  mapping: { [column: string]: string | null }
  options: Options
  reading: Reading
  profiles: Profile[]
  total: number
  done: number
  next_batch: number
  tries: number
  finished_at: string | null
}

/** An import, locked against concurrent changes; undefined if there is none. */
export async function lockImport(ctx: Context, id: string): Promise<ImportRow | undefined> {
  return ctx.one<ImportRow>(sql`
    select id, module, created_by, status, columns, mapping, options, reading, profiles,
      total, done, next_batch, tries, finished_at
    from imports t where t.organization_id = ${ctx.organization.id} and t.id = ${id} for update`)
}

function seen(actor: Actor, module: ImportModule): Query {
  const { module: permission, action } = permissionOf(module)
  if (levelOf(actor, permission, action) === 'none') return sql`false`
  const level = levelOf(actor, permission, 'update')
  if (level === 'all' && !actor.is_confined) return sql`t.module = ${module}`
  const people = level === 'team' && !actor.is_confined ? actor.team : [actor.user_id]
  return sql`(t.module = ${module} and t.created_by = any(${people}))`
}

/** The reports of a preview, as stored. */
export type Reports = Pick<
  Row<typeof Import>,
  | 'preview'
  | 'column_report'
  | 'value_report'
  | 'currency_report'
  | 'matches'
  | 'questions'
  | 'refused'
  | 'checked'
>

/** The target of a column, and the errors in its cells. */
export type ColumnReport = Row<typeof Import>['column_report'][number]
