import { schema } from '../../kit/ground/json-schema.ts'
import type { AnyRecord, Row } from '../../kit/record/record.ts'
import { record } from '../../kit/record/record.ts'
import { attachedIds } from '../../kit/record/scope.ts'
import { sql } from '../../kit/ground/sql.ts'
import { Account } from '../accounts/account.ts'
import { createdBy } from '../people/person.ts'
import { submittedResponse } from './responses/response.ts'
import { formStructure } from './structure.ts'
import {
  boolean,
  computedAlways,
  defaulted,
  folded,
  integer,
  key,
  looks,
  notCopied,
  objectOf,
  oneOf,
  optional,
  readAs,
  readOnly,
  reference,
  required,
  tagList,
  tagged,
  text,
  timestamp,
  titled,
  unlisted,
  unshown,
  url,
} from '../../kit/record/fields.ts'

const color = () => optional(text(30, { format: 'color' }))
const statusField = titled('SurveyStatus', oneOf('draft', 'published', 'closed'))
const typeField = titled('SurveyType', oneOf('survey', 'survey_template', 'form'))

/** The statuses of a survey. Only a published one accepts responses. */
export type SurveyStatus = 'draft' | 'published' | 'closed'
export const statusSchema = schema<SurveyStatus>(statusField.schema)

/** Questions for customers, a form, or a template of either (specification 2.3). */
export const Survey = record(
  {
    module: 'surveys',
    number: 7,
    word: 'survey',
    title: 'name',
    rights: {
      attached: (ctx) => sql`t.account_id in ${attachedIds(ctx, Account)}`,
    },
    life: {
      handOver: [{ column: 'created_by' }],
    },
    find: {
      searchable: true,
    },
    apps: {
      scope: { word: 'survey', things: 'surveys and their responses', isReadOnly: true },
    },
    events: {
      kinds: {
        survey_published: {
          summary: 'A survey was published',
          after: { status: 'published' },
          changes: { status: 'draft' },
        },
        survey_closed: {
          summary: 'A survey was closed',
          after: { status: 'closed' },
          changes: { status: 'published' },
        },
        survey_response_submitted: {
          summary: 'A response to a survey was submitted',
          after: { finished: true },
          changes: { response_id: null },
          shows: submittedResponse,
        },
      },
    },
  },
  {
    survey_id: key(),
    organization: unshown(computedAlways(text(25), 't.organization_id')),
    account_id: optional(
      reference({
        table: 'accounts',
        shows: null,
        to: (): AnyRecord => Account,
        by: { account_id: { column: 'id' }, id: { column: 'id' } },
      }),
    ),
    item_type: defaulted(typeField, 'survey'),
    name: required(folded(text(255), 'name_key')),
    description: optional(text()),
    form_structure: readOnly(unlisted(objectOf(formStructure, 'FormStructure'))),
    form_style: unshown(defaulted(text(60), 'IN_APP')),
    form_container_style: unshown(defaulted(text(60), 'POPUP')),
    background_color: unshown(color()),
    background_url: unshown(optional(url())),
    field_border: unshown(defaulted(text(60), 'Rounded')),
    action_color: unshown(color()),
    // stored as plain text, so that filters on it accept any word
    status: looks('status', readAs(readOnly(text(20)), statusField, 't.status')),
    is_active: notCopied(defaulted(boolean(), true)),
    end_date: notCopied(optional(timestamp())),
    response_limit: optional(integer({ minimum: 1 })),
    one_per_email: defaulted(boolean(), false),
    closing_text: optional(text(2000)),
    view_count: readOnly(integer()),
    response_count: readOnly(integer()),
    field_count: readOnly(integer()),
    tags: tagged(readAs(optional(tagList()), tagList(), `coalesce(t.tags, '[]')`)),
    created_by: createdBy(),
    creation_time: readOnly(timestamp()),
    last_update_time: readOnly(timestamp()),
  },
)

/** A stored survey. */
export type StoredSurvey = Omit<
  Row<typeof Survey>,
  'survey_id' | 'organization' | 'created_by' | 'tags'
> & { id: string; created_by: string | null }
