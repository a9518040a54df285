import { Account } from '../../model/accounts/account.ts'
import { accounts } from '../../records/accounts/operations.ts'
import type { BulkList } from '../../records/bulk/list.ts'
import { bulkOf, undoOf } from '../../records/bulk/operations.ts'
import { takeBackOf } from '../../records/bulk/take-back.ts'
import { MeetingInsight } from '../../model/calendar/insight.ts'
import { Meeting } from '../../model/calendar/meeting.ts'
import { calendar, insights } from '../../records/calendar/operations.ts'
import { Company } from '../../model/companies/company.ts'
import { companies } from '../../records/companies/operations.ts'
import { Contact } from '../../model/contacts/contact.ts'
import { contacts } from '../../records/contacts/operations.ts'
import { Dashboard } from '../../model/dashboards/dashboard.ts'
import { dashboards } from '../../records/dashboards/operations.ts'
import { Document } from '../../model/documents/document.ts'
import { documents } from '../../records/documents/operations.ts'
import { Filter } from '../../model/filters/filter.ts'
import { filters } from '../../records/filters/operations.ts'
import { HolidaySet } from '../../model/holidays/holiday-set.ts'
import { holidays } from '../../records/holidays/operations.ts'
import { Milestone } from '../../model/milestones/milestone.ts'
import { milestones } from '../../records/milestones/operations.ts'
import { projects } from '../../records/projects/operations.ts'
import { undoTemplate } from '../../records/projects/from-template/undo.ts'
import { undoPlan } from '../../records/projects/schedule/undo.ts'
import { undoUpdate } from '../../records/projects/template-update/undo.ts'
import { pipelines } from '../../records/projects/pipelines/operations.ts'
import { Pipeline } from '../../model/projects/pipelines/pipeline.ts'
import { ProjectOrDeal } from '../../model/projects/project.ts'
import { surveys } from '../../records/surveys/operations.ts'
import { Survey } from '../../model/surveys/survey.ts'
import { Tag, tags } from '../../model/tags/tag.ts'
import { tasks } from '../../records/tasks/operations.ts'
import { Task } from '../../model/tasks/task.ts'
import { templates } from '../../records/templates/operations.ts'
import { Template } from '../../model/templates/template.ts'
import { users } from '../../records/users/operations.ts'
import { UserProfile } from '../../model/users/user.ts'
import type { Route } from '../route.ts'
import { post } from '../route.ts'

/** The lists whose records can be changed together, by the path of the list. */
const lists: { [path: string]: BulkList } = {
  '/api/company/': { list: 'companies', record: Company, operations: companies },
  '/api/contact/': { list: 'contacts', record: Contact, operations: contacts },
  '/api/account/info/': { list: 'accounts', record: Account, operations: accounts },
  '/api/project/info/': { list: 'projects', record: ProjectOrDeal, operations: projects },
  '/api/pipelines/': { list: 'pipelines', record: Pipeline, operations: pipelines },
  '/api/project/info/{id}/milestones/': {
    list: 'milestones',
    record: Milestone,
    operations: milestones,
  },
  '/api/tasks/': { list: 'tasks', record: Task, operations: tasks },
  '/api/templates/template/': { list: 'templates', record: Template, operations: templates },
  '/api/holidays/holinfo/': { list: 'holidays', record: HolidaySet, operations: holidays },
  '/api/documents/': { list: 'documents', record: Document, operations: documents },
  '/api/calendar/info/': { list: 'meetings', record: Meeting, operations: calendar },
  '/api/calendar/insight/': {
    list: 'meeting_insights',
    record: MeetingInsight,
    operations: insights,
  },
  '/api/surveys/': { list: 'surveys', record: Survey, operations: surveys },
  '/api/tags/info/': { list: 'tags', record: Tag, operations: tags },
  '/api/users/profile/': { list: 'users', record: UserProfile, operations: users },
  '/api/filters/filter/': { list: 'filters', record: Filter, operations: filters },
  '/api/dashboards/info/': { list: 'dashboards', record: Dashboard, operations: dashboards },
}

/** A route for each list, and one to undo any of these writes. */
export function bulkRoutes(): Route[] {
  const each = Object.entries(lists).map(([path, list]) =>
    post(`${path}bulk/`, bulkOf(list), { location: undefined }),
  )
  return [
    ...each,
    post(
      '/api/bulk/{bulk_id}/undo/',
      undoOf(Object.values(lists), {
        plan: undoPlan,
        plan_lines: undoTemplate,
        template: undoTemplate,
        template_update: undoUpdate,
      }),
    ),
    post('/api/activity/log/{id}/take-back/', takeBackOf(Object.values(lists))),
  ]
}
