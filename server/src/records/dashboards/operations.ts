import type { Draft } from '../../kit/record/record.ts'
import type { Context } from '../../kit/ground/context.ts'
import { crud } from '../../kit/crud.ts'
import type { FieldError } from '../../kit/ground/errors.ts'
import { badFields, forbidden } from '../../kit/ground/errors.ts'
import { suppliedId, newId } from '../../kit/ground/ids.ts'
import { listPage } from '../../kit/read/list.ts'
import type { Input, Operation } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { insert, lock, remove, restore, update, written } from '../../kit/write/write.ts'
import { clearDefault } from '../default-mark.ts'
import { Dashboard } from './dashboard.ts'
import { periodsOf } from './range.ts'
import { widgetTypes } from './widgets.ts'
import type { JSONSchema } from '../../kit/ground/json-schema.ts'

const plain = crud(Dashboard)

const cells = { type: 'number', minimum: 0, maximum: 10_000 }

/** A widget on a dashboard; what it shows is computed by its type. */
const widgetSchema: JSONSchema = {
  type: 'object',
  properties: {
    widget_id: { type: 'string', minLength: 1, maxLength: 100, description: 'made when absent' },
    widget_type: { type: 'string', enum: widgetTypes },
    position: {
      type: 'object',
      properties: { x: cells, y: cells, w: cells, h: cells },
      description: 'cells of a grid',
    },
    config: { type: 'object' },
    is_visible: { type: 'boolean' },
    refresh_interval: {
      type: 'integer',
      minimum: 0,
      maximum: 86_400,
      description: 'seconds (300)',
    },
    last_refreshed: { type: ['string', 'null'], format: 'date-time' },
  },
  required: ['widget_type'],
}

/** Who sees a restricted dashboard, beside its owner: users and roles. */
const accessSchema: JSONSchema = {
  type: 'object',
  properties: {
    access_type: { type: 'string', enum: ['user', 'role'] },
    access_id: { type: 'string', minLength: 1, maxLength: 25 },
    permission_level: { type: 'string', enum: ['view', 'edit'] },
  },
  required: ['access_id'],
}

export const dashboards = {
  ...plain,
  list: {
    ...plain.list,
    run(ctx: Context, { query }: Input) {
      // ids may be the callers' own and say nothing of the order
      const isSorted = query.sort || query.filter_id
      const order = isSorted ? {} : { sort: 'creation_time', reverse: !query.reverse }
      return listPage(ctx, Dashboard, { ...query, ...order })
    },
  } satisfies Operation,
  create: {
    ...plain.create,
    input: { body: withItems(plain.create.input.body!, { dashboard_id: suppliedId }) },
    async run(ctx: Context, { body }: Input) {
      const { dashboard_id: id, ...given } = body
      const filled = await withDetails(ctx, given)
      if (given.is_default) await clearDefault(ctx, Dashboard, ofOwner(ctx.actor.user_id))
      return written(await insert(ctx, Dashboard, filled as Draft<typeof Dashboard>, { id }))
    },
  } satisfies Operation,
  update: {
    ...plain.update,
    input: { ...plain.update.input, body: withItems(plain.update.input.body!) },
    async run(ctx: Context, { params, body, ifMatch }: Input) {
      const { row } = await lockOwn(ctx, params.id, 'update', ifMatch)
      const filled = await withDetails(ctx, body, row as unknown as Body)
      if (body.is_default) {
        await clearDefault(ctx, Dashboard, ofOwner(row.created_by?.user_id ?? null), params.id)
      }
      return written(await update(ctx, Dashboard, params.id, filled))
    },
  } satisfies Operation,
  remove: {
    ...plain.remove,
    async run(ctx: Context, { params, ifMatch }: Input) {
      await lockOwn(ctx, params.id, 'delete', ifMatch)
      return remove(ctx, Dashboard, params.id)
    },
  } satisfies Operation,
  restore: {
    ...plain.restore,
    async run(ctx: Context, { params }: Input) {
      const found = await ctx.one<{ created_by: string | null }>(sql`
        select created_by from dashboards t
        where ${mine(ctx)} and t.id = ${params.id} and t.is_default`)
      if (found) await clearDefault(ctx, Dashboard, ofOwner(found.created_by), params.id)
      return written(await restore(ctx, Dashboard, params.id))
    },
  } satisfies Operation,
}

