import type { FieldType, Finder } from './model.ts'

/**
 * What the API document cannot know: which operations and fields the connectors offer, and their names
 * for people. Types, requirements and sets of values come from the document.
 */
export type CatalogueField = {
  label: string
  help: string
  /** where the document's type says too little */
  type?: FieldType
  dropdown?: string
}

/** The operations beside those of records: what changed, for triggers that ask. */
export const changes = 'list_changes'

export type CatalogueRecord = {
  word: string
  label: string
  plural: string
  id: string
  title: string
  /** its module among the changes */
  module: string
  /** names of operations in the document */
  operations: { list: string; read: string; create?: string; update?: string }
  /** the parameter of the list that reads one, where there is no path for it */
  readBy?: string
  /** restricts the list */
  query?: { [name: string]: string }
  /** what every create says */
  body?: { [name: string]: string }
  isUpsert?: boolean
  find: Finder[]
  fields: { [key: string]: CatalogueField }
  customFields?: { operation: string; query?: { [name: string]: string }; at: string }
}

const named = (label: string, help: string): CatalogueField => ({ label, help })
const chosen = (label: string, help: string, dropdown: string): CatalogueField => ({
  label,
  help,
  dropdown,
})

/** What every list is searched by. */
const text: Finder = { key: 'q', label: 'Search Text' }
const owner = (key: string): Finder => ({ key, label: 'Owner', dropdown: 'user' })
const by = (key: string, label: string, dropdown?: string): Finder =>
  dropdown ? { key, label, dropdown } : { key, label }

const plan: { [key: string]: CatalogueField } = {
  description: named('Description', 'What it is about'),
  start_date: { ...named('Start Date', 'The first day'), type: 'date' },
  due_date: { ...named('Due Date', 'The day it is due'), type: 'date' },
  project_owner: chosen('Owner', 'The user who owns it', 'user'),
  company_id: chosen('Company', 'The company it is for', 'company'),
  customer: chosen('Customer Contact', 'The contact at the customer', 'contact'),
  billing_model: chosen('Billing Model', 'How it is billed', 'billing_model'),
  billing_frequency: chosen('Billing Frequency', 'How often it is billed', 'billing_frequency'),
  tags: named('Tags', 'Words that it is found by'),
}

const projectOperations = {
  list: 'get_projects',
  read: 'get_project',
  create: 'integration_create_project',
  update: 'integration_update_project',
}

