import type { Context } from '../../../kit/ground/context.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { lockName } from '../../../kit/write/lock-name.ts'
import type { UndoOutcome } from '../../bulk/undo.ts'
import { networkOf } from '../../../schedule/network.ts'
import { updateProject } from '../update.ts'
import { cycleError } from './changes.ts'
import { storedPlan } from './stored.ts'
import type { Done } from './write.ts'
import { writeFields, writeLinks } from './write.ts'

type Current = { id: string; project_id: string; [field: string]: unknown }

/**
 * Undoes a change of a plan field by field: what was changed since stays as it is and is named under `kept`. Records
 * that are gone, or that the caller may no longer change, are under `failed`. 409 if it would close a cycle.
 */
export async function undoPlan(
  ctx: Context,
  records: { record_id: string; before: object | null }[],
): Promise<UndoOutcome> {
  await lockName(ctx, `dependencies ${ctx.organization.id}`)
  const list = records.map(({ record_id, before }) => ({ record_id, ...before }) as Done)
  const rows = await currentRows(ctx, list)
  const kept: { id: string; field: string }[] = []
  const failed: { id: string; error: string }[] = []
  const back = list.flatMap((entry): Done[] => {
    const { record_id: id } = entry
    const row = rows.get(id)
    if (!row) {
      failed.push({ id, error: 'It is deleted' })
      return []
    }
    const fields: Done['fields'] = {}
    for (const [field, { from, to }] of Object.entries(entry.fields)) {
      if (row[field] === to) fields[field] = { from: to, to: from }
      else kept.push({ id, field })
    }
    const now = (row.links ?? []) as (Done['links'][number]['to'] & { predecessor_id: string })[]
    const links = entry.links.flatMap(({ predecessor_id, from, to }) => {
      const link = now.find((each) => each.predecessor_id === predecessor_id)
      if (link?.type === to?.type && link?.lag_days === to?.lag_days) {
        return { predecessor_id, from: to, to: from }
      }
      kept.push({ id, field: 'dependencies' })
      return []
    })
    return [{ ...entry, fields, links }]
  })
  for (const { kind, record_id, fields } of back) {
    if (kind !== 'project' || !fields.start_date) continue
    const to = fields.start_date.to
    await updateProject(ctx, record_id, { start_date: typeof to === 'string' ? to : null })
  }
  const refused = await writeFields(ctx, back)
  for (const [id, { message }] of refused) failed.push({ id, error: message })
  const relinked = back.filter(({ record_id }) => !refused.has(record_id))
  await writeLinks(ctx, relinked)
  await checkCycles(ctx, relinked, rows)
  const updated = back.filter(
    ({ record_id, fields, links }) =>
      !refused.has(record_id) && (Object.keys(fields).length || links.length),
  ).length
  return { updated, failed, kept: await withAuthors(ctx, kept) }
}

async function currentRows(ctx: Context, list: Done[]): Promise<Map<string, Current>> {
  const ids = list.map(({ record_id }) => record_id)
  const rows = await ctx.all<Current>(sql`
    select t.id, t.project_id, t.start_date::text, t.due_date::text, t.is_pinned,
      (select json_agg(json_build_object('predecessor_id', d.predecessor_id, 'type', d.type,
        'lag_days', d.lag_days)) from task_dependencies d
        where ${mine(ctx, 'd')} and d.task_id = t.id) as links
    from tasks t where ${mine(ctx)} and t.id = any(${ids}) and t.deleted_at is null
    union all
    select m.id, m.project_id, m.start_date::text, m.due_date::text, false, null
    from milestones m where ${mine(ctx, 'm')} and m.id = any(${ids}) and m.deleted_at is null
    union all
    select p.id, p.id, p.start_date::text, p.due_date::text, false, null
    from projects p where ${mine(ctx, 'p')} and p.id = any(${ids}) and p.deleted_at is null`)
  return new Map(rows.map((row) => [row.id, row]))
}

/** 409 if dependencies that are back close a cycle with others that were added meanwhile. */
async function checkCycles(ctx: Context, list: Done[], rows: Map<string, Current>): Promise<void> {
  const [first] = list.filter(({ links }) => links.some(({ to }) => to))
  const project = first && rows.get(first.record_id)?.project_id
  if (!project) return
  const stored = await storedPlan(ctx, project)
  const { cycle } = networkOf(stored.plan)
  if (cycle) throw cycleError(stored, cycle)
}

/** Who changed these fields last, by the log. */
async function withAuthors(ctx: Context, kept: { id: string; field: string }[]) {
  if (!kept.length) return []
  const found = await ctx.all<{ id: string; field: string; by: string }>(sql`
    select distinct on (e.reference_id, c.field) e.reference_id as id, c.field, e.actor_name as by
    from events e, json_to_recordset(e.changes) as c (field text)
    where ${mine(ctx, 'e')} and e.reference_id = any(${kept.map(({ id }) => id)})
      and json_typeof(e.changes) = 'array'
    order by e.reference_id, c.field, e.occurred_at desc, e.id desc`)
  const by = new Map(found.map((each) => [`${each.id} ${each.field}`, each.by]))
  return kept.map(({ id, field }) => ({ id, field, by: by.get(`${id} ${field}`) ?? null }))
}
