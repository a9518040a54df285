import { Type } from 'typebox'
import type { Context, Query } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import { orNull, schema } from '../../kit/ground/json-schema.ts'
import { equal } from '../../kit/ground/object.ts'
import { moduleNumber, moduleWord } from '../../kit/record/modules.ts'
import { scope } from '../../kit/record/scope.ts'
import { all, sql } from '../../kit/ground/sql.ts'
import { withMerged } from '../../model/merging/tombstone.ts'
import { listedModule, subjectsByModule } from '../../model/by-module.ts'
import { visibleEntries } from './visible.ts'

/** What an entry is about: a module, by its number or else its word, and a record of it. */
export type Subject = { module: string | undefined; number: number | undefined; id?: string }

/** A module by number or word; undefined if it does not exist. */
export function subjectModule(input: unknown): Subject | undefined {
  const number = moduleNumber(input)
  const module = number === undefined ? listedModule(input) : moduleWord(number)
  return number === undefined && !module ? undefined : { module, number }
}

const moduleInput = { type: ['integer', 'string', 'null'], maxLength: 40 }

/** The properties by which a body names the record that an entry is about. */
export const subjectProperties = {
  module_id: Type.Optional(
    schema<number | string | null>({
      ...moduleInput,
      description: 'the module of the record, by number or word',
    }),
  ),
  module_name: Type.Optional(
    schema<number | string | null>({ ...moduleInput, type: ['string', 'integer', 'null'] }),
  ),
  reference_id: Type.Optional(
    orNull(Type.String({ maxLength: 25, description: 'the id of the record' })),
  ),
}

type SubjectInput = {
  module_id?: number | string | null
  module_name?: number | string | null
  reference_id?: string | null
}

/** The subject that a body or query names; 400 names what is unknown or missing. */
export function subjectFrom(input: SubjectInput): Subject | undefined {
  const name = nameOf(input)
  const module = input[name]
  if (module === undefined || module === null) {
    if (!input.reference_id) return undefined
    throw badField('reference_id', 'needs module_id or module_name beside it')
  }
  const found = subjectModule(module)
  if (!found) throw badField(name, 'must be a module, such as companies, or its number')
  const { module_id, module_name } = input
  if (name === 'module_id' && (module_name ?? '') !== '') {
    if (!equal(subjectModule(module_name), found))
      throw badField('module_name', `does not agree with module_id ${module_id}`)
  }
  return input.reference_id ? { ...found, id: input.reference_id } : found
}

/**
 * The entries about a module or one record of it, as a condition over `e`. They include those of the
 * records that were merged into it.
 */
export function about(ctx: Context, { module, number, id }: Subject): Query {
  const isModule =
    number === undefined
      ? sql`e.module_id is null and e.raw_description ->> 'module' = ${module}`
      : sql`e.module_id = ${number}`
  return all(
    isModule,
    id === undefined ? undefined : sql`e.reference_id = any(${withMerged(ctx, id)})`,
  )
}

/** Whether the caller sees the record, or if it was deleted, its log entries. */
export async function isKnown(ctx: Context, subject: Subject): Promise<boolean> {
  const entry = sql`exists (select from events e where ${visibleEntries(ctx)} and ${about(ctx, subject)})`
  const row = await ctx.one<{ known: boolean }>(
    sql`select ${entry} or ${existsNow(ctx, subject)} as known`,
  )
  return row?.known ?? false
}

/** The subject of an entry to be written; 400 for a record that the caller does not see. */
export async function writableSubject(
  ctx: Context,
  input: SubjectInput,
): Promise<Subject | undefined> {
  const subject = subjectFrom(input)
  if (!subject) return undefined
  if (subject.number === undefined) throw badField(nameOf(input), 'must be a module with a number')
  if (subject.id === undefined) return subject
  const row = await ctx.one<{ known: boolean }>(sql`select ${existsNow(ctx, subject)} as known`)
  if (!row?.known) throw badField('reference_id', 'no such record')
  return subject
}

function nameOf({ module_id }: SubjectInput): 'module_id' | 'module_name' {
  return module_id === undefined || module_id === null ? 'module_name' : 'module_id'
}

function existsNow(ctx: Context, { module, id }: Subject): Query {
  const record = module === undefined ? undefined : subjectsByModule[module]
  if (!record) return sql`false`
  return sql`exists (select from ${sql.table(record.table)} t
    where ${scope(ctx, record, 'read')} and t.id = ${id})`
}
