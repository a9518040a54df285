import { Type } from 'typebox'
import { idInQuery } from '../../kit/ground/ids.ts'
import { crud } from '../../kit/crud.ts'
import type { Context, Query } from '../../kit/ground/context.ts'
import { extend } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import { all, sql } from '../../kit/ground/sql.ts'
import { listPage } from '../../kit/read/list.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { checkMove, moveDescription, placeBetween, placeProperties } from '../../kit/write/move.ts'
import { written } from '../../kit/write/write.ts'
import { Account } from '../../model/accounts/account.ts'
import { Milestone } from '../../model/milestones/milestone.ts'
import { ProjectOrDeal } from '../../model/projects/project.ts'
import { createBody, updateBody } from './body.ts'
import { createTask } from './create.ts'
import type { DueWord } from '../../model/time/dates.ts'
import { dueFilter, dueOrOverdue } from '../../model/time/dates.ts'
import { ownerIs, ownerParameter } from '../../model/people/people.ts'
import { removeTask, restoreTask } from './remove.ts'
import { Task } from '../../model/tasks/task.ts'
import { updateTask } from './update.ts'
import { checkReadable } from '../../kit/read/one.ts'

const plain = crud(Task)

const id = Type.Optional(idInQuery())

const filters = {
  project_id: id,
  milestone_id: id,
  account_id: id,
  parent_id: id,
  owner: ownerParameter('tasks'),
  is_completed: Type.Optional(Type.Boolean()),
  due_filter: Type.Optional(dueFilter),
}

/** The ordinary operations of tasks. */
export const tasks = {
  ...plain,
  list: operation({
    ...plain.list,
    input: { query: extend(plain.list.input.query, filters) },
    async run(ctx, { query }) {
      // parts of a record that the caller cannot see do not exist for them either
      for (const [name, record] of above) {
        const parent = query[name]
        if (parent) await checkReadable(ctx, record, parent)
      }
      return listPage(ctx, Task, query, await filterCondition(ctx, query))
    },
  }),
  create: operation({
    ...plain.create,
    input: { body: createBody },
    run: async (ctx, { body }) => written(await createTask(ctx, body)),
  }),
  update: operation({
    ...plain.update,
    input: { ...plain.update.input, body: updateBody },
    run: async (ctx, { params, body, ifMatch }) =>
      written(await updateTask(ctx, params.id, body, ifMatch)),
  }),
  move: operation({
    ...plain.update,
    name: 'move_task',
    aliases: undefined,
    summary: 'Move a task to another place',
    description: `${moveDescription} Customers and partners move no tasks.`,
    input: {
      ...plain.update.input,
      body: Type.Object({ ...placeProperties, set: Type.Optional(updateBody) }),
    },
    async run(ctx, { params, body, ifMatch }) {
      const { set = {}, ...neighbours } = body
      const place = await placeBetween(ctx, Task, params.id, neighbours, ofProject)
      checkMove(place, set)
      return written(await updateTask(ctx, params.id, set, ifMatch, place))
    },
  }),
  remove: operation({
    ...plain.remove,
    run: (ctx, { params, ifMatch }) => removeTask(ctx, params.id, ifMatch),
  }),
  restore: operation({
    ...plain.restore,
    run: async (ctx, { params }) => written(await restoreTask(ctx, params.id)),
  }),
}

// tasks of several projects may be in one list
const ofProject = { column: 'project_id', isStrict: false }

type Above = 'project_id' | 'milestone_id' | 'account_id' | 'parent_id'

const above: [name: Above, record: AnyRecord][] = [
  ['project_id', ProjectOrDeal],
  ['milestone_id', Milestone],
  ['account_id', Account],
  ['parent_id', Task],
]

type Filters = { [name in Above | 'owner']?: string } & {
  is_completed?: boolean
  due_filter?: DueWord
}

/** The filters of a list of tasks as a condition over `t`. */
async function filterCondition(ctx: Context, query: Filters): Promise<Query | undefined> {
  const names = ['project_id', 'milestone_id', 'account_id', 'parent_id'] as const
  const conditions: (Query | undefined)[] = names.map((name) =>
    query[name] ? sql`${sql.ref(`t.${name}`)} = ${query[name]}` : undefined,
  )
  if (query.is_completed !== undefined) {
    conditions.push(sql`t.is_completed = ${query.is_completed}`)
  }
  conditions.push(await ownerIs(ctx, query.owner))
  conditions.push(dueOrOverdue(ctx, query.due_filter, sql`not t.is_completed`))
  return conditions.some(Boolean) ? all(...conditions) : undefined
}
