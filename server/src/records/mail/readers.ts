import type { Context } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { Voice } from '../../model/languages/language.ts'
import { languageOf, voiceOf } from '../../model/languages/language.ts'
import type { Brand } from './brand.ts'

/** The recipient of a mail, with their language and zone if known. */
export type Reader = {
  name?: string
  address: string
  language?: string | null
  timezone?: string | null
}

/** The voice for a reader: their own language and zone, else the organization's. */
export function voiceFor({ language, timezone }: Partial<Reader>, brand: Brand): Voice {
  return voiceOf(languageOf(language) ?? brand.language, timezone || brand.timezone)
}

/**
 * Adds the language and zone of the user or contact behind each address, in one
 * query for all.
 */
export async function known<R extends Reader>(ctx: Context, readers: R[]): Promise<R[]> {
  if (!readers.length) return []
  const keys = readers.map(({ address }) => address.toLowerCase())
  const rows = await ctx.all<{ key: string; language: string | null; timezone: string | null }>(sql`
    select t.email_key as key, t.language, t.timezone from users t
    where ${mine(ctx)} and t.email_key = any(${keys}) and t.deleted_at is null
    union all
    select t.primary_email_key, t.language, t.timezone from contacts t
    where ${mine(ctx)} and t.primary_email_key = any(${keys}) and t.deleted_at is null`)
  return readers.map((reader) => {
    const found = rows.find(({ key }) => key === reader.address.toLowerCase())
    return found ? { language: found.language, timezone: found.timezone, ...reader } : reader
  })
}
