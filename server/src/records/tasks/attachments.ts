import type { Context } from '../../kit/ground/context.ts'
import { listPage } from '../../kit/read/list.ts'
import type { Input, Operation } from '../../kit/ground/operation.ts'
import { readSchema } from '../../kit/record/schema.ts'
import { arrayOf } from '../../kit/ground/json-schema.ts'
import { scope } from '../../kit/record/scope.ts'
import { all, sql } from '../../kit/ground/sql.ts'
import { checkReadable } from '../../kit/write/write.ts'
import { pageProperties } from '../../kit/read/page.ts'
import { Document } from '../documents/document.ts'
import { Task } from './task.ts'

const { page, items_per_page } = pageProperties

/** Documents that hang on tasks, or on one of them; newest first. */
export const taskAttachments: Operation = {
  name: 'list_task_attachments',
  summary: 'The documents that hang on tasks, newest first',
  can: { module: 'tasks', action: 'read' },
  writes: false,
  input: {
    query: {
      type: 'object',
      properties: {
        page,
        items_per_page,
        item_id: { type: 'string', minLength: 1, maxLength: 25, description: 'only this task’s' },
      },
    },
  },
  output: arrayOf(readSchema(Document)),
  async run(ctx: Context, { query }: Input) {
    const { item_id, ...slice } = query
    if (item_id) await checkReadable(ctx, Task, item_id)
    const tasks = sql`select t.id from tasks t where ${scope(ctx, Task, 'read')}`
    const which = item_id ? sql`t.reference_id = ${item_id}` : sql`t.reference_id in (${tasks})`
    const condition = all(sql`t.latest_version and t.module_id = ${Task.number}`, which)
    return listPage(ctx, Document, slice, condition)
  },
}
