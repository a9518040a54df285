import type { Answers, FormField, Page } from '../../../../server/src/model/forms/form-parts.ts'
import { asked, isEmpty } from '../../../../server/src/model/forms/rules.ts'
import { t } from '../../locales/text.ts'

/** The questions of a form that are asked after its answers: all that can be answered. */
export function questionsAsked(pages: Page[], answers: Answers): FormField[] {
  return [...asked(pages, answers)].filter(
    ({ type }) => type !== 'statement' && type !== 'calculated',
  )
}

/** Whether a question has an answer, however little of it is there. */
export function isAnswered({ id }: FormField, answers: Answers): boolean {
  const value = answers[id]
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return Object.values(value as Answers).some((each) => !isEmpty(each))
  }
  return !isEmpty(value)
}

/** What a form lacks to be complete, in words, by its questions in their order. */
export function lackingIn(pages: Page[], answers: Answers): Map<string, string> {
  const lacking = questionsAsked(pages, answers).flatMap((field) => {
    const words = field.required ? lacks(field, answers[field.id]) : undefined
    return words ? [[field.id, words] as const] : []
  })
  return new Map(lacking)
}

function lacks(field: FormField, value: unknown): string | undefined {
  if (!isAnswered(field, { [field.id]: value })) return t('This needs an answer')
  if (field.type === 'consent' && value !== true) return t('This must be agreed to')
  const own = value as Answers
  if (field.type === 'matrix' || field.type === 'rating-matrix') {
    const open = (field.rows ?? []).find((row) => isEmpty(own[row.value]))
    return open && t('“{label}” needs an answer, too', { label: open.label })
  }
  const part = neededParts(field).find((each) => isEmpty(own[each]))
  return part && t('“{label}” needs an answer, too', { label: partWords[part] ?? part })
}

/** The parts without which an answer of several texts is none. */
export function neededParts({ type, parts }: FormField): string[] {
  if (type === 'address') return ['street', 'city', 'country']
  if (type !== 'contact') return []
  const all = parts ?? usualParts
  return ['first_name', 'last_name', 'email'].filter((part) => all.includes(part as never))
}

/** The parts of an answer that has several, in their order. */
export function partsOf({ type, parts }: FormField): readonly string[] {
  if (type === 'address') return ['street', 'postal_code', 'city', 'region', 'country']
  return parts ?? usualParts
}

const usualParts: string[] = ['first_name', 'last_name', 'email', 'phone']

export const partWords: { [part: string]: string } = {
  first_name: t('First name'),
  last_name: t('Last name'),
  email: t('Email'),
  phone: t('Phone'),
  job_title: t('Job title'),
  company: t('Company'),
  street: t('Street'),
  postal_code: t('Postal code'),
  city: t('City'),
  region: t('Region'),
  country: t('Country'),
}

/** Why an answer is not taken, in words; undefined where only the server can say it. */
export function wrongWords({ type, min, max }: FormField): string | undefined {
  switch (type) {
    case 'email':
      return t('This must be an e-mail address')
    case 'phone':
      return t('This must be a phone number')
    case 'url':
      return t('This must be a web address')
    case 'contact':
      return t('The e-mail address or the phone number is none')
    case 'number':
      if (typeof min === 'number' && typeof max === 'number') {
        return t('This must be from {min} to {max}', { min, max })
      }
      if (typeof min === 'number') return t('This must be at least {min}', { min })
      return typeof max === 'number' ? t('This must be at most {max}', { max }) : undefined
    case 'short-text':
    case 'long-text':
      return typeof min === 'number'
        ? t('This needs at least {count} character | This needs at least {count} characters', {
            count: min,
          })
        : undefined
    case 'multi-select':
    case 'file':
      return typeof max === 'number'
        ? t('At most {count} can be chosen', { count: max })
        : undefined
    default:
      return undefined
  }
}
