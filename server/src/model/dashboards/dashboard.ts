import { Type } from 'typebox'
import type { Actor, Context, Query } from '../../kit/ground/context.ts'
import { enumeration, orNull, schema } from '../../kit/ground/json-schema.ts'
import type { Action } from '../../kit/ground/operation.ts'
import { record } from '../../kit/record/record.ts'
import { levelOf } from '../../kit/record/scope.ts'
import { sql } from '../../kit/ground/sql.ts'
import { createdBy } from '../people/person.ts'
import { rangeWord } from './range.ts'
import { widgetTypes } from './widget-types.ts'
import {
  boolean,
  integer,
  key,
  listOf,
  object,
  oneOf,
  stamp,
  text,
} from '../../kit/record/fields.ts'

export const dashboardTypes = [
  'overview',
  'deals',
  'projects',
  'revenue',
  'activities',
  'custom',
] as const

const cells = Type.Number({ minimum: 0, maximum: 10_000 })
const time = Type.String({ format: 'date-time' })

/** The members of a widget on a dashboard; what it shows is computed by its type. */
export const widgetMembers = {
  widget_id: Type.String({ minLength: 1, maxLength: 100 }),
  widget_type: enumeration(widgetTypes, { title: 'WidgetType' }),
  position: Type.Object(
    {
      x: Type.Optional(cells),
      y: Type.Optional(cells),
      w: Type.Optional(cells),
      h: Type.Optional(cells),
    },
    { description: 'cells of a grid' },
  ),
  config: schema<{ [key: string]: unknown }>({
    type: 'object',
    additionalProperties: true,
    description:
      '`time_filter`, the filters of reading a widget (`owner`, `team`, `pipeline_id`, `account_id`, ' +
      '`filter_id`, `currency_unit`), and `title`, `description`, `color`, `chart_type` for clients; `report_id` is a ' +
      'saved report that is shown in place of the numbers of the type, or the name of a shipped one such as `nps`, whose ' +
      'rows `by` says',
  }),
  is_visible: Type.Boolean(),
  refresh_interval: Type.Integer({ minimum: 0, maximum: 86_400, description: 'seconds' }),
  last_refreshed: orNull(time),
}

/** The members of an entry that grants a user or a role access to a restricted dashboard. */
export const accessMembers = {
  access_type: enumeration(['user', 'role'], { title: 'AccessType' }),
  access_id: Type.String({ minLength: 1, maxLength: 25 }),
  permission_level: enumeration(['view', 'edit'], { title: 'AccessLevel' }),
  granted_by: orNull(Type.String({ description: 'a user' })),
  granted_at: time,
}

/** A page of widgets (specification 2.3, Dashboard). */
export const Dashboard = record(
  {
    module: 'dashboards',
    word: 'dashboard',
    title: 'dashboard_name',
    aliases: { name: 'dashboard_name' },
    rights: {
      owned: (people) => sql`exists (select from jsonb_array_elements(t.access_list) a
        where a ->> 'access_id' = any(${people}))`,
      attached: shared,
      visible,
      // those that come with the product stay as they are
      can: (_ctx, _action, allowed) => sql`(${allowed} and not t.is_protected)`,
    },
    life: {
      loose: [
        { column: 'widgets', isJson: true },
        { column: 'access_list', to: ['users', 'roles'], isJson: true },
      ],
      handOver: [{ column: 'created_by' }, { column: 'access_list' }],
    },
    find: {
      searchable: true,
    },
  },
  {
    dashboard_id: key(),
    dashboard_name: text(100, { required: true }),
    description: text(),
    dashboard_type: oneOf(dashboardTypes, { default: 'custom', title: 'DashboardType' }),
    is_system_defined: boolean({ default: true }),
    is_protected: boolean({
      readOnly: true,
      default: false,
      refusal: 'marks the dashboards that come with the product',
    }),
    is_default: boolean({ default: false }),
    visibility: oneOf(['public', 'private', 'restricted'], {
      default: 'private',
      title: 'DashboardVisibility',
    }),
    widgets: listOf(widgetMembers, { default: [], title: 'DashboardWidget', filterable: false }),
    access_list: listOf(accessMembers, {
      default: [],
      title: 'DashboardAccess',
      filterable: false,
    }),
    access_count: integer({
      description: 'The number of users and roles that have access beside the owner.',
      expression: 'jsonb_array_length(t.access_list)',
    }),
    cache_ttl: integer({ default: 300, schema: { minimum: 0, maximum: 86_400 } }),
    layout_config: object({ default: {} }),
    theme_config: object({ default: {} }),
    time_range_default: text(20, { default: '30_days', schema: rangeWord }),
    created_by: createdBy(),
    creation_time: stamp(),
    last_update_time: stamp(),
  },
)

/** A private dashboard is for its owner, a restricted one also for its access list, a public one for everybody. */
function visible(ctx: Context, action: Action): Query {
  const { actor } = ctx
  const own = sql`t.created_by = ${actor.user_id}`
  if (action === 'read') {
    return sql`(${own} or t.visibility = 'public'
      or (t.visibility = 'restricted' and ${granted(actor)}))`
  }
  const widest = levelOf(actor, 'dashboards', action) === 'all'
  const open = widest ? sql`t.visibility <> 'private'` : sql`false`
  const edits = sql`(t.visibility = 'restricted' and ${granted(actor, 'edit')})`
  return sql`(${own} or ${open} or ${edits})`
}

/** A confined caller sees only what was shared with it by name. */
function shared({ actor }: Context): Query {
  return sql`(t.visibility = 'restricted' and ${granted(actor)})`
}

function granted(actor: Actor, permission_level?: string): Query {
  const level = permission_level ? { permission_level } : {}
  const user = [{ access_type: 'user', access_id: actor.user_id, ...level }]
  const role = [{ access_type: 'role', access_id: actor.role_id, ...level }]
  return sql`(t.access_list @> ${JSON.stringify(user)}::jsonb
    or t.access_list @> ${JSON.stringify(role)}::jsonb)`
}
