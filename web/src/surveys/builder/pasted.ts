import type { Question } from './draft.ts'
import { choiceOf, newQuestion } from './draft.ts'

/** The most questions that are pasted at once. */
const most = 200

/**
 * Pasted text as questions, without a guess that cannot be seen: a line is a question, numbers and bullets before it are
 * left out; a line below it that is indented, begins as "a)", or has a bullet below a number, is a choice. "(1–5)",
 * "0–10", "yes/no", "date" in brackets or at the end say the kind, in six languages, and "*" that it must be answered.
 */
export function questionsIn(text: string): Question[] {
  const questions: Question[] = []
  const lines = text.split(/\r?\n/)
  const least = Math.min(...lines.filter((line) => line.trim()).map(indentOf))
  const isNumbered = lines.some((line) => indentOf(line) <= least && numbered.test(line))
  let isBelowOne = false
  for (const line of lines) {
    if (!line.trim()) {
      isBelowOne = false
      continue
    }
    const choice = choiceIn(line, least, isNumbered && isBelowOne)
    const last = questions.at(-1)
    if (choice && last) addChoice(last, choice)
    else if (questions.length < most) questions.push(questionIn(line))
    isBelowOne = true
  }
  return questions
}

const indentOf = (line: string) => /^\s*/.exec(line)?.[0].replaceAll('\t', '  ').length ?? 0

const numbered = /^\s*(?:(?:q|question)\s?)?\d+\s*[.):]/i
const bullet = /^(?:[-*•–]|\d+[).])\s+/

/** The words of a line that is a choice. */
function choiceIn(line: string, least: number, mayBeBullet: boolean): string | undefined {
  const lettered = /^\s*(?:[a-z][).]|\[ ?\]|[○☐])\s+(.+)$/i.exec(line)?.[1]
  if (lettered) return lettered.trim()
  const isBelow = indentOf(line) > least || (mayBeBullet && /^\s*[-*•–]\s/.test(line))
  return isBelow ? line.trim().replace(bullet, '') : undefined
}

function addChoice(question: Question, label: string): void {
  if (question.options?.some((each) => each.label === label)) return
  // only a kind that nothing was said of becomes a choice
  if (!question.options && question.type !== 'short-text') return
  question.options = [...(question.options ?? []), choiceOf(label)]
  if (question.type === 'short-text') question.type = 'single-select'
}

const to = '\\s?(?:[-–—]|to|bis|à|a|hasta|até|tot)\\s?'
const yesNo = '(?:yes|ja|oui|sí|si|sim)\\s?[/|]\\s?(?:no|nein|non|nee|não|nao)'

/** Words, or a range, as a whole: no letter or digit beside it. */
const whole = (words: string) => new RegExp(`(?<![\\p{L}\\d])(?:${words})(?![\\p{L}\\d])`, 'iu')

const kinds: [RegExp, string][] = [
  [whole(`0${to}10`), 'nps'],
  [whole(`1${to}\\d{1,2}`), 'ratings'],
  [whole(yesNo), 'yes-no'],
  [whole('date|day|datum|tag|jour|fecha|día|data|dia|dag'), 'date'],
  [whole('number|how many|zahl|anzahl|nombre|número|numero|getal|aantal'), 'number'],
  [whole('e-?mail|courriel|correo'), 'email'],
  [whole('phone|telefon|téléphone|teléfono|telefone|telefoon'), 'phone'],
  [whole('file|upload|datei|fichier|archivo|ficheiro|bestand'), 'file'],
  [
    whole(
      'long text|comment|langer text|kommentar|texte long|commentaire|texto largo|comentario|texto longo|comentário|lange tekst|opmerking',
    ),
    'long-text',
  ],
]
const atEnd = new RegExp(`^(.*?)[\\s,:]+([01]${to}\\d{1,2}|${yesNo})\\s*\\??$`, 'iu')

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
    /^(.*?)\s*[([]([^()[\]]+)[)\]]\s*\??$/.exec(text) ?? atEnd.exec(text) ?? []
  const known = hint && kinds.find(([pattern]) => pattern.test(hint))
  if (!known || !label) return question
  question.type = known[1]
  question.label = label.trim()
  const top = Number(/^1\D+(\d{1,2})$/.exec(hint.trim())?.[1])
  if (question.type === 'ratings' && top >= 2 && top <= 20) question.maxRating = top
  return question
}
