import type { Context } from '../../kit/ground/context.ts'
import { newId } from '../../kit/ground/ids.ts'
import { announceAll } from '../../kit/write/announce-many.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { scope } from '../../kit/record/scope.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { Milestone } from '../milestones/milestone.ts'
import { statusFor } from '../statuses/status.ts'
import { Task } from '../tasks/task.ts'

/**
 * Copies milestones and tasks of one project to another as if none had been begun, their dates
 * moved by as much as the start; in a fixed number of statements. What the caller does not see stays
 * behind.
 */
export async function copyPlan(
  ctx: Context,
  from: string,
  to: string,
  oldStart: string | null,
  newStart: string | null | undefined,
): Promise<void> {
  const shift = oldStart && newStart ? sql`${newStart}::date - ${oldStart}::date` : sql`0`
  const [milestone, task] = await Promise.all([
    statusFor(ctx, 'milestones', 'not_started'),
    statusFor(ctx, 'tasks', 'not_started'),
  ])
  const now = ctx.now().toISOString()
  const by = ctx.actor.user_id
  const milestonePairs = await pairsOf(ctx, Milestone, from)
  const milestones = renamed(milestonePairs)
  await ctx.run(sql`
    insert into milestones (organization_id, id, project_id, name, description, status_id, owner,
      start_date, due_date, position, is_private, created_by, creation_time, last_update_time)
    select t.organization_id, n.new_id, ${to}, t.name, t.description, ${milestone.id}, t.owner,
      t.start_date + (${shift}), t.due_date + (${shift}), t.position, t.is_private, ${by}, ${now}, ${now}
    from milestones t join ${milestones} on n.old_id = t.id where ${mine(ctx)}`)
  const taskPairs = await pairsOf(ctx, Task, from)
  const tasks = renamed(taskPairs)
  await ctx.run(sql`
    insert into tasks (organization_id, id, title, description, item_type, account_id, project_id,
      milestone_id, parent_id, status_id, priority, owner, users, tags, start_date, due_date,
      is_private, visibility, position, form_id, form_structure, custom_fields, created_by,
      creation_time, last_update_time)
    select t.organization_id, n.new_id, t.title, t.description, t.item_type, t.account_id, ${to},
      (select m.new_id from ${sql`(select * from ${milestones}) m`} where m.old_id = t.milestone_id),
      (select p.new_id from ${sql`(select * from ${tasks}) p`} where p.old_id = t.parent_id),
      ${task.id}, t.priority, t.owner, t.users, t.tags, t.start_date + (${shift}),
      t.due_date + (${shift}), t.is_private, t.visibility, t.position, t.form_id, t.form_structure,
      t.custom_fields, ${by}, ${now}, ${now}
    from tasks t join ${tasks} on n.old_id = t.id where ${mine(ctx)}`)
  await ctx.run(sql`
    insert into task_dependencies (organization_id, task_id, predecessor_id, type, lag_days)
    select t.organization_id, n.new_id, p.new_id, t.type, t.lag_days
    from task_dependencies t join ${tasks} on n.old_id = t.task_id
    join (select * from ${tasks}) p on p.old_id = t.predecessor_id
    where ${mine(ctx)}`)
  await announceAll(ctx, Milestone, 'created', newIdsOf(milestonePairs))
  await announceAll(ctx, Task, 'created', newIdsOf(taskPairs))
}

type Pair = { old_id: string; new_id: string }

async function pairsOf(ctx: Context, record: AnyRecord, project: string): Promise<Pair[]> {
  const rows = await ctx.all<{ id: string }>(sql`
    select t.id from ${sql.table(record.table)} t
    where ${scope(ctx, record, 'read')} and t.project_id = ${project} order by t.id`)
  return rows.map(({ id }) => ({ old_id: id, new_id: newId() }))
}

function newIdsOf(pairs: Pair[]): string[] {
  return pairs.map(({ new_id }) => new_id)
}

/** Old ids with new ones, as a table `n` of a query. */
function renamed(pairs: Pair[]) {
  return sql`json_to_recordset(${JSON.stringify(pairs)}) as n (old_id text, new_id text)`
}
