import type { Answers, FormField, Page } from './form-parts.ts'

// `{{answers.<id>}}`, `{{contact.first_name}}` and `{{account.name}}` in texts stand for what is known of the
// respondent, with words for where it is not: `{{contact.first_name|there}}`.

/** What a text may say of the person whom a link is for, and of their account. */
export const pipedNames = [
  'contact.first_name',
  'contact.full_name',
  'contact.job_title',
  'contact.company',
  'account.name',
  'account.owner',
] as const
export type PipedName = (typeof pipedNames)[number]

/** The values of the person and the account; what is absent is not known, or not theirs. */
export type Known = { [name in PipedName]?: string | null }

const placeholder = /\{\{\s*([a-z]+\.[^{}|\s]{1,200})\s*(?:\|([^{}]{0,200}))?\}\}/g

/** The names in a text: `answers.<id>`, `contact.first_name`. */
export function pipesIn(text: string): string[] {
  return [...text.matchAll(placeholder)].map(([, name = '']) => name)
}

/** A text without the names of what goes into it, for those who read no single answer: “Why …?” */
export function withoutNames(text: string): string {
  return text.replaceAll(placeholder, '…')
}

/** A text in which some values stand: words, or the value that goes in, by its name and with the words instead. */
export type Part = string | { name: string; instead: string }

/** A text, split at its placeholders. */
export function partsOf(text: string): Part[] {
  const parts: Part[] = []
  let end = 0
  for (const { 0: whole, 1: name = '', 2: instead = '', index } of text.matchAll(placeholder)) {
    if (index > end) parts.push(text.slice(end, index))
    parts.push({ name, instead: instead.trim() })
    end = index + whole.length
  }
  if (end < text.length) parts.push(text.slice(end))
  return parts
}

/** The longest value that goes into a text, in characters. */
const most = 200

/**
 * What stands for a name, as one line of plain text; empty for what is not known. `answers` has only those to questions
 * that are asked, so that none of a hidden one is shown.
 */
export function pipedValue(
  name: string,
  { fields, answers, known }: { fields: FormField[]; answers: Answers; known: Known },
): string {
  const id = /^answers\.(.+)$/.exec(name)?.[1]
  if (id === undefined) return oneLine(known[name as PipedName] ?? '')
  const field = fields.find((each) => each.id === id)
  return field ? oneLine(answerText(field, answers[id])) : ''
}

/** A text with the values that go into it, as plain text. */
export function plainWith(
  { parts, answers, known }: { parts: Page[]; answers: Answers; known: Known },
  text: string,
): string {
  const fields = parts.flatMap((part) => part.fields)
  return partsOf(text)
    .map((part) =>
      typeof part === 'string'
        ? part
        : pipedValue(part.name, { fields, answers, known }) || part.instead,
    )
    .join('')
}

/** An answer in words: its choices by their labels. */
export function answerText({ type, options }: FormField, value: unknown): string {
  if (value === undefined || value === null || typeof value === 'boolean') return ''
  const labels = new Map(options?.map((each) => [each.value, each.label]))
  if (Array.isArray(value)) {
    return value
      .map((each: unknown) =>
        typeof each === 'object' && each !== null
          ? String((each as { name?: unknown }).name ?? '')
          : (labels.get(String(each)) ?? String(each)),
      )
      .join(', ')
  }
  if (typeof value === 'object') {
    const parts = value as { [name: string]: unknown }
    if (type === 'contact') return [parts.first_name, parts.last_name].filter(Boolean).join(' ')
    if (type === 'signature') return String(parts.name ?? '')
    return type === 'address' ? Object.values(parts).filter(Boolean).join(', ') : ''
  }
  return labels.get(String(value)) ?? String(value)
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > most ? `${line.slice(0, most - 1).toWellFormed()}…` : line
}

/** The texts of a question, a page or an ending that may have placeholders. */
export function textsOf(part: { translations?: object | null | undefined }): string[] {
  type Texts = { [name in (typeof piped)[number]]?: string | null }
  const translations = Object.values((part.translations ?? {}) as { [language: string]: Texts })
  return [part as Texts, ...translations].flatMap((each) => piped.map((name) => each?.[name] ?? ''))
}

const piped = ['label', 'description', 'title', 'text', 'button'] as const
