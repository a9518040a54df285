import type { Actor, Context, Query } from '../../kit/ground/context.ts'
import {
  integer,
  key,
  list,
  object,
  oneOf,
  readOnly,
  readOnlyOrNull,
  record,
  required,
  text,
  timestamp,
  unlisted,
} from '../../kit/record/record.ts'
import { levelOf } from '../../kit/record/scope.ts'
import { sql } from '../../kit/ground/sql.ts'
import { person } from '../users/person.ts'

/** What can be imported. */
export const importModules = ['companies', 'contacts'] as const
export type ImportModule = (typeof importModules)[number]

/** What may follow on each status. */
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

export const undoDays = 30
/** Rows that are read, checked and written together, in one transaction: 100 took a quarter longer. */
export const batchSize = 500

/** What an import does with what it meets. */
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

/** Somebody's import of a CSV file: what was uploaded, how it is read, and how far it is. */
export const Import = record(
  {
    module: 'imports',
    word: 'import',
    title: 'file_name',
    softDelete: false,
    // whoever made it, and those who may change what their people make; its rows are in it
    rights: (ctx: Context) =>
      sql`(${sql.join(
        importModules.map((module) => seen(ctx.actor, module)),
        sql` or `,
      )})`,
  },
  {
    import_id: key(),
    module: required(oneOf(...importModules)),
    status: readOnly(oneOf(...(Object.keys(moves) as Status[]))),
    file_name: required(text(255)),
    file_size: readOnly(integer()),
    columns: readOnly(unlisted(list())),
    mapping: readOnly(object()),
    options: readOnly(object()),
    preview: readOnly(unlisted(list({ type: 'object' }))),
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
    created_by: readOnlyOrNull(person()),
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
