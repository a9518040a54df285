import unhomoglyph from 'unhomoglyph'
import type { Context, Queries } from '../../kit/ground/context.ts'
import { conflict } from '../../kit/ground/errors.ts'
import { sql } from '../../kit/ground/sql.ts'

/**
 * What a name looks like: in one form of Unicode (NFKC), without blanks around it and what has no width, with the
 * skeleton of Unicode's confusable characters (UTS 39). Case is folded before and after, since a capital looks like
 * other characters than its small letter; two names are alike if one of these is the same.
 */
function looksOf(name: string): string[] {
  const plain = name
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Cc}]/gu, '')
    .replace(/\s+/gu, ' ')
    .trim()
  const small = plain.toLowerCase()
  return [small, unhomoglyph(small), unhomoglyph(plain).toLowerCase()]
}

/** Whether an organization besides `own` has a name that looks like this one. Queries must see all organizations. */
export async function isNameTaken(queries: Queries, name: string, own?: string): Promise<boolean> {
  const looks = new Set(looksOf(name))
  const others = await queries.all<{ name: string }>(sql`select name from organizations
    where organization_id is distinct from ${own ?? null}`)
  return others.some((other) => looksOf(other.name).some((look) => looks.has(look)))
}

/** Whoever gives a name holds this lock until the commit, so that of two requests only one gets it. */
export const namesLocked = sql`select pg_advisory_xact_lock(hashtextextended('perennial provision', 0))`

/** 409 if another organization has a name that looks like this one. */
export async function claimName(ctx: Context, name: string): Promise<void> {
  await ctx.run(namesLocked)
  if (await ctx.services.organizationNames.isTaken(name, ctx.organization.id)) {
    throw conflict(
      'name: another organization has this name, or one that looks like it',
      'name_taken',
    )
  }
}
