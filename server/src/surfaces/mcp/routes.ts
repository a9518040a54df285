import { accounts } from '../../records/accounts/operations.ts'
import { allScopes } from '../../records/apps/scopes.ts'
import { calendar } from '../../records/calendar/operations.ts'
import { Company } from '../../model/companies/company.ts'
import { companies } from '../../records/companies/operations.ts'
import { Contact } from '../../model/contacts/contact.ts'
import { contacts } from '../../records/contacts/operations.ts'
import { documents } from '../../records/documents/operations.ts'
import { following } from '../../model/merging/tombstone.ts'
import { surveys } from '../../records/surveys/operations.ts'
import { updateOneTask } from '../integration/tasks.ts'
import { getFields } from './fields.ts'
import { listAnswers, readFigures } from './figures.ts'
import { logNote } from '../integration/notes.ts'
import { deals, projects } from '../integration/one-kind.ts'
import { countRecords, findRecords, getRecord } from './records.ts'
import { convertWonDeal } from './roll-out.ts'
import { searchScopes } from '../integration/search.ts'
import { searchRecords } from './search.ts'
import { createOwnTask, listDueTasks } from './tasks.ts'
import { timelineOf } from './timeline.ts'
import type { Family, Tool } from './tool.ts'
import { tool } from './tool.ts'
import { whoami } from './whoami.ts'

const merging = 'Only the arguments that are sent change; clear names the fields to empty.'
const others = 'Custom fields go in custom_fields, others that get_fields lists in other_fields.'

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
  account: [
    'account_name',
    'description',
    'account_owner',
    'company_id',
    'customer',
    'health_score',
    'segment',
    'region',
    'vertical',
    'website_url',
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
  meeting: [
    'title',
    'description',
    'location',
    'start',
    'end',
    'all_day',
    'timezone',
    'attendees',
    'project',
    'link',
  ],
  document: [
    'document_name',
    'description',
    'editor_html_content',
    'account_id',
    'project_id',
    'document_owner',
    'due_date',
    'tags',
    'custom_fields',
  ],
}

const taskScopes = ['project.write', 'deal.write']

/**
 * The whole MCP surface: what is read is read by the same tools for all records, what is written by a tool for each kind,
 * whose fields a model has to see. Every description costs each model that reads it.
 */
