import { Type } from 'typebox'
import type { TSchema } from 'typebox'
import { idInQuery } from '../../kit/ground/ids.ts'
import type { Context } from '../../kit/ground/context.ts'
import { badField, forbidden, notFound } from '../../kit/ground/errors.ts'
import { schema } from '../../kit/ground/json-schema.ts'
import type { JSONSchema } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import { readsInternal } from '../../kit/record/audience.ts'
import { savedFilter } from '../../kit/read/saved-filter.ts'
import { levelOf, scope } from '../../kit/record/scope.ts'
import { sql } from '../../kit/ground/sql.ts'
import { Account } from '../../model/accounts/account.ts'
import { valueOfDeal } from '../../model/money/money.ts'
import { Deal, Project } from '../../model/projects/project.ts'
import { Dashboard, widgetMembers } from '../../model/dashboards/dashboard.ts'
import { cachedAnswer } from './cache.ts'
import type { WidgetConfig } from './config.ts'
import type { Filters, FilterWords } from './filters.ts'
import type { Periods } from '../../model/dashboards/range.ts'
import { periodsOf, spanOf } from '../../model/dashboards/range.ts'
import type { WidgetType } from '../../model/dashboards/widget-types.ts'
import { chosenBy, filterMembers, isGone, resolveFilters } from './filters.ts'
import { leadMembers, leadsOf, nowhere } from './leads.ts'
import { widgets } from './widgets.ts'
import type { Chosen, Row, Widget } from './widgets/kind.ts'

type Filtered = Omit<Chosen, 'isPrevious'>

const widgetType = widgetMembers.widget_type
const day = Type.String({ format: 'date' })

/** The schema of a widget's numbers: the members common to all kinds, and those of each kind. */
export const widgetData = schema<unknown>({
  ...common(),
  title: 'WidgetData',
  anyOf: Object.entries<Widget>(widgets).map(([word, widget]) => dataOf(word, widget)),
})

/** The numbers of one widget within the caller's rights, with those of the previous period. */
export const readWidget = operation({
  name: 'read_dashboard_widget',
  summary: 'Compute a widget',
  description:
    'Counts and sums what the caller may read, so different callers may see different numbers. Filters apply ' +
    "together; with `widget_id`, those of the dashboard's widget apply too, unless the request names others. " +
    'The answer is cached for `cache_ttl` seconds (300, or those of the dashboard named by ' +
    `\`dashboard_id\`) unless something that it counts changes earlier. ${valueOfDeal}`,
  can: { module: 'dashboards', action: 'read' },
  writes: false,
  lane: 'heavy',
  input: {
    query: Type.Object({
      widget_type: widgetType,
      time_filter: Type.Optional(
        Type.String({ maxLength: 20, description: '30_days when absent' }),
      ),
      dashboard_id: Type.Optional(idInQuery()),
      widget_id: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 100,
          description: 'a widget of the dashboard, whose configuration applies',
        }),
      ),
      ...filterMembers,
    }),
  },
  output: widgetData,
  async run(ctx, { query }) {
    const { widget_type, dashboard_id, widget_id, time_filter, ...words } = query
    const dashboard = dashboard_id ? await dashboardOf(ctx, dashboard_id) : undefined
    const config = widget_id === undefined ? {} : configOf(dashboard, widget_id, widget_type)
    if (config.report_id) throw badField('widget_id', isReport)
    return computeWidget(ctx, { widget_type, config, words, time_filter, dashboard })
  },
})

const isReport =
  'shows a report, whose numbers are those of `groups/` of its module, or of `/api/reports/`'

/** A widget to compute: its stored configuration, and what a request names instead. */
export type WidgetRequest = {
  widget_type: WidgetType
  config: WidgetConfig
  words: FilterWords
  time_filter: string | undefined
  dashboard: Pick<Stored, 'cache_ttl' | 'time_range_default'> | undefined
}

