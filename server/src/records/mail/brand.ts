import type { Context } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { webAddress } from '../../kit/ground/web-address.ts'
import type { Language } from '../languages/language.ts'
import { languageOf } from '../languages/language.ts'
import { hexColour } from './colour.ts'

/** How an organization shows itself to people outside: in mails, and on pages without a session. */
export type Brand = {
  name: string
  language: Language
  timezone: string
  /** as `#rrggbb`; null for that of the product */
  colour: string | null
  /** the address of its picture */
  logo: string | null
  /** what stands for the organization as the sender of mails */
  sender: string
  /** where answers to mails go that nobody in particular sends */
  reply_to: string | null
  /** what its mails end with */
  footer: string | null
}

type Stored = {
  name: string
  timezone: string
  language: string
  primary_color: string | null
  logo_url: string | null
  sender_name: string | null
  reply_to: string | null
  footer: string | null
}

/** The brand of the caller's organization, cached until its settings change. */
export function brandOf(ctx: Context): Promise<Brand> {
  return ctx.cached('brand', async (committed) => {
    const stored = await committed.one<Stored>(sql`select t.name, t.timezone, t.language,
        t.primary_color, t.logo_url, d.sender_name, d.reply_to, d.footer
      from organizations t
      left join mail_defaults d on d.organization_id = t.organization_id where ${mine(ctx)}`)
    const { name, timezone } = stored ?? ctx.organization
    return {
      name,
      timezone,
      language: languageOf(stored?.language) ?? 'en',
      colour: hexColour(stored?.primary_color) ?? null,
      logo: webAddress(stored?.logo_url ?? '')?.href ?? null,
      sender: stored?.sender_name?.trim() || name,
      reply_to: stored?.reply_to ?? null,
      footer: stored?.footer?.trim() || null,
    }
  })
}
