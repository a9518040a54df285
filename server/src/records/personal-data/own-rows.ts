import type { Context, Query } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { ServiceTable } from '../../kit/record/service-table.ts'
import { remove } from '../../kit/write/write.ts'
import { serviceTables } from '../../model/all.ts'
import { Contact } from '../../model/contacts/contact.ts'
import { Notification } from '../../model/notifications/notification.ts'
import { voidSignatures } from '../documents/requests/withdraw.ts'
import { endAccess } from '../users/change.ts'
import { UserProfile } from '../../model/users/user.ts'
import type { Person } from './person.ts'
import type { Receipt, Working } from './request.ts'
import { counted, placeholdersOf } from './request.ts'
import { tablesOf } from './tables.ts'

/** Erases the person's own rows in one transaction; returns the receipt so far. */
export type OwnRows = (ctx: Context, request: Working, person: Person) => Promise<Receipt>

/** Sessions, codes, connections, settings and notifications of the users. */
export const eraseAccess: OwnRows = async (ctx, { receipt, user_ids }) => {
  let left = receipt
  for (const id of user_ids) await endAccess(ctx, id)
  for (const { table, ownedBy = 'id' } of ofUsers) {
    const rows = await ctx.run(sql`delete from ${sql.table(table)} t
      where ${mine(ctx)} and ${sql.ref(`t.${ownedBy}`)} = any(${user_ids})`)
    left = counted(left, table, rows)
  }
  ctx.forget()
  return left
}

/** The tables whose rows belong to one user each. */
const ofUsers: Pick<ServiceTable, 'table' | 'ownedBy'>[] = [
  ...serviceTables.filter(({ ownedBy }) => ownedBy !== undefined),
  { table: Notification.table, ownedBy: 'user_id' },
]

/** The users and contacts themselves: their rows remain, deleted and without personal data, because others refer to them. */
export const erasePeople: OwnRows = async (ctx, request) => {
  let { receipt } = request
  const tables = await tablesOf(ctx)
  for (const [record, ids] of [
    [UserProfile, request.user_ids],
    [Contact, request.contact_ids],
  ] as const) {
    const table = tables.find(({ name }) => name === record.table)
    for (const id of ids) {
      const cleared = (table?.columns ?? []).filter(
        ({ name, type, has_default }) => has_default && type !== 'boolean' && !stays.has(name),
      )
      const set: Query[] = cleared.map(({ name }) => sql`${sql.ref(name)} = default`)
      const name = placeholdersOf(request).name
      const email = `erased-${id}@erased.invalid`
      const own =
        record === UserProfile
          ? sql`full_name = ${name}, email = ${email}, email_key = ${email}, is_active = false`
          : sql`full_name = ${name}`
      const rows = await ctx.run(sql`update ${sql.table(record.table)} t
        set ${sql.join([...set, own])}, version = t.version + 1 where ${mine(ctx)} and t.id = ${id}`)
      receipt = counted(receipt, record.table, rows)
      const isAlive = await ctx.one(sql`select from ${sql.table(record.table)} t
        where ${mine(ctx)} and t.id = ${id} and t.deleted_at is null`)
      if (isAlive) await remove(ctx, record, id)
    }
    const ours = [...ids]
    if (record === Contact)
      receipt = counted(receipt, 'record_activity', await eraseActivity(ctx, ours))
    const unique = await ctx.run(sql`delete from unique_values t
      where ${mine(ctx)} and t.record_id = any(${ours})`)
    receipt = counted(receipt, 'unique_values', unique)
  }
  ctx.forget()
  return receipt
}

/** What contacts did: their own timelines are deleted; in others the activities remain without a name. */
async function eraseActivity(ctx: Context, contact_ids: string[]): Promise<number> {
  const own = await ctx.run(sql`delete from record_activity t where ${mine(ctx)}
    and t.subject_module = ${Contact.number} and t.subject_id = any(${contact_ids})`)
  const others = await ctx.run(sql`update record_activity t set contact_id = null
    where ${mine(ctx)} and t.contact_id = any(${contact_ids})`)
  const about = await ctx.run(sql`update record_activity t set module_id = null, reference_id = null
    where ${mine(ctx)} and t.module_id = ${Contact.number} and t.reference_id = any(${contact_ids})`)
  return own + others + about
}

/** Columns without personal data, or that others depend on. */
const stays = new Set([
  'id',
  'created_by',
  'reports_to',
  'role_id',
  'version',
  'creation_time',
  'last_update_time',
  'deleted_at',
  'record_source',
])

/** Answers: what is counted remains, without the respondent and the texts. */
export const eraseAnswers: OwnRows = async (ctx, { receipt, user_ids }, { emails }) => {
  const addresses = emails.map((email) => email.toLowerCase())
  const numbers = sql`coalesce((select jsonb_object_agg(a.key, a.value) from jsonb_each(t.answers) a
    where jsonb_typeof(a.value) in ('number', 'boolean')), '{}')`
  const surveys = await ctx.run(sql`update survey_responses t set answers = ${numbers},
      respondent_email = null, unique_key = null, created_by = null
    where ${mine(ctx)}
      and (lower(t.respondent_email) = any(${addresses}) or t.created_by = any(${user_ids}))`)
  const feedback = await ctx.run(sql`update widget_responses t set answers = ${numbers},
      email = null, user_id = null, page_url = null
    where ${mine(ctx)} and (lower(t.email) = any(${addresses}) or t.user_id = any(${user_ids}))`)
  const due = await ctx.run(sql`update survey_schedules t set email_addresses =
      coalesce((select jsonb_agg(e) from jsonb_array_elements(t.email_addresses) e
        where lower(e #>> '{}') <> all(${addresses})), '[]')
    where ${mine(ctx)} and exists (select from jsonb_array_elements_text(t.email_addresses) e
      where lower(e) = any(${addresses}))`)
  const mailed = await ctx.run(sql`delete from survey_recipients t
    where ${mine(ctx)} and t.email_key = any(${addresses})`)
  const answered = await ctx.run(sql`delete from meeting_answers t
    where ${mine(ctx)} and t.email = any(${addresses})`)
  let left = counted(receipt, 'survey_responses', surveys)
  left = counted(left, 'meeting_answers', answered)
  left = counted(left, 'survey_recipients', mailed)
  left = counted(left, 'widget_responses', feedback)
  return counted(left, 'survey_schedules', due)
}

