import { t } from '../locales/text.ts'

/** The kinds of questions, in groups of one color each. */
export const kinds = [
  { label: t('Scales'), hue: 3, of: ['nps', 'csat', 'ces', 'ratings'] },
  {
    label: t('Choices'),
    hue: 1,
    of: ['single-select', 'multi-select', 'dropdown', 'yes-no', 'ranking', 'consent'],
  },
  {
    label: t('Texts'),
    hue: 4,
    of: ['short-text', 'long-text', 'email', 'phone', 'url', 'number', 'contact', 'address'],
  },
  { label: t('Dates'), hue: 5, of: ['date', 'time'] },
  {
    label: t('More'),
    hue: 7,
    of: ['matrix', 'rating-matrix', 'file', 'signature', 'calculated', 'statement'],
  },
] as const

/** The color of a kind, as one of the eight hues. */
export function hueOf(type: string): number {
  return kinds.find(({ of }) => (of as readonly string[]).includes(type))?.hue ?? 8
}