export const records: CatalogueRecord[] = [
  {
    word: 'company',
    label: 'Company',
    plural: 'Companies',
    id: 'company_id',
    title: 'company_name',
    module: 'companies',
    operations: {
      list: 'get_company',
      read: 'get_company',
      create: 'integration_create_company',
      update: 'integration_update_company',
    },
    readBy: 'company_id',
    isUpsert: true,
    find: [
      by('domain', 'Domain'),
      by('company_name', 'Company Name'),
      owner('company_owner'),
      by('company_type', 'Type', 'company_type'),
      by('industry', 'Industry', 'industry'),
      by('customer_segment', 'Segment', 'customer_segment'),
      text,
    ],
    fields: {
      company_name: named('Company Name', 'The name of the company'),
      domain: named(
        'Domain',
        'The domain of its website, such as acme.com; no two companies share one',
      ),
      website_url: named('Website', 'The address of its website'),
      linkedin_url: named('LinkedIn URL', 'The address of its page at LinkedIn'),
      twitter_url: named('Twitter URL', 'The address of its page at X, formerly Twitter'),
      company_owner: chosen('Owner', 'The user who owns the company', 'user'),
      company_type: chosen('Type', 'What the company is to you', 'company_type'),
      industry: chosen('Industry', 'Its industry', 'industry'),
      customer_segment: chosen('Segment', 'The segment it is part of', 'customer_segment'),
      employee_range: chosen('Employees', 'How many people work there', 'employee_range'),
      revenue_range: chosen('Revenue', 'Its revenue in a year', 'revenue_range'),
      estimated_arr: named('Estimated ARR', 'The annual recurring revenue that you expect'),
      lead_status: named('Lead Status', 'How far the lead is'),
      icp_fit: named('ICP Fit', 'How well it fits your ideal customer profile'),
      hq_location: named('HQ Location', 'Where its headquarters are'),
      hq_country: named('HQ Country', 'The country of its headquarters'),
      parent_company: chosen('Parent Company', 'The company that it is part of', 'company'),
      operating_regions: named('Operating Regions', 'Regions where it works'),
      address: named('Address', 'An object with address, city, state, zip_code and country'),
      description: named('Description', 'What the company does'),
      tags: named('Tags', 'Words that it is found by'),
    },
    customFields: { operation: 'get_company', query: { field_config: 'true' }, at: 'fields' },
  },
  {
    word: 'contact',
    label: 'Contact',
    plural: 'Contacts',
    id: 'contact_id',
    title: 'full_name',
    module: 'contacts',
    operations: {
      list: 'get_contact',
      read: 'get_contact',
      create: 'integration_create_contact',
      update: 'integration_update_contact',
    },
    readBy: 'contact_id',
    isUpsert: true,
    find: [
      by('email', 'Email'),
      by('full_name', 'Full Name'),
      by('domain', 'Domain of the Company'),
      owner('contact_owner'),
      by('contact_stage', 'Stage', 'contact_stage'),
      by('lead_status', 'Lead Status', 'lead_status'),
      text,
    ],
    fields: {
      full_name: named('Full Name', 'The name of the person'),
      primary_email: named('Email', 'The address for mail; no two contacts share one'),
      phone: { ...named('Phone', 'The telephone number'), type: 'phone' },
      whatsapp_number: { ...named('WhatsApp Number', 'The number at WhatsApp'), type: 'phone' },
      company: chosen('Company', 'The company where the person works', 'company'),
      job_title: named('Job Title', 'What the person does there'),
      department: named('Department', 'The department there'),
      contact_owner: chosen('Owner', 'The user who owns the contact', 'user'),
      lead_source: chosen('Lead Source', 'Where the contact came from', 'lead_source'),
      lead_status: chosen('Lead Status', 'How far the lead is', 'lead_status'),
      lead_score: named('Lead Score', 'A number; more is better'),
      contact_stage: chosen('Stage', 'The stage of the contact', 'contact_stage'),
      person_category: chosen('Category', 'What the person is to you', 'person_category'),
      seniority_level: chosen('Seniority', 'The level of the position', 'seniority_level'),
      buying_role: chosen('Buying Role', 'The part taken in decisions', 'buying_role'),
      preferred_communication_channel: chosen(
        'Preferred Channel',
        'How the person wants to be reached',
        'communication_channel',
      ),
      do_not_contact: named('Do Not Contact', 'Whether the person must not be contacted'),
      language: chosen('Language', 'The language of the person', 'language'),
      timezone: named('Time Zone', 'An IANA name, such as Europe/Berlin'),
      linkedin_url: named('LinkedIn URL', 'The address of the page at LinkedIn'),
      campaign: named('Campaign', 'The campaign that the contact came by'),
      tags: named('Tags', 'Words that it is found by'),
    },
    customFields: { operation: 'get_contact', query: { field_config: 'true' }, at: 'fields' },
  },
  {
    word: 'deal',
    label: 'Deal',
    plural: 'Deals',
    id: 'project_id',
    title: 'project_name',
    module: 'deals',
    operations: projectOperations,
    query: { project_type: 'deal' },
    body: { project_type: 'deal' },
    find: [
      by('project_name', 'Deal Name'),
      owner('project_owner'),
      by('pipeline_id', 'Pipeline', 'pipeline'),
      by('stage_id', 'Stage', 'stage'),
      by('account_id', 'Account', 'account'),
      by('company_id', 'Company', 'company'),
      text,
    ],
    fields: {
      project_name: named('Deal Name', 'The name of the deal'),
      pipeline_id: chosen('Pipeline', 'The default pipeline if empty', 'pipeline'),
      stage_id: chosen('Stage', 'The first stage if empty; another one moves the deal', 'stage'),
      expected_deal_value: { ...named('Value', 'What you expect it to bring'), type: 'number' },
      forecasted_date: { ...named('Forecasted Close', 'The day it may close'), type: 'date' },
      lost_reason: chosen('Lost Reason', 'Why it was lost', 'lost_reason'),
      contract_duration: named('Contract Duration', 'Months'),
      is_arr: named('Is Recurring', 'Whether its value recurs every year'),
      ...plan,
    },
    customFields: {
      operation: 'get_projects',
      query: { project_type: 'deal', field_config: 'true' },
      at: 'fields',
    },
  },
  {
    word: 'project',
    label: 'Project',
    plural: 'Projects',
    id: 'project_id',
    title: 'project_name',
    module: 'projects',
    operations: projectOperations,
    query: { project_type: 'project' },
    body: { project_type: 'project' },
    find: [
      by('project_name', 'Project Name'),
      owner('project_owner'),
      by('project_manager', 'Manager', 'user'),
      by('account_id', 'Account', 'account'),
      by('company_id', 'Company', 'company'),
      text,
    ],
    fields: {
      project_name: named('Project Name', 'The name of the project'),
      org_temp_id: chosen('Template', 'The template whose plan it begins with', 'template'),
      status: named('Status', 'The key of a status, such as in_progress'),
      project_manager: chosen('Manager', 'The user who manages it', 'user'),
      project_fee: { ...named('Fee', 'What the customer pays'), type: 'number' },
      is_private: named('Is Private', 'Whether only its team sees it'),
      ...plan,
    },
    customFields: {
      operation: 'get_projects',
      query: { project_type: 'project', field_config: 'true' },
      at: 'fields',
    },
  },
  {
    word: 'task',
    label: 'Task',
    plural: 'Tasks',
    id: 'task_id',
    title: 'title',
    module: 'tasks',
    operations: {
      list: 'page_tasks',
      read: 'integration_get_task',
      create: 'integration_create_task',
      update: 'integration_update_task',
    },
    find: [
      by('title', 'Title'),
      owner('owner'),
      by('project_id', 'Project or Deal', 'project_or_deal'),
      text,
    ],
    fields: {
      title: named('Title', 'What is to be done'),
      project_id: chosen('Project', 'The project or deal it is part of', 'project_or_deal'),
      milestone_id: chosen('Milestone', 'The milestone it is part of', 'milestone'),
      description: named('Description', 'What it is about'),
      owner: chosen('Owner', 'The user who does it', 'user'),
      status: chosen('Status', 'A status, or its key, such as in_progress', 'task_status'),
      priority: named('Priority', 'Such as low, medium or high'),
      start_date: named('Start Date', 'The first day'),
      due_date: named('Due Date', 'The day it is due'),
      is_completed: named('Is Completed', 'Yes completes the task'),
      is_blocked: named('Is Blocked', 'Whether something stands in its way'),
      tags: named('Tags', 'Words that it is found by'),
    },
    customFields: { operation: 'page_tasks', query: { field_config: 'true' }, at: 'fields' },
  },
  {
    word: 'account',
    label: 'Account',
    plural: 'Accounts',
    id: 'account_id',
    title: 'account_name',
    module: 'accounts',
    operations: {
      list: 'page_accounts',
      read: 'integration_read_account',
      create: 'integration_create_account',
      update: 'integration_update_account',
    },
    find: [
      by('account_name', 'Account Name'),
      owner('account_owner'),
      by('company_id', 'Company', 'company'),
      by('region', 'Region'),
      by('segment', 'Segment'),
      text,
    ],
    fields: {
      account_name: named('Account Name', 'The name of the customer'),
      description: named('Description', 'What to know about it'),
      account_owner: chosen('Owner', 'The user who looks after it', 'user'),
      company_id: chosen('Company', 'The company that it is', 'company'),
      health_score: named('Health', '0 to 100; empty lets it be computed'),
      vertical: named('Vertical', 'Its line of business'),
      segment: named('Segment', 'The segment it is part of'),
      region: named('Region', 'Where it is'),
      website_url: named('Website', 'The address of its website'),
      tags: named('Tags', 'Words that it is found by'),
    },
    customFields: { operation: 'page_accounts', query: { field_config: 'true' }, at: 'fields' },
  },
  {
    word: 'meeting',
    label: 'Meeting',
    plural: 'Meetings',
    id: 'calendar_id',
    title: 'title',
    module: 'calendar',
    operations: {
      list: 'page_meetings',
      read: 'integration_read_meeting',
      create: 'integration_create_meeting',
      update: 'integration_update_meeting',
    },
    find: [
      by('title', 'Title'),
      by('account_id', 'Account', 'account'),
      by('company_id', 'Company', 'company'),
      by('contact_id', 'Contact', 'contact'),
      text,
    ],
    fields: {
      title: named('Title', 'What the meeting is called'),
      start: { ...named('Start', 'When it starts'), type: 'datetime' },
      end: { ...named('End', 'When it ends'), type: 'datetime' },
      attendees: named(
        'Attendees',
        'A list such as [{"type": "contact", "id": "…"}] or [{"email": "…", "name": "…"}]; they are mailed',
      ),
      description: named('Description', 'What it is about'),
      location: named('Location', 'Where it takes place'),
      link: named('Link', 'The address of the video conference'),
      all_day: named('All Day', 'Whether it lasts whole days'),
      project: chosen('Project', 'The project or deal it is about', 'project_or_deal'),
    },
  },
  {
    word: 'document',
    label: 'Document',
    plural: 'Documents',
    id: 'attach_id',
    title: 'document_name',
    module: 'documents',
    operations: {
      list: 'page_documents',
      read: 'integration_read_document',
      create: 'integration_create_document',
      update: 'integration_update_document',
    },
    find: [
      by('document_name', 'Document Name'),
      owner('document_owner'),
      by('document_status', 'Status'),
      by('signature_status', 'Signature'),
      by('account_id', 'Account', 'account'),
      by('project_id', 'Project or Deal', 'project_or_deal'),
      text,
    ],
    fields: {
      document_name: named('Document Name', 'The name of the document'),
      editor_html_content: named('Text', 'Its text, as HTML'),
      description: named('Description', 'What it is about'),
      document_owner: chosen('Owner', 'The user who owns it', 'user'),
      document_status: named('Status', 'Published is shown to whom it is shared with'),
      account_id: chosen('Account', 'The account it belongs to', 'account'),
      project_id: chosen('Project', 'The project or deal it belongs to', 'project_or_deal'),
      due_date: { ...named('Due Date', 'The day it is due'), type: 'date' },
      tags: named('Tags', 'Words that it is found by'),
    },
    customFields: { operation: 'page_documents', query: { field_config: 'true' }, at: 'fields' },
  },
  {
    word: 'comment',
    label: 'Comment',
    plural: 'Comments',
    id: 'interaction_id',
    title: 'content',
    module: 'interactions',
    operations: {
      list: 'page_comments',
      read: 'integration_read_interaction',
      create: 'log_note',
    },
    find: [by('of_module', 'Kind of the Record'), by('record_id', 'ID of the Record'), text],
    fields: {
      module: named('Kind of the Record', 'What is commented on'),
      record_id: named('ID of the Record', 'The record that is commented on'),
      content: named('Text', 'The comment, as text'),
      kind: named('Kind', 'What it tells of'),
      happened_at: {
        ...named('Time', 'When the call, mail or visit took place'),
        type: 'datetime',
      },
      is_shared: named('Is Shared', 'Whether customers and partners see it'),
    },
  },
  {
    word: 'survey',
    label: 'Survey',
    plural: 'Surveys',
    id: 'survey_id',
    title: 'name',
    module: 'surveys',
    operations: { list: 'page_surveys', read: 'integration_read_survey' },
    find: [
      by('name', 'Name'),
      by('status', 'Status'),
      by('account_id', 'Account', 'account'),
      text,
    ],
    fields: {},
  },
]
