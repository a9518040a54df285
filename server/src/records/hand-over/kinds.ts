import type { Query } from '../../kit/ground/context.ts'
import { sql } from '../../kit/ground/sql.ts'
import type { Link } from '../links/links.ts'
import { linksTo } from '../links/links.ts'

/** The kinds of things that one user can take over from another, in everyday terms. */
export type Kind = {
  kind: string
  /**
   * columns of the list of links (`table.column`), with the SQL over `t` for the title of a row; `isList` says that
   * the column is only a list of ids
   */
  links: { at: string; record?: string; where?: Query; title: string; isList?: boolean }[]
}

const series = sql`t.is_recurring and t.recurrence_status = 'active'`
const of = (
  at: string,
  title: string,
  more: { record?: string; where?: Query; isList?: boolean } = {},
) => ({
  at,
  title,
  ...more,
})
/** Records with an owner; their custom fields and lists with people are included. */
const owned = (table: string, title: string, columns: string[], record?: string) =>
  [...columns, 'custom_fields'].map((column) => of(`${table}.${column}`, title, { record }))
const templateName = 't.template_name'

/** Every kind, in the order in which they are shown. */
export const kinds: readonly Kind[] = [
  { kind: 'companies', links: owned('companies', 't.company_name', ['company_owner']) },
  { kind: 'contacts', links: owned('contacts', 't.full_name', ['contact_owner']) },
  { kind: 'accounts', links: owned('accounts', 't.account_name', ['account_owner']) },
  {
    kind: 'deals',
    links: owned('projects', 't.project_name', ['project_owner', 'project_manager'], 'deal'),
  },
  {
    kind: 'projects',
    links: owned('projects', 't.project_name', ['project_owner', 'project_manager'], 'project'),
  },
  { kind: 'milestones', links: [of('milestones.owner', 't.name')] },
  {
    kind: 'tasks',
    links: [
      of('tasks.owner', 't.title', { where: sql`not (${series})` }),
      of('tasks.users', 't.title', { isList: true }),
      of('tasks.custom_fields', 't.title'),
    ],
  },
  { kind: 'series', links: [of('tasks.owner', 't.title', { where: series })] },
  {
    kind: 'documents',
    links: [
      ...owned('documents', 't.document_name', ['document_owner']),
      of('documents.private_users', 't.document_name', { isList: true }),
    ],
  },
  {
    kind: 'meetings',
    links: [of('meetings.created_by', 't.title', { where: sql`t.ends_at >= now()` })],
  },
  { kind: 'tags', links: [of('tags.tag_owner', 't.tag_name')] },
  { kind: 'reports', links: [of('users.reports_to', 't.full_name')] },
  {
    kind: 'templates',
    links: [
      of('templates.created_by', templateName),
      of('templates.template_config', templateName),
    ],
  },
  { kind: 'surveys', links: [of('surveys.created_by', 't.name')] },
  {
    kind: 'automations',
    links: [
      of('survey_automations.created_by', 't.name'),
      of('survey_automations.actions', 't.name'),
    ],
  },
  {
    kind: 'scheduled_mailings',
    links: [
      of('survey_schedules.created_by', 't.local_time', { where: sql`t.status = 'scheduled'` }),
    ],
  },
  {
    kind: 'signature_requests',
    links: [
      of(
        'signature_requests.created_by',
        `(select d.document_name from documents d
          where d.organization_id = $organization and d.id = t.document_id)`,
        { where: sql`t.status = 'open'` },
      ),
    ],
  },
  { kind: 'saved_views', links: [of('filters.created_by', 't.name')] },
  {
    kind: 'dashboards',
    links: [
      of('dashboards.created_by', 't.dashboard_name'),
      of('dashboards.access_list', 't.dashboard_name'),
    ],
  },
  {
    kind: 'connections',
    links: [
      of(
        'grants.user_id',
        `(select a.name from apps a
          where a.organization_id = $organization and a.id = t.app_id)`,
        { where: sql`t.revoked_at is null` },
      ),
    ],
  },
  {
    kind: 'subscriptions',
    links: [of('subscriptions.user_id', 't.url')],
  },
]

/** Links that stay: what somebody did or wrote, what is personal, and what says who they are. */
export const staying: { [why: string]: string[] } = {
  'who wrote or made it': [
    'companies.created_by contacts.created_by accounts.created_by projects.created_by',
    'milestones.created_by tasks.created_by users.created_by documents.created_by tags.created_by',
    'interactions.created_by meeting_insights.created_by holiday_sets.created_by roles.created_by',
    'pipelines.created_by imports.created_by notifications.created_by stage_changes.changed_by',
    'time_entries.user_id interaction_reactions.user_id survey_responses.created_by',
    'widget_responses.user_id hand_overs.created_by apps.created_by',
  ],
  'what is theirs alone': [
    'notifications.user_id interaction_reads.user_id notification_preferences.user_id',
    'sessions.user_id browser_sessions.user_id access_tokens.user_id one_time_codes.user_id recovery_codes.user_id',
    'preferences.user_id sign_ins.user_id reply_addresses.user_id openid_subjects.user_id calendar_feeds.id asked_jobs.user_id webhook_inspectors.user_id user_images.id',
  ],
  'who they are, were invited or spoken to': [
    'contacts.linked_user users.custom_fields meetings.attendees documents.reference_id',
    'interactions.reference_id record_activity.reference_id interactions.visible_to_users interactions.reply_readers',
    'interactions.mentions meeting_insights.action_items dashboards.widgets filters.conditions',
    'survey_automations.trigger survey_automations.conditions subscriptions.conditions',
  ],
  'teams, of which the other becomes a member beside them': ['project_members.user_id'],
}

/** The link for a column that a kind names. */
export function linkOf({ at, record }: Kind['links'][number]): Link {
  const found = (linksTo.users ?? []).find(
    (link) =>
      `${link.table}.${link.column}` === at && (!record || link.record?.module === `${record}s`),
  )
  if (!found) throw new Error(`nothing names users by ${at}`)
  return found
}
