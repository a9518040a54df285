import { Type } from 'typebox'
import { idInQuery } from '../../kit/ground/ids.ts'
import type { Context, Query } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { lookUpMany } from '../../kit/read/look-up.ts'
import { idsIn } from '../../kit/read/named-values.ts'
import { person, withIds } from './person.ts'

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
  if (!word.trim()) return null
  const found = await lookUpMany(ctx, person(), 'full_name', [word])
  const owner_id = found.get(word)
  if (owner_id === undefined) throw badField('owner', `nobody is called ${word}`)
  return owner_id
}

/** The parameter of a list that restricts it to a person's own. */
export function ownerParameter(things: string) {
  return Type.Optional(idInQuery(`${things} of this user, by ${waysToName}`))
}

/** How the parameter of a list names a person, for its description. */
export const waysToName = 'id, e-mail or name; `me` is the caller'

/** The condition behind that parameter; 400 for somebody whom the caller may look up and who is not there. */
export async function ownerIs(ctx: Context, owner: string | undefined): Promise<Query | undefined> {
  if (owner === undefined) return undefined
  return sql`t.owner = any(${await idsIn(ctx, person(), owner, 'owner')})`
}
