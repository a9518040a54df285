import { Type } from 'typebox'
import { arrayOf } from '../../kit/ground/json-schema.ts'
import { Answer, operation } from '../../kit/ground/operation.ts'
import { all, sql } from '../../kit/ground/sql.ts'
import { pageOf, pageProperties } from '../../kit/read/page.ts'
import { entrySchema, readEntries } from '../activity/entry.ts'
import { visibleEntries } from '../activity/visible.ts'
import { Task } from './task.ts'
import { checkReadable } from '../../kit/read/one.ts'

const item_id = Type.Optional(
  Type.String({ minLength: 1, maxLength: 25, description: 'only the activity of this task' }),
)

/** The activity log of tasks, or of one of them; newest first. */
export const taskActivity = operation({
  name: 'list_task_activity',
  summary: 'List task activity',
  description: 'The entries of the activity log about tasks, newest first.',
  can: { module: 'tasks', action: 'read' },
  writes: false,
  input: { query: Type.Object({ ...pageProperties, item_id }) },
  output: arrayOf(entrySchema),
  async run(ctx, { query }) {
    if (query.item_id) await checkReadable(ctx, Task, query.item_id)
    const { number, size, ...slice } = pageOf(query)
    const one = query.item_id ? sql`e.reference_id = ${query.item_id}` : undefined
    const condition = all(visibleEntries(ctx), sql`e.module_id = ${Task.number}`, one)
    const entries = await readEntries(ctx, condition, slice)
    const more = entries.length > size
    if (more) entries.pop()
    return new Answer(entries, { page: { number, size, more } })
  },
})
