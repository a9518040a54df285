import { LRUCache } from 'lru-cache'
import type { Context, Query } from '../../kit/context.ts'
import { badField, forbidden, notFound } from '../../kit/errors.ts'
import { firstIdAt } from '../../kit/ids.ts'
import type { Input, Operation } from '../../kit/operation.ts'
import { levelOf, scope } from '../../kit/scope.ts'
import { mine, sql } from '../../kit/sql.ts'
import { Dashboard } from './dashboard.ts'
import { rangesOf } from './range.ts'
import type { Widget } from './widgets.ts'
import { widgets } from './widgets.ts'

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
        widget_type: { type: 'string', maxLength: 100 },
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
    const widget = Object.hasOwn(widgets, widget_type) ? widgets[widget_type]! : undefined
    if (!widget) {
      throw badField('widget_type', `must be one of ${Object.keys(widgets).join(', ')}`)
    }
    if (levelOf(ctx.actor, widget.module, 'read') === 'none') {
      throw forbidden(`Your role may not read ${widget.module}`)
    }
    const dashboard = dashboard_id ? await dashboardOf(ctx, dashboard_id) : undefined
    const time_filter = query.time_filter ?? dashboard?.time_range_default ?? '30_days'
    return cached(ctx, widget, widget_type, time_filter, dashboard?.cache_ttl ?? 300)
  },
}

async function dashboardOf(ctx: Context, id: string) {
  const found = await ctx.one<{ cache_ttl: number; time_range_default: string }>(sql`
    select t.cache_ttl, t.time_range_default from dashboards t
    where ${scope(ctx, Dashboard, 'read')} and t.id = ${id}`)
  if (!found) throw notFound('Dashboard')
  return found
}

type Kept = {
  answer: { generated_at: string }
  /** the events counted from `from` on when it was computed: any more of them makes it old */
  from: string
  events: number
}

const kept = new LRUCache<string, Kept>({ max: 5000 })

/** Longer than any transaction lasts: an event's id is made before its commit. */
const slack = 60_000

async function cached(
  ctx: Context,
  widget: Widget,
  widget_type: string,
  time_filter: string,
  ttl: number,
) {
  const { range, previous } = rangesOf(ctx, time_filter)
  // what everyone in the organization may see is computed once for all of them
  const { actor } = ctx
  const isOpen = !actor.is_confined && levelOf(actor, widget.module, 'read') === 'all'
  const whose = isOpen && widget.module !== 'activity' ? 'all' : actor.user_id
  const key = [ctx.organization.id, whose, widget_type, time_filter, range.from, range.to].join(' ')
  const old = kept.get(key)
  const age = old ? +ctx.now() - Date.parse(old.answer.generated_at) : Infinity
  if (old && age >= 0 && age < ttl * 1000 && (await count(ctx, widget, old.from)) === old.events) {
    return old.answer
  }
  const from = firstIdAt(new Date(Date.now() - slack))
  // counted first: what happens while the numbers are computed makes them old, never lost
  const events = await count(ctx, widget, from)
  const [now, before] = await Promise.all([widget.show(ctx, range), widget.show(ctx, previous)])
  const answer = {
    widget_type,
    time_filter,
    from: range.from,
    to: range.to,
    generated_at: ctx.now().toISOString(),
    ...now,
    previous: { from: previous.from, to: previous.to, totals: before.totals },
  }
  if (ttl) kept.set(key, { answer, from, events })
  return answer
}

async function count(ctx: Context, { changedBy }: Widget, from: string): Promise<number> {
  const only: Query = changedBy ? sql`t.module_id = any(${[...changedBy]}::int[])` : sql`true`
  const row = await ctx.one<{ count: number }>(sql`
    select count(*)::int as count from events t
    where ${mine(ctx)} and t.id >= ${from} and ${only}`)
  return row!.count
}
