import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { badField, Failure } from '../../kit/ground/errors.ts'
import { orNull } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import { widgetMembers } from '../../model/dashboards/dashboard.ts'
import type { WidgetConfig } from './config.ts'
import { applicable, filterMembers } from './filters.ts'
import type { WidgetRequest } from './widget.ts'
import { computeWidget, dashboardOf, widgetData } from './widget.ts'
import { widgets } from './widgets.ts'

/** How many widgets of a request are computed at a time: others of the organization want connections too. */
const atOnce = 3

const { widget_id, widget_type, config } = widgetMembers

const answer = Type.Object(
  {
    widget_id,
    widget_type,
    data: orNull(widgetData),
    error: orNull(
      Type.Object(
        {
          status: Type.Integer({ description: 'as HTTP has it' }),
          code: Type.String({ description: 'what went wrong, for programs' }),
          message: Type.String({ description: 'what went wrong, for people' }),
        },
        { title: 'WidgetError', description: 'why there are no numbers, such as a missing right' },
      ),
    ),
    left_out: Type.Array(Type.String(), {
      description: 'the filters of the request that mean nothing to this widget',
    }),
  },
  { title: 'WidgetAnswer' },
)

const body = Type.Object({
  dashboard_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 25, description: 'whose visible widgets are computed' }),
  ),
  widgets: Type.Optional(
    Type.Array(
      Type.Object(
        { widget_id, widget_type, config: Type.Optional(config) },
        { title: 'WidgetRequest' },
      ),
      { maxItems: 100, description: 'these instead of those of the dashboard' },
    ),
  ),
  time_filter: Type.Optional(
    Type.String({ maxLength: 20, description: 'for all widgets, instead of their own' }),
  ),
  filters: Type.Optional(
    Type.Object(filterMembers, {
      description: 'for all widgets to which they mean something',
    }),
  ),
})

/** All widgets of a dashboard, each with its own answer or fault. */
export const readWidgets = operation({
  name: 'read_dashboard_widgets',
  summary: 'Compute the widgets of a dashboard',
  description:
    'Each is computed as `GET /api/dashboards/widget/` does, and has its own answer or error: a widget that the ' +
    'caller may not read says so, and the others have their numbers. One that shows a saved report has neither: its ' +
    'numbers are those of `groups/` of its module. Nothing is written.',
  can: { module: 'dashboards', action: 'read' },
  writes: false,
  lane: 'heavy',
  input: { body },
  output: Type.Object({ widgets: Type.Array(answer) }, { title: 'WidgetAnswers' }),
  async run(ctx, { body: asked }) {
    const dashboard = asked.dashboard_id ? await named(ctx, asked.dashboard_id) : undefined
    const list = asked.widgets ?? dashboard?.widgets.filter((each) => each.is_visible) ?? []
    const found: Static<typeof answer>[] = []
    const rest = list.entries()
    const work = async () => {
      for (const [at, each] of rest) {
        const { words, left_out } = applicable(asked.filters ?? {}, widgets[each.widget_type].by)
        const request: WidgetRequest = {
          widget_type: each.widget_type,
          config: (each.config ?? {}) as WidgetConfig,
          words,
          time_filter: asked.time_filter,
          dashboard,
        }
        const { widget_id: id, widget_type: type } = each
        found[at] = {
          widget_id: id,
          widget_type: type,
          // the numbers of a saved report are those of its list, in groups
          ...(request.config.report_id
            ? { data: null, error: null }
            : await answered(ctx, request)),
          left_out,
        }
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    return { widgets: found }
  },
})

/** The dashboard that a body names; 400 where the caller sees none of this id. */
function named(ctx: Context, id: string) {
  return dashboardOf(ctx, id).catch((error: unknown) => {
    if (error instanceof Failure && error.status === 404) {
      throw badField('dashboard_id', 'no such record')
    }
    throw error
  })
}

/** The numbers, or the refusal; what is no refusal fails the request. */
async function answered(ctx: Context, request: WidgetRequest) {
  try {
    return { data: await computeWidget(ctx, request), error: null }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const { status, code, message } = error
    return { data: null, error: { status, code, message } }
  }
}
