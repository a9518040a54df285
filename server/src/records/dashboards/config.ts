import type { Context } from '../../kit/ground/context.ts'
import type { FieldError } from '../../kit/ground/errors.ts'
import { badField, badFields } from '../../kit/ground/errors.ts'
import { hintFor } from '../../kit/ground/nearest.ts'
import { equal } from '../../kit/ground/object.ts'
import type { FilterWords } from './filters.ts'
import { chosenBy, filterNames, members, resolveFilters } from './filters.ts'
import { periodsOf } from '../../model/dashboards/range.ts'
import type { WidgetType } from '../../model/dashboards/widget-types.ts'
import { widgets } from './widgets.ts'

/** The configuration of a stored widget: its period, its filters, and how clients draw it. */
export type WidgetConfig = FilterWords & { time_filter?: string }

/** How clients draw a widget; the service only stores it. */
const drawing = ['title', 'description', 'color', 'chart_type'] as const

const known = ['time_filter', ...filterNames, ...drawing]

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
