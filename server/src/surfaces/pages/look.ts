import type { FastifyRequest } from 'fastify'
import type { Context } from '../../kit/ground/context.ts'
import type { Language, MessageKey, Voice } from '../../model/languages/language.ts'
import { acceptedLanguage, languageOf, voiceOf } from '../../model/languages/language.ts'
import type { Brand } from '../../records/mail/brand.ts'
import { brandOf } from '../../records/mail/brand.ts'
import type { Reader } from '../../records/mail/readers.ts'
import { known } from '../../records/mail/readers.ts'
import type { Look, Page } from './page.ts'
import { messagePage } from './page.ts'

/**
 * The look of an organization's page: in the language that was chosen, else that of the visitor's browser, else in that of the
 * person whom the link is for, else in the organization's.
 */
export async function lookOf(
  ctx: Context,
  { headers }: Pick<FastifyRequest, 'headers'>,
  { address, language: chosen }: { address?: string | null; language?: Language | undefined } = {},
): Promise<Look> {
  const brand = await brandOf(ctx)
  const unknown: Reader[] = address ? [{ address }] : []
  const [reader] = await known(ctx, unknown)
  const language =
    chosen ??
    acceptedLanguage(headers['accept-language']) ??
    languageOf(reader?.language) ??
    brand.language
  return { brand, voice: voiceOf(language, reader?.timezone || brand.timezone) }
}

/** The look if no organization is known yet. */
export const productBrand: Brand = {
  name: 'Perennial',
  language: 'en',
  timezone: 'UTC',
  colour: null,
  logo: null,
  sender: 'Perennial',
  reply_to: null,
  footer: null,
}

/** The voice for a visitor of whom only the browser is known. */
export function visitorVoice({ headers }: Pick<FastifyRequest, 'headers'>): Voice {
  return voiceOf(acceptedLanguage(headers['accept-language']) ?? 'en', 'UTC')
}

/** The page for an invalid link. */
export function unknownLink(request: Pick<FastifyRequest, 'headers'>): Page {
  const voice = visitorVoice(request)
  const page = messagePage(voice.say('page.unknown'), voice.say('page.unknown_text'))
  return { ...page, voice }
}

/** The message of a failure for its reader: its own in English, in other languages a general one. */
export function failureText(
  { language, say }: Voice,
  message: string,
  translated: MessageKey = 'page.failed_text',
): string {
  return language === 'en' ? message : say(translated)
}
