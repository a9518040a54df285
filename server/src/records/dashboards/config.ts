import type { Context } from '../../kit/ground/context.ts'
import type { FieldError } from '../../kit/ground/errors.ts'
import { badField, badFields } from '../../kit/ground/errors.ts'
import { hintFor } from '../../kit/ground/nearest.ts'
import { equal } from '../../kit/ground/object.ts'
import { sql } from '../../kit/ground/sql.ts'
import { filterRights } from '../../kit/read/saved-filter.ts'
import { scope } from '../../kit/record/scope.ts'
import type { ReportSide } from '../../model/dashboards/reports.ts'
import { reportNamed, reportNames, sidesOf } from '../../model/dashboards/reports.ts'
import type { FilterWords } from './filters.ts'
import { chosenBy, filterNames, members, resolveFilters } from './filters.ts'
import { periodsOf } from '../../model/dashboards/range.ts'
import type { WidgetType } from '../../model/dashboards/widget-types.ts'
import { widgets } from './widgets.ts'

/** The configuration of a stored widget: its period, its filters, how clients draw it, or the report that it shows. */
export type WidgetConfig = FilterWords & {
  time_filter?: string
  report_id?: string | null
  by?: ReportSide | null
}

/** How clients draw a widget; the service only stores it. */
const drawing = ['title', 'description', 'color', 'chart_type'] as const

const known = ['time_filter', ...filterNames, ...drawing, 'report_id', 'by']

type Configured = {
  widget_id?: string
  widget_type: WidgetType
  config?: { [key: string]: unknown }
}

/**
 * Configurations with ids in place of the e-mails and names in their filters. 400 for unknown keys, with
 * the nearest known one, and for filters with unknown names. An unchanged filter passes, because what
 * it names may be gone since.
 */
export async function checkedConfigs<W extends Configured>(
  ctx: Context,
  list: W[],
  before: Configured[],
): Promise<W[]> {
  const changed = list.map(({ widget_id, config }) => {
    const old = before.find((each) => each.widget_id && each.widget_id === widget_id)
    return equal(config ?? {}, old?.config ?? {}) ? {} : (config ?? {})
  })
  refuseUnknown(changed)
  const configured: W[] = []
  for (const [i, widget] of list.entries()) {
    const config = changed[i] ?? {}
    const isChanged = Object.keys(config).length
    const at = `widgets.${i}.config.`
    configured.push(
      isChanged
        ? { ...widget, config: await checked(ctx, widget.widget_type, config, at) }
        : widget,
    )
  }
  return configured
}

function refuseUnknown(configs: { [key: string]: unknown }[]) {
  const errors: FieldError[] = configs.flatMap((config, i) =>
    Object.keys(config)
      .filter((key) => !known.includes(key))
      .map((key) => ({
        field: `widgets.${i}.config.${key.slice(0, 100)}`,
        message: `is not a key of a widget's configuration; ${hintFor(key, known)}`,
      })),
  )
  if (errors.length) throw badFields(errors)
}

async function checked(
  ctx: Context,
  type: WidgetType,
  config: { [key: string]: unknown },
  at: string,
) {
  const { time_filter } = config
  if (time_filter !== undefined && time_filter !== null) {
    if (typeof time_filter !== 'string') throw badField(`${at}time_filter`, 'must be text')
    periodsOf(ctx, time_filter, { field: `${at}time_filter` })
  }
  for (const key of drawing) {
    const value = config[key]
    const isText = typeof value === 'string' && value.length <= 255
    if (value !== undefined && value !== null && !isText) {
      throw badField(at + key, 'must be text of at most 255 characters')
    }
  }
  await checkReport(ctx, config, at)
  const { by } = widgets[type]
  const filters = await resolveFilters(ctx, config, by, { at })
  // a saved filter is checked by applying it
  await chosenBy(ctx, filters, by)
  const resolved = filterNames.flatMap((name) => {
    const id = filters[members[name]]
    return config[name] === undefined || id === undefined ? [] : [[name, id] as const]
  })
  return { ...config, ...Object.fromEntries(resolved) }
}

/** 400 for what is neither a saved report that the caller sees nor one that is shipped, and for rows that it cannot have. */
async function checkReport(
  ctx: Context,
  { report_id: id, by }: { [key: string]: unknown },
  at: string,
) {
  const shipped = reportNamed(id)
  if (by !== undefined && by !== null) {
    if (!shipped) throw badField(`${at}by`, 'is for one of the shipped reports')
    const sides = sidesOf[shipped]
    if (!sides.some((side) => side === by)) {
      throw badField(`${at}by`, `must be one of ${sides.join(', ')}`)
    }
  }
  if (shipped || id === undefined || id === null) return
  const wanted = `must be the id of a saved report, or one of ${reportNames.join(', ')}`
  if (typeof id !== 'string') throw badField(`${at}report_id`, wanted)
  const found = await ctx.one(sql`select t.id from filters t
    where ${scope(ctx, filterRights, 'read')} and t.id = ${id} and t.layout = 'report'`)
  if (!found) throw badField(`${at}report_id`, 'no such report')
}
