import type { Context } from '../../../kit/ground/context.ts'
import type { Language } from '../../../model/languages/language.ts'

type Secrets = Context['secrets']

/** The content of a preview's key. It names no survey as a link does: nobody can answer with it. */
export type Preview = {
  preview: string
  organization: string
  language: Language | null
  expires: string
}

const minutes = 10

/** A key to the preview of a survey's draft, encrypted and authenticated; nothing is stored. */
export function sealPreview(ctx: Context, survey: string, language?: Language) {
  const expires_at = new Date(ctx.now().getTime() + minutes * 60_000).toISOString()
  const preview: Preview = {
    preview: survey,
    organization: ctx.organization.id,
    language: language ?? null,
    expires: expires_at,
  }
  return { key: ctx.secrets.seal(preview), expires_at }
}

/** The content of a key; undefined if this service did not create it. */
export function readPreview(secrets: Secrets, key: string): Preview | undefined {
  const preview = secrets.unseal(key) as Preview | undefined
  return typeof preview?.preview === 'string' ? preview : undefined
}
