import { Type } from 'typebox'
import { enumeration } from '../../kit/ground/json-schema.ts'
import { all, sql } from '../../kit/ground/sql.ts'
import { dueOrOverdue, dueWords } from '../../model/time/dates.ts'
import type { DueWord } from '../../model/time/dates.ts'
import { ownerIs } from '../../model/people/people.ts'
import { Task } from '../../model/tasks/task.ts'
import { operation } from '../../kit/ground/operation.ts'
import { createTaskOfProject, tasksOf } from '../integration/tasks.ts'
import { finding } from './find.ts'

const can = { module: 'tasks', action: 'read' } as const

const project_id = Type.Optional(
  Type.String({ minLength: 1, maxLength: 25, description: 'only of this project or deal' }),
)

const others = dueWords.filter((word) => word !== 'show_all')

type Own = { due: DueWord; owner?: string; project_id?: string }

/** Open tasks by their due dates, soonest first. */
export const listDueTasks = finding(Task, {
  name: 'list_due_tasks',
  summary: 'List open tasks that are due',
  can,
  scope: null,
  own: {
    due: enumeration(others, { description: 'days of the organization’s time zone' }),
    owner: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description:
          'the user_id, e-mail or full name of their owner; me, which is the default, for your own; any for all',
      }),
    ),
    project_id,
  },
  usualSort: 'due_date',
  async only(ctx, own) {
    const { due, owner = 'me', project_id: project } = own as Own
    return all(
      await tasksOf(ctx, { project_id: project, is_completed: false }),
      dueOrOverdue(ctx, due, sql`not t.is_completed`),
      owner === 'any' ? undefined : await ownerIs(ctx, owner),
    )
  },
})

/** A task of whoever makes it, unless it names an owner or says that there is none. */
export const createOwnTask = operation({
  ...createTaskOfProject,
  run: (ctx, input) => {
    const owner = 'owner' in input.body ? {} : { owner: ctx.actor.user_id }
    return createTaskOfProject.run(ctx, { ...input, body: { ...input.body, ...owner } as never })
  },
})
