import type { Context } from '../../kit/ground/context.ts'
import type { Failure } from '../../kit/ground/errors.ts'
import { conflict } from '../../kit/ground/errors.ts'
import type { Change } from '../../kit/ground/event.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'
import { rights } from '../../kit/record/scope.ts'
import { announceEach } from '../../kit/write/announce-many.ts'
import { lockName } from '../../kit/write/lock-name.ts'
import { Task } from '../../model/tasks/task.ts'

/** How a task waits for its predecessor; `lag_days` are working days. */
export type StoredLink = { type: string; lag_days: number }

/** What becomes of a dependency; null is none. */
export type LinkChange = {
  task_id: string
  predecessor_id: string
  from: StoredLink | null
  to: StoredLink | null
}

/** Keeps others from adding dependencies until the commit: two at once could close a cycle together. */
export function lockDependencies(ctx: Context): Promise<void> {
  return lockName(ctx, `dependencies ${ctx.organization.id}`)
}

/** 409 naming the tasks of a cycle that dependencies would close which are new, with all that the others leave. */
export async function checkCircles(ctx: Context, links: LinkChange[]): Promise<void> {
  const added = links.filter(({ from, to }) => !from && to)
  if (!added.length) return
  const known = await ctx.all<{ task_id: string; predecessor_id: string }>(sql`
    with recursive above (id) as (
      select unnest(${added.map((each) => each.predecessor_id)}::varchar[]) collate "C"
      union
      select t.predecessor_id from task_dependencies t join above on t.task_id = above.id
      where ${mine(ctx)}
    )
    select t.task_id, t.predecessor_id from task_dependencies t join above on t.task_id = above.id
    where ${mine(ctx)}`)
  const keyOf = (each: { task_id: string; predecessor_id: string }) =>
    `${each.task_id} ${each.predecessor_id}`
  const gone = new Set(links.flatMap((each) => (each.to ? [] : keyOf(each))))
  const left = known.filter((each) => !gone.has(keyOf(each)))
  const waitsFor = Map.groupBy([...left, ...added], ({ task_id }) => task_id)
  for (const { task_id, predecessor_id } of added) {
    const way = pathBetween(predecessor_id, task_id, (id) => waitsFor.get(id) ?? [])
    if (way) throw await circle(ctx, [...way, predecessor_id])
  }
}

/** The shortest path along predecessors between two tasks, including both; undefined if there is none. */
function pathBetween(
  from: string,
  to: string,
  linksOf: (id: string) => { predecessor_id: string }[],
): string[] | undefined {
  const before = new Map<string, string | null>([[from, null]])
  // what is added meanwhile is visited, too
  for (const id of before.keys()) {
    if (id === to) {
      const path: string[] = []
      for (let at: string | null = id; at !== null; at = before.get(at) ?? null) path.unshift(at)
      return path
    }
    for (const { predecessor_id } of linksOf(id)) {
      if (!before.has(predecessor_id)) before.set(predecessor_id, id)
    }
  }
  return undefined
}

/** The 409 for a cycle, from one of its tasks to the same; tasks are named if the caller may read them. */
export async function circle(ctx: Context, ids: string[]): Promise<Failure> {
  const seen = await ctx.all<{ id: string; title: string }>(sql`select t.id, t.title from tasks t
    where ${all(mine(ctx), rights(ctx, Task, 'read'))} and t.id = any(${ids})`)
  const titles = new Map(seen.map(({ id, title }) => [id, title]))
  const path = ids.filter((id) => titles.has(id))
  if (path[0] !== undefined && path[0] !== path.at(-1)) path.push(path[0])
  const names = path.map((id) => titles.get(id)).join(' → ')
  return conflict(`This would be a cycle: ${names}`, 'circle', { path })
}

/** Sets and removes dependencies; each raises the version of its task, whose `is_blocked` follows from it. */
export async function writeLinks(ctx: Context, links: LinkChange[]): Promise<void> {
  if (!links.length) return
  const values = links.map(({ task_id, predecessor_id, to }) => ({
    task_id,
    predecessor_id,
    ...to,
  }))
  const rows = sql`json_to_recordset(${JSON.stringify(values)})
    as d (task_id text, predecessor_id text, type text, lag_days integer)`
  await ctx.run(sql`delete from task_dependencies t using ${rows}
    where ${mine(ctx)} and t.task_id = d.task_id and t.predecessor_id = d.predecessor_id
      and d.type is null`)
  await ctx.run(sql`
    insert into task_dependencies (organization_id, task_id, predecessor_id, type, lag_days)
    select ${ctx.organization.id}, d.task_id, d.predecessor_id, d.type, d.lag_days from ${rows}
    where d.type is not null
    on conflict (organization_id, task_id, predecessor_id)
    do update set type = excluded.type, lag_days = excluded.lag_days`)
  const ofTasks = Map.groupBy(links, ({ task_id }) => task_id)
  await ctx.run(sql`update tasks t
    set version = version + 1, last_update_time = ${ctx.now().toISOString()}
    where ${mine(ctx)} and t.id = any(${[...ofTasks.keys()]})`)
  const changed = [...ofTasks].map(([id, its]) => ({ id, changes: its.flatMap(changesOf) }))
  await announceEach(ctx, Task, 'updated', changed)
}

/** The fields under which the log has changes of dependencies. */
export const loggedLinkFields = ['predecessor_id', 'dependency_type', 'lag_days']

/** What the log shows of a change. */
export function changesOf({ predecessor_id, from, to }: LinkChange): Change[] {
  if (!from || !to) {
    return [{ field: 'predecessor_id', from: from && predecessor_id, to: to && predecessor_id }]
  }
  const changes: Change[] = [
    { field: 'dependency_type', from: from.type, to: to.type },
    { field: 'lag_days', from: from.lag_days, to: to.lag_days },
  ]
  return changes.filter((each) => each.from !== each.to)
}
