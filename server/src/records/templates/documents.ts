import type { Context } from '../../kit/ground/context.ts'
import { newId } from '../../kit/ground/ids.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { scope } from '../../kit/record/scope.ts'
import { announceAll } from '../../kit/write/announce-many.ts'
import { copiedColumns } from '../../model/documents/copied.ts'
import { Document } from '../../model/documents/document.ts'
import { copyImages } from '../pictures/copied-images.ts'
import { Task } from '../../model/tasks/task.ts'

/** A new task, and the document of which it gets a copy. */
export type Attaching = { id: string; task: { document_id?: string | null } }

/** Which of the documents of tasks the caller may read. */
export async function readableOf(
  ctx: Context,
  tasks: Attaching['task'][],
): Promise<ReadonlySet<string>> {
  const ids = [...new Set(tasks.flatMap(({ document_id }) => document_id ?? []))]
  if (!ids.length) return new Set()
  const found = await ctx.all<{ id: string }>(sql`
    select d.id from documents d
    join documents t on ${scope(ctx, Document, 'read')} and t.chain_id = d.chain_id and t.latest_version
    where ${mine(ctx, 'd')} and d.id = any(${ids}::varchar[])`)
  return new Set(found.map(({ id }) => id))
}

/** What a copy does not take over. */
const own = new Set(['project_id', 'account_id', 'start_date', 'due_date', 'forecasted_date'])

/**
 * Attaches a copy of its document to each new task, in a fixed number of statements: the latest version, as a draft without
 * signatures and dates. There is none of a document that is gone, or that the caller may not read. Returns their ids.
 */
export async function attachDocuments(ctx: Context, tasks: Attaching[]): Promise<string[]> {
  const wanted = tasks.flatMap(({ id, task: { document_id } }) =>
    document_id ? [{ id: newId(), task_id: id, document_id }] : [],
  )
  if (!wanted.length) return []
  const columns = copiedColumns.filter((name) => !own.has(name))
  const names = (alias = '') => sql.join(columns.map((name) => sql.ref(alias + name)))
  const now = ctx.now().toISOString()
  const made = await ctx.all<{ id: string }>(sql`
    insert into documents (organization_id, ${names()}, id, chain_id, module_id, reference_id, project_id,
      account_id, document_status, document_version, latest_version, created_by, creation_time,
      last_update_time)
    select t.organization_id, ${names('t.')}, w.id, w.id, ${Task.number}::int, k.id, k.project_id, k.account_id,
      'draft', 1, true, ${ctx.actor.user_id}::varchar, ${now}::timestamptz, ${now}::timestamptz
    from json_to_recordset(${JSON.stringify(wanted)}::json) as w (id text, task_id text, document_id text)
    join tasks k on ${mine(ctx, 'k')} and k.id = w.task_id
    join documents d on ${mine(ctx, 'd')} and d.id = w.document_id
    join documents t on ${scope(ctx, Document, 'read')} and t.chain_id = d.chain_id and t.latest_version
    order by w.id returning id`)
  const ids = made.map(({ id }) => id)
  await copyImages(
    ctx,
    wanted
      .map(({ id, document_id }) => ({ id, from: document_id }))
      .filter(({ id }) => ids.includes(id)),
  )
  await announceAll(ctx, Document, 'created', ids)
  return ids
}
