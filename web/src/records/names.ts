import { t } from '../locales/text.ts'
import { capital } from '../ui/capital.ts'

/** What record types are called, by the word of their address. */
export const namesOfTypes: { [word: string]: string } = {
  contacts: t('Contacts'),
  companies: t('Companies'),
  accounts: t('Accounts'),
  deals: t('Deals'),
  projects: t('Projects'),
  tasks: t('Tasks'),
  documents: t('Documents'),
  meetings: t('Meetings'),
  surveys: t('Surveys'),
  tags: t('Tags'),
}

/** What a record type is called; its word where it has no name here. */
export function nameOfType(word: string): string {
  return namesOfTypes[word] ?? capital(word)
}
