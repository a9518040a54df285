import type { Context } from '../../kit/ground/context.ts'
import { badField, Failure } from '../../kit/ground/errors.ts'
import type { Input, Operation } from '../../kit/ground/operation.ts'
import { updateSchema } from '../../kit/record/schema.ts'
import { checkBody } from '../../kit/record/validate.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { Body } from './input.ts'
import { extraProperties } from './input.ts'
import { Task } from './task.ts'
import { removeTask, updateTask } from './operations.ts'

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

// what an action does not use is passed over, so that a whole task may be sent
const fieldsSchema = {
  type: 'object',
  properties: { ...(updateSchema(Task).properties as object), ...extraProperties },
}

/** The same done to many tasks; those that cannot are named with the reason, the others are done. */
export const bulkActions: Operation = {
  name: 'bulk_update_tasks',
  summary: 'Do the same to many tasks',
  can: { module: 'tasks', action: 'update' },
  writes: true,
  input: {
    body: {
      type: 'object',
      properties: {
        item_ids: {
          type: 'array',
          items: { type: 'string', minLength: 1, maxLength: 25 },
          minItems: 1,
          maxItems: 500,
        },
        action: { type: 'string', enum: [...actions] },
      },
      required: ['item_ids', 'action'],
    },
  },
  output: {
    type: 'object',
    properties: {
      updated: { type: 'integer' },
      failed: {
        type: 'array',
        items: {
          type: 'object',
          properties: { id: { type: 'string' }, error: { type: 'string' } },
          required: ['id', 'error'],
        },
      },
    },
    required: ['updated', 'failed'],
  },
  async run(ctx: Context, { body }: Input) {
    const { item_ids, action, ...fields } = body as Body & { action: Action; item_ids: string[] }
    checkBody(fieldsSchema, fields)
    const change = changeOf(ctx, action, fields)
    const failed: { id: string; error: string }[] = []
    let updated = 0
    for (const id of new Set(item_ids)) {
      // each on its own: what one refuses is taken back to here, and the others stand
      await ctx.run(sql`savepoint one`)
      try {
        await change(id)
        await ctx.run(sql`release savepoint one`)
        updated++
      } catch (error) {
        if (!(error instanceof Failure) || error.status >= 500) throw error
        await ctx.run(sql`rollback to savepoint one`)
        failed.push({ id, error: error.message })
      }
    }
    return { updated, failed }
  },
}

function changeOf(ctx: Context, action: Action, fields: Body): (id: string) => Promise<unknown> {
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
      const given = Object.entries(to).filter(([, value]) => value !== undefined)
      if (!given.length) throw badField('milestone_id', 'is required to move, or project_id')
      return (id) => updateTask(ctx, id, Object.fromEntries(given))
    }
    case 'add_tags':
    case 'remove_tags': {
      const tags = fields.tags as unknown[] | undefined
      if (!tags?.length) throw badField('tags', `is required to ${action.replace('_', ' ')}`)
      return async (id) => {
        const row = await ctx.one<{ tags: unknown[] | null }>(sql`
          select t.tags from tasks t where ${mine(ctx)} and t.id = ${id}`)
        const old = row?.tags ?? []
        const kept = old.filter((tag) => !tags.includes(tag))
        const next = action === 'add_tags' ? [...kept, ...tags] : kept
        return updateTask(ctx, id, { tags: action === 'add_tags' ? union(old, tags) : next })
      }
    }
    case 'update':
      if (!Object.keys(fields).length) throw badField('action', 'update needs fields to update')
      return (id) => updateTask(ctx, id, fields)
  }
}

function union(a: unknown[], b: unknown[]): unknown[] {
  return [...new Set([...a, ...b])]
}
