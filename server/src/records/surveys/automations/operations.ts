import { Type } from 'typebox'
import type { Context } from '../../../kit/ground/context.ts'
import { forbidden, notFound } from '../../../kit/ground/errors.ts'
import { arrayOf, enumeration, orNull, schema } from '../../../kit/ground/json-schema.ts'
import { Answer, operation } from '../../../kit/ground/operation.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { byId, crud } from '../../../kit/crud.ts'
import { readableRows } from '../../../kit/record/readable.ts'
import { listWhole } from '../../../kit/read/list.ts'
import { readSchema } from '../../../kit/record/schema.ts'
import { lock, remove, written } from '../../../kit/write/write.ts'
import { shownDraft } from '../draft.ts'
import { readSurvey } from '../read.ts'
import type { Page } from '../../../model/forms/form-parts.ts'
import { Survey } from '../../../model/surveys/survey.ts'
import { actions, actionType } from '../../../model/surveys/automations/actions.ts'
import { SurveyAutomation } from '../../../model/surveys/automations/automation.ts'
import { conditionFields } from './conditions.ts'
import {
  changeAutomation,
  changeSchema,
  checkProperties,
  mostOfSurvey,
  saveAutomation,
  saveSchema,
} from './save.ts'
import { simulate, simulationBody, simulationSchema } from './simulate.ts'
import { triggers, triggerType } from '../../../model/surveys/automations/triggers.ts'
import { readOne } from '../../../kit/read/one.ts'

const plain = crud(Survey)
const shape = readSchema(SurveyAutomation)
const byAutomation = Type.Object({ automation_id: Type.String() })
const openObject = (description: string) =>
  schema<{ [key: string]: unknown }>({ type: 'object', additionalProperties: true, description })

const optionsSchema = Type.Object(
  {
    triggers: Type.Array(Type.Object({ type: triggerType, label: Type.String() })),
    conditions: Type.Array(
      Type.Object({
        field: Type.String(),
        label: Type.String(),
        type: Type.String(),
        operators: Type.Array(Type.String()),
      }),
    ),
    actions: Type.Array(
      Type.Object({
        type: actionType,
        label: Type.String(),
        config: openObject('the JSON Schema of the config'),
      }),
    ),
  },
  { title: 'SurveyAutomationOptions' },
)

const runResult = Type.Object(
  { type: actionType, task_id: Type.String(), title: Type.String() },
  { title: 'SurveyAutomationResult' },
)

const runSchema = Type.Object(
  {
    automation_id: Type.String(),
    response_id: orNull(Type.String()),
    status: enumeration(['done', 'skipped', 'failed'], { title: 'SurveyAutomationRunStatus' }),
    error: orNull(Type.String({ description: 'why it failed' })),
    respondent_email: orNull(Type.String({ description: 'who answered, where that is known' })),
    results: Type.Array(runResult, {
      description: 'what it made, as far as the caller may read it',
    }),
    creation_time: Type.String({ format: 'date-time' }),
  },
  { title: 'SurveyAutomationRun' },
)