function ofOwner(owner: string | null) {
  return sql`t.created_by = ${owner}`
}

/** 403 for the dashboards that the product ships. */
async function lockOwn(ctx: Context, id: string, action: 'update' | 'delete', ifMatch?: number[]) {
  const locked = await lock(ctx, Dashboard, id, action, ifMatch)
  if (locked.row.is_protected) {
    throw forbidden('This dashboard comes with the product: copy it to change it', 'protected')
  }
  return locked
}

type Body = {
  widgets?: { [key: string]: unknown }[]
  access_list?: { [key: string]: unknown }[]
  [field: string]: unknown
}

/** Widgets with their ids and defaults, accesses with who granted them and when. */
async function withDetails(ctx: Context, body: Body, before: Body = {}): Promise<Body> {
  const filled = { ...body }
  const { time_range_default } = body
  if (typeof time_range_default === 'string') {
    periodsOf(ctx, time_range_default, { field: 'time_range_default' })
  }
  if (body.widgets) {
    checkIds(body.widgets)
    filled.widgets = body.widgets.map((widget) => ({
      widget_id: newId(),
      position: {},
      config: {},
      is_visible: true,
      refresh_interval: 300,
      last_refreshed: null,
      ...widget,
    }))
  }
  if (body.access_list) {
    await checkAccess(ctx, body.access_list)
    const known = before.access_list ?? []
    filled.access_list = body.access_list.map((given) => {
      const access = { access_type: 'user', permission_level: 'view', ...given }
      const { granted_by = ctx.actor.user_id, granted_at = ctx.now().toISOString() } =
        known.find((old) => isSame(old, access)) ?? {}
      return { ...access, granted_by, granted_at }
    })
  }
  return filled
}

/** 400 names each widget whose id another one of the dashboard has. */
function checkIds(list: { [key: string]: unknown }[]) {
  const ids = new Set<unknown>()
  const errors: FieldError[] = []
  for (const [i, { widget_id }] of list.entries()) {
    if (widget_id !== undefined && ids.has(widget_id)) {
      errors.push({ field: `widgets.${i}.widget_id`, message: 'another widget has it' })
    }
    ids.add(widget_id)
  }
  refuse(errors)
}

function isSame(a: { [key: string]: unknown }, b: { [key: string]: unknown }): boolean {
  const keys = ['access_type', 'access_id', 'permission_level']
  return keys.every((key) => a[key] === b[key])
}

/** 400 names each entry whose user or role does not exist. */
async function checkAccess(ctx: Context, list: { [key: string]: unknown }[]) {
  const ids = list.map(({ access_id }) => access_id)
  const found = await ctx.all<{ id: string; type: string }>(sql`
    select id, 'user' as type from users t
    where ${mine(ctx)} and deleted_at is null and id = any(${ids}::varchar[])
    union all
    select id, 'role' from roles t
    where ${mine(ctx)} and deleted_at is null and id = any(${ids}::varchar[])`)
  const known = new Set(found.map(({ type, id }) => `${type} ${id}`))
  const errors: FieldError[] = []
  for (const [i, { access_type = 'user', access_id }] of list.entries()) {
    if (!known.has(`${access_type} ${access_id}`)) {
      errors.push({ field: `access_list.${i}.access_id`, message: `no such ${access_type}` })
    }
  }
  refuse(errors)
}

function refuse(errors: FieldError[]) {
  if (!errors.length) return
  throw badFields(errors)
}

function withItems(schema: JSONSchema, key: { [name: string]: JSONSchema } = {}): JSONSchema {
  const properties = {
    ...(schema.properties as object),
    ...key,
    widgets: { type: 'array', items: widgetSchema, maxItems: 100 },
    access_list: { type: 'array', items: accessSchema, maxItems: 500 },
  }
  const required = [...Object.keys(key), ...((schema.required as string[]) ?? [])]
  return required.length ? { ...schema, properties, required } : { ...schema, properties }
}
