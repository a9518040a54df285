import { Type } from 'typebox'
import type { Actor, Context, Query } from '../../kit/ground/context.ts'
import { enumeration, orNull, schema } from '../../kit/ground/json-schema.ts'
import { record } from '../../kit/record/record.ts'
import { levelOf } from '../../kit/record/scope.ts'
import { sql } from '../../kit/ground/sql.ts'
import { createdBy } from '../users/person.ts'
import {
  integer,
  key,
  list,
  listOf,
  object,
  objectOf,
  oneOf,
  readOnly,
  readOnlyOrNull,
  required,
  text,
  timestamp,
  titled,
  unlisted,
} from '../../kit/record/fields.ts'

/** What can be imported. */
export const importModules = ['companies', 'contacts'] as const
export type ImportModule = (typeof importModules)[number]

/** The statuses that may follow each status. */
export const moves = {
  uploaded: ['running', 'cancelled'],
  running: ['completed', 'failed', 'cancelled'],
  completed: ['undoing'],
  failed: ['undoing'],
  cancelled: ['undoing'],
  undoing: ['undone'],
  undone: [],
} as const satisfies { [status: string]: string[] }
export type Status = keyof typeof moves
export const statuses = Object.keys(moves) as Status[]

export const undoDays = 30
/** Rows that are read, checked and written together, in one transaction: 100 took a quarter longer. */
export const batchSize = 500

/** How an import reads its file and treats existing records. */
export type Options = {
  on_duplicate: 'skip' | 'update' | 'create'
  empty_cells: 'keep' | 'clear'
  all_or_nothing: boolean
  dry_run: boolean
  delimiter: string | null
  encoding: string
}

export const usualOptions: Options = {
  on_duplicate: 'skip',
  empty_cells: 'keep',
  all_or_nothing: false,
  dry_run: false,
  delimiter: null,
  encoding: 'utf-8',
}

const optionMembers = {
  on_duplicate: enumeration(['skip', 'update', 'create'], { title: 'ImportPolicy' }),
  empty_cells: enumeration(['keep', 'clear'], { title: 'EmptyCells' }),
  all_or_nothing: Type.Boolean(),
  dry_run: Type.Boolean(),
  delimiter: orNull(Type.String({ description: 'null where it was guessed' })),
  encoding: Type.String(),
} satisfies { [name in keyof Options]: unknown }

/** What is wrong with one field of a row. */
export const fieldError = Type.Object({ field: Type.String(), message: Type.String() })

const previewMembers = {
  line: Type.Integer({ description: 'of the file, from 1' }),
  values: schema<{ [field: string]: unknown }>({
    type: 'object',
    additionalProperties: true,
    description: 'the record as it would be written; other records by the text that names them',
  }),
  errors: Type.Array(fieldError),
}

/** Somebody's import of a CSV file: what was uploaded, how it is read, and how far it is. */
export const Import = record(
  {
    module: 'imports',
    word: 'import',
    title: 'file_name',
    softDelete: false,
    // its creator, and those who may change the records of its creator; its rows are part of it
    rights: (ctx: Context) =>
      sql`(${sql.join(
        importModules.map((module) => seen(ctx.actor, module)),
        sql` or `,
      )})`,
  },
  {
    import_id: key(),
    module: required(titled('ImportModule', oneOf(...importModules))),
    status: readOnly(titled('ImportStatus', oneOf(...statuses))),
    file_name: required(text(255)),
    file_size: readOnly(integer()),
    columns: readOnly(unlisted(list(Type.String({ maxLength: 255 })))),
    mapping: readOnly(object({ additionalProperties: { type: ['string', 'null'] } })),
    options: readOnly(objectOf(optionMembers, 'ImportOptions')),
    preview: readOnly(unlisted(listOf(previewMembers, 'ImportPreviewRow'))),
    warnings: readOnly(unlisted(list())),
    total: readOnly(integer()),
    done: readOnly(integer()),
    created: readOnly(integer()),
    updated: readOnly(integer()),
    skipped: readOnly(integer()),
    failed: readOnly(integer()),
    undone: readOnly(integer()),
    kept: readOnly(integer()),
    error: readOnlyOrNull(text()),
    created_by: createdBy(),
    started_at: readOnlyOrNull(timestamp()),
    finished_at: readOnlyOrNull(timestamp()),
    undone_at: readOnlyOrNull(timestamp()),
    creation_time: readOnly(timestamp()),
    last_update_time: readOnly(timestamp()),
  },
)

/** An import as its work needs it. */
export type ImportRow = {
  id: string
  module: ImportModule
  created_by: string | null
  status: Status
  columns: string[]
  mapping: { [column: string]: string | null }
  options: Options
  total: number
  done: number
  next_batch: number
  tries: number
  finished_at: string | null
}

/** An import under lock, so that nothing else moves it; undefined when there is none. */
export async function lockImport(ctx: Context, id: string): Promise<ImportRow | undefined> {
  return ctx.one<ImportRow>(sql`
    select id, module, created_by, status, columns, mapping, options, total, done, next_batch, tries, finished_at
    from imports t where t.organization_id = ${ctx.organization.id} and t.id = ${id} for update`)
}

function seen(actor: Actor, module: ImportModule): Query {
  if (levelOf(actor, module, 'create') === 'none') return sql`false`
  const level = levelOf(actor, module, 'update')
  if (level === 'all' && !actor.is_confined) return sql`t.module = ${module}`
  const people = level === 'team' && !actor.is_confined ? actor.team : [actor.user_id]
  return sql`(t.module = ${module} and t.created_by = any(${people}))`
}
