import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import type { FieldError } from '../../kit/ground/errors.ts'
import { badFields } from '../../kit/ground/errors.ts'
import { newId } from '../../kit/ground/ids.ts'
import { orNull } from '../../kit/ground/json-schema.ts'
import type { Patch, Row } from '../../kit/record/record.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { Dashboard } from '../../model/dashboards/dashboard.ts'
import { checkedConfigs } from './config.ts'
import { accessMembers, widgetMembers } from '../../model/dashboards/dashboard.ts'
import { periodsOf } from '../../model/dashboards/range.ts'

const { widget_type, position, is_visible } = widgetMembers

const newWidget = Type.Object(
  {
    widget_id: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'generated when absent' }),
    ),
    widget_type,
    position: Type.Optional(position),
    config: Type.Optional(widgetMembers.config),
    is_visible: Type.Optional(is_visible),
    refresh_interval: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 86_400, description: 'seconds (300)' }),
    ),
    last_refreshed: Type.Optional(orNull(Type.String({ format: 'date-time' }))),
  },
  { title: 'DashboardWidgetInput' },
)
type NewWidget = Static<typeof newWidget>

const newAccess = Type.Object(
  {
    access_type: Type.Optional(accessMembers.access_type),
    access_id: accessMembers.access_id,
    permission_level: Type.Optional(accessMembers.permission_level),
  },
  { title: 'DashboardAccessInput' },
)
type NewAccess = Static<typeof newAccess>

/** The widgets of a body, and who has access to a restricted dashboard beside its owner. */
export const contents = {
  widgets: Type.Optional(Type.Array(newWidget, { maxItems: 100 })),
  access_list: Type.Optional(Type.Array(newAccess, { maxItems: 500 })),
}

type Body = Omit<Patch<typeof Dashboard>, 'widgets' | 'access_list'> & {
  widgets?: NewWidget[]
  access_list?: NewAccess[]
}

/**
 * A body whose widgets have their ids and defaults, and whose access entries state who granted them
 * and when. 400 for an unknown period, an id used twice, and a user or role that does not exist.
 */
export async function withDetails<B extends Body>(
  ctx: Context,
  body: B,
  before?: Row<typeof Dashboard>,
) {
  const { widgets, access_list, ...rest } = body
  if (widgets) checkIds(widgets)
  const configured = widgets && (await checkedConfigs(ctx, widgets, before?.widgets ?? []))
  if (rest.time_range_default !== undefined) {
    periodsOf(ctx, rest.time_range_default, { field: 'time_range_default' })
  }
  if (access_list) await checkAccess(ctx, access_list, before?.access_list ?? [])
  return {
    ...rest,
    ...(configured && { widgets: configured.map(placed) }),
    ...(access_list && {
      access_list: access_list.map((access) => granted(ctx, access, before?.access_list ?? [])),
    }),
  }
}

function placed(widget: NewWidget) {
  return {
    widget_id: newId(),
    position: {},
    config: {},
    is_visible: true,
    refresh_interval: 300,
    last_refreshed: null,
    ...widget,
  }
}

/** An existing entry keeps who granted it and when. */
function granted(ctx: Context, input: NewAccess, known: Row<typeof Dashboard>['access_list']) {
  const access = { access_type: 'user' as const, permission_level: 'view' as const, ...input }
  const { granted_by, granted_at } = known.find((old) => isSame(old, access)) ?? {
    granted_by: ctx.actor.user_id,
    granted_at: ctx.now().toISOString(),
  }
  return { ...access, granted_by, granted_at }
}

function isSame(a: NewAccess, b: NewAccess): boolean {
  const keys = ['access_type', 'access_id', 'permission_level'] as const
  return keys.every((key) => a[key] === b[key])
}

/** 400 names each widget whose id another one of the dashboard has. */
function checkIds(list: NewWidget[]) {
  const ids = new Set<string>()
  const errors: FieldError[] = []
  for (const [i, { widget_id }] of list.entries()) {
    if (widget_id === undefined) continue
    if (ids.has(widget_id)) {
      errors.push({ field: `widgets.${i}.widget_id`, message: 'another widget has it' })
    }
    ids.add(widget_id)
  }
  refuse(errors)
}

/** 400 names each new entry whose user or role does not exist. */
async function checkAccess(ctx: Context, list: NewAccess[], before: NewAccess[]) {
  const ids = list.map(({ access_id }) => access_id)
  const found = await ctx.all<{ id: string; type: string }>(sql`
    select id, 'user' as type from users t
    where ${mine(ctx)} and deleted_at is null and id = any(${ids}::varchar[])
    union all
    select id, 'role' from roles t
    where ${mine(ctx)} and deleted_at is null and id = any(${ids}::varchar[])`)
  const named = ({ access_type = 'user', access_id }: NewAccess) => `${access_type} ${access_id}`
  // who had access before may have left since
  const known = new Set([...found.map(({ type, id }) => `${type} ${id}`), ...before.map(named)])
  const errors: FieldError[] = []
  for (const [i, access] of list.entries()) {
    if (known.has(named(access))) continue
    const { access_type = 'user' } = access
    errors.push({ field: `access_list.${i}.access_id`, message: `no such ${access_type}` })
  }
  refuse(errors)
}

function refuse(errors: FieldError[]) {
  if (errors.length) throw badFields(errors)
}
