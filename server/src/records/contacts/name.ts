import { Type } from 'typebox'
import type { Static, TObject, TSchema } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import type { Schema } from '../../kit/ground/json-schema.ts'
import { extend, orNull, schema } from '../../kit/ground/json-schema.ts'
import { mine, sql } from '../../kit/ground/sql.ts'

const namePart = Type.Optional(orNull(Type.String({ maxLength: 127 })))
const nameParts = { first_name: namePart, last_name: namePart }

/** A body that may hold the name in two parts. */
export function withNameParts<S extends TSchema>(
  body: S,
): Schema<Partial<Static<S>> & Static<TObject<typeof nameParts>>> {
  return schema({ ...extend(body, nameParts), required: [] })
}

type NameParts = {
  full_name?: string
  first_name?: string | null
  last_name?: string | null
}

/** A change of one part of the name keeps the other: the first word, or the rest. */
export async function withBothNames<B extends NameParts>(
  ctx: Context,
  id: string,
  body: B,
): Promise<B> {
  const { first_name, last_name, full_name } = body
  const isOne = (first_name === undefined) !== (last_name === undefined)
  if (!isOne || full_name !== undefined) return body
  const old = await ctx.one<{ full_name: string }>(
    sql`select t.full_name from contacts t where ${mine(ctx)} and t.id = ${id}`,
  )
  const [first, ...rest] = old?.full_name.split(' ') ?? []
  return { first_name: first, last_name: rest.join(' '), ...body }
}

/**
 * The name of a person who has none: the part of the e-mail before the @, else the number; nothing for one who has a
 * name, or neither.
 */
export function nameless({
  full_name,
  primary_email,
  phone,
}: {
  full_name?: unknown
  primary_email?: unknown
  phone?: unknown
}): { full_name?: string } {
  if (typeof full_name === 'string' && full_name.trim()) return {}
  const [local] = typeof primary_email === 'string' ? primary_email.trim().split('@') : []
  const name = local || (typeof phone === 'string' ? phone.trim() : '')
  return name ? { full_name: name.slice(0, 255) } : {}
}

/** The body with the two parts of a name joined, and without an empty `reports_to`. */
export function withFullName<B extends NameParts & { reports_to?: unknown }>(
  sent: B,
): Omit<B, 'first_name' | 'last_name'> {
  const { first_name, last_name, ...body } = sent
  const { reports_to: above } = sent
  // the specification types it as an object: an empty one names nobody
  if (typeof above === 'object' && above && !Object.keys(above).length) delete body.reports_to
  const parts = [first_name, last_name].map((part) => (part ?? '').trim()).filter(Boolean)
  if (sent.full_name !== undefined || !parts.length) return body
  return { ...body, full_name: parts.join(' ') }
}
