import type { Context } from '../../kit/ground/context.ts'
import type { Change } from '../../kit/ground/event.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { Patch, Row } from '../../kit/record/record.ts'
import { announceAll } from '../../kit/write/announce-many.ts'
import type { Written } from '../../kit/write/write.ts'
import { idOf, placeOf } from './place.ts'
import { Task } from './task.ts'

type TaskRow = Row<typeof Task>
type Changes = Patch<typeof Task>

type Projects = {
  milestone_project: string | null
  parent_project: string | null
  old_account: string | null
}

/**
 * The columns that follow from new links of a task. It goes to the project that the body names, else to
 * that of its new milestone or parent; a milestone and a parent of the project before are left, and the
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
    // without its parent it is a task of its own
    ...(parent_id === undefined && row.item_type === 2 ? { item_type: 1 } : {}),
    ...(account_id === undefined && follows && to !== null ? { account_id: account } : {}),
    ...place,
  }
}

/** Takes the subtasks along, on every level: to the project, and out of milestones left behind. */
export async function moveSubtasks(ctx: Context, row: TaskRow, after: Written) {
  if (!after.changed) return
  // as it is stored: the caller may not read all of its links
  const now = JSON.parse(await after.whole()) as TaskRow
  const changes = placed.flatMap((field): Change[] =>
    row[field] === now[field] ? [] : [{ field, from: row[field], to: now[field] }],
  )
  if (!changes.length) return
  const isElsewhere = row.project_id !== now.project_id
  const moved = await ctx.all<{ id: string; is_alive: boolean }>(sql`
    with recursive below (id, depth) as (
      select t.id, 1 from tasks t where ${mine(ctx)} and t.parent_id = ${row.item_id}
      union all
      select t.id, depth + 1 from tasks t join below on t.parent_id = below.id
      where ${mine(ctx)} and depth < 12
    )
    update tasks t set project_id = ${now.project_id},
      milestone_id = case when ${isElsewhere}::boolean
        or t.milestone_id is not distinct from ${row.milestone_id}
        then ${now.milestone_id} else t.milestone_id end,
      account_id = case when t.account_id is not distinct from ${row.account_id}
        then ${now.account_id} else t.account_id end,
      version = t.version + 1, last_update_time = ${ctx.now().toISOString()}
    where ${mine(ctx)} and t.id in (select id from below)
      and (t.project_id is distinct from ${now.project_id}
        or t.milestone_id is not distinct from ${row.milestone_id}
        or t.account_id is not distinct from ${row.account_id})
    returning t.id, t.deleted_at is null as is_alive`)
  // deleted ones go along too, as they may be restored with it, but without notification
  const alive = moved.filter(({ is_alive }) => is_alive).map(({ id }) => id)
  await announceAll(ctx, Task, 'updated', alive, changes)
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
