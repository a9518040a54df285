import type { Context } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { namedUser, userByEmail } from './linked-user.ts'

/** The fields that identify a contact. */
export const identifying = ['primary_email'] as const

/** The unique key of a stored contact: the folded e-mail. */
export function contactKey(row: { [column: string]: unknown }): string | null {
  return emailKey(row.primary_email as string | null)
}

type Changes = { primary_email?: string | null; user_id?: string | null }

/**
 * The columns that follow from a change: the unique key from the e-mail (a contact that was allowed as a duplicate
 * has none until then), and the user to whom the contact is linked.
 */
export async function columnsAfter(ctx: Context, id: string, { primary_email, user_id }: Changes) {
  if (primary_email === undefined && user_id === undefined) return {}
  const old = await ctx.one<{ primary_email: string | null; linked_user: string | null }>(
    sql`select primary_email, linked_user from contacts t where ${mine(ctx)} and id = ${id}`,
  )
  if (!old) return {}
  const named = await namedUser(ctx, user_id, { before: old.linked_user })
  const unique_key = primary_email === undefined ? undefined : emailKey(primary_email)
  if (unique_key === undefined || emailKey(old.primary_email) === unique_key) return named
  const found = old.linked_user ? {} : await userByEmail(ctx, primary_email)
  return { unique_key, ...found, ...named }
}

/** The folded e-mail; null without one. */
export function emailKey(email: string | null | undefined): string | null {
  return email?.toLowerCase() ?? null
}
