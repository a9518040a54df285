import { Type } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { Failure, forbidden } from '../../kit/ground/errors.ts'
import { extend } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import { readsInternal } from '../../kit/record/audience.ts'
import { byId, crud } from '../../kit/crud.ts'
import type { Row } from '../../kit/record/record.ts'
import { remove, written } from '../../kit/write/write.ts'
import type { CopyChanges } from './create.ts'
import { copySurvey, createSurvey } from './create.ts'
import { publishSurvey } from './draft.ts'
import { moveSurvey } from './lifecycle.ts'
import { countsSchema, countSurveys, listQuery, listSurveys } from './list.ts'
import { readSurvey, surveyWith, usageOf } from './read.ts'
import { insightsOf, insightsQuery, insightsSchema } from './responses/insights.ts'
import type { ResultFilters } from './responses/filters.ts'
import { whoseFilters } from './responses/filters.ts'
import { limitProperties, limitsOf, limitsSchema } from './responses/limits.ts'
import { submissionSchema } from '../../model/surveys/responses/response.ts'
import { submitResponse, submittedOf, submittedSchema } from './responses/submit.ts'
import { structureSchema } from '../../model/surveys/structure.ts'
import { statusSchema, Survey } from '../../model/surveys/survey.ts'
import { publishBody, setVersions } from './form-tasks.ts'
import { propagateStructure, updateSurvey } from './update.ts'
import { checkReadable } from '../../kit/read/one.ts'

const plain = crud(Survey)
const structureAndStatus = {
  form_structure: Type.Optional(structureSchema),
  status: Type.Optional(statusSchema),
}
const updateBody = extend(plain.update.input.body, structureAndStatus)
const propagationBody = {
  ...extend(updateBody, { propagate_to_tasks: Type.Optional(Type.Boolean()) }),
  title: 'SurveyUpdateWithPropagation',
}

