import type { AnyRecord } from '../../kit/record/record.ts'
import {
  boolean,
  defaulted,
  key,
  list,
  object,
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
import { person } from '../users/person.ts'
import { Survey } from './survey.ts'

/** What a survey does by itself when something happens to it. */
export const SurveyAutomation = record(
  {
    module: 'surveys',
    number: 7,
    table: 'survey_automations',
    word: 'survey_automation',
    title: 'name',
    weak: ['survey_id'],
    attached: () => sql`false`,
  },
  {
    automation_id: key(),
    survey_id: required(
      reference({
        table: 'surveys',
        shows: null,
        to: (): AnyRecord => Survey,
        by: { survey_id: { column: 'id' } },
      }),
    ),
    name: required(text(255)),
    is_active: defaulted(boolean(), true),
    trigger: defaulted(object(), {}),
    conditions: defaulted(unlisted(list({})), []),
    actions: defaulted(unlisted(list({})), []),
    created_by: readOnlyOrNull(person()),
    creation_time: readOnly(timestamp()),
    last_update_time: readOnly(timestamp()),
  },
)
