import { Type } from 'typebox'
import { idInQuery } from '../../kit/ground/ids.ts'
import { pageQuery } from '../../kit/crud.ts'
import type { Context, Query } from '../../kit/ground/context.ts'
import { extend, without } from '../../kit/ground/json-schema.ts'
import { all, sql } from '../../kit/ground/sql.ts'
import { forReader } from '../../kit/record/readable.ts'
import { somethingOpen } from '../../model/projects/open-milestone.ts'
import { listPage } from '../../kit/read/list.ts'
import { checkReadable } from '../../kit/read/one.ts'
import { ProjectOrDeal } from '../../model/projects/project.ts'
import type { DueWord } from '../../model/time/dates.ts'
import { dueFilter, dueOrOverdue } from '../../model/time/dates.ts'
import { ownerIs, ownerParameter } from '../../model/people/people.ts'
import { ShownMilestone } from '../../model/milestones/milestone.ts'

/** The query of a list of the milestones of all projects and deals. */
export const allQuery = extend(without(pageQuery(), 'filter_id'), {
  project_id: Type.Optional(idInQuery()),
  owner: ownerParameter('milestones'),
  is_completed: Type.Optional(Type.Boolean()),
  due_filter: Type.Optional(dueFilter),
})

type Filters = { project_id?: string; owner?: string; is_completed?: boolean; due_filter?: DueWord }

/** A page of the milestones of every project and deal that the caller may read. */
export async function listAllMilestones(
  ctx: Context,
  { project_id, owner, is_completed, due_filter, ...page }: Filters & { [name: string]: unknown },
) {
  if (project_id) await checkReadable(ctx, ProjectOrDeal, project_id)
  const conditions: (Query | undefined)[] = [
    project_id ? sql`t.project_id = ${project_id}` : undefined,
    await ownerIs(ctx, owner),
    is_completed === undefined ? undefined : sql`(t.completed_at is not null) = ${is_completed}`,
    dueOrOverdue(ctx, due_filter, forReader(ctx, somethingOpen('t'))),
  ]
  return listPage(
    ctx,
    ShownMilestone,
    page,
    conditions.some(Boolean) ? all(...conditions) : undefined,
  )
}
