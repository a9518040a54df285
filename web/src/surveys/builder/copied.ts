import type { Question } from './draft.ts'
import { linesOfText } from './draft.ts'
import { copiedKey } from './forget-copied.ts'

/** Remembers questions for other surveys, also in other tabs, and gives the text for the clipboard; undefined for none. */
export function copyQuestions(questions: Question[]): string | undefined {
  if (!questions.length) return undefined
  const text = linesOfText(questions)
  try {
    localStorage.setItem(copiedKey, JSON.stringify({ text, questions }))
  } catch {
    // without a store they are pasted as text
  }
  return text
}

/** The questions that were copied as this text; undefined if it comes from elsewhere. */
export function copiedQuestions(text: string): Question[] | undefined {
  try {
    const stored = JSON.parse(localStorage.getItem(copiedKey) ?? 'null') as {
      text: string
      questions: Question[]
    } | null
    const isSame = stored?.text.trim() === text.trim().replaceAll('\r\n', '\n')
    return isSame ? stored?.questions : undefined
  } catch {
    return undefined
  }
}
