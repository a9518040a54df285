import { accounts } from '../../records/accounts/operations.ts'
import { calendar } from '../../records/calendar/operations.ts'
import { companies } from '../../records/companies/operations.ts'
import { contacts } from '../../records/contacts/operations.ts'
import { documents } from '../../records/documents/operations.ts'
import { moduleOperations } from '../../records/modules/operations.ts'
import { projects } from '../../records/projects/operations.ts'
import { tasks } from '../../records/tasks/operations.ts'

/** Where the records of a module are listed. */
export const listPaths: { [module: string]: string } = {
  companies: '/api/company/',
  contacts: '/api/contact/',
  accounts: '/api/account/info/',
  deals: '/api/project/info/',
  projects: '/api/project/info/',
  tasks: '/api/tasks/',
  templates: '/api/templates/template/',
  holidays: '/api/holidays/holinfo/',
  documents: '/api/documents/',
  calendar: '/api/calendar/info/',
  surveys: '/api/surveys/',
  tags: '/api/tags/info/',
  users: '/api/users/profile/',
  roles: '/api/users/role/',
  dashboards: '/api/dashboards/info/',
  filters: '/api/filters/filter/',
}

const changes: { [module: string]: { input: object } } = {
  companies: companies.update,
  contacts: contacts.update,
  accounts: accounts.update,
  deals: projects.update,
  projects: projects.update,
  tasks: tasks.update,
  documents: documents.update,
  calendar: calendar.update,
}

const changeable = Object.fromEntries(
  Object.entries(changes).map(([module, { input }]) => {
    const { body } = input as { body?: { properties?: object } }
    return [module, new Set(Object.keys(body?.properties ?? {}))]
  }),
)
const nothing: ReadonlySet<string> = new Set()

/** What only creating, moving or uploading sets: a change of the record refuses it, or follows the file. */
const fixed: { [module: string]: ReadonlySet<string> } = {
  deals: new Set(['project_type', 'template_id', 'org_temp_id', 'project_template', 'lost_reason']),
  documents: new Set([
    'file_name',
    'file_type',
    'file_size',
    'file_icon',
    'zip_file_name',
    'storage_type',
    'module_id',
    'module_name',
    'reference_id',
  ]),
}
fixed.projects = fixed.deals ?? nothing

/** The operations from which the workspace is built. */
export const modules = moduleOperations({
  pathOf: (module) => listPaths[module] ?? null,
  changeable: (module) => changeable[module] ?? nothing,
  fixed: (module) => fixed[module] ?? nothing,
})
