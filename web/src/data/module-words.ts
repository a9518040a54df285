import { t } from '../locales/text.ts'

/** The records of a module, permission or scope, as the screens call them in the middle of a sentence. */
const words: { [module: string]: string } = {
  accounts: t('accounts'),
  activity: t('activity log'),
  apps: t('apps'),
  automations: t('automations'),
  calendar: t('meetings'),
  companies: t('companies'),
  connections: t('connections'),
  contacts: t('contacts'),
  dashboards: t('dashboards'),
  deals: t('deals'),
  documents: t('documents'),
  filters: t('views'),
  holidays: t('holidays'),
  interactions: t('comments'),
  meetings: t('meetings'),
  milestones: t('milestones'),
  projects: t('projects'),
  reports: t('reports'),
  roles: t('roles'),
  saved_views: t('saved views'),
  scheduled_mailings: t('scheduled mailings'),
  series: t('series'),
  signature_requests: t('signature requests'),
  subscriptions: t('subscriptions'),
  surveys: t('surveys'),
  tags: t('tags'),
  tasks: t('tasks'),
  templates: t('templates'),
  users: t('people'),
}

/** The records of a module, permission or scope, in the words of the screens. */
export function moduleWords(module: string): string {
  return words[module] ?? module.replaceAll('_', ' ')
}
