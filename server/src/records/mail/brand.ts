import type { Context } from '../../kit/ground/context.ts'
import { webAddress } from '../../kit/ground/web-address.ts'
import type { Language } from '../languages/language.ts'
import { mailDefaultsOf, settingsOf } from '../organizations/settings.ts'
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

/** The brand of the caller's organization, from its settings. */
export async function brandOf(ctx: Context): Promise<Brand> {
  const [settings, mail] = await Promise.all([settingsOf(ctx), mailDefaultsOf(ctx)])
  const { name, language, timezone, primary_color, logo_url } = settings
  return {
    name,
    timezone,
    language,
    colour: hexColour(primary_color) ?? null,
    logo: webAddress(logo_url ?? '')?.href ?? null,
    sender: mail.sender_name?.trim() || name,
    reply_to: mail.reply_to,
    footer: mail.footer?.trim() || null,
  }
}
