import { Type } from 'typebox'
import { idInQuery } from '../../kit/ground/ids.ts'
import { arrayOf } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import { all, sql } from '../../kit/ground/sql.ts'
import { offsetProperty, pageProperties } from '../../kit/read/page.ts'
import { entrySchema } from '../activity/entry.ts'
import { listPageOfEntries } from '../activity/page.ts'
import { visibleEntries } from '../activity/visible.ts'
import { Task } from '../../model/tasks/task.ts'
import { checkReadable } from '../../kit/read/one.ts'

const item_id = Type.Optional(idInQuery('only the activity of this task'))

/** The activity log of tasks, or of one of them; newest first. */
export const taskActivity = operation({
  name: 'list_task_activity',
  summary: 'List task activity',
  description: 'The entries of the activity log about tasks, newest first.',
  can: { module: 'tasks', action: 'read' },
  writes: false,
  input: { query: Type.Object({ ...pageProperties, offset: offsetProperty, item_id }) },
  output: arrayOf(entrySchema),
  async run(ctx, { query }) {
    if (query.item_id) await checkReadable(ctx, Task, query.item_id)
    const one = query.item_id ? sql`e.reference_id = ${query.item_id}` : undefined
    const condition = all(visibleEntries(ctx), sql`e.module_id = ${Task.number}`, one)
    return listPageOfEntries(ctx, condition, query)
  },
})
