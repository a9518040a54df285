import { Type } from 'typebox'
import { schema } from '../../kit/ground/json-schema.ts'
import type { AnyRecord, Row } from '../../kit/record/record.ts'
import { record } from '../../kit/record/record.ts'
import { attachedIds } from '../../kit/record/scope.ts'
import { sql } from '../../kit/ground/sql.ts'
import { Account } from '../accounts/account.ts'
import { createdBy } from '../people/person.ts'
import { submittedResponse } from './responses/response.ts'
import { languages } from '../languages/language.ts'
import { byLanguage, formStructure } from '../forms/form-parts.ts'
import type { SurveyTexts } from '../forms/translations.ts'
import { tagged } from '../attached/tagged.ts'
import {
  boolean,
  integer,
  key,
  objectOf,
  oneOf,
  reference,
  stamp,
  tagList,
  text,
  timestamp,
  url,
  valueOf,
} from '../../kit/record/fields.ts'

/** The texts of a survey in one language. */
const surveyTranslation = Type.Object(
  {
    name: Type.Optional(Type.String({ maxLength: 255 })),
    description: Type.Optional(Type.String({ maxLength: 20_000 })),
    closing_title: Type.Optional(Type.String({ maxLength: 255 })),
    closing_text: Type.Optional(Type.String({ maxLength: 2000 })),
    closing_button: Type.Optional(Type.String({ maxLength: 100 })),
  },
  { title: 'SurveyTranslation', additionalProperties: false },
)
const color = { isUnshown: true, schema: { format: 'color' } } as const
const statusField = oneOf(['draft', 'published', 'closed'], { title: 'SurveyStatus' })

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
    page: {
      strip: ['status', 'response_count', 'view_count', 'field_count', 'end_date'],
      rail: ['account_id', 'item_type', 'response_limit', 'description', 'tags'],
    },
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
    organization: text(25, { isUnshown: true, expression: 't.organization_id' }),
    account_id: reference({
      table: 'accounts',
      shows: null,
      to: (): AnyRecord => Account,
      by: { account_id: { column: 'id' }, id: { column: 'id' } },
    }),
    item_type: oneOf(['survey', 'survey_template', 'form'], {
      default: 'survey',
      title: 'SurveyType',
    }),
    name: text(255, { required: true, folded: 't.name_key' }),
    description: text(),
    form_structure: objectOf(formStructure, { readOnly: true, title: 'FormStructure' }),
    form_style: text(60, { default: 'IN_APP', isUnshown: true }),
    form_container_style: text(60, { default: 'POPUP', isUnshown: true }),
    background_color: text(30, color),
    background_url: url({ isUnshown: true }),
    field_border: text(60, { default: 'Rounded', isUnshown: true }),
    action_color: text(30, color),
    // stored as plain text, so that filters on it accept any word
    status: text(20, { readOnly: true, look: 'status', shown: statusField, read: 't.status' }),
    is_active: boolean({ default: true, isNotCopied: true }),
    end_date: timestamp({ isNotCopied: true }),
    response_limit: integer({ schema: { minimum: 1 } }),
    one_per_email: boolean({ default: false }),
    closing_title: text(255, { isUnshown: true }),
    closing_text: text(2000),
    closing_button: text(100, { isUnshown: true }),
    closing_url: url({ isUnshown: true }),
    language: oneOf(languages, { title: 'SurveyLanguage' }),
    translations: valueOf(byLanguage<SurveyTexts>(surveyTranslation)),
    view_count: integer({ readOnly: true }),
    response_count: integer({ readOnly: true }),
    field_count: integer({ readOnly: true }),
    tags: tagList({ ...tagged, read: `coalesce(t.tags, '[]')` }),
    created_by: createdBy(),
    creation_time: stamp(),
    last_update_time: stamp(),
  },
)

/** A stored survey. */
export type StoredSurvey = Omit<
  Row<typeof Survey>,
  'survey_id' | 'organization' | 'created_by' | 'tags'
> & { id: string; created_by: string | null }
