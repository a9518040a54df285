/** One event that can be subscribed to: its module, the scopes of which any one lets it be read. */
export type EventKind = { module: string; scopes: readonly string[]; summary: string }

export type EventName = keyof typeof catalogue

const companies = { module: 'companies', scopes: ['company.read'] }
const contacts = { module: 'contacts', scopes: ['contact.read'] }
const deals = { module: 'deals', scopes: ['deal.read'] }
const projects = { module: 'projects', scopes: ['project.read'] }
// Milestones and tasks hang on a project or a deal; delivery follows the scope that is held.
const milestones = { module: 'milestones', scopes: ['project.read', 'deal.read'] }
const tasks = { module: 'tasks', scopes: ['project.read', 'deal.read'] }
const templates = { module: 'templates', scopes: ['template.read'] }
const users = { module: 'users', scopes: ['user.read'] }
const surveys = { module: 'surveys', scopes: ['survey.read'] }
const documents = { module: 'documents', scopes: ['document.read'] }
const meetings = { module: 'meetings', scopes: ['meeting.read'] }
const interactions = { module: 'interactions', scopes: ['interaction.read'] }

/** Every event there is, by name: `<resource>_<past participle>` (docs/contract.md, section 6). */
export const catalogue = {
  company_created: { ...companies, summary: 'A company was created' },
  company_updated: { ...companies, summary: 'Fields of a company changed' },
  company_deleted: { ...companies, summary: 'A company was deleted' },
  company_merged: { ...companies, summary: 'Companies were merged into one' },

  contact_created: { ...contacts, summary: 'A contact was created' },
  contact_updated: { ...contacts, summary: 'Fields of a contact changed' },
  contact_deleted: { ...contacts, summary: 'A contact was deleted' },
  contact_merged: { ...contacts, summary: 'Contacts were merged into one' },

  deal_created: { ...deals, summary: 'A deal was created' },
  deal_updated: { ...deals, summary: 'Fields of a deal changed' },
  deal_stage_changed: { ...deals, summary: 'A deal moved to another stage' },
  deal_won: { ...deals, summary: 'A deal entered a won stage' },
  deal_lost: { ...deals, summary: 'A deal entered a lost stage' },
  deal_deleted: { ...deals, summary: 'A deal was deleted' },

  project_created: { ...projects, summary: 'A project was created' },
  project_updated: { ...projects, summary: 'Fields of a project changed' },
  project_status_changed: { ...projects, summary: 'The status of a project changed' },
  project_completed: { ...projects, summary: 'A project was completed' },
  project_deleted: { ...projects, summary: 'A project was deleted' },

  milestone_created: { ...milestones, summary: 'A milestone was created' },
  milestone_updated: { ...milestones, summary: 'Fields of a milestone changed' },
  milestone_completed: { ...milestones, summary: 'A milestone was completed' },
  milestone_deleted: { ...milestones, summary: 'A milestone was deleted' },

  task_created: { ...tasks, summary: 'A task was created' },
  task_updated: { ...tasks, summary: 'Fields of a task changed' },
  task_assigned: { ...tasks, summary: 'A task was assigned to someone' },
  task_status_changed: { ...tasks, summary: 'The status of a task changed' },
  task_completed: { ...tasks, summary: 'A task was completed' },
  task_overdue: { ...tasks, summary: 'The due date of an open task passed' },
  task_deleted: { ...tasks, summary: 'A task was deleted' },

  template_created: { ...templates, summary: 'A template was created' },
  template_updated: { ...templates, summary: 'A template changed' },

  user_created: { ...users, summary: 'A user joined the organization' },
  user_updated: { ...users, summary: 'The profile of a user changed' },
  user_deactivated: { ...users, summary: 'A user was deactivated' },

  survey_published: { ...surveys, summary: 'A survey was published' },
  survey_closed: { ...surveys, summary: 'A survey was closed' },
  survey_response_submitted: { ...surveys, summary: 'A response to a survey was submitted' },

  document_published: { ...documents, summary: 'A document was published' },
  document_signature_requested: {
    ...documents,
    summary: 'Signatures of a document were requested',
  },
  document_signed: { ...documents, summary: 'Everyone who was asked signed a document' },
  document_declined: { ...documents, summary: 'Someone declined to sign a document' },

  meeting_scheduled: { ...meetings, summary: 'A meeting was scheduled' },
  meeting_rescheduled: { ...meetings, summary: 'A meeting was moved to another time' },
  meeting_cancelled: { ...meetings, summary: 'A meeting was cancelled' },

  interaction_created: { ...interactions, summary: 'A comment or a message was written' },
} as const satisfies Record<string, EventKind>

export const eventNames = Object.keys(catalogue) as EventName[]

/** Whether a text names an event of the catalogue. */
export function isEventName(name: string): name is EventName {
  return Object.hasOwn(catalogue, name)
}

/** The scopes of which any one allows a subscription to the event. */
export function scopesFor(event: EventName): readonly string[] {
  return catalogue[event].scopes
}
