import type { Context, Query } from '../../kit/ground/context.ts'
import { announceAll } from '../../kit/write/announce-many.ts'
import { lockRows } from '../../kit/write/lock-rows.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { Document } from '../../model/documents/document.ts'
import { Milestone } from '../../model/milestones/milestone.ts'
import { Task } from '../../model/tasks/task.ts'

type Column = 'project_id' | 'milestone_id'

/** `from` is the deletion time of the rows to change, null for those not deleted; `to` is the new one. */
type Change = { from: string | null; to: string | null }

/**
 * Deletes what belongs to a project or milestone with it, or restores what was deleted with it, but nothing
 * that was deleted separately. Each record gets a log entry and its event.
 */
export async function cascade(ctx: Context, column: Column, id: string, change: Change) {
  if (column === 'project_id') await mark(ctx, Milestone, milestonesOf(ctx, id), change)
  await mark(ctx, Task, tasksOf(ctx, column, id, change.from), change)
}

/** Deletes milestones by their ids, and tasks, with the tasks of these milestones and all subtasks. */
export async function cascadeRows(ctx: Context, milestones: string[], tasks: string[], to: string) {
  const change = { from: null, to }
  const ids = sql`select t.id from milestones t where ${mine(ctx)} and t.id = any(${milestones})`
  await mark(ctx, Milestone, ids, change)
  const first = sql`(t.milestone_id = any(${milestones}) or t.id = any(${tasks}))`
  await mark(ctx, Task, withSubtasks(ctx, first, null), change)
}

/** Deletes documents with all their versions, as far as the tasks that they are attached to are deleted. */
export async function cascadeDocuments(
  ctx: Context,
  ids: string[],
  to: string,
  alone: string[] = [],
) {
  if (!ids.length && !alone.length) return
  const which = sql`select d.id from documents d
    join tasks k on ${mine(ctx, 'k')} and k.id = d.reference_id
    where ${mine(ctx, 'd')} and d.module_id = ${Task.number} and (d.chain_id = any(${alone}::varchar[])
      or d.chain_id = any(${ids}::varchar[]) and k.deleted_at is not null)`
  await mark(ctx, Document, which, { from: null, to })
}

async function mark(ctx: Context, record: AnyRecord, which: Query, { from, to }: Change) {
  const rows = await lockRows<{ id: string }>(
    ctx,
    sql`select t.id from ${sql.table(record.table)} t
      where ${mine(ctx)} and t.id = any(array(${which}))
        and t.deleted_at is not distinct from ${from}::timestamptz
      order by t.id for update`,
  )
  const ids = rows.map((row) => row.id)
  if (to) await announceAll(ctx, record, 'deleted', ids)
  await ctx.run(sql`update ${sql.table(record.table)} t
    set deleted_at = ${to}, last_update_time = ${ctx.now().toISOString()}, version = version + 1
    where ${mine(ctx)} and t.id = any(${ids})`)
  if (!to) await announceAll(ctx, record, 'restored', ids)
}

function milestonesOf(ctx: Context, project: string): Query {
  return sql`select m.id from milestones m where ${mine(ctx, 'm')} and m.project_id = ${project}`
}

/**
 * The tasks of a project or milestone with their subtasks, which may be in other milestones. Among deleted
 * ones, those that would be below a parent or in a milestone that stays deleted are left out. Each task looks up
 * its own subtasks (`offset 0`), because a join of all tasks of the organization, which PostgreSQL prefers while it
 * has no statistics, took 8 s for a project of 2,000.
 */
function tasksOf(ctx: Context, column: Column, id: string, deleted: string | null): Query {
  return withSubtasks(ctx, sql`${sql.ref(`t.${column}`)} = ${id}`, deleted, id)
}

function withSubtasks(
  ctx: Context,
  first: Query,
  deleted: string | null,
  restored: string | null = null,
): Query {
  const goes = deleted
    ? sql`t.deleted_at = ${deleted}::timestamptz and not exists (select from milestones m
        where ${mine(ctx, 'm')} and m.id = t.milestone_id and m.id is distinct from ${restored} and m.deleted_at is not null)`
    : sql`t.deleted_at is null`
  // those below a deleted task are found through it
  const isFirst = deleted
    ? sql`not exists (select from tasks p
        where ${mine(ctx, 'p')} and p.id = t.parent_id and p.deleted_at is not null)`
    : sql`true`
  return sql`with recursive part (id) as (
      select t.id from tasks t
      where ${mine(ctx)} and ${first} and ${goes} and ${isFirst}
      union
      select sub.id from part, lateral (
        select t.id from tasks t where ${mine(ctx)} and t.parent_id = part.id and ${goes} offset 0) sub
    ) select part.id from part`
}
