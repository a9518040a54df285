import { Type } from 'typebox'
import { idInQuery } from '../../kit/ground/ids.ts'
import { arrayOf } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import { all, sql } from '../../kit/ground/sql.ts'
import { listPage } from '../../kit/read/list.ts'
import { offsetProperty, pageProperties } from '../../kit/read/page.ts'
import { readSchema } from '../../kit/record/schema.ts'
import { scope } from '../../kit/record/scope.ts'
import { Document } from '../../model/documents/document.ts'
import { Task } from '../../model/tasks/task.ts'
import { checkReadable } from '../../kit/read/one.ts'

const { page, items_per_page } = pageProperties
const item_id = Type.Optional(idInQuery('only the attachments of this task'))

/** Documents that are attached to tasks, or to one of them; newest first. */
export const taskAttachments = operation({
  name: 'list_task_attachments',
  summary: 'List task attachments',
  description: 'Documents that are attached to tasks, newest first.',
  can: { module: 'tasks', action: 'read' },
  writes: false,
  input: { query: Type.Object({ page, offset: offsetProperty, items_per_page, item_id }) },
  output: arrayOf(readSchema(Document)),
  async run(ctx, { query }) {
    const { item_id, ...slice } = query
    if (item_id) await checkReadable(ctx, Task, item_id)
    const tasks = sql`select t.id from tasks t where ${scope(ctx, Task, 'read')}`
    const which = item_id ? sql`t.reference_id = ${item_id}` : sql`t.reference_id in (${tasks})`
    const condition = all(sql`t.latest_version and t.module_id = ${Task.number}`, which)
    return listPage(ctx, Document, slice, condition)
  },
})