export const tools: readonly (Tool | Family)[] = [
  tool(whoami, {
    name: 'whoami',
    title: 'Who is connected',
    scopes: allScopes,
    answers: ['user_id', 'full_name', 'email', 'role', 'organization', 'timezone', 'today'],
  }),
  tool(searchRecords, {
    name: 'search',
    title: 'Search records',
    description: 'Finds records of every kind by name, also where parts of it are mistyped.',
    scopes: searchScopes,
    answers: ['results', 'has_more'],
  }),
  findRecords,
  getRecord,
  countRecords,
  tool(timelineOf, {
    name: 'get_timeline',
    title: 'Get a timeline',
    description:
      'What happened to a company, contact, account, deal or project, newest first: mails, meetings, comments, stage moves, answers, signatures, tasks.',
    scopes: searchScopes,
  }),

  tool(companies.create, {
    name: 'create_company',
    title: 'Create a company',
    description: `A company of the same domain or name is refused with its id, unless on_duplicate is update. ${others}`,
    shown: [...shown.company, 'on_duplicate'],
    answers: ['company_id', 'company_name'],
  }),
  tool(following(Company, companies.update), {
    name: 'update_company',
    title: 'Update a company',
    description: `${merging} ${others}`,
    id: 'company_id',
    shown: shown.company,
    answers: ['company_id', 'company_name'],
  }),

  tool(contacts.create, {
    name: 'create_contact',
    title: 'Create a contact',
    description: `A contact of the same e-mail is refused with its id, unless on_duplicate is update. ${others}`,
    shown: [...shown.contact, 'on_duplicate'],
    answers: ['contact_id', 'full_name'],
  }),
  tool(following(Contact, contacts.update), {
    name: 'update_contact',
    title: 'Update a contact',
    description: `${merging} ${others}`,
    id: 'contact_id',
    shown: shown.contact,
    answers: ['contact_id', 'full_name'],
  }),

  tool(accounts.create, {
    name: 'create_account',
    title: 'Create an account',
    description: `A customer, with its company and contact where there are some. ${others}`,
    shown: shown.account,
    answers: ['account_id', 'account_name'],
    // a company and its account are one customer
    scopes: ['company.write'],
  }),
  tool(accounts.update, {
    name: 'update_account',
    title: 'Update an account',
    description: `health_score sets the health by hand; emptied, it is computed again. ${merging} ${others}`,
    id: 'account_id',
    shown: shown.account,
    answers: ['account_id', 'account_name'],
    scopes: ['company.write'],
  }),

  tool(deals.create, {
    name: 'create_deal',
    title: 'Create a deal',
    description: `get_fields lists the pipelines with their stages. ${others}`,
    shown: shown.deal,
    answers: ['project_id', 'project_name'],
  }),
  tool(deals.update, {
    name: 'update_deal',
    title: 'Update a deal',
    description: `stage_id moves it, into a won or lost stage too. ${merging} ${others}`,
    id: 'project_id',
    shown: [...shown.deal, 'lost_reason'],
    answers: ['project_id', 'project_name'],
  }),

  tool(convertWonDeal, {
    name: 'convert_deal',
    title: 'Roll a won deal out',
    description:
      'Makes the project of a won deal, with the plan of a template, and keeps both linked. Called again it answers with the project that is there.',
    id: 'deal_id',
    shown: ['template', 'project_name', 'start_date'],
    answers: ['project_id', 'project_name'],
    scopes: ['project.write'],
  }),
  tool(projects.create, {
    name: 'create_project',
    title: 'Create a project',
    description: `With the milestones and tasks of a template, where template_id names one. ${others}`,
    shown: [...shown.project, 'template_id'],
    answers: ['project_id', 'project_name'],
  }),
  tool(projects.update, {
    name: 'update_project',
    title: 'Update a project',
    description: `${merging} ${others}`,
    id: 'project_id',
    shown: shown.project,
    answers: ['project_id', 'project_name'],
  }),

  tool(createOwnTask, {
    name: 'create_task',
    title: 'Create a task',
    description: `In a project or deal: in its first open milestone unless milestone_id names one. ${others}`,
    shown: shown.task,
    answers: ['task_id', 'title'],
    scopes: taskScopes,
    unwrap: 'data',
  }),
  tool(updateOneTask, {
    name: 'update_task',
    title: 'Update a task',
    description: `is_completed completes and reopens it. ${merging} ${others}`,
    id: 'task_id',
    shown: shown.task.filter((name) => name !== 'project_id'),
    answers: ['task_id', 'title'],
    scopes: taskScopes,
    unwrap: 'data',
  }),

  tool(listDueTasks, {
    name: 'list_due_tasks',
    title: 'List due tasks',
    description: 'Open tasks by their due dates, soonest first: your own unless owner says others.',
    shown: ['due', 'owner', 'project_id', 'limit', 'next_cursor'],
    scopes: ['project.read', 'deal.read'],
  }),
  tool(calendar.create, {
    name: 'create_meeting',
    title: 'Create a meeting',
    description:
      'Times without an offset are of the timezone, else the organization’s. attendees are {"type": "user" or "contact", "id"}, or {"email", "name"} of others. Everybody invited is mailed.',
    shown: shown.meeting,
    answers: ['calendar_id', 'title'],
  }),
  tool(calendar.update, {
    name: 'update_meeting',
    title: 'Update a meeting',
    description:
      'Only the arguments that are sent change; attendees are all of them. Who is invited is mailed.',
    id: 'calendar_id',
    shown: shown.meeting,
    answers: ['calendar_id', 'title'],
  }),
  tool(documents.create, {
    name: 'create_document',
    title: 'Create a document',
    description: `A draft with a text, of an account or project. ${others}`,
    shown: shown.document,
    answers: ['attach_id', 'document_name'],
  }),
  tool(documents.update, {
    name: 'update_document',
    title: 'Update a document',
    description: `The text of a published document is not changed: a new version is made, which is answered. ${merging} ${others}`,
    id: 'attach_id',
    shown: shown.document,
    answers: ['attach_id', 'document_name'],
  }),
  tool(logNote, {
    name: 'log_note',
    title: 'Log a note',
    description:
      'Writes a comment on a record, which its readers inside the organization see; kind and happened_at say of which call, mail or visit it tells.',
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
  tool(listAnswers, {
    name: 'list_answers',
    title: 'List the answers to a survey',
    description:
      'One by one, newest first; get_record of the survey has the questions by their ids.',
    id: 'survey_id',
    answers: ['results', 'next_cursor'],
  }),
  tool(readFigures, {
    name: 'read_figures',
    title: 'Read the numbers of a dashboard',
    description:
      'Those of one widget with the period before, such as the revenue forecast or the tasks by status. time_filter is 30_days, this_quarter, 12_months and the like.',
    // the one that the fewest have; the operation asks for all others
    scopes: ['interaction.read'],
  }),
  getFields,
]

const byName = new Map<unknown, Tool | Family>(tools.map((each) => [each.name, each]))

/** The tool with a name; undefined if there is none. */
export function toolNamed(name: unknown): Tool | Family | undefined {
  return byName.get(name)
}
