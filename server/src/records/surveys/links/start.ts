import type { Context } from '../../../kit/ground/context.ts'
import { newId } from '../../../kit/ground/ids.ts'

type Secrets = Context['secrets']

type Sealed = { start: string; survey: string }

/**
 * Starts a response to a survey by a public link: a token that the form sends back. It is encrypted and
 * authenticated, so nothing is stored: it is valid for one response, whose id it contains, however often it is
 * submitted.
 */
export function newStart(secrets: Secrets, survey: string): string {
  const sealed: Sealed = { start: newId(), survey }
  return secrets.seal(sealed)
}

/** The id of the response that a form starts; undefined if the token does not belong to this survey. */
export function openStart(secrets: Secrets, token: string, survey: string): string | undefined {
  const sealed = secrets.unseal(token) as Sealed | undefined
  return typeof sealed?.start === 'string' && sealed.survey === survey ? sealed.start : undefined
}
