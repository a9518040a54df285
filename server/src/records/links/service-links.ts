import type { LooseLink } from '../../kit/record/record.ts'

const users = (column = 'user_id'): LooseLink => ({ column, to: ['users'] })
const past = (link: LooseLink): LooseLink => ({ ...link, isHistory: true })
const of = (table: string, column: string): LooseLink => ({ column, to: [table] })

/** The references in tables that are no records, by the table referred to. Most of their foreign keys cascade. */
export const serviceLinks: { [table: string]: LooseLink[] } = {
  // the log is not rewritten: its readers follow a merge
  events: [
    past({ column: 'reference_id', module: 'module_id' }),
    past(of('projects', 'project_id')),
    past(users('actor_id')),
    past({ column: 'raw_description', isJson: true }),
    past({ column: 'changes', isJson: true }),
    past({ column: 'data', isJson: true }),
  ],
  // the merges themselves, and the redirects of merged records
  merges: [
    past({ column: 'primary_id', to: ['companies', 'contacts'] }),
    past({ column: 'merged_ids', to: ['companies', 'contacts'], isJson: true }),
    past({ column: 'changed', isJson: true }),
    past(users('created_by')),
  ],
  merged_records: [
    past({ column: 'id', to: ['companies', 'contacts'] }),
    past({ column: 'primary_id', to: ['companies', 'contacts'] }),
  ],
  merge_moves: [
    past({ column: 'record_id' }),
    past({ column: 'from_id', to: ['companies', 'contacts'] }),
  ],
  // what an import did to which row, for its undo
  import_records: [
    past({ column: 'record_id', to: ['companies', 'contacts'] }),
    past({ column: 'before', isJson: true }),
  ],
  import_errors: [past({ column: 'record_id', to: ['companies', 'contacts'] })],
  import_batches: [past(of('imports', 'import_id'))],
  // written by the record's own writes
  unique_values: [past({ column: 'record_id' })],
  search_entries: [past({ column: 'id' })],
  filter_entries: [past({ column: 'id' })],
  asked_jobs: [users(), past({ column: 'data', isJson: true })],
  sessions: [users()],
  browser_sessions: [users()],
  access_tokens: [users()],
  one_time_codes: [users()],
  recovery_codes: [users()],
  sign_ins: [users()],
  openid_subjects: [users()],
  openid_providers: [{ ...of('roles', 'new_users_role_id'), onRemoval: 'clear' }],
  hand_overs: [past(users('from_id')), past(users('to_id')), users('created_by')],
  hand_over_moves: [past({ column: 'record_id' })],
  // the former values of a bulk write, for its undo
  // the plans that a template had, and its draft
  template_versions: [
    of('templates', 'template_id'),
    past({ column: 'template_config', isJson: true }),
    past({ column: 'roles', to: ['users'], isJson: true }),
    past(users('created_by')),
  ],
  bulk_writes: [past(users('created_by'))],
  bulk_write_records: [past({ column: 'record_id' }), past({ column: 'before', isJson: true })],
  // requests about people, who may have been deleted
  personal_data_requests: [
    past(users('created_by')),
    past({ column: 'user_ids', to: ['users'], isJson: true }),
    past({ column: 'contact_ids', to: ['contacts'], isJson: true }),
  ],
  grants: [users()],
  apps: [users('created_by')],
  webhook_inspectors: [users()],
  user_images: [users('id')],
  calendar_feeds: [users('id')],
  // its conditions refer to records, as those of a saved filter
  subscriptions: [users(), of('projects', 'project_id'), { column: 'conditions', isJson: true }],
  notification_preferences: [users()],
  reply_addresses: [users(), of('interactions', 'interaction_id')],
  preferences: [users(), past({ column: 'content', isJson: true })],
  project_members: [users(), of('projects', 'project_id')],
  stage_changes: [users('changed_by'), of('projects', 'project_id')],
  task_dependencies: [of('tasks', 'task_id'), of('tasks', 'predecessor_id')],
  time_entries: [users(), of('tasks', 'task_id')],
  interaction_reactions: [users(), of('interactions', 'interaction_id')],
  interaction_reads: [users(), of('interactions', 'interaction_id')],
  interaction_attachments: [of('interactions', 'interaction_id'), of('documents', 'document_id')],
  meeting_contacts: [of('meetings', 'calendar_id')],
  document_days: [of('documents', 'document_id')],
  signature_requests: [users('created_by'), of('documents', 'document_id')],
  account_health_days: [of('accounts', 'account_id')],
  record_activity: [
    // readers of a timeline follow a merge
    past({ column: 'subject_id', module: 'subject_module', onRemoval: 'remove' }),
    { ...of('contacts', 'contact_id'), onRemoval: 'clear' },
    { column: 'reference_id', module: 'module_id' },
    // the response, signer or comment that is the activity
    past({ column: 'source_id' }),
  ],
  survey_versions: [of('surveys', 'survey_id')],
  survey_responses: [users('created_by'), of('surveys', 'survey_id')],
  survey_schedules: [users('created_by'), of('surveys', 'survey_id')],
  survey_automation_runs: [
    of('surveys', 'survey_id'),
    of('survey_automations', 'automation_id'),
    past({ column: 'results', isJson: true }),
  ],
  widget_responses: [users()],
}
