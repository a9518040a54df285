import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import pg from 'pg'
import { linksTo } from '../src/records/links/links.ts'
import { freshDatabase } from './support/database.ts'
import { atEnd } from './support/finally.ts'

// Every column that refers to a record is in the list that merges, removals, erasure and hand-over use.

/** Columns that look like ids of records, and why they are not. */
const others: { [why: string]: string[] } = {
  'keys of the service’s own rows and processes': [
    'delivery_lanes.owner',
    'authorization_codes.app_id authorization_codes.grant_id grants.app_id refresh_tokens.app_id',
    'refresh_tokens.grant_id subscriptions.app_id subscriptions.grant_id deliveries.event_id',
    'deliveries.subscription_id inspected_deliveries.inspector_id hand_over_moves.hand_over_id bulk_write_records.bulk_id notifications.event_id events.log_id merge_moves.merge_id',
    'merged_records.merge_id import_records.import_id import_errors.import_id',
    'documents.signature_request signature_recipients.request_id signature_files.recipient_id survey_automation_runs.occasion',
    'signature_batch_lines.batch_id',
    'survey_automation_runs.response_id survey_recipients.schedule_id survey_responses.schedule_id',
    'calendar_copies.connection_id calendar_connections.lease_job apps.listed_as apps.listed_in',
  ],
  'statuses and stages, which are no records: removing one is refused while it is in use': [
    'milestones.status_id projects.status_id projects.stage_id stage_changes.stage_id tasks.status_id',
  ],
  'ids of other systems, or for people to read': [
    'apps.client_id companies.display_id contacts.display_id projects.display_id tasks.display_id',
    'projects.external_map tasks.external_map idempotency_keys.caller openid_providers.client_id',
  ],
  'words, numbers and settings': [
    'access_tokens.scopes apps.redirect_uris apps.scopes apps.endpoints grants.scopes grants.redirect_uris authorization_codes.scopes',
    'refresh_tokens.scopes field_definitions.options field_definitions.default_value',
    'meeting_transcripts.lines meeting_transcripts.decisions',
    'organizations.working_days users.absences users.working_hours organizations.working_hours hand_overs.kinds filters.column_widths filters.report survey_result_links.filters surveys.embed surveys.taken mail_defaults.survey_quiet_hours survey_theme_readings.filters survey_theme_readings.themes personal_data_requests.place personal_data_requests.receipt',
    'roles.permission filters.columns holiday_sets.holidays imports.columns imports.mapping',
    'imports.options imports.reading imports.profiles imports.column_report imports.checked import_choices.mapping',
    'imports.value_report imports.currency_report imports.matches imports.questions imports.refused',
    'import_choices.formats imports.preview imports.warnings imports.first_rows import_batches.rows import_errors.errors',
    'import_errors.cells idempotency_keys.headers inspected_deliveries.headers dashboards.layout_config dashboards.theme_config',
    'meetings.repeat meetings.timezone tasks.recurrence_pattern survey_schedules.email_addresses',
    'openid_providers.allowed_domains widget_settings.theme widget_settings.form documents.public_config templates.options',
    'contacts.location companies.address companies.operating_regions projects.phase',
    'accounts.tags companies.tags contacts.tags documents.tags projects.tags surveys.tags tasks.tags',
    'templates.tags users.tags events.module_id interactions.module_id documents.module_id',
    'record_activity.module_id record_activity.subject_module account_health_days.inputs',
  ],
  'texts and answers of people': [
    'companies.investors companies.partners companies.subsidiaries accounts.insight',
    'documents.editorjs_content surveys.form_structure surveys.draft surveys.translations survey_versions.pages survey_versions.endings tasks.form_structure',
    'survey_responses.answers tasks.form_responses widget_responses.answers projects.partner_orgs',
    'signature_recipients.fields signature_preparations.content signature_batches.content',
    'signature_batch_lines.content',
    'calendar_connections.calendars calendar_copies.ours calendar_copies.theirs',
  ],
}

describe('what names a record', () => {
  let client: pg.Client
  before(async () => {
    const { url } = await freshDatabase()
    client = new pg.Client({ connectionString: url, options: '-c search_path=perennial' })
    await client.connect()
    atEnd(() => client.end())
  })

  test('is known, and what is known exists', async () => {
    const { possible, all } = await columns(client)
    const known = knownColumns()
    const excluded = Object.values(others).flatMap((lines) =>
      lines.flatMap((line) => line.split(' ')),
    )
    assert.deepEqual(missing(possible), [])
    assert.deepEqual(
      [...known, ...excluded].filter((at) => !all.has(at)),
      [],
      'no such column',
    )
    assert.deepEqual(
      excluded.filter((at) => known.has(at)),
      [],
      'known and excluded',
    )
    function missing(columns: string[]) {
      return columns.filter((at) => !known.has(at) && !excluded.includes(at))
    }
  })

  test('is noticed when a migration adds it', async () => {
    await client.query(`alter table tags add column company_id varchar(25) collate "C",
      add column record_id text, add column people jsonb, add column sponsor varchar(25)`)
    const known = knownColumns()
    const { possible } = await columns(client)
    const excluded = Object.values(others).flatMap((lines) =>
      lines.flatMap((line) => line.split(' ')),
    )
    assert.deepEqual(
      possible.filter((at) => !known.has(at) && !excluded.includes(at)),
      ['tags.company_id', 'tags.people', 'tags.record_id', 'tags.sponsor'],
    )
  })
})

/** The columns by which something names a record. */
function knownColumns(): Set<string> {
  const links = Object.values(linksTo).flat()
  return new Set(links.map(({ table, column }) => `${table}.${column}`))
}

/** Those that could hold an id of a record: of its type, of such a name, or JSON; and all there are. */
async function columns(client: pg.Client) {
  const { rows } = await client.query<{ at: string; is_possible: boolean }>(`
    select table_name || '.' || column_name as at,
      column_name not in ('id', 'organization_id') and (data_type = 'character varying'
        or data_type in ('json', 'jsonb') or column_name like '%\\_id') as is_possible
    from information_schema.columns where table_schema = 'perennial' and table_name in
      (select relname from pg_class where relnamespace = 'perennial'::regnamespace and relkind = 'r')
      and table_name not in ('migrations', 'shared_counts', 'signing_keys') order by 1`)
  return {
    all: new Set(rows.map(({ at }) => at)),
    possible: rows.filter(({ is_possible }) => is_possible).map(({ at }) => at),
  }
}
