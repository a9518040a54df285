import type { Context } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'

/** The unique key of a stored contact: the folded e-mail. */
export function contactKey(row: { [column: string]: unknown }): string | null {
  return emailKey(row.primary_email as string | null)
}

/** The unique key when the e-mail changes; one let through as a duplicate has none until then. */
export async function keyAfter(ctx: Context, id: string, email: string | null | undefined) {
  if (email === undefined) return {}
  const old = await ctx.one<{ primary_email: string | null }>(
    sql`select primary_email from contacts t where ${mine(ctx)} and id = ${id}`,
  )
  const unique_key = emailKey(email)
  return !old || emailKey(old.primary_email) === unique_key ? {} : { unique_key }
}

/** The folded e-mail; null without one. */
export function emailKey(email: string | null | undefined): string | null {
  return email?.toLowerCase() ?? null
}
