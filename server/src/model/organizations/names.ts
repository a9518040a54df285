import unhomoglyph from 'unhomoglyph'
import type { Context, Queries, Query } from '../../kit/ground/context.ts'
import { conflict } from '../../kit/ground/errors.ts'
import { sql } from '../../kit/ground/sql.ts'

/**
 * What a name looks like: in one form of Unicode (NFKC), without blanks around it and what has no width, with the
 * skeleton of Unicode's confusable characters (UTS 39). Case is folded before and after, since a capital looks like
 * other characters than its small letter; two names are alike if one of these is the same.
 */
function looksOf(name: string): [small: string, skeleton: string, ofCapitals: string] {
  const plain = name
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Cc}]/gu, '')
    .replace(/\s+/gu, ' ')
    .trim()
  const small = plain.toLowerCase()
  return [cut(small), cut(unhomoglyph(small)), cut(unhomoglyph(plain).toLowerCase())]
}

/** So long, at most, that an index takes it: one character may become eighteen. */
function cut(look: string): string {
  return look.slice(0, 500).toWellFormed()
}

/**
 * Whether an organization besides `own` has a name that looks like this one, found by an index. Queries must see all
 * organizations.
 */
export async function isNameTaken(queries: Queries, name: string, own?: string): Promise<boolean> {
  const looks: string[] = looksOf(name)
  const isOther = sql`o.organization_id is distinct from ${own ?? null}`
  const others = await queries.all<{ name: string; is_stored: boolean }>(sql`
    (select o.name, true as is_stored from organizations o where ${looksLike(looks)}
      and ${isOther} and o.name_looks_of = o.name limit 1)
    union all
    select o.name, false from organizations o where ${isOther} and ${isUnlooked}`)
  const isAlike = (other: string) => looksOf(other).some((look) => looks.includes(look))
  return others.some((other) => other.is_stored || isAlike(other.name))
}

/** One of the forms is the same: each has an index. */
export function looksLike(looks: string[]): Query {
  return sql`(o.name_small = any(${looks}) or o.name_skeleton = any(${looks})
    or o.name_skeleton_of_capitals = any(${looks}))`
}

/** Names that were changed without what they look like, as by an earlier version or in SQL. */
const isUnlooked = sql`o.name_looks_of is distinct from o.name`

/** Stores what an organization's name looks like, beside its name or before it is changed. */
export async function storeLooks(queries: Queries, id: string, name: string): Promise<void> {
  const [small, skeleton, ofCapitals] = looksOf(name)
  await queries.run(sql`update organizations
    set name_looks_of = ${name}, name_small = ${small}, name_skeleton = ${skeleton},
      name_skeleton_of_capitals = ${ofCapitals}
    where organization_id = ${id}`)
}

/** Stores it for all names that lack it, once after an upgrade. Queries must see all organizations, and write. */
export async function storeMissingLooks(queries: Queries): Promise<void> {
  const found = await queries.all<{ id: string; name: string }>(sql`
    select o.organization_id as id, o.name from organizations o where ${isUnlooked}
    order by o.organization_id`)
  // sent together; Citus updates no rows of several machines from a list
  await Promise.all(found.map(({ id, name }) => storeLooks(queries, id, name)))
}

/** Whoever gives a name holds this lock until the commit, so that of two requests only one gets it. */
export const namesLocked = sql`select pg_advisory_xact_lock(hashtextextended('perennial provision', 0))`

/** Before a name is changed: 409 if another organization has one that looks like it. */
export async function claimName(ctx: Context, name: string): Promise<void> {
  await ctx.run(namesLocked)
  if (await ctx.services.organizationNames.isTaken(name, ctx.organization.id)) {
    throw conflict(
      'name: another organization has this name, or one that looks like it',
      'name_taken',
    )
  }
  await storeLooks(ctx, ctx.organization.id, name)
}
