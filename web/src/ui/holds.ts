import { foldedText, holds, piecesOf } from '../../../server/src/kit/ground/fold.ts'

/** Whether a text holds all that is typed, in any order and compared as the service's filters do. */
export function holdsTyped(text: string, typed: string): boolean {
  return holds(text, piecesOf(typed.trim()))
}

/** Whether two names are the same, compared so. */
export function isSameName(one: string, other: string): boolean {
  return foldedText(one) === foldedText(other)
}
