import type { Dropdown } from './model.ts'

/** A list of values, by the name of its operation in the document. */
export type CatalogueDropdown = Omit<Dropdown, 'path' | 'query'> & {
  operation: string
  query?: { [name: string]: string }
}

const options = (operation: string, at: string): CatalogueDropdown => ({
  operation,
  query: { options: 'true' },
  at,
  value: 'value',
  label: 'label',
})
const newest = { sort: '-last_update_time', limit: '100' }
const projects = {
  operation: 'get_projects',
  at: 'results',
  value: 'project_id',
  label: 'project_name',
}
const dealOptions = { operation: 'get_deal_options', value: 'value', label: 'label' }
const ofProject = { operation: 'get_project', query: { options: 'options' }, after: 'project_id' }

/** The lists of values for forms that the installation returns. */
export const dropdowns: { [key: string]: CatalogueDropdown } = {
  user: {
    operation: 'get_users',
    query: { limit: '500', sort: 'full_name' },
    at: 'results',
    value: 'user_id',
    label: 'full_name',
  },
  company: {
    operation: 'get_company',
    query: newest,
    at: 'results',
    value: 'company_id',
    label: 'company_name',
  },
  contact: {
    operation: 'get_contact',
    query: newest,
    at: 'results',
    value: 'contact_id',
    label: 'full_name',
  },
  deal: { ...projects, query: { ...newest, project_type: 'deal' } },
  project: { ...projects, query: { ...newest, project_type: 'project' } },
  project_or_deal: { ...projects, query: { ...newest, project_type: 'any' } },
  task: {
    operation: 'page_tasks',
    query: newest,
    at: 'results',
    value: 'task_id',
    label: 'title',
  },
  account: {
    operation: 'page_accounts',
    query: newest,
    at: 'results',
    value: 'account_id',
    label: 'account_name',
  },
  meeting: {
    operation: 'page_meetings',
    query: newest,
    at: 'results',
    value: 'calendar_id',
    label: 'title',
  },
  document: {
    operation: 'page_documents',
    query: newest,
    at: 'results',
    value: 'attach_id',
    label: 'document_name',
  },
  comment: {
    operation: 'page_comments',
    query: newest,
    at: 'results',
    value: 'interaction_id',
    label: 'content',
  },
  survey: {
    operation: 'page_surveys',
    query: newest,
    at: 'results',
    value: 'survey_id',
    label: 'name',
  },
  template: {
    operation: 'get_templates',
    query: { limit: '100' },
    at: 'results',
    value: 'org_temp_id',
    label: 'template_name',
  },
  milestone: { ...ofProject, at: 'milestones', value: 'milestone_id', label: 'milestone_name' },
  task_status: { ...ofProject, at: 'task_statuses', value: 'status_id', label: 'status_name' },
  pipeline: { ...dealOptions, at: 'pipelines', value: 'pipeline_id', label: 'pipeline_name' },
  stage: {
    operation: 'get_deal_options',
    at: 'deal_stages',
    value: 'stage_id',
    label: 'stage_name',
    after: 'pipeline_id',
    restricts: true,
  },
  lost_reason: { ...dealOptions, at: 'lost_reasons' },
  billing_model: { ...dealOptions, at: 'billing_models' },
  billing_frequency: { ...dealOptions, at: 'billing_frequencies' },
  company_type: options('get_company', 'types'),
  industry: options('get_company', 'industries'),
  customer_segment: options('get_company', 'segments'),
  employee_range: options('get_company', 'employee_ranges'),
  revenue_range: options('get_company', 'revenue_ranges'),
  lead_source: options('get_contact', 'lead_sources'),
  lead_status: options('get_contact', 'lead_statuses'),
  contact_stage: options('get_contact', 'contact_stages'),
  person_category: options('get_contact', 'person_categories'),
  seniority_level: options('get_contact', 'seniority_levels'),
  buying_role: options('get_contact', 'buying_roles'),
  communication_channel: options('get_contact', 'preferred_communication_channels'),
  language: options('get_contact', 'languages'),
}
