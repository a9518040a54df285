import type { Context } from '../../kit/ground/context.ts'
import { crud } from '../../kit/crud.ts'
import { forbidden } from '../../kit/ground/errors.ts'
import { suppliedId } from '../../kit/ground/ids.ts'
import { extend, schema } from '../../kit/ground/json-schema.ts'
import { inOwnOrder, listPage } from '../../kit/read/list.ts'
import { operation } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { withoutRepeated } from '../../kit/write/changes.ts'
import { insert, lock, remove, restore, update, written } from '../../kit/write/write.ts'
import { clearDefault } from '../../kit/write/default-mark.ts'
import { freeId } from '../../kit/write/supplied-id.ts'
import { contents, withDetails } from './contents.ts'
import { Dashboard } from '../../model/dashboards/dashboard.ts'

const plain = crud(Dashboard)

/** The operations on dashboards; `widget.ts` and `heatmap.ts` compute their numbers. */
export const dashboards = {
  ...plain,
  list: operation({
    ...plain.list,
    run(ctx, { query }) {
      // callers may supply ids, so these do not determine the order
      const order = { sort: 'creation_time', reverse: !query.reverse }
      return listPage(ctx, Dashboard, inOwnOrder(query, order))
    },
  }),
  create: operation({
    ...plain.create,
    input: {
      body: extend(plain.create.input.body, {
        dashboard_id: schema<string>(suppliedId),
        ...contents,
      }),
    },
    async run(ctx, { body }) {
      const { dashboard_id: id, ...rest } = body
      const filled = await withDetails(ctx, rest)
      if (rest.is_default) await clearDefault(ctx, Dashboard, ofOwner(ctx.actor.user_id))
      await freeId(ctx, Dashboard, id)
      return written(await insert(ctx, Dashboard, filled, { id }))
    },
  }),
  update: operation({
    ...plain.update,
    input: { ...plain.update.input, body: extend(plain.update.input.body, contents) },
    async run(ctx, { params, body, ifMatch }) {
      const locked = await lockOwn(ctx, params.id, 'update', ifMatch)
      const { row } = locked
      const filled = await withDetails(ctx, withoutRepeated(row, body), row)
      if (body.is_default) {
        await clearDefault(ctx, Dashboard, ofOwner(row.created_by?.user_id ?? null), params.id)
      }
      return written(await update(ctx, locked, filled))
    },
  }),
  remove: operation({
    ...plain.remove,
    async run(ctx, { params, ifMatch }) {
      await lockOwn(ctx, params.id, 'delete', ifMatch)
      return remove(ctx, Dashboard, params.id)
    },
  }),
  restore: operation({
    ...plain.restore,
    async run(ctx, { params }) {
      const found = await ctx.one<{ created_by: string | null }>(sql`
        select created_by from dashboards t
        where ${mine(ctx)} and t.id = ${params.id} and t.is_default`)
      if (found) await clearDefault(ctx, Dashboard, ofOwner(found.created_by), params.id)
      return written(await restore(ctx, Dashboard, params.id))
    },
  }),
}

function ofOwner(owner: string | null) {
  return sql`t.created_by = ${owner}`
}

/** 403 for the dashboards that come with the product. */
async function lockOwn(ctx: Context, id: string, action: 'update' | 'delete', ifMatch?: number[]) {
  const locked = await lock(ctx, Dashboard, id, action, ifMatch)
  if (locked.row.is_protected) {
    throw forbidden('This dashboard comes with the product: copy it to change it', 'protected')
  }
  return locked
}
