import { createHash, randomInt } from 'node:crypto'
import type { Context } from '../../../kit/ground/context.ts'
import { newId } from '../../../kit/ground/ids.ts'

type Secrets = Context['secrets']

/** The start of a response by a public link: its id, and the required proof of work. */
export type Start = {
  /** a token that the form sends back */
  token: string
  /** the task for the browser: the number below `most` for which SHA-256 of `salt` and it is `target` */
  puzzle: { salt: string; target: string; most: number } | undefined
}

type Sealed = { start: string; survey: string; until: number; number: number | null }

/** How long an opened page can be submitted if a proof of work is required, in milliseconds. */
const patience = 4 * 3_600_000

/**
 * Starts a response to a survey. The token is encrypted and authenticated, so nothing is stored:
 * it is valid for one response, whose id it contains, however often it is submitted. With `work` a
 * browser has to try up to that many hashes, half of them on average.
 */
export function newStart(secrets: Secrets, survey: string, now: Date, work: number): Start {
  const start = newId()
  const number = work ? randomInt(work) : null
  const sealed: Sealed = { start, survey, until: +now + patience, number }
  const puzzle = number === null ? undefined : { salt: `${start}.`, target: '', most: work }
  if (puzzle) puzzle.target = createHash('sha256').update(`${puzzle.salt}${number}`).digest('hex')
  return { token: secrets.seal(sealed), puzzle }
}

/**
 * The id of the response that a form starts; undefined if the token does not belong to this survey, or
 * if `work` is required and the proof is missing, wrong or too late.
 */
export function openStart(
  secrets: Secrets,
  { token, proof }: { token: string; proof: string },
  { survey, now, work }: { survey: string; now: Date; work: number },
): string | undefined {
  const sealed = secrets.unseal(token) as Sealed | undefined
  if (typeof sealed?.start !== 'string' || sealed.survey !== survey) return undefined
  if (!work) return sealed.start
  const isProved = sealed.number !== null && proof === String(sealed.number)
  return isProved && sealed.until > +now ? sealed.start : undefined
}
