import { register } from '../kit/record/registry.ts'
import type { ServiceTable } from '../kit/record/service-table.ts'
import { accountsTables } from './accounts/tables.ts'
import { activityTables } from './activity/tables.ts'
import { appsTables } from './apps/tables.ts'
import { bulkTables } from './bulk/tables.ts'
import { calendarTables } from './calendar/tables.ts'
import { documentsTables } from './documents/tables.ts'
import { handOverTables } from './hand-over/tables.ts'
import { importsTables } from './imports/tables.ts'
import { interactionsTables } from './interactions/tables.ts'
import { mergingTables } from './merging/tables.ts'
import { notificationsTables } from './notifications/tables.ts'
import { organizationsTables } from './organizations/tables.ts'
import { personalDataTables } from './personal-data/tables.ts'
import { projectsTables } from './projects/tables.ts'
import { searchTables } from './search/tables.ts'
import { surveysTables } from './surveys/tables.ts'
import { tasksTables } from './tasks/tables.ts'
import { templatesTables } from './templates/tables.ts'
import { timelineTables } from './timeline/tables.ts'
import { usersTables } from './users/tables.ts'
import { Account } from './accounts/account.ts'
import { MeetingInsight } from './calendar/insight.ts'
import { Meeting } from './calendar/meeting.ts'
import { Company } from './companies/company.ts'
import { Contact } from './contacts/contact.ts'
import { Dashboard } from './dashboards/dashboard.ts'
import { Document } from './documents/document.ts'
import { Filter } from './filters/filter.ts'
import { HolidaySet } from './holidays/holiday-set.ts'
import { Import } from './imports/import.ts'
import { Interaction } from './interactions/interaction.ts'
import { Milestone } from './milestones/milestone.ts'
import { Notification } from './notifications/notification.ts'
import { Pipeline } from './projects/pipelines/pipeline.ts'
import { Deal, Project } from './projects/project.ts'
import { SurveyAutomation } from './surveys/automations/automation.ts'
import { Survey } from './surveys/survey.ts'
import { Tag } from './tags/tag.ts'
import { Task } from './tasks/task.ts'
import { TimeEntry } from './tasks/time-entry.ts'
import { Template } from './templates/template.ts'
import { Role } from './users/roles/role.ts'
import { UserProfile } from './users/user.ts'

/**
 * Every record type. What the service does with all of them is derived from this list: module
 * numbers, the log, the search, events and their payloads, removal of deleted rows, scopes, permissions.
 * If several records share a module's word, the first is the module's main record.
 */
export const records = register([
  Company,
  Contact,
  Deal,
  Project,
  Milestone,
  Task,
  TimeEntry,
  Template,
  UserProfile,
  Survey,
  SurveyAutomation,
  Document,
  Meeting,
  MeetingInsight,
  Interaction,
  Account,
  Dashboard,
  Tag,
  HolidaySet,
  Filter,
  Role,
  Pipeline,
  Import,
  Notification,
])

/** Every table that is no record and names records, belongs to a user, or is left out of archives or of searches for people. */
export const serviceTables: readonly ServiceTable[] = [
  ...accountsTables,
  ...activityTables,
  ...appsTables,
  ...bulkTables,
  ...calendarTables,
  ...documentsTables,
  ...handOverTables,
  ...importsTables,
  ...interactionsTables,
  ...mergingTables,
  ...notificationsTables,
  ...organizationsTables,
  ...personalDataTables,
  ...projectsTables,
  ...searchTables,
  ...surveysTables,
  ...tasksTables,
  ...templatesTables,
  ...timelineTables,
  ...usersTables,
]
