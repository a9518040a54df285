import type { Answers, FormField, Page } from '../../../../server/src/model/forms/form-parts.ts'
import { requiredParts } from '../../../../server/src/model/forms/answer-parts.ts'
import { asked, isEmpty, longest, mostFilesOf } from '../../../../server/src/model/forms/rules.ts'
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
  const part = requiredParts(field).find((each) => isEmpty(own[each]))
  return part && t('“{label}” needs an answer, too', { label: partWords[part] ?? part })
}

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
export function wrongWords(field: FormField, value: unknown): string | undefined {
  const { type, min, max } = field
  const length = typeof value === 'string' || Array.isArray(value) ? value.length : 0
  const isFew = typeof min === 'number' && length < min
  switch (type) {
    case 'email':
      return t('This must be an e-mail address')
    case 'phone':
      return t('This must be a phone number')
    case 'url':
      return t('This must be a web address')
    case 'consent':
      return t('This must be agreed to')
    case 'contact':
      return t('The e-mail address or the phone number is not valid')
    case 'number':
      if (typeof min === 'number' && typeof max === 'number') {
        return t('This must be from {min} to {max}', { min, max })
      }
      if (typeof min === 'number') return t('This must be at least {min}', { min })
      return typeof max === 'number' ? t('This must be at most {max}', { max }) : undefined
    case 'short-text':
    case 'long-text':
      if (length > longest(field)) {
        return t(
          'This may have at most {count} character | This may have at most {count} characters',
          {
            count: longest(field),
          },
        )
      }
      return isFew
        ? t('This needs at least {count} character | This needs at least {count} characters', {
            count: min,
          })
        : undefined
    case 'multi-select':
    case 'file': {
      if (type === 'multi-select' && isFew) {
        return t('At least {count} must be chosen', { count: min })
      }
      const most = type === 'file' ? mostFilesOf(field) : max
      return typeof most === 'number' && length > most
        ? t('At most {count} can be chosen', { count: most })
        : undefined
    }
    default:
      return undefined
  }
}
