import { moduleNumber, moduleWord } from '../kit/record/modules.ts'
import type { AnyRecord } from '../kit/record/record.ts'
import { Account } from './accounts/account.ts'
import { Meeting } from './calendar/meeting.ts'
import { Company } from './companies/company.ts'
import { Contact } from './contacts/contact.ts'
import { Dashboard } from './dashboards/dashboard.ts'
import { Document } from './documents/document.ts'
import { Filter } from './filters/filter.ts'
import { Milestone } from './milestones/milestone.ts'
import { Deal, Project } from './projects/project.ts'
import { Task } from './tasks/task.ts'
import { HolidaySet } from './holidays/holidays.ts'
import { Template } from './templates/template.ts'
import { Survey } from './surveys/survey.ts'
import { Tag } from './tags/tag.ts'
import { Role } from './users/role.ts'
import { UserProfile } from './users/user.ts'

/**
 * The record of each module that has a list: what saved filters filter, and whose rights decide who
 * sees an entry of the activity log.
 */
export const recordsByModule: { [module: string]: AnyRecord } = {
  accounts: Account,
  calendar: Meeting,
  companies: Company,
  contacts: Contact,
  dashboards: Dashboard,
  deals: Deal,
  documents: Document,
  filters: Filter,
  holidays: HolidaySet,
  projects: Project,
  roles: Role,
  surveys: Survey,
  tags: Tag,
  tasks: Task,
  templates: Template,
  users: UserProfile,
}

/** What comments, files and log entries can be about: the above, and each module with a number. */
export const subjectsByModule: { [module: string]: AnyRecord } = {
  ...recordsByModule,
  meetings: Meeting,
  milestones: Milestone,
}

/** A module given by number, digits or word → its word among those lists; undefined when unknown. */
export function listedModule(given: unknown): string | undefined {
  const number = moduleNumber(given)
  const word = number === undefined ? String(given).trim().toLowerCase() : moduleWord(number)!
  if (word === 'meetings') return 'calendar'
  return [word, `${word}s`].find((each) => Object.hasOwn(recordsByModule, each))
}
