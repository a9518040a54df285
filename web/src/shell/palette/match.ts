import { foldedWords } from '../../../../server/src/kit/ground/fold.ts'

/** Whether every typed word is the beginning of a word in a text, ignoring case and accents. */
export function matches(text: string, typed: string): boolean {
  const words = foldedWords(text)
  return foldedWords(typed).every((part) => words.some((word) => word.startsWith(part)))
}