/** Requests for signatures that are not complete: the open ones are withdrawn. */
export const eraseSignatures: OwnRows = async (ctx, request, { emails }) => {
  const addresses = emails.map((email) => email.toLowerCase())
  const { name, email } = placeholdersOf(request)
  const open = await ctx.all<{ document_id: string }>(sql`
    select distinct d.id as document_id from signature_requests q
    join documents d on d.organization_id = $organization and d.signature_request = q.id
      and d.deleted_at is null and d.signature_status in ('pending', 'partial')
    where ${mine(ctx, 'q')} and q.status = 'open' and exists (select from signature_recipients t
      where ${mine(ctx)} and t.request_id = q.id and lower(t.email) = any(${addresses}))`)
  const rows = await ctx.run(sql`update signature_recipients t set name = ${name}, email = ${email},
      status = 'voided', signature_name = null, signature_path = null, address = null,
      user_agent = null, reason = null, fields = '[]'
    from signature_requests q where ${mine(ctx)} and ${mine(ctx, 'q')} and q.id = t.request_id
      and q.status <> 'signed' and lower(t.email) = any(${addresses})`)
  const isNamed = sql`exists (select from jsonb_array_elements(t.content -> 'recipients') r
      where lower(r ->> 'email') = any(${addresses}))`
  // a reusable document keeps their place, which is open again
  const opened = await ctx.run(sql`update signature_preparations t set version = t.version + 1,
      content = jsonb_set(t.content, '{recipients}', (select jsonb_agg(case
          when lower(r ->> 'email') = any(${addresses}) then r || '{"name": "", "email": ""}' else r end
        order by at) from jsonb_array_elements(t.content -> 'recipients') with ordinality x (r, at)))
    where ${mine(ctx)} and ${isNamed} and exists (select from documents d
      where d.organization_id = $organization and d.id = t.document_id and d.is_reusable)`)
  // what is prepared otherwise goes, whoever else it names
  const prepared = await ctx.run(sql`delete from signature_preparations t
    where ${mine(ctx)} and ${isNamed}`)
  // what is sent to many goes on without them
  const waiting = await ctx.run(sql`update signature_batch_lines t set content = null
    where ${mine(ctx)} and exists (select from jsonb_array_elements(t.content -> 'recipients') r
      where lower(r ->> 'email') = any(${addresses}))`)
  const lines =
    await ctx.run(sql`update signature_batch_lines t set name = ${name}, email = ${email}
    where ${mine(ctx)} and lower(t.email) = any(${addresses})`)
  for (const { document_id } of open) {
    await voidSignatures(ctx, document_id, 'The data of a recipient were erased', 'voided', true)
  }
  const left = counted(request.receipt, 'signature_recipients', rows)
  return counted(
    counted(left, 'signature_preparations', opened + prepared),
    'signature_batch_lines',
    waiting + lines,
  )
}

/** What else the service stored about the users and contacts: deliveries, merges, imports. */
export const eraseHistory: OwnRows = async (ctx, { receipt, user_ids, contact_ids }) => {
  const ids = [...user_ids, ...contact_ids]
  const sent = await ctx.run(sql`update deliveries t set data = null, response_excerpt = null,
      status = case when t.status in ('pending', 'failing') then 'dropped' else t.status end
    from events e where ${mine(ctx)} and ${mine(ctx, 'e')} and e.id = t.event_id
      and e.reference_id = any(${ids}) and (t.data is not null or t.response_excerpt is not null
        or t.status in ('pending', 'failing'))`)
  const merged = await ctx.run(sql`delete from merges t where ${mine(ctx)}
    and (t.primary_id = any(${ids}) or t.merged_ids ?| ${ids}::text[])`)
  const imported = await ctx.run(sql`delete from import_records t
    where ${mine(ctx)} and t.record_id = any(${ids})`)
  let left = counted(receipt, 'deliveries', sent)
  left = counted(left, 'merges', merged)
  return counted(left, 'import_records', imported)
}

/** The number of log entries that one transaction changes. */
const batch = 2000

/**
 * The log of the users and contacts: the entries remain, without their contents. Returns
 * how many entries the transaction has changed, 0 after the last.
 */
export async function eraseLog(ctx: Context, request: Working): Promise<number> {
  const { id, user_ids, contact_ids } = request
  const { name } = placeholdersOf(request)
  const found = await ctx.one<{ rows: number }>(sql`
    select erase_log(${id}, ${[...user_ids, ...contact_ids]}::text[], ${name}, ${batch}) as rows`)
  return found?.rows ?? 0
}
