import { crud, pageQuery } from '../../../kit/crud.ts'
import { extend, without } from '../../../kit/ground/json-schema.ts'
import type { Can } from '../../../kit/ground/operation.ts'
import { operation } from '../../../kit/ground/operation.ts'
import { listPage } from '../../../kit/read/list.ts'
import { written } from '../../../kit/write/write.ts'
import { TimeEntry } from '../../../model/tasks/time-entry.ts'
import { addEntry, changeEntry, createBody, removeEntry, restoreEntry } from './entries.ts'
import { entryCondition, entryFilters, taskFilter } from './filters.ts'

const plain = crud(TimeEntry)

// who reads a task may say what they did on it
const can: Can = { module: 'tasks', action: 'read' }

/** The time of tasks: who spent how much on which day. */
export const timeEntries = {
  list: operation({
    ...plain.list,
    can,
    input: {
      query: extend(without(pageQuery(), 'filter', 'filter_id'), {
        ...entryFilters,
        ...taskFilter,
      }),
    },
    run: async (ctx, { query }) =>
      listPage(ctx, TimeEntry, query, await entryCondition(ctx, query)),
  }),
  read: operation({ ...plain.read, can }),
  create: operation({
    ...plain.create,
    description: 'Adds to the time of the task. Time of others takes the right to change the task.',
    can,
    input: { body: createBody },
    run: async (ctx, { body }) => written(await addEntry(ctx, body)),
  }),
  update: operation({
    ...plain.update,
    can,
    run: async (ctx, { params, body, ifMatch }) =>
      written(await changeEntry(ctx, params.id, body, ifMatch)),
  }),
  remove: operation({
    ...plain.remove,
    can,
    run: (ctx, { params, ifMatch }) => removeEntry(ctx, params.id, ifMatch),
  }),
  restore: operation({
    ...plain.restore,
    can,
    run: async (ctx, { params }) => written(await restoreEntry(ctx, params.id)),
  }),
}
