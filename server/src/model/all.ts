import { register } from '../kit/record/registry.ts'
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
