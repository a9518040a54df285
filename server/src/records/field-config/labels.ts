import type { Field } from '../../kit/record/record.ts'

/** Words that are written differently from their key. */
const spelled: { [word: string]: string } = {
  api: 'API',
  arr: 'ARR',
  ces: 'CES',
  csat: 'CSAT',
  csv: 'CSV',
  editorjs: 'Editor.js',
  favourite: 'favorite',
  hq: 'HQ',
  html: 'HTML',
  icp: 'ICP',
  id: 'ID',
  linkedin: 'LinkedIn',
  nps: 'NPS',
  orgs: 'organizations',
  pdf: 'PDF',
  rrule: 'RRULE',
  sla: 'SLA',
  timezone: 'time zone',
  ttl: 'TTL',
  twitter: 'Twitter',
  url: 'URL',
  whatsapp: 'WhatsApp',
}

/** Labels of fields whose names alone would be unclear. */
const named: { [field: string]: string } = {
  creation_time: 'Created',
  expected_deal_value: 'Deal value',
  response_count: 'Answers',
  view_count: 'Opened',
  field_count: 'Questions',
  last_update_time: 'Last updated',
  created_by: 'Created by',
  primary_email: 'Email',
  phone_no: 'Phone',
  is_arr: 'Recurring revenue',
  is_fir_login: 'Has not signed in yet',
  is_invited: 'Invited, not here yet',
  pipeline_id: 'Pipeline',
  stage_id: 'Stage',
  holidays_id: 'Holidays',
  org_temp_id: 'Template',
  template_id: 'Template',
  current_milestone_id: 'Current milestone',
  current_pipe_stage: 'Current pipeline stage',
  project_type_str: 'Project type',
  template_desc: 'Template description',
  is_demo_data: 'Demonstration data',
  is_private: 'Private',
  menu_type: 'Folder',
  is_shared: 'Shared with the customer',
  push_to_calendar_a: 'Push to calendar A',
  push_to_calendar_b: 'Push to calendar B',
  visible_to_all: 'Visible to everyone',
  time_left: 'Time left',
  do_not_contact: 'Do not contact',
  signature_recipients: 'Signatures',
  connection_source: 'Source of the connection',
}

/** Labels of a deal's fields that mean something else on projects. */
const ofDeal: { [field: string]: string } = { forecasted_date: 'Close date' }

/** `customer_segment` → `Customer segment`, `linkedin_url` → `LinkedIn URL`. */
export function labelOf(key: string): string {
  const words = wordsOf(key)
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

/** A key as written within a sentence: `estimated_arr` → `estimated ARR`. */
export function wordsOf(key: string): string {
  return key
    .replaceAll('_', ' ')
    .trim()
    .split(/\s+/)
    .map((word) => (Object.hasOwn(spelled, word) ? spelled[word] : word))
    .join(' ')
}

/**
 * What people call a field of a record: links go without their `id` (`account_id` → `Account`),
 * switches without their `is` (`is_draft` → `Draft`), and counts by what they count. A deal is stored as a
 * project, and its fields are a deal's: `project_owner` → `Deal owner`, `forecasted_date` → `Close date`.
 */
export function fieldLabelOf(
  key: string,
  field: Pick<Field, 'kind' | 'reference'>,
  { word }: { word: string },
): string {
  const name = word === 'deal' ? key.replace(/^project_/, 'deal_') : key
  if (word === 'deal' && Object.hasOwn(ofDeal, name)) return ofDeal[name] ?? labelOf(name)
  if (Object.hasOwn(named, name)) return named[name] ?? labelOf(name)
  if (field.reference && name.endsWith('_id')) return labelOf(name.slice(0, -'_id'.length))
  if (field.kind === 'boolean' && name.startsWith('is_')) return labelOf(name.slice('is_'.length))
  if (field.kind === 'integer' && name.endsWith('s_count')) {
    return labelOf(`number_of_${name.slice(0, -'_count'.length)}`)
  }
  return labelOf(name)
}
