import type { AnyRecord } from '../../kit/record/record.ts'
import {
  boolean,
  computed,
  defaulted,
  folded,
  integer,
  key,
  list,
  object,
  oneOf,
  optional,
  readOnly,
  readOnlyOrNull,
  record,
  reference,
  required,
  text,
  timestamp,
  unlisted,
} from '../../kit/record/record.ts'
import { sql } from '../../kit/ground/sql.ts'
import { Account } from '../accounts/account.ts'
import { person } from '../users/person.ts'

const color = () => optional(text(30))

/** Questions for customers, a form, or a template of either (specification 2.3). */
export const Survey = record(
  {
    module: 'surveys',
    number: 7,
    word: 'survey',
    title: 'name',
    searchable: true,
    scope: { word: 'survey', things: 'surveys and their responses', isReadOnly: true },
    events: {
      survey_published: { summary: 'A survey was published' },
      survey_closed: { summary: 'A survey was closed' },
      survey_response_submitted: { summary: 'A response to a survey was submitted' },
    },
    attached: (actor) => sql`t.account_id in (select t.id from accounts t
      where ${Account.attached!(actor)} and t.deleted_at is null)`,
  },
  {
    survey_id: key(),
    organization: computed(text(25), 't.organization_id'),
    account_id: optional(
      reference({
        table: 'accounts',
        shows: null,
        to: (): AnyRecord => Account,
        by: { account_id: { column: 'id' }, id: { column: 'id' } },
      }),
    ),
    item_type: defaulted(oneOf('survey', 'survey_template', 'form'), 'survey'),
    name: required(folded(text(255), 'name_key')),
    description: optional(text()),
    form_structure: readOnly(unlisted(object())),
    form_style: defaulted(text(60), 'IN_APP'),
    form_container_style: defaulted(text(60), 'POPUP'),
    background_color: color(),
    background_url: optional(text(2048, { format: 'web-address' })),
    field_border: defaulted(text(60), 'Rounded'),
    action_color: color(),
    status: readOnly(text(20)),
    is_active: defaulted(boolean(), true),
    end_date: optional(timestamp()),
    response_limit: optional(integer({ minimum: 1 })),
    one_per_email: defaulted(boolean(), false),
    closing_text: optional(text(2000)),
    view_count: readOnly(integer()),
    response_count: readOnly(integer()),
    field_count: readOnly(integer()),
    tags: { ...optional(list()), read: `coalesce(t.tags, '[]')` },
    created_by: readOnlyOrNull(person()),
    creation_time: readOnly(timestamp()),
    last_update_time: readOnly(timestamp()),
  },
)
