import type { Question } from './draft.ts'
import { choiceOf, newQuestion } from './draft.ts'

/** The most questions that are pasted at once. */
const most = 200

/**
 * Pasted text as questions, without a guess that cannot be seen: a line is a question, numbers and bullets before it are
 * left out; a line below it that is indented, or begins as "a)", is a choice. "(1–5)", "0–10", "yes/no", "date" in
 * brackets or at the end say the kind, and "*" that it must be answered.
 */
export function questionsIn(text: string): Question[] {
  const questions: Question[] = []
  const lines = text.split(/\r?\n/).filter((line) => line.trim())
  const least = Math.min(...lines.map(indentOf))
  for (const line of lines) {
    const choice = choiceIn(line, least)
    const last = questions.at(-1)
    if (choice && last) addChoice(last, choice)
    else if (questions.length < most) questions.push(questionIn(line))
  }
  return questions
}

const indentOf = (line: string) => /^\s*/.exec(line)?.[0].replaceAll('\t', '  ').length ?? 0

/** The words of a line that is a choice. */
function choiceIn(line: string, least: number): string | undefined {
  const lettered = /^\s*(?:[a-z][).]|\[ ?\]|[○☐])\s+(.+)$/i.exec(line)?.[1]
  if (lettered) return lettered.trim()
  if (indentOf(line) <= least) return undefined
  return line.trim().replace(/^(?:[-*•–]|\d+[).])\s+/, '')
}

function addChoice(question: Question, label: string): void {
  if (question.options?.some((each) => each.label === label)) return
  // only a kind that nothing was said of becomes a choice
  if (!question.options && question.type !== 'short-text') return
  question.options = [...(question.options ?? []), choiceOf(label)]
  if (question.type === 'short-text') question.type = 'single-select'
}

const kinds: [RegExp, (question: Question) => void][] = [
  [/\b0\s?(?:[-–—]|to)\s?10\b/i, (question) => void (question.type = 'nps')],
  [/\b1\s?(?:[-–—]|to)\s?(\d{1,2})\b/i, (question) => void (question.type = 'ratings')],
  [/\byes\s?[/|]\s?no\b/i, (question) => void (question.type = 'yes-no')],
  [/\b(?:date|day)\b/i, (question) => void (question.type = 'date')],
  [/\b(?:number|how many)\b/i, (question) => void (question.type = 'number')],
  [/\be-?mail\b/i, (question) => void (question.type = 'email')],
  [/\b(?:long text|comment)\b/i, (question) => void (question.type = 'long-text')],
]

function questionIn(line: string): Question {
  const bare = line.trim().replace(/^(?:(?:q|question)\s?\d+\s*[:.)]|[-*•–]|\d+[.)])\s*/i, '')
  const required = /\*\s*$/.test(bare)
  const text = bare.replace(/\s*\*\s*$/, '').slice(0, 1000)
  const question: Question = {
    ...newQuestion('short-text', text),
    ...(required ? { required } : {}),
  }
  // what is said in brackets at the end, or as a range there
  const [, label = '', hint = ''] =
    /^(.*?)\s*[([]([^()[\]]+)[)\]]\s*\??$/.exec(text) ??
    /^(.*?)[\s,:]+((?:[01]\s?[-–—]\s?\d{1,2})|yes\s?[/|]\s?no)\s*\??$/i.exec(text) ??
    []
  const known = hint && kinds.find(([pattern]) => pattern.test(hint))
  if (!known || !label) return question
  known[1](question)
  question.label = label.trim()
  const top = Number(/^1\D+(\d{1,2})$/.exec(hint.trim())?.[1])
  if (question.type === 'ratings' && top >= 2 && top <= 20) question.maxRating = top
  return question
}
