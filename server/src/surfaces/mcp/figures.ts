import { Type } from 'typebox'
import { byId } from '../../kit/crud.ts'
import { operation } from '../../kit/ground/operation.ts'
import { requireScope } from '../../records/apps/scopes.ts'
import { readWidget } from '../../records/dashboards/widget.ts'
import { surveyResponses } from '../../records/surveys/responses/operations.ts'
import { searchScopes } from '../integration/search.ts'
import { mostRows } from './find.ts'

const widgetQuery = readWidget.input.query.properties

/**
 * The numbers of a widget. They count over several kinds and are filtered by others, so an app needs the scopes of all
 * that it could infer from them.
 */
export const readFigures = operation({
  ...readWidget,
  name: 'read_figures',
  scope: null,
  input: {
    query: Type.Object({
      widget_type: widgetQuery.widget_type,
      time_filter: widgetQuery.time_filter,
      owner: widgetQuery.owner,
      team: widgetQuery.team,
      pipeline_id: widgetQuery.pipeline_id,
      account_id: widgetQuery.account_id,
    }),
  },
  run(ctx, input) {
    for (const scope of searchScopes) requireScope(ctx.actor, scope)
    return readWidget.run(ctx, input)
  },
})

const responses = surveyResponses.page.input.query.properties

/** The answers to a survey, one by one. */
export const listAnswers = operation({
  ...surveyResponses.page,
  name: 'list_answers',
  scope: 'survey.read',
  input: {
    params: byId,
    query: Type.Object({
      finished: responses.finished,
      since: responses.since,
      until: responses.until,
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: mostRows,
          description: `rows, ${mostRows} by default`,
        }),
      ),
      next_cursor: responses.next_cursor,
    }),
  },
})