/** Surveys, forms and their templates. */
export const surveys = {
  ...plain,
  list: operation({
    ...plain.list,
    input: { query: listQuery },
    run: (ctx, { query }) => listSurveys(ctx, query),
  }),
  forms: operation({
    ...plain.list,
    name: 'list_forms',
    summary: 'List forms',
    input: { query: listQuery },
    run: (ctx, { query }) => listSurveys(ctx, query, 'form'),
  }),
  create: operation({
    ...plain.create,
    input: { body: extend(plain.create.input.body, structureAndStatus) },
    run: async (ctx, { body }) => written(await createSurvey(ctx, body)),
  }),
  update: operation({
    ...plain.update,
    input: { params: byId, body: updateBody },
    run: async (ctx, { params, body, ifMatch }) =>
      written(await updateSurvey(ctx, params.id, body, ifMatch)),
  }),
  propagate: operation({
    ...plain.update,
    name: 'update_survey_with_propagation',
    summary: 'Update a survey and its open form tasks',
    description:
      'With `propagate_to_tasks`, the new structure is copied to the open tasks of the form that ' +
      'have no answers yet.',
    input: { params: byId, body: propagationBody },
    async run(ctx, { params, body, ifMatch }) {
      const { propagate_to_tasks, ...changes } = body
      const after = await updateSurvey(ctx, params.id, changes, ifMatch)
      if (propagate_to_tasks) await propagateStructure(ctx, after)
      return written(after)
    },
  }),
  publish: operation({
    ...plain.update,
    name: 'publish_survey',
    isVersioned: false,
    summary: 'Publish a survey',
    description:
      'With its draft, if it has one. A closed survey is reopened. Repeating the request changes nothing. ' +
      'Open tasks of the form take its questions where `tasks` names them.',
    input: { params: byId, body: publishBody },
    async run(ctx, { params: { id }, body }) {
      const after = await publishSurvey(ctx, id)
      if (body?.tasks?.length) {
        const { form_structure } = JSON.parse(await after.json()) as Row<typeof Survey>
        const { version } = form_structure
        await setVersions(
          ctx,
          id,
          body.tasks.map((item_id) => ({ item_id, version })),
        )
      }
      return written(after)
    },
  }),
  close: operation({
    ...plain.update,
    name: 'close_survey',
    isVersioned: false,
    summary: 'Close a survey',
    description: 'It accepts no more responses. Repeating the request changes nothing.',
    input: { params: byId },
    run: async (ctx, { params }) => written(await moveSurvey(ctx, params.id, 'closed')),
  }),
  duplicate: copying({
    name: 'duplicate_survey',
    summary: 'Duplicate a survey',
    description: 'The copy is a draft without responses; the copy of a template is a survey.',
  }),
  saveAsTemplate: copying(
    { name: 'save_survey_as_template', summary: 'Save a survey as a template' },
    { item_type: 'survey_template' },
  ),
  bulkDelete: operation({
    name: 'bulk_delete_surveys',
    summary: 'Delete several surveys',
    description: 'Surveys that cannot be deleted are reported with the reason.',
    can: { module: 'surveys', action: 'delete' },
    writes: true,
    input: {
      body: Type.Object({
        survey_ids: Type.Array(Type.String({ minLength: 1, maxLength: 25 }), {
          minItems: 1,
          maxItems: 500,
        }),
      }),
    },
    output: Type.Object({
      deleted: Type.Integer(),
      failed: Type.Array(Type.Object({ id: Type.String(), error: Type.String() })),
    }),
    async run(ctx, { body }) {
      const failed: { id: string; error: string }[] = []
      let deleted = 0
      for (const id of new Set(body.survey_ids)) {
        try {
          await remove(ctx, Survey, id)
          deleted++
        } catch (error) {
          if (!(error instanceof Failure) || error.status >= 500) throw error
          failed.push({ id, error: error.message })
        }
      }
      return { deleted, failed }
    },
  }),
  counts: operation({
    name: 'count_surveys',
    summary: 'Count surveys by status and type',
    can: { module: 'surveys', action: 'read' },
    writes: false,
    lane: 'heavy',
    input: {},
    output: countsSchema,
    run: (ctx) => countSurveys(ctx),
  }),
  usageCount: operation({
    ...plain.read,
    name: 'count_survey_usage',
    summary: 'Retrieve a survey with its usage counts',
    output: surveyWith('SurveyUsage', {
      usage_count: Type.Integer({ description: 'tasks and templates together' }),
      tasks: Type.Integer(),
      projects: Type.Integer({ description: 'the projects of those tasks' }),
      templates: Type.Integer(),
    }),
    async run(ctx, { params }) {
      const survey = await readSurvey(ctx, params.id)
      const usage = await usageOf(ctx, params.id)
      return { ...survey, usage_count: usage.tasks + usage.templates, ...usage }
    },
  }),
  limitStatus: operation({
    ...plain.read,
    name: 'read_survey_limits',
    summary: 'Retrieve the response limits of a survey',
    description: 'Whether it accepts responses now, how many more, and if not, why.',
    output: limitsSchema,
    run: async (ctx, { params }) => limitsOf(ctx, await readSurvey(ctx, params.id)),
  }),
  fill: operation({
    ...plain.read,
    name: 'read_survey_to_fill',
    summary: 'Retrieve a survey to fill in',
    output: surveyWith('SurveyToFill', limitProperties),
    async run(ctx, { params }) {
      const survey = await readSurvey(ctx, params.id)
      return { ...survey, ...limitsOf(ctx, survey) }
    },
  }),
  submit: operation({
    name: 'submit_survey',
    summary: 'Submit a response to a survey',
    description:
      'With `finished: false` the response is stored unfinished; `response_id` continues it, for who began it.',
    existing: 'The unfinished response was continued.',
    can: { module: 'surveys', action: 'read' },
    writes: true,
    input: { params: byId, body: submissionSchema },
    output: submittedSchema,
    async run(ctx, { params, body }) {
      await checkReadable(ctx, Survey, params.id)
      return submittedOf(await submitResponse(ctx, params.id, body))
    },
  }),
  insights: operation({
    ...plain.read,
    lane: 'heavy',
    name: 'read_survey_insights',
    summary: 'Retrieve the insights of a survey',
    description:
      'Statistics of the responses that match, overall and by question. 403 for observers with `account`, `owner`, `segment`, `schedule` or `answers`.',
    input: { params: byId, query: Type.Object(insightsQuery) },
    output: surveyWith('SurveyWithInsights', { insights: insightsSchema }),
    async run(ctx, { params, query }) {
      const survey = await readSurvey(ctx, params.id)
      if (!readsInternal(ctx.actor)) throw forbidden('Your role may not read scores of surveys')
      refuseOthers(ctx, query)
      return { ...survey, insights: await insightsOf(ctx, survey, query) }
    },
  }),
}

/** 403 for confined callers who ask for the answers of some people: they read only their own. */
function refuseOthers({ actor }: Context, filters: ResultFilters) {
  if (!actor.is_confined) return
  const named = whoseFilters.filter((name) => filters[name] !== undefined)
  if (named.length) {
    throw forbidden(`Your role may not read the answers of others by ${named.join(', ')}`)
  }
}

type Named = { name: string; summary: string; description?: string }

/** An operation that creates a copy of a survey. */
function copying(named: Named, changes: CopyChanges = {}) {
  return operation({
    ...plain.create,
    ...named,
    input: {
      params: byId,
      body: Type.Object({
        name: Type.Optional(Type.String({ pattern: '\\S', maxLength: 255 })),
      }),
    },
    run: async (ctx, { params, body }) =>
      written(await copySurvey(ctx, params.id, { ...changes, name: body.name })),
  })
}
