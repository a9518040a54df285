import type { Context } from '../../kit/ground/context.ts'
import { forbidden, notFound } from '../../kit/ground/errors.ts'
import type { Input, Operation } from '../../kit/ground/operation.ts'
import { levelOf, scope } from '../../kit/record/scope.ts'
import { sql } from '../../kit/ground/sql.ts'
import { Dashboard } from './dashboard.ts'
import { cachedAnswer } from './cache.ts'
import type { Periods } from './range.ts'
import { periodsOf, spanOf } from './range.ts'
import { widgets, widgetTypes } from './widgets.ts'
import type { Row, Widget } from './widgets/kind.ts'

const numbers = { type: 'object' }

/** The numbers of one widget within the caller's rights, with those of the period before. */
export const readWidget: Operation = {
  name: 'read_dashboard_widget',
  summary: 'Compute a widget',
  description:
    'Counts what the caller may see. The answer is kept for `cache_ttl` seconds (300, or those of the ' +
    'dashboard named by `dashboard_id`) unless something that it counts changes before.',
  can: { module: 'dashboards', action: 'read' },
  writes: false,
  input: {
    query: {
      type: 'object',
      properties: {
        widget_type: { type: 'string', enum: widgetTypes },
        time_filter: { type: 'string', maxLength: 20, description: '30_days when absent' },
        dashboard_id: { type: 'string', minLength: 1, maxLength: 25 },
      },
      required: ['widget_type'],
    },
  },
  output: {
    title: 'WidgetData',
    type: 'object',
    properties: {
      widget_type: { type: 'string' },
      time_filter: { type: 'string' },
      from: { type: 'string', format: 'date' },
      to: { type: 'string', format: 'date' },
      generated_at: { type: 'string', format: 'date-time' },
      series: { type: 'array', items: numbers },
      totals: numbers,
      previous: {
        type: 'object',
        properties: {
          from: { type: 'string', format: 'date' },
          to: { type: 'string', format: 'date' },
          totals: numbers,
        },
        required: ['from', 'to', 'totals'],
      },
    },
    required: [
      'widget_type',
      'time_filter',
      'from',
      'to',
      'generated_at',
      'series',
      'totals',
      'previous',
    ],
  },
  async run(ctx: Context, { query }: Input) {
    const { widget_type, dashboard_id } = query
    const widget = widgets[widget_type]!
    const { module, ahead } = widget
    if (levelOf(ctx.actor, module, 'read') === 'none') {
      throw forbidden(`Your role may not read ${module}`)
    }
    const dashboard = dashboard_id ? await dashboardOf(ctx, dashboard_id) : undefined
    const time_filter = query.time_filter ?? dashboard?.time_range_default ?? '30_days'
    const periods = periodsOf(ctx, time_filter, { ahead })
    const queries = queriesOf(ctx, widget, periods)
    const asked = {
      queries,
      // what a confined caller is attached to hangs on records of every kind
      changedBy: ctx.actor.is_confined ? undefined : widget.changedBy,
      ttl: dashboard?.cache_ttl ?? 300,
      size: 2 * periods.range.days + 50,
    }
    const computed = await cachedAnswer(ctx, asked, async () => {
      const rows = await Promise.all(queries.map((each) => ctx.all<Row>(each)))
      return { generated_at: ctx.now().toISOString(), ...shown(ctx, widget, periods, rows) }
    })
    const { from, to } = periods.range
    return { widget_type, time_filter, from, to, ...computed }
  },
}

async function dashboardOf(ctx: Context, id: string) {
  const found = await ctx.one<{ cache_ttl: number; time_range_default: string }>(sql`
    select t.cache_ttl, t.time_range_default from dashboards t
    where ${scope(ctx, Dashboard, 'read')} and t.id = ${id}`)
  if (!found) throw notFound('Dashboard')
  return found
}

function queriesOf(ctx: Context, widget: Widget, periods: Periods) {
  if (widget.daily) return [widget.ask(ctx, spanOf(periods), false)]
  return [widget.ask(ctx, periods.range, false), widget.ask(ctx, periods.previous, true)]
}

function shown(ctx: Context, widget: Widget, { range, previous }: Periods, rows: Row[][]) {
  const [of, before = of] = rows
  const { totals } = widget.show(before!, previous, ctx, true)
  return {
    ...widget.show(of!, range, ctx, false),
    previous: { from: previous.from, to: previous.to, totals },
  }
}
