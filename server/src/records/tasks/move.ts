import type { Context } from '../../kit/ground/context.ts'
import type { Change } from '../../kit/ground/event.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { Patch, Row } from '../../kit/record/record.ts'
import { announceEach } from '../../kit/write/announce-many.ts'
import { lockRows } from '../../kit/write/lock-rows.ts'
import type { Written } from '../../kit/write/write.ts'
import { idOf, placeOf } from './place.ts'
import { Task } from '../../model/tasks/task.ts'

type TaskRow = Row<typeof Task>
type Changes = Patch<typeof Task>

type Projects = {
  milestone_project: string | null
  parent_project: string | null
  old_account: string | null
}

/**
 * The columns that follow from new links of a task. It moves to the project in the body, else to
 * that of its new milestone or parent; a milestone or parent in the previous project is cleared, and the
 * account follows the project.
 */
export async function changedPlace(ctx: Context, id: string, row: TaskRow, body: Changes) {
  const { project_id, milestone_id, parent_id, account_id } = body
  if ([project_id, milestone_id, parent_id].every((link) => link === undefined)) return {}
  const found = await projectsOf(ctx, row, body)
  const ofLink = found?.milestone_project ?? found?.parent_project ?? row.project_id
  const to = project_id === undefined ? ofLink : (idOf(project_id, 'project_id') ?? null)
  if (to === row.project_id) {
    const links = { milestone_id: row.milestone_id, parent_id: row.parent_id, ...body }
    return placeOf(ctx, { ...links, project_id: to }, id)
  }
  const links = { milestone_id: null, parent_id: null, ...body, project_id: to }
  const place = await placeOf(ctx, links, id)
  const account = to === null ? null : await accountOf(ctx, to)
  const follows = row.account_id === null || row.account_id === found?.old_account
  return {
    project_id: to,
    ...(milestone_id === undefined ? { milestone_id: null } : {}),
    ...(parent_id === undefined ? { parent_id: null } : {}),
    // without its parent it is an ordinary task
    ...(parent_id === undefined && row.item_type === 2 ? { item_type: 1 } : {}),
    ...(account_id === undefined && follows && to !== null ? { account_id: account } : {}),
    ...place,
  }
}

type Placed = { [field in (typeof placed)[number]]: string | null }
type Below = Placed & { id: string; is_alive: boolean }

/** Moves the subtasks too, on every level: to the project, and out of milestones of the previous one. */
export async function moveSubtasks(ctx: Context, row: TaskRow, after: Written) {
  if (!after.changed) return
  // as stored, because the caller may not read all of its links
  const now = JSON.parse(await after.whole()) as TaskRow
  if (placed.every((field) => row[field] === now[field])) return
  const isElsewhere = row.project_id !== now.project_id
  const below = await lockRows<Below>(
    ctx,
    sql`
    with recursive below (id, depth) as (
      select t.id, 1 from tasks t where ${mine(ctx)} and t.parent_id = ${row.item_id}
      union all
      select t.id, depth + 1 from tasks t join below on t.parent_id = below.id
      where ${mine(ctx)} and depth < 12
    )
    select t.id, t.project_id, t.milestone_id, t.account_id, t.deleted_at is null as is_alive
    from tasks t where ${mine(ctx)} and t.id in (select id from below) order by t.id for update`,
  )
  const moved = below.flatMap((each) => {
    const isLeft = isElsewhere || each.milestone_id === row.milestone_id
    const to: Placed = {
      project_id: now.project_id,
      milestone_id: isLeft ? now.milestone_id : each.milestone_id,
      account_id: each.account_id === row.account_id ? now.account_id : each.account_id,
    }
    const changes = placed.flatMap((field): Change[] =>
      each[field] === to[field] ? [] : [{ field, from: each[field], to: to[field] }],
    )
    return changes.length ? [{ ...each, ...to, changes }] : []
  })
  await ctx.run(sql`
    update tasks t set project_id = m.project_id, milestone_id = m.milestone_id,
      account_id = m.account_id, version = t.version + 1,
      last_update_time = ${ctx.now().toISOString()}
    from json_to_recordset(${JSON.stringify(moved)})
      as m (id text, project_id text, milestone_id text, account_id text)
    where ${mine(ctx)} and t.id = m.id`)
  // deleted ones move too, as they may be restored with it, but without notification
  const alive = moved.filter(({ is_alive }) => is_alive)
  await announceEach(ctx, Task, 'updated', alive)
}

const placed = ['project_id', 'milestone_id', 'account_id'] as const

function projectsOf(ctx: Context, row: TaskRow, body: Changes): Promise<Projects | undefined> {
  const milestone = idOf(body.milestone_id, 'milestone_id') ?? null
  const parent = idOf(body.parent_id, 'item_id') ?? null
  return ctx.one<Projects>(sql`select
    (select t.project_id from milestones t where ${mine(ctx)} and t.id = ${milestone}
      and t.deleted_at is null) as milestone_project,
    (select t.project_id from tasks t where ${mine(ctx)} and t.id = ${parent}) as parent_project,
    (select t.account_id from projects t
      where ${mine(ctx)} and t.id = ${row.project_id}) as old_account`)
}

async function accountOf(ctx: Context, project: string): Promise<string | null> {
  const found = await ctx.one<{ account_id: string | null }>(
    sql`select t.account_id from projects t where ${mine(ctx)} and t.id = ${project}`,
  )
  return found?.account_id ?? null
}
