import type { Context } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { whileNoneMoves, oneAtATime } from '../../kit/write/cycle.ts'
import type { TaskChanges } from './body.ts'

type Links = Pick<TaskChanges, 'project_id' | 'milestone_id' | 'parent_id' | 'account_id'> & {
  item_type?: number
}

/** The values that follow from the links of a task. */
type Place = {
  project_id?: string | null
  milestone_id?: string | null
  account_id?: string
  item_type?: number
}

type Found = {
  milestone_project: string | null
  parent_project: string | null
  parent_milestone: string | null
  account_id: string | null
  above: string[] | null
  levels_below: number
}

/** How many levels of subtasks a task may have below it. */
export const mostBelow = 5
/** What is said of a subtask below these. */
export const tooDeep = `subtasks go at most ${mostBelow} levels deep`

/**
 * Where a task belongs: to its milestone's project, and to its parent's project and milestone. 400 if these
 * contradict each other, and for subtasks more than 5 levels deep. `self` is the task that moves; `levels` are those
 * below a new one.
 */
export async function placeOf(
  ctx: Context,
  links: Links,
  self?: string,
  levels = 0,
): Promise<Place> {
  const parent = idOf(links.parent_id, 'item_id')
  const milestone = idOf(links.milestone_id, 'milestone_id')
  const project = idOf(links.project_id, 'project_id')
  // otherwise two concurrent moves could form a cycle, or a new subtask could be too deep
  const alone = parent && (self ? oneAtATime(ctx, 'tasks') : whileNoneMoves(ctx, 'tasks'))
  const held = heldPlace(ctx, { parent_id: parent, milestone_id: milestone })
  // sent together; each statement sees what the previous one has waited for
  const reading = ctx.one<Found>(sql`
    with recursive above (id, depth) as (
      select ${parent ?? null}::varchar collate "C", 1
      union all
      select t.parent_id, depth + 1 from tasks t join above on above.id = t.id
      where ${mine(ctx)} and t.parent_id is not null and depth < 12
    ), below (id, depth) as (
      select ${self ?? null}::varchar collate "C", 0
      union all
      select t.id, depth + 1 from tasks t join below on t.parent_id = below.id
      -- deleted ones too, which may be restored
      where ${mine(ctx)} and depth < 12
    )
    select (select t.project_id from milestones t where ${mine(ctx)} and t.id = ${milestone ?? null}
        and t.deleted_at is null) as milestone_project,
      (select t.project_id from tasks t where ${mine(ctx)} and t.id = ${parent ?? null}) as parent_project,
      (select t.milestone_id from tasks t where ${mine(ctx)} and t.id = ${parent ?? null}) as parent_milestone,
      (select t.account_id from projects t where ${mine(ctx)} and t.id = ${project ?? null}) as account_id,
      (select json_agg(id) from above where id is not null) as above,
      (select max(depth) from below) as levels_below`)
  const [found] = await Promise.all([reading, alone, held])
  const place: Place = {}
  if (!found) return place
  const { milestone_project, parent_project, parent_milestone, account_id, above, levels_below } =
    found
  if (parent) {
    if (self && above?.includes(self)) throw badField('parent_id', 'a task cannot be below itself')
    if ((above?.length ?? 0) + levels_below + levels > mostBelow) {
      throw badField('parent_id', tooDeep)
    }
    if (project && parent_project && project !== parent_project) {
      throw badField('parent_id', 'is a task of another project')
    }
    if (!project) place.project_id = parent_project
    if (!milestone) place.milestone_id = parent_milestone
    if (!self && links.item_type === undefined) place.item_type = 2
  }
  if (milestone && milestone_project) {
    if (project && project !== milestone_project) {
      throw badField('milestone_id', 'is a milestone of another project')
    }
    place.project_id = milestone_project
  }
  if (!self && project && !links.account_id && account_id) place.account_id = account_id
  return place
}

type Above = {
  project_id?: string | null | undefined
  milestone_id?: string | null | undefined
  parent_id?: string | null | undefined
}

/**
 * Which of the records that a task or milestone belongs to exist. They cannot be deleted until the transaction
 * ends: a deletion waits, and then includes what was added meanwhile.
 */
export async function heldPlace(ctx: Context, { project_id, milestone_id, parent_id }: Above) {
  if (!project_id && !milestone_id && !parent_id) return {}
  const held = (table: string, id: string | null = null) => sql`(select t.id
    from ${sql.table(table)} t where ${mine(ctx)} and t.id = ${id} and t.deleted_at is null
    for key share of t)`
  const found = await ctx.one<Above>(sql`select ${held('projects', project_id)} as project_id,
    ${held('milestones', milestone_id)} as milestone_id, ${held('tasks', parent_id)} as parent_id`)
  return found ?? {}
}

/** The id in a link of a body: the text itself, or under the record's key or `id`. */
export function idOf(link: unknown, key: string): string | undefined {
  if (typeof link === 'string') return link
  if (typeof link !== 'object' || link === null) return undefined
  const { [key]: named, id } = link as { [key: string]: unknown }
  const found = named ?? id
  return typeof found === 'string' ? found : undefined
}