/** The numbers of one widget; 403 if the caller's role may not read what it counts. */
export async function computeWidget(ctx: Context, request: WidgetRequest) {
  const { widget_type, config, words, dashboard } = request
  const widget: Widget = widgets[widget_type]
  const { module, ahead } = widget
  if (levelOf(ctx.actor, module, 'read') === 'none') {
    throw forbidden(`Your role may not read ${module}`)
  }
  if (widget.isInternal && !readsInternal(ctx.actor)) {
    throw forbidden('Your role may not read scores and health')
  }
  const stored = await resolveFilters(ctx, config, widget.by, { isStored: true })
  const asked = await resolveFilters(ctx, words, widget.by)
  const named = asked.filter_id === undefined ? stored.filter_id : undefined
  const is_filter_deleted = named !== undefined && (await isGone(ctx, named))
  const { filter_id: _, ...others } = stored
  const filters = { ...(is_filter_deleted ? others : stored), ...asked }
  const found = await chosenBy(ctx, filters, widget.by)
  // no numbers without its filter, which would say something else
  const chosen = is_filter_deleted ? { ...found, where: sql`false` } : found
  const time_filter =
    request.time_filter ?? config.time_filter ?? dashboard?.time_range_default ?? '30_days'
  const periods = periodsOf(ctx, time_filter, { ahead })
  const computed = await cachedAnswer(ctx, {
    queries: queriesOf(ctx, widget, periods, chosen),
    variant: chosen.currency,
    changedBy: changesOf(ctx, widget, filters),
    ttl: dashboard?.cache_ttl ?? 300,
    size: 2 * periods.range.days + 50,
    compute: async (queries) => {
      const read = await Promise.all(queries.map((each) => ctx.all<Row>(each)))
      const complete = async (rows: Row[]) =>
        widget.complete ? widget.complete(ctx, rows, spanOf(periods)) : rows
      const rows = await Promise.all(read.map(complete))
      return { generated_at: ctx.now().toISOString(), ...shown(widget, periods, chosen, rows) }
    },
  })
  const { range } = periods
  const saved = filters.filter_id === undefined ? [] : await savedConditions(ctx, filters, widget)
  const { of, total } = await leadsOf(ctx, widget_type, { range, filters, words, saved })
  const led = (row: object) => {
    // what only finds the records is no number
    const { ids: _ids, ...shownOf } = row as Row
    return { ...shownOf, ...(is_filter_deleted ? nowhere : of(row as Row)) }
  }
  const { from, to } = range
  return {
    widget_type,
    time_filter,
    from,
    to,
    is_filter_deleted,
    ...computed,
    series: computed.series.map(led),
    ...(is_filter_deleted ? nowhere : total),
  }
}

/** The conditions of the saved filter that a widget names. */
async function savedConditions(ctx: Context, { filter_id }: Filters, { by }: Widget) {
  if (filter_id === undefined || !by.view) return []
  const { conditions } = await savedFilter(ctx, by.view.record, filter_id)
  return conditions as { [key: string]: unknown }[]
}

/** The records whose events change what the widget shows; undefined for any event at all. */
function changesOf(ctx: Context, { changedBy }: Widget, { account_id, filter_id }: Filters) {
  // what a confined caller is attached to depends on records of every kind, as a saved filter may
  if (ctx.actor.is_confined || filter_id !== undefined) return undefined
  return account_id === undefined || !changedBy ? changedBy : [...changedBy, Account, Project, Deal]
}

type Stored = {
  dashboard_name: string
  cache_ttl: number
  time_range_default: string
  widgets: {
    widget_id: string
    widget_type: WidgetType
    config: WidgetConfig
    is_visible: boolean
  }[]
}

/** The configuration of a stored widget; 404 if the dashboard has none of that type. */
function configOf(dashboard: Stored | undefined, id: string, type: string): WidgetConfig {
  if (!dashboard) throw badField('dashboard_id', 'is required with widget_id')
  const found = dashboard.widgets.find((each) => each.widget_id === id && each.widget_type === type)
  if (!found) throw notFound('Widget')
  return found.config
}

/** What a dashboard says of its widgets; 404 for one that the caller does not see. */
export async function dashboardOf(ctx: Context, id: string): Promise<Stored> {
  const found = await ctx.one<Stored>(sql`
    select t.dashboard_name, t.cache_ttl, t.time_range_default, t.widgets from dashboards t
    where ${scope(ctx, Dashboard, 'read')} and t.id = ${id}`)
  if (!found) throw notFound('Dashboard')
  return found
}

/** One query for both periods if the rows have a date, else one for each. */
function queriesOf(ctx: Context, widget: Widget, periods: Periods, chosen: Filtered) {
  const current = { ...chosen, isPrevious: false }
  if (widget.daily) return [widget.query(ctx, spanOf(periods), current)]
  const before = { ...chosen, isPrevious: true }
  return [widget.query(ctx, periods.range, current), widget.query(ctx, periods.previous, before)]
}

function shown(widget: Widget, { range, previous }: Periods, chosen: Filtered, rows: Row[][]) {
  const [current = [], before = current] = rows
  const { totals } = widget.show(before, previous, { ...chosen, isPrevious: true })
  return {
    ...widget.show(current, range, { ...chosen, isPrevious: false }),
    previous: { from: previous.from, to: previous.to, totals },
  }
}

/** The part of the answer that all kinds have. */
function common() {
  return Type.Object({
    widget_type: widgetType,
    time_filter: Type.String(),
    from: day,
    to: day,
    is_filter_deleted: Type.Boolean({
      description:
        'the saved filter of the widget was deleted: there are no numbers until it is restored or replaced',
    }),
    generated_at: Type.String({ format: 'date-time' }),
    ...leadMembers,
  }) as unknown as JSONSchema
}

/** The part of the answer that one kind has. */
function dataOf(word: string, { series, totals }: Widget): TSchema {
  const name = word.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
  return Type.Object(
    {
      widget_type: Type.Literal(word),
      series: Type.Array(Type.Object({ ...series.properties, ...leadMembers })),
      totals,
      previous: Type.Object({ from: day, to: day, totals }),
    },
    { title: `${name}WidgetData` },
  )
}
