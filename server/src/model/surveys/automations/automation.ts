import { Type } from 'typebox'
import type { AnyRecord, Row } from '../../../kit/record/record.ts'
import { record } from '../../../kit/record/record.ts'
import { sql } from '../../../kit/ground/sql.ts'
import { createdBy } from '../../people/person.ts'
import { Survey } from '../survey.ts'
import { actionSchema } from './actions.ts'
import { triggerProperties } from './triggers.ts'
import {
  boolean,
  integer,
  key,
  list,
  objectOf,
  reference,
  stamp,
  text,
} from '../../../kit/record/fields.ts'

const condition = Type.Unknown({
  description: 'a condition as in `filter`, on what the automation options list',
})

/** Actions that follow when something happens to a survey. */
export const SurveyAutomation = record(
  {
    module: 'surveys',
    number: 7,
    table: 'survey_automations',
    word: 'survey_automation',
    title: 'name',
    rights: {
      attached: () => sql`false`,
      // a deleted one is created anew
      can: (_ctx, action, allowed) => (action === 'restore' ? sql`false` : allowed),
    },
    life: {
      weak: ['survey_id'],
      loose: [
        { column: 'trigger', isJson: true },
        { column: 'conditions', isJson: true },
        { column: 'actions', isJson: true },
      ],
      handOver: [
        { kind: 'automations', column: 'created_by' },
        { kind: 'automations', column: 'actions' },
      ],
    },
  },
  {
    automation_id: key(),
    survey_id: reference(
      {
        table: 'surveys',
        shows: null,
        to: (): AnyRecord => Survey,
        by: { survey_id: { column: 'id' } },
      },
      { required: true },
    ),
    name: text(255, { required: true }),
    is_active: boolean({ default: true }),
    position: integer({ default: 0 }),
    trigger: objectOf(triggerProperties, { required: true, title: 'SurveyTrigger' }),
    conditions: list(condition, { default: [], filterable: false }),
    actions: list(actionSchema, { default: [], filterable: false }),
    created_by: createdBy(),
    creation_time: stamp(),
    last_update_time: stamp(),
  },
)

/** A stored automation. */
export type StoredAutomation = Omit<
  Row<typeof SurveyAutomation>,
  'automation_id' | 'created_by'
> & { id: string; created_by: string | null }
