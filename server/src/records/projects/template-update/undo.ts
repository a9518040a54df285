import type { Context } from '../../../kit/ground/context.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { lockMany } from '../../../kit/write/many.ts'
import { Document } from '../../../model/documents/document.ts'
import { Milestone } from '../../../model/milestones/milestone.ts'
import { Task } from '../../../model/tasks/task.ts'
import type { Done } from '../../bulk/change.ts'
import type { UndoOutcome } from '../../bulk/undo.ts'
import { cascadeDocuments, cascadeRows } from '../cascade.ts'
import { undoPlan } from '../schedule/undo.ts'

/**
 * Undoes an update of projects to another version of their template: fields go back one by one, as of a changed plan,
 * and new lines and documents are deleted, except those that somebody else has changed or written about since, or put
 * something into; they are under `failed`.
 */
export async function undoUpdate(
  ctx: Context,
  { records }: { records: Done[] },
): Promise<UndoOutcome> {
  const isCreated = ({ before }: Done) => (before as { created?: boolean } | null)?.created === true
  const outcome = await undoPlan(ctx, { records: records.filter((each) => !isCreated(each)) })
  const created = records.filter(isCreated)
  const of = (kind: 'milestone' | 'task' | 'document' | 'copy') =>
    created.flatMap(({ record_id, before }) =>
      (before as { kind?: string } | null)?.kind === kind ? record_id : [],
    )
  const [milestones, tasks, documents] = [of('milestone'), of('task'), of('document')]
  const copies = of('copy')
  const failed = new Map<string, string>()
  for (const [record, ids] of [
    [Milestone, milestones],
    [Task, tasks],
  ] as const) {
    const locked = await lockMany(ctx, record, ids.toSorted(), 'delete')
    for (const id of ids) {
      // what is gone is undone
      if (locked.get(id)?.isAllowed === false) {
        failed.set(id, `Your role may not delete this ${record.word}`)
      }
    }
  }
  const used = await usedDocuments(ctx, copies)
  for (const id of [...used, ...(await workedOn(ctx, milestones, tasks, documents))]) {
    failed.set(id, 'Somebody worked on it since')
  }
  const gone = (ids: string[]) => ids.filter((id) => !failed.has(id))
  const to = ctx.now().toISOString()
  await cascadeRows(ctx, gone(milestones), gone(tasks), to)
  await cascadeDocuments(ctx, documents, to, gone(copies))
  return {
    ...outcome,
    updated: outcome.updated + created.length - failed.size,
    failed: [...outcome.failed, ...[...failed].map(([id, error]) => ({ id, error }))],
  }
}

/** Copies of documents that somebody else has changed or signed. */
async function usedDocuments(ctx: Context, ids: string[]): Promise<string[]> {
  if (!ids.length) return []
  const found = await ctx.all<{ id: string }>(sql`
    select distinct d.chain_id as id from documents d
    join events e on ${mine(ctx, 'e')} and e.module_id = ${Document.number}
      and e.reference_id = d.id and e.actor_id is distinct from ${ctx.actor.user_id}
    where ${mine(ctx, 'd')} and d.chain_id = any(${ids}::varchar[])`)
  return found.map(({ id }) => id)
}

/**
 * New lines that somebody else changed or wrote about, or whose documents somebody else changed or signed, and all that
 * holds something that was not created with them.
 */
async function workedOn(
  ctx: Context,
  milestones: string[],
  tasks: string[],
  documents: string[],
): Promise<string[]> {
  const me = ctx.actor.user_id
  const ids = [...milestones, ...tasks]
  if (!ids.length) return []
  const found = await ctx.all<{ id: string }>(sql`
    with recursive worked (id) as (
      select e.reference_id from events e
      where ${mine(ctx, 'e')} and e.actor_id <> ${me} and e.reference_id = any(${ids}::varchar[])
        and e.module_id in (${Task.number}, ${Milestone.number})
      union
      select d.reference_id from documents d
      join events e on ${mine(ctx, 'e')} and e.module_id = ${Document.number}
        and e.reference_id = d.id and e.actor_id is distinct from ${me}
      where ${mine(ctx, 'd')} and d.chain_id = any(${documents}::varchar[])
      union
      select i.reference_id from interactions i
      where ${mine(ctx, 'i')} and i.deleted_at is null and i.reference_id = any(${ids}::varchar[])
        and i.module_id in (${Task.number}, ${Milestone.number})
      union
      select k.id from tasks k
      where ${mine(ctx, 'k')} and k.deleted_at is null and not k.id = any(${tasks}::varchar[])
        and (k.milestone_id = any(${milestones}::varchar[]) or k.parent_id = any(${tasks}::varchar[]))
      union
      select above.id from worked join tasks k
          on k.organization_id = $organization and k.id = worked.id
        cross join lateral (values (k.milestone_id), (k.parent_id)) above (id)
      where above.id = any(${ids}::varchar[])
    ) select distinct worked.id from worked where worked.id = any(${ids}::varchar[])`)
  return found.map(({ id }) => id)
}
