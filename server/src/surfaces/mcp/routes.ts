import { Company } from '../../model/companies/company.ts'
import { companies } from '../../records/companies/operations.ts'
import { Contact } from '../../model/contacts/contact.ts'
import { contacts } from '../../records/contacts/operations.ts'
import { following } from '../../model/merging/tombstone.ts'
import { surveys } from '../../records/surveys/operations.ts'
import { createTaskOfProject, readTask, updateOneTask } from '../integration/tasks.ts'
import { getFields } from './fields.ts'
import { finding } from './find.ts'
import { logNote } from './notes.ts'
import { projectOperations } from './projects.ts'
import { searchRecords, searchScopes } from './search.ts'
import { findTasks, listDueTasks } from './tasks.ts'
import type { Tool } from './tool.ts'
import { tool } from './tool.ts'

const deals = projectOperations('deal')
const projects = projectOperations('project')

const byFilter = 'By text, by conditions on any field, or all; newest first unless sorted.'
const merging = 'Only the arguments that are sent change; clear names the fields to empty.'
const others = 'Custom fields go in custom_fields, others that get_fields lists in other_fields.'

const findArguments = ['q', 'filter', 'sort', 'limit', 'next_cursor']

/** The members of each record that are described to models; other fields are also accepted and returned. */
const shown = {
  company: [
    'company_name',
    'domain',
    'description',
    'website_url',
    'industry',
    'hq_country',
    'employee_range',
    'company_type',
    'lead_status',
    'customer_segment',
    'company_owner',
    'parent_company',
    'tags',
    'custom_fields',
  ],
  contact: [
    'full_name',
    'primary_email',
    'phone',
    'company',
    'job_title',
    'department',
    'contact_owner',
    'contact_stage',
    'lead_source',
    'lead_status',
    'do_not_contact',
    'tags',
    'custom_fields',
  ],
  deal: [
    'project_name',
    'description',
    'account_id',
    'company_id',
    'project_owner',
    'pipeline_id',
    'stage_id',
    'expected_deal_value',
    'forecasted_date',
    'tags',
    'custom_fields',
  ],
  project: [
    'project_name',
    'description',
    'account_id',
    'company_id',
    'project_owner',
    'status',
    'start_date',
    'due_date',
    'tags',
    'custom_fields',
  ],
  task: [
    'title',
    'description',
    'project_id',
    'milestone_id',
    'owner',
    'status',
    'is_completed',
    'priority',
    'start_date',
    'due_date',
    'tags',
    'custom_fields',
  ],
}

const taskScopes = { read: ['project.read', 'deal.read'], write: ['project.write', 'deal.write'] }

