import type { Context } from '../../kit/ground/context.ts'
import { conflict } from '../../kit/ground/errors.ts'
import { newId } from '../../kit/ground/ids.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { copiedColumns } from '../../model/documents/copied.ts'

/**
 * Copies a version; the copy is the latest one unless `isLatest` is false, and starts without
 * signatures and counts. What was prepared for signature goes along. The caller writes what differs. Returns its id.
 */
export async function newVersion(
  ctx: Context,
  from: string,
  version_type: 'edit' | 'signature',
  isLatest = true,
): Promise<string> {
  const id = newId()
  const now = ctx.now().toISOString()
  if (isLatest) {
    await ctx.run(sql`update documents t set latest_version = false where ${mine(ctx)}
      and t.id = ${from}`)
  }
  const names = (alias = '') => sql.join(copied.map((name) => sql.ref(alias + name)))
  await ctx.run(sql`insert into documents (organization_id, ${names()}, document_version, id,
      latest_version, version_type, parent_attach_id, created_by, creation_time, last_update_time)
    select t.organization_id, ${names('t.')}, (select max(v.document_version) + 1 from documents v
        where v.organization_id = $organization and v.chain_id = t.chain_id),
      ${id}::varchar, ${isLatest}::boolean, ${version_type}::text, t.id, ${ctx.actor.user_id}::varchar,
      ${now}::timestamptz, ${now}::timestamptz
    from documents t where ${mine(ctx)} and t.id = ${from}`)
  // recipients and fields are those of the document, whichever version is sent
  if (isLatest) {
    await ctx.run(sql`update signature_preparations t set document_id = ${id}
      where ${mine(ctx)} and t.document_id = ${from}`)
  }
  return id
}

/** What a version takes over: what any copy does, with its chain, its subject and its status. */
const copied = [
  ...copiedColumns,
  'chain_id',
  'module_id',
  'reference_id',
  'document_status',
  'published_at',
  'is_reusable',
]

/** The id of the latest version of the document that a version belongs to. */
export async function latestOf(ctx: Context, id: string): Promise<string | undefined> {
  const found = await ctx.one<{ id: string }>(sql`select l.id from documents t
    join documents l on l.organization_id = $organization and l.chain_id = t.chain_id
    where ${mine(ctx)} and t.id = ${id} and l.latest_version and l.deleted_at is null`)
  return found?.id
}

/** 409 for a change of an older version; `data` has the id of the latest one. */
export function oldVersion(latest: string | undefined) {
  return conflict('There is a newer version of this document', 'old_version', { id: latest })
}

/** SQL for the id that all versions of a document share: that of its first version. */
export function chainOf(ctx: Context, id: string) {
  return sql`(select d.chain_id from documents d where ${mine(ctx, 'd')} and d.id = ${id})`
}
