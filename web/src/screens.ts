import { accounts } from './accounts/accounts.ts'
import { companies } from './companies/companies.ts'
import { contacts } from './contacts/contacts.ts'
import { deals } from './deals/deals.ts'
import { documents } from './documents/documents.ts'
import { meetings } from './meetings/meetings.ts'
import { projects } from './projects/projects.ts'
import type { Screens } from './records/definition.ts'
import { moduleWords } from './data/module-words.ts'
import { capital } from './ui/capital.ts'
import { surveys } from './surveys/surveys.ts'
import { tags } from './tags/tags.ts'
import { tasks } from './tasks/tasks.ts'

import type { IconName } from './ui/icons.tsx'
import { t } from './locales/text.ts'

/** A page of the sidebar that is no list of records. */
type Page = {
  to: string
  label: string
  icon: IconName
  key: string
  module?: string
  /** customers, partners and observers are not led there */
  isForTeam?: boolean
}

const home: Page = { to: '/', label: t('Home'), icon: 'home', key: 'h' }
const inbox: Page = { to: '/inbox', label: t('Inbox'), icon: 'inbox', key: 'i' }
const templates: Page = {
  to: '/templates',
  label: t('Templates'),
  icon: 'list-tree',
  module: 'templates',
  key: 'l',
}

const calendar: Page = {
  to: '/calendar',
  label: t('Calendar'),
  icon: 'calendar',
  module: 'calendar',
  key: 'm',
}

const time: Page = {
  to: '/time',
  label: t('Time'),
  icon: 'clock',
  module: 'tasks',
  key: 'e',
  isForTeam: true,
}

const dashboards: Page = {
  to: '/dashboards',
  label: t('Dashboards'),
  icon: 'dashboard',
  module: 'dashboards',
  key: 'b',
}

const reports: Page = {
  to: '/reports',
  label: t('Reports'),
  icon: 'chart',
  key: 'k',
  isForTeam: true,
}

const activity: Page = {
  to: '/activity',
  label: t('Activity'),
  icon: 'activity',
  module: 'activity',
  key: 'v',
  isForTeam: true,
}

/** What the sidebar leads to, in its order: every record type that has screens, and other pages. */
const sidebar: { title?: string; entries: (Screens | Page)[] }[] = [
  { entries: [home, inbox, tasks, calendar] },
  { title: t('Customers'), entries: [companies, contacts, accounts, deals] },
  { title: t('Delivery [projects]'), entries: [projects, time, templates, documents, surveys] },
  { title: t('Insight'), entries: [dashboards, reports, activity] },
]

/** Every record type that has screens; the last ones are reached from elsewhere. */
export const screens: readonly Screens[] = [
  ...sidebar.flatMap(({ entries }) => entries.filter((entry) => 'address' in entry)),
  meetings,
  tags,
]

/** The sections of the sidebar, with the keys after `g`. */
export const sections: { title?: string; places: Page[] }[] = sidebar.map(
  ({ entries, ...section }) => ({ ...section, places: entries.map(placeOf) }),
)

/** The targets of the navigation. */
export const places: Page[] = sections.flatMap((section) => section.places)

function placeOf(entry: Screens | Page): Page {
  if (!('address' in entry)) return entry
  const { address, icon, module, key = '' } = entry
  return { to: address, label: capital(moduleWords(address.slice(1))), icon, module, key }
}