/** The whole MCP surface, one tool per operation; every description costs each model that reads it. */
export const tools: readonly Tool[] = [
  tool(searchRecords, {
    name: 'search',
    title: 'Search records',
    description: 'Finds records of every kind by name, also where parts of it are mistyped.',
    scopes: searchScopes,
  }),

  tool(
    finding(Company, {
      name: 'find_companies',
      summary: 'Find companies',
      can: { module: 'companies', action: 'read' },
    }),
    {
      name: 'find_companies',
      title: 'Find companies',
      description: byFilter,
      shown: findArguments,
    },
  ),
  tool(following(Company, companies.read), {
    name: 'get_company',
    title: 'Get a company',
    id: 'company_id',
    answers: ['company_id', ...shown.company],
  }),
  tool(companies.create, {
    name: 'create_company',
    title: 'Create a company',
    description: `A company of the same domain or name is refused with its id, unless on_duplicate is update. ${others}`,
    shown: [...shown.company, 'on_duplicate'],
    answers: ['company_id', ...shown.company],
  }),
  tool(following(Company, companies.update), {
    name: 'update_company',
    title: 'Update a company',
    description: `${merging} ${others}`,
    id: 'company_id',
    shown: shown.company,
    answers: ['company_id', ...shown.company],
  }),

  tool(
    finding(Contact, {
      name: 'find_contacts',
      summary: 'Find contacts',
      can: { module: 'contacts', action: 'read' },
    }),
    { name: 'find_contacts', title: 'Find contacts', description: byFilter, shown: findArguments },
  ),
  tool(following(Contact, contacts.read), {
    name: 'get_contact',
    title: 'Get a contact',
    id: 'contact_id',
    answers: ['contact_id', ...shown.contact],
  }),
  tool(contacts.create, {
    name: 'create_contact',
    title: 'Create a contact',
    description: `A contact of the same e-mail is refused with its id, unless on_duplicate is update. ${others}`,
    shown: [...shown.contact, 'on_duplicate'],
    answers: ['contact_id', ...shown.contact],
  }),
  tool(following(Contact, contacts.update), {
    name: 'update_contact',
    title: 'Update a contact',
    description: `${merging} ${others}`,
    id: 'contact_id',
    shown: shown.contact,
    answers: ['contact_id', ...shown.contact],
  }),

  tool(deals.find, {
    name: 'find_deals',
    title: 'Find deals',
    description: byFilter,
    shown: findArguments,
  }),
  tool(deals.read, {
    name: 'get_deal',
    title: 'Get a deal',
    id: 'project_id',
    answers: ['project_id', ...shown.deal],
  }),
  tool(deals.create, {
    name: 'create_deal',
    title: 'Create a deal',
    description: `get_fields lists the pipelines with their stages. ${others}`,
    shown: shown.deal,
    answers: ['project_id', ...shown.deal],
  }),
  tool(deals.update, {
    name: 'update_deal',
    title: 'Update a deal',
    description: `stage_id moves it, into a won or lost stage too. ${merging} ${others}`,
    id: 'project_id',
    shown: [...shown.deal, 'lost_reason'],
    answers: ['project_id', ...shown.deal],
  }),

  tool(projects.find, {
    name: 'find_projects',
    title: 'Find projects',
    description: byFilter,
    shown: findArguments,
  }),
  tool(projects.read, {
    name: 'get_project',
    title: 'Get a project',
    description: 'Its tasks are those that find_tasks finds by project_id.',
    id: 'project_id',
    answers: ['project_id', ...shown.project],
  }),
  tool(projects.create, {
    name: 'create_project',
    title: 'Create a project',
    description: `With the milestones and tasks of a template, where template_id names one. ${others}`,
    shown: [...shown.project, 'template_id'],
    answers: ['project_id', ...shown.project],
  }),
  tool(projects.update, {
    name: 'update_project',
    title: 'Update a project',
    description: `${merging} ${others}`,
    id: 'project_id',
    shown: shown.project,
    answers: ['project_id', ...shown.project],
  }),

  tool(findTasks, {
    name: 'find_tasks',
    title: 'Find tasks',
    description: `${byFilter} Of all projects and deals.`,
    shown: [...findArguments, 'project_id', 'is_completed'],
    scopes: taskScopes.read,
  }),
  tool(readTask, {
    name: 'get_task',
    title: 'Get a task',
    id: 'task_id',
    answers: ['task_id', ...shown.task],
    scopes: taskScopes.read,
  }),
  tool(createTaskOfProject, {
    name: 'create_task',
    title: 'Create a task',
    description: `In a project or deal: in its first open milestone unless milestone_id names one. ${others}`,
    shown: shown.task,
    answers: ['task_id', ...shown.task],
    scopes: taskScopes.write,
    unwrap: 'data',
  }),
  tool(updateOneTask, {
    name: 'update_task',
    title: 'Update a task',
    description: `is_completed completes and reopens it. ${merging} ${others}`,
    id: 'task_id',
    shown: shown.task.filter((name) => name !== 'project_id'),
    answers: ['task_id', ...shown.task],
    scopes: taskScopes.write,
    unwrap: 'data',
  }),

  tool(listDueTasks, {
    name: 'list_due_tasks',
    title: 'List due tasks',
    description: 'Open tasks by their due dates, soonest first: your own unless owner says others.',
    shown: ['due', 'owner', 'project_id', 'limit', 'next_cursor'],
    scopes: taskScopes.read,
  }),
  tool(logNote, {
    name: 'log_note',
    title: 'Log a note',
    description: 'Writes a comment on a record, which its readers inside the organization see.',
    answers: ['interaction_id', 'content', 'module_name', 'reference_id', 'is_shared'],
    scopes: ['company.write', 'contact.write', 'deal.write', 'project.write'],
  }),
  tool(
    { ...surveys.insights, scope: 'survey.read' },
    {
      name: 'survey_results',
      title: 'Get the results of a survey',
      description: 'Statistics of its responses, overall and by question; search finds surveys.',
      id: 'survey_id',
      answers: ['survey_id', 'name', 'status', 'insights'],
    },
  ),
  tool(getFields, {
    name: 'get_fields',
    title: 'List fields and choices',
    description:
      'The fields of a module with their types and choices, custom ones too; of deals the pipelines with their stages, of projects and tasks the statuses.',
    scopes: ['company.read', 'contact.read', 'deal.read', 'project.read'],
  }),
]

const byName = new Map<unknown, Tool>(tools.map((each) => [each.name, each]))

/** The tool with a name; undefined if there is none. */
export function toolNamed(name: unknown): Tool | undefined {
  return byName.get(name)
}
