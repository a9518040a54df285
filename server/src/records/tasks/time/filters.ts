import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Context, Query } from '../../../kit/ground/context.ts'
import { badField } from '../../../kit/ground/errors.ts'
import { idInQuery } from '../../../kit/ground/ids.ts'
import { all, sql } from '../../../kit/ground/sql.ts'
import { idsIn } from '../../../kit/read/named-values.ts'
import { checkReadable } from '../../../kit/read/one.ts'
import { ProjectOrDeal } from '../../../model/projects/project.ts'
import { waysToName } from '../../../model/people/people.ts'
import { person } from '../../../model/people/person.ts'
import { Task } from '../../../model/tasks/task.ts'

/** What restricts entries, in queries. */
export const entryFilters = {
  user: Type.Optional(idInQuery(`entries of this user, by ${waysToName}`)),
  project_id: Type.Optional(idInQuery('of tasks of this project or deal')),
  from: Type.Optional(Type.String({ format: 'date', description: 'the first day' })),
  to: Type.Optional(Type.String({ format: 'date', description: 'the last day' })),
  is_billable: Type.Optional(Type.Boolean()),
}

/** The same for one task. */
export const taskFilter = { task_id: Type.Optional(idInQuery('of this task')) }

const filters = Type.Object({ ...entryFilters, ...taskFilter })
export type EntryFilters = Static<typeof filters>

/** The filters as a condition over `t`; 404 for a project or task that the caller cannot see, 400 for an odd range. */
export async function entryCondition(
  ctx: Context,
  { user, project_id, task_id, from, to, is_billable }: EntryFilters,
): Promise<Query | undefined> {
  if (from && to && to < from) throw badField('to', 'must not be before from')
  if (project_id) await checkReadable(ctx, ProjectOrDeal, project_id)
  if (task_id) await checkReadable(ctx, Task, task_id)
  const people = user === undefined ? undefined : await idsIn(ctx, person(), user, 'user')
  const conditions = [
    people && sql`t.user_id = any(${people}::varchar[])`,
    project_id &&
      sql`t.task_id in (select k.id from tasks k
        where k.organization_id = $organization and k.project_id = ${project_id})`,
    task_id && sql`t.task_id = ${task_id}`,
    from && sql`t.date >= ${from}::date`,
    to && sql`t.date <= ${to}::date`,
    is_billable === undefined ? undefined : sql`t.is_billable = ${is_billable}`,
  ].flatMap((each) => each || [])
  return conditions.length ? all(...conditions) : undefined
}
