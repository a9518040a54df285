import { accounts } from './accounts/accounts.ts'
import { companies } from './companies/companies.ts'
import { contacts } from './contacts/contacts.ts'
import { deals } from './deals/deals.ts'
import { documents } from './documents/documents.ts'
import { meetings } from './meetings/meetings.ts'
import { projects } from './projects/projects.ts'
import type { Screens } from './records/definition.ts'
import { surveys } from './surveys/surveys.ts'
import { tags } from './tags/tags.ts'
import { tasks } from './tasks/tasks.ts'

/** Every record type that has screens. */
export const screens: readonly Screens[] = [
  companies,
  contacts,
  accounts,
  deals,
  projects,
  tasks,
  documents,
  meetings,
  surveys,
  tags,
]
