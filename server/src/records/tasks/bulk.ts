import { Type } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { badField, Failure } from '../../kit/ground/errors.ts'
import { enumeration } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { distinctTags, tagsWithout } from '../../kit/record/tag-list.ts'
import { checkBody } from '../../kit/record/validate.ts'
import { inSavepoint } from '../../kit/write/savepoint.ts'
import type { TaskChanges } from './body.ts'
import { updateBody } from './body.ts'
import { removeTask } from './remove.ts'
import { updateTask } from './update.ts'

const actions = [
  'update',
  'complete',
  'reopen',
  'delete',
  'move',
  'assign',
  'add_tags',
  'remove_tags',
] as const
type Action = (typeof actions)[number]

/** Applies the same change to many tasks: those that cannot be changed are named with the reason. */
export const bulkActions = operation({
  name: 'bulk_update_tasks',
  summary: 'Update many tasks',
  description:
    'Applies one action to up to 500 tasks. Fields that the action does not use are ignored, so that a whole task may be sent. Tasks that cannot be changed are listed under `failed`; the others are changed.',
  can: { module: 'tasks', action: 'update' },
  writes: true,
  input: {
    body: Type.Object({
      item_ids: Type.Array(Type.String({ minLength: 1, maxLength: 25 }), {
        minItems: 1,
        maxItems: 500,
      }),
      action: enumeration(actions, { title: 'BulkAction' }),
    }),
  },
  output: Type.Object({
    updated: Type.Integer(),
    failed: Type.Array(Type.Object({ id: Type.String(), error: Type.String() })),
  }),
  async run(ctx, { body }) {
    const { item_ids, action, ...rest } = body
    // checked here, because properties that an action does not use may have any value
    const fields: TaskChanges = rest
    checkBody(updateBody, fields)
    const ids = new Set(item_ids)
    if (action === 'update') checkTotal(ctx, ids, fields)
    const change = changeOf(ctx, action, fields)
    const failed: { id: string; error: string }[] = []
    let updated = 0
    for (const id of ids) {
      // a refusal rolls back to here, and the other tasks keep their change
      try {
        await inSavepoint(ctx, () => change(id))
        updated++
      } catch (error) {
        if (!(error instanceof Failure) || error.status >= 500) throw error
        failed.push({ id, error: error.message })
      }
    }
    return { updated, failed }
  },
})

/** 400 if the changes of all tasks together are more than a request may write. */
function checkTotal({ limits }: Context, ids: Set<string>, fields: TaskChanges) {
  const each = Buffer.byteLength(JSON.stringify(fields))
  const most = limits.bulkBytes
  if (!most || each * ids.size <= most) return
  const message = `must be at most ${Math.floor(most / each)} with changes of ${each} bytes each`
  throw badField('item_ids', message)
}

function changeOf(
  ctx: Context,
  action: Action,
  fields: TaskChanges,
): (id: string) => Promise<unknown> {
  switch (action) {
    case 'complete':
      return (id) => updateTask(ctx, id, { is_completed: true })
    case 'reopen':
      return (id) => updateTask(ctx, id, { is_completed: false })
    case 'delete':
      return (id) => removeTask(ctx, id)
    case 'assign':
      if (fields.owner === undefined) throw badField('owner', 'is required to assign')
      return (id) => updateTask(ctx, id, { owner: fields.owner })
    case 'move': {
      const { project_id, milestone_id, parent_id, position } = fields
      const to = { project_id, milestone_id, parent_id, position }
      const set = Object.entries(to).filter(([, value]) => value !== undefined)
      if (!set.length) throw badField('milestone_id', 'is required to move, or project_id')
      return (id) => updateTask(ctx, id, Object.fromEntries(set))
    }
    case 'add_tags':
    case 'remove_tags': {
      const { tags } = fields
      if (!tags?.length) throw badField('tags', `is required to ${action.replace('_', ' ')}`)
      return async (id) => {
        const row = await ctx.one<{ tags: string[] | null }>(sql`
          select t.tags from tasks t where ${mine(ctx)} and t.id = ${id}`)
        const old = row?.tags ?? []
        const next =
          action === 'add_tags' ? distinctTags([...old, ...tags]) : tagsWithout(old, tags)
        return updateTask(ctx, id, { tags: next })
      }
    }
    case 'update':
      if (!Object.keys(fields).length) throw badField('action', 'update needs fields to update')
      return (id) => updateTask(ctx, id, fields)
  }
}
