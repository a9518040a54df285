import type { ImportModule } from '../../model/imports/import.ts'
import type { Importable } from './importable.ts'
import { importAccounts } from './modules/accounts.ts'
import { importCompanies } from './modules/companies.ts'
import { importContacts } from './modules/contacts.ts'
import { importHolidays } from './modules/holidays.ts'
import { importMeetings } from './modules/meetings.ts'
import { importMilestones } from './modules/milestones.ts'
import { importDeals, importProjects } from './modules/projects.ts'
import { importTags } from './modules/tags.ts'
import { importTasks } from './modules/tasks.ts'

/** What can be imported and exported, by its word. */
export const importables: { [module in ImportModule]: Importable } = {
  companies: importCompanies,
  contacts: importContacts,
  accounts: importAccounts,
  deals: importDeals,
  projects: importProjects,
  milestones: importMilestones,
  tasks: importTasks,
  meetings: importMeetings,
  tags: importTags,
  holidays: importHolidays,
}
