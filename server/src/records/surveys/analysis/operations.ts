import { Type } from 'typebox'
import type { Context } from '../../../kit/ground/context.ts'
import { forbidden } from '../../../kit/ground/errors.ts'
import { enumeration } from '../../../kit/ground/json-schema.ts'
import { operation } from '../../../kit/ground/operation.ts'
import { byId } from '../../../kit/crud.ts'
import { readsInternal } from '../../../kit/record/audience.ts'
import { readSurvey } from '../read.ts'
import { resultFilters } from '../responses/filters.ts'
import { crossOf, crossSchema } from './cross.ts'
import { driversOf, driversSchema } from './drivers.ts'
import { groupings, scoreGroupsOf, scoreGroupsSchema } from './score-groups.ts'
import { askModel } from './theme-readings.ts'
import { textsOf, themesOf, themesSchema } from './themes.ts'

const reading = {
  can: { module: 'surveys', action: 'read' },
  writes: false,
  lane: 'heavy',
} as const

/** What the answers to a survey say together. Below `needed` answers nothing is said. */
export const surveyAnalysis = {
  cross: operation({
    ...reading,
    name: 'read_survey_cross_table',
    summary: 'Compare two questions of a survey',
    description: 'How often each answer to one was given together with each answer to the other.',
    input: {
      params: byId,
      query: Type.Object({
        ...resultFilters,
        rows: Type.String({ maxLength: 1000, description: 'the id of a question' }),
        columns: Type.String({ maxLength: 1000, description: 'the id of another one' }),
      }),
    },
    output: crossSchema,
    async run(ctx, { params, query }) {
      return crossOf(ctx, await analysed(ctx, params.id), query)
    },
  }),
  scores: operation({
    ...reading,
    name: 'read_survey_score_groups',
    summary: 'Retrieve the net promoter score of a survey by account, owner or segment',
    input: {
      params: byId,
      query: Type.Object({
        ...resultFilters,
        by: enumeration(groupings, {
          title: 'SurveyScoreGrouping',
          description: 'of the accounts that the answers are about',
        }),
        unit: Type.Optional(
          enumeration(['day', 'week', 'month'], {
            title: 'SurveyScoreUnit',
            description: 'with it each group has its `trend`',
          }),
        ),
      }),
    },
    output: scoreGroupsSchema,
    async run(ctx, { params, query }) {
      return scoreGroupsOf(ctx, await analysed(ctx, params.id), query)
    },
  }),
  drivers: operation({
    ...reading,
    name: 'read_survey_drivers',
    summary: 'Retrieve what the net promoter score of a survey depends on',
    description:
      'The difference between the score of those who gave an answer to another question and that of all others who answered it, with the range in which it lies. The clearest first, at most 30.',
    input: { params: byId, query: Type.Object(resultFilters) },
    output: driversSchema,
    async run(ctx, { params, query }) {
      return driversOf(ctx, await analysed(ctx, params.id), query)
    },
  }),
  themes: operation({
    ...reading,
    name: 'read_survey_themes',
    summary: 'Retrieve what the texts of a survey are about',
    description:
      'Words and pairs of words of the 2,000 latest texts, by how many have them, with the net promoter score of these, found by rules of each language. No text leaves the service, unless somebody has the language model read them: then what it found.',
    input: { params: byId, query: Type.Object(resultFilters) },
    output: themesSchema,
    async run(ctx, { params, query }) {
      return themesOf(ctx, await analysed(ctx, params.id), query)
    },
  }),
  readThemes: operation({
    name: 'read_survey_texts_by_model',
    summary: 'Have the configured language model read the texts of a survey',
    description:
      'Sends up to 500 of the latest texts that the caller may read, at most 80,000 characters, to the language model that is configured. `themes/` has what it found: themes with quotes that stand in the texts. Without a model or below `needed` texts, and for texts that it has read, nothing is sent.',
    can: { module: 'surveys', action: 'update' },
    writes: true,
    input: { params: byId, query: Type.Object(resultFilters) },
    output: themesSchema,
    async run(ctx, { params, query }) {
      const survey = await analysed(ctx, params.id)
      const texts = await textsOf(ctx, survey, query)
      await askModel(ctx, survey, query, texts)
      return themesOf(ctx, survey, query, texts)
    },
  }),
}

async function analysed(ctx: Context, id: string) {
  const survey = await readSurvey(ctx, id)
  if (!readsInternal(ctx.actor)) throw forbidden('Your role may not read scores of surveys')
  if (ctx.actor.is_confined) throw forbidden('Your role may not read the answers of others')
  return survey
}