/** The automations of a survey. */
export const surveyAutomations = {
  options: operation({
    ...plain.read,
    name: 'list_survey_automation_options',
    summary: 'List the automation options of a survey',
    description: 'The triggers, the fields for conditions, and the actions with their configs.',
    output: optionsSchema,
    async run(ctx, { params }) {
      const { form_structure } = await readSurvey(ctx, params.id)
      return { triggers, conditions: conditionFields(form_structure.pages), actions }
    },
  }),
  list: operation({
    ...plain.read,
    name: 'list_survey_automations',
    summary: 'List the automations of a survey',
    output: arrayOf(shape),
    async run(ctx, { params }) {
      await readSurvey(ctx, params.id)
      const page = { items_per_page: mostOfSurvey, sort: 'position,creation_time', reverse: false }
      const { body } = await listWhole(ctx, SurveyAutomation, page, sql`t.survey_id = ${params.id}`)
      return body
    },
  }),
  read: operation({
    name: 'read_survey_automation',
    summary: 'Retrieve an automation of a survey',
    can: { module: 'surveys', action: 'read' },
    writes: false,
    input: { params: byAutomation },
    output: shape,
    run: (ctx, { params }) => readOne(ctx, SurveyAutomation, params.automation_id),
  }),
  save: operation({
    name: 'save_survey_automations',
    summary: 'Create or update automations of a survey',
    description:
      'One automation, or several as `automations`: those with an `automation_id` are updated, the ' +
      'others are created.',
    existing: 'All of them existed and were updated.',
    can: { module: 'surveys', action: 'update' },
    writes: true,
    isVersioned: true,
    input: { params: byId, body: saveSchema },
    output: Type.Union([shape, Type.Object({ automations: arrayOf(shape) })]),
    async run(ctx, { params, body, ifMatch }) {
      checkProperties(body)
      for (const [i, each] of (body.automations ?? []).entries()) {
        checkProperties(each, `automations.${i}`)
      }
      const { automations, ...one } = body
      const { row } = await lock(ctx, Survey, params.id, 'update', ifMatch)
      const { pages } = row.form_structure
      const isNew = (automations ?? [one]).some(({ automation_id }) => !automation_id)
      if (!automations) return written(await saveAutomation(ctx, params.id, pages, one), isNew)
      const saved: unknown[] = []
      for (const [index, each] of automations.entries()) {
        const at = `automations.${index}.`
        const automation = await saveAutomation(ctx, params.id, pages, each, at)
        saved.push(JSON.parse(await automation.json()))
      }
      return new Answer({ automations: saved }, { created: isNew })
    },
  }),
  update: operation({
    name: 'update_survey_automation',
    summary: 'Update an automation of a survey',
    can: { module: 'surveys', action: 'update' },
    writes: true,
    isVersioned: true,
    input: { params: byAutomation, body: changeSchema },
    output: shape,
    async run(ctx, { params, body, ifMatch }) {
      checkProperties(body)
      const locked = await lock(ctx, SurveyAutomation, params.automation_id, 'update', ifMatch)
      const pages = await pagesOf(ctx, locked.row.survey_id)
      return written(await changeAutomation(ctx, locked, pages, body))
    },
  }),
  remove: operation({
    name: 'delete_survey_automation',
    summary: 'Delete an automation of a survey',
    can: { module: 'surveys', action: 'update' },
    writes: true,
    isVersioned: true,
    input: { params: byAutomation },
    output: null,
    run: (ctx, { params, ifMatch }) => remove(ctx, SurveyAutomation, params.automation_id, ifMatch),
  }),
  simulate: operation({
    name: 'simulate_survey_automation',
    summary: 'Try an automation with the latest answers',
    description: 'What it would have done with them; nothing is changed and nothing is sent.',
    can: { module: 'surveys', action: 'update' },
    writes: false,
    lane: 'heavy',
    input: { params: byId, body: simulationBody },
    output: simulationSchema,
    async run(ctx, { params, body }) {
      if (ctx.actor.is_confined) throw forbidden('Your role may not read the answers of others')
      checkProperties(body.automation, 'automation')
      // 404 where the caller may read the survey and not change it, as for its draft
      await shownDraft(ctx, params.id)
      return simulate(ctx, await readSurvey(ctx, params.id), body)
    },
  }),
  runs: operation({
    ...plain.read,
    name: 'list_survey_automation_runs',
    summary: 'List the automation runs of a survey',
    description: 'Newest first, at most 500.',
    output: arrayOf(runSchema),
    async run(ctx, { params }) {
      await readSurvey(ctx, params.id)
      if (ctx.actor.is_confined) return []
      return ctx.all(sql`
        select t.automation_id, t.response_id, t.status, t.error, t.creation_time,
          (select r.respondent_email from survey_responses r
            where ${mine(ctx, 'r')} and r.id = t.response_id) as respondent_email,
          (select coalesce(jsonb_agg(jsonb_build_object('type', e.value -> 'type', 'task_id', k.id,
              'title', k.title) order by e.at), '[]')
            from jsonb_array_elements(t.results) with ordinality e(value, at)
            join ${readableRows(ctx, 'tasks')} k on ${mine(ctx, 'k')} and k.deleted_at is null
              and k.id = e.value ->> 'task_id') as results
        from (select * from survey_automation_runs t
          where ${mine(ctx)} and t.survey_id = ${params.id}
          order by t.creation_time desc, t.automation_id limit 500) t
        order by t.creation_time desc, t.automation_id`)
    },
  }),
}

/** The pages of an automation's survey, even if the caller cannot read the survey. */
async function pagesOf(ctx: Context, survey_id: string): Promise<Page[]> {
  const found = await ctx.one<{ form_structure: { pages: Page[] } }>(sql`
    select t.form_structure from surveys t where ${mine(ctx)} and t.id = ${survey_id}`)
  if (!found) throw notFound('Survey')
  return found.form_structure.pages
}
