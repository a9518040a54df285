import type { Context } from '../../kit/ground/context.ts'
import type { Input, Operation } from '../../kit/ground/operation.ts'
import { Answer } from '../../kit/ground/operation.ts'
import { arrayOf } from '../../kit/ground/json-schema.ts'
import { all, sql } from '../../kit/ground/sql.ts'
import { checkReadable } from '../../kit/write/write.ts'
import { entrySchema, readEntries } from '../activity/entry.ts'
import { pageOf, pageProperties } from '../../kit/read/page.ts'
import { visibleEntries } from '../activity/visible.ts'
import { Task } from './task.ts'

const item_id = { type: 'string', minLength: 1, maxLength: 25, description: 'only this task’s' }

/** What happened to tasks, or to one of them; newest first. */
export const taskActivity: Operation = {
  name: 'list_task_activity',
  summary: 'What happened to tasks, newest first',
  can: { module: 'tasks', action: 'read' },
  writes: false,
  input: { query: { type: 'object', properties: { ...pageProperties, item_id } } },
  output: arrayOf(entrySchema),
  async run(ctx: Context, { query }: Input) {
    if (query.item_id) await checkReadable(ctx, Task, query.item_id)
    const { number, size, ...slice } = pageOf(query)
    const one = query.item_id ? sql`e.reference_id = ${query.item_id}` : undefined
    const condition = all(visibleEntries(ctx), sql`e.module_id = ${Task.number}`, one)
    const entries = await readEntries(ctx, condition, slice)
    const more = entries.length > size
    if (more) entries.pop()
    return new Answer(entries, { page: { number, size, more } })
  },
}
