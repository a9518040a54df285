import { Type } from 'typebox'
import { idInQuery } from '../../kit/ground/ids.ts'
import type { Context, Query } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { withIds } from '../../model/people/person.ts'

type Named = { [key: string]: unknown }
/** Lists of people may contain anything: the schema of a list does not look inside. */
type Sent = string | Named | null

/**
 * The ids of people in a body; 400 for somebody who does not exist. Those of `before` may have
 * left since.
 */
export async function peopleOf(
  ctx: Context,
  people: unknown[],
  field: string,
  before: string[] = [],
): Promise<string[]> {
  const named = ((await withIds(ctx, people)) as Sent[]).map((each) =>
    typeof each === 'string' ? each : (each?.user_id ?? each?.id),
  )
  const ids = named.filter((id) => typeof id === 'string')
  const known = await ctx.all<{ id: string }>(sql`
    select t.id from users t where ${mine(ctx)} and t.deleted_at is null
      and t.id = any(${ids}::varchar[])`)
  const present = [...before, ...known.map(({ id }) => id)]
  const missing = named.findIndex((id) => typeof id !== 'string' || !present.includes(id))
  if (missing >= 0) throw badField(`${field}.${missing}`, 'no such user')
  return [...new Set(ids)]
}

/** The users among these who have not left. */
export async function presentPeople(ctx: Context, ids: string[]): Promise<string[]> {
  if (!ids.length) return []
  const present = await ctx.all<{ id: string }>(sql`
    select t.id from users t
    where ${mine(ctx)} and t.deleted_at is null and t.id = any(${ids}::varchar[])`)
  return ids.filter((id) => present.some((each) => each.id === id))
}

/** Replaces an owner given only by name, as in the specification's example, with the id; others stay as they are. */
export async function ownerOf(ctx: Context, owner: string | Named): Promise<string | Named | null> {
  if (typeof owner === 'string') return owner
  const { name, full_name, user_id, id, profile_id, email } = owner
  const word = name ?? full_name
  if (user_id ?? id ?? profile_id ?? email ?? typeof word !== 'string') return owner
  if (!String(word).trim()) return null
  const found = await ctx.one<{ id: string }>(sql`
    select t.id from users t where ${mine(ctx)} and t.deleted_at is null
      and lower(t.full_name) = ${String(word).trim().toLowerCase()} order by t.id limit 1`)
  if (!found) throw badField('owner', `nobody is called ${String(word)}`)
  return found.id
}

/** The parameter of a list that restricts it to a person's own. */
export function ownerParameter(things: string) {
  const description = `${things} of this user; \`me\` is the caller`
  return Type.Optional(idInQuery(description))
}

/** The condition behind that parameter. */
export function ownerIs({ actor }: Context, owner: string | undefined): Query | undefined {
  if (owner === undefined) return undefined
  return sql`t.owner = ${owner === 'me' ? actor.user_id : owner}`
}
