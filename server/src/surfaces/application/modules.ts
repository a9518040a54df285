import { moduleOperations } from '../../records/modules/operations.ts'

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

/** What the workspace is drawn from. */
export const modules = moduleOperations((module) => listPaths[module] ?? null)
