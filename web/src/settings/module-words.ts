import { t } from '../locales/text.ts'

/** Modules whose permission has another name than their records have on the screens. */
const others: { [module: string]: string } = {
  activity: t('activity log'),
  calendar: 'meetings',
  filters: 'views',
  interactions: 'comments',
  users: 'people',
}

/** The records of a permission or scope, in the words of the screens. */
export function moduleWords(module: string): string {
  return others[module] ?? module.replaceAll('_', ' ')
}
