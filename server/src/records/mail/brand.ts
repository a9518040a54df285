import type { Context } from '../../kit/ground/context.ts'
import { webAddress } from '../../kit/ground/web-address.ts'
import type { Language } from '../../model/languages/language.ts'
import { mailDefaultsOf, settingsOf } from '../../model/organizations/settings.ts'
import { hexColour } from './colour.ts'

/** How an organization shows itself to people outside: in mails, and on pages without a session. */
export type Brand = {
  name: string
  language: Language
  timezone: string
  /** as `#rrggbb`; null for the product's colour */
  colour: string | null
  /** the address of its picture */
  logo: string | null
  /** the organization's name as the sender of mails */
  sender: string
  /** the reply address of mails that no person sends */
  reply_to: string | null
  /** the text at the end of its mails */
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
