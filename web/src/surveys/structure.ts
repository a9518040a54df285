import { capital } from '../ui/capital.ts'
import { t } from '../locales/text.ts'

/** The questions of a survey, as `form_structure` stores them. */
export type Structure = { pages?: Page[] }
export type Page = { id?: string; title?: string; fields?: Field[] }
export type Field = {
  id?: string
  label?: string
  type?: string
  required?: boolean
  maxRating?: number
}

const typeNames: { [type: string]: string } = {
  nps: 'NPS',
  csat: 'CSAT',
  ces: 'CES',
  url: 'URL',
  'single-select': t('Single select'),
  'multi-select': t('Multi select'),
  dropdown: t('Dropdown'),
  ranking: t('Ranking'),
  consent: t('Consent'),
  'short-text': t('Short text'),
  'long-text': t('Long text'),
  email: t('Email'),
  phone: t('Phone'),
  number: t('Number'),
  ratings: t('Ratings'),
  date: t('Date'),
  time: t('Time [clock]'),
  matrix: t('Matrix'),
  statement: t('Statement'),
  'yes-no': t('Yes or no'),
  'rating-matrix': t('Ratings by row'),
  contact: t('Contact details'),
  address: t('Address'),
  signature: t('Signature'),
  file: t('File upload'),
  calculated: t('Calculated value'),
}

/** The type of a question in words: "Single select", "NPS". */
export function typeWords(type: string): string {
  return typeNames[type] ?? capital(type.replaceAll('-', ' '))
}
