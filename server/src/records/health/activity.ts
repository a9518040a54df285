import type { Actor, Context, Query } from '../../kit/ground/context.ts'
import { newId } from '../../kit/ground/ids.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { restrictRows } from '../../kit/record/readable.ts'
import { levelOf } from '../../kit/record/scope.ts'

/** What of an account's activity each permission opens, and to apps each scope. */
const kinds = {
  answer: { module: 'surveys', scope: 'survey' },
  signature: { module: 'documents', scope: 'document' },
  meeting: { module: 'calendar', scope: 'meeting' },
  comment: { module: 'interactions', scope: 'interaction' },
  mail: { module: 'contacts', scope: 'contact' },
  feedback: { module: 'surveys', scope: 'survey' },
} as const

export type ActivityKind = keyof typeof kinds

/** Something that customers or the team did, and by what the accounts that it belongs to are found. */
export type Activity = {
  kind: ActivityKind
  /** what it is itself, such as a response: it counts once */
  source_id: string
  /** the record that it is about */
  module_id: number | null
  reference_id: string | null
  /** when it happened, or a meeting begins; ISO text */
  at: string
  /** who took part, and what else it belongs to */
  projects?: (string | null)[]
  companies?: (string | null)[]
  contacts?: (string | null)[]
  emails?: (string | null)[]
  users?: (string | null)[]
  nps?: number | null
  is_satisfied?: boolean | null
  sentiment?: number | null
}

/** One activity is put on no more accounts than this. */
const mostAccounts = 20

/**
 * Puts an activity on the accounts that it belongs to, and moves the `last_activity_date` of the
 * contacts who took part. A repetition only moves its time. One statement, sent without waiting.
 */
export function recordActivity(ctx: Context, activity: Activity): void {
  const { kind, source_id, module_id, reference_id, at } = activity
  const { nps = null, is_satisfied = null, sentiment = null } = activity
  const of = (module: number) => (module_id === module ? [reference_id] : [])
  const contacts = named(activity.contacts, of(5))
  const companies = named(activity.companies, of(4))
  const projects = named(activity.projects, of(2), of(3))
  const users = named(activity.users)
  const emails = named(activity.emails).map((email) => email.trim().toLowerCase())
  const organization = ctx.organization.id
  const now = ctx.now().toISOString()
  const ids = Array.from({ length: mostAccounts }, newId)
  // an answer to an account's survey is about that account alone
  const others = kind === 'answer' ? sql`not exists (select from about)` : sql`true`
  ctx.later(sql`
    with person as materialized (
      select t.id, t.company_id from contacts t where ${mine(ctx)} and t.deleted_at is null
        and (t.id = any(${contacts}::varchar[]) or t.primary_email_key = any(${emails}::text[])
          or t.linked_user = any(${users}::varchar[]))
    ), about as materialized (
      select x.id from (${accountsOf(ctx, module_id, reference_id)}) x (id) where x.id is not null
    ), found as (
      select id from about
      union select p.account_id from projects p
        where p.organization_id = ${organization} and p.id = any(${projects}::varchar[])
      union select a.id from accounts a
        where a.organization_id = ${organization} and a.company_id = any(${companies}::varchar[])
      union select a.id from accounts a join person on a.customer_contact = person.id
        where a.organization_id = ${organization} and ${others}
      union select a.id from accounts a join person on a.company_id = person.company_id
        where a.organization_id = ${organization} and ${others}
      union select u.account_id from users u where u.organization_id = ${organization}
        and (u.id = any(${users}::varchar[]) or u.email_key = any(${emails}::text[])) and ${others}
    ), touched as (
      update contacts t set last_activity_date = ${at}::timestamptz
      where ${mine(ctx)} and t.id in (select person.id from person)
        and ${at}::timestamptz <= ${now}::timestamptz
        and (t.last_activity_date is null or t.last_activity_date < ${at}::timestamptz)
    )
    insert into account_activity (organization_id, id, account_id, contact_id, kind, module_id,
      reference_id, source_id, at, nps, is_satisfied, sentiment)
    select ${organization}, (${ids}::varchar[])[row_number() over (order by t.id)], t.id,
      (select min(person.id) from person having count(*) = 1), ${kind}, ${module_id}::smallint,
      ${reference_id}, ${source_id}, ${at}::timestamptz, ${nps}::smallint, ${is_satisfied}::boolean,
      ${sentiment}::real
    from accounts t where ${mine(ctx)} and t.deleted_at is null and t.id in (select id from found)
    order by t.id limit ${mostAccounts}
    on conflict (organization_id, account_id, kind, source_id) do update set at = excluded.at`)
}

/** The accounts of the record that an activity is about, where the record says. */
function accountsOf(ctx: Context, module: number | null, id: string | null): Query {
  const one = sql`${mine(ctx)} and t.id = ${id}`
  const project = sql`left join projects p on p.organization_id = t.organization_id
    and p.id = t.project_id where ${one}`
  switch (module) {
    case 1:
      return sql`select coalesce(p.account_id, t.account_id) from tasks t ${project}`
    case 6:
      return sql`select coalesce(p.account_id, t.account_id) from documents t ${project}`
    case 10:
      return sql`select p.account_id from milestones t ${project}`
    case 7:
      return sql`select t.account_id from surveys t where ${one}`
    case 8:
      return sql`select t.id from accounts t where ${one}`
    default:
      return sql`select null::varchar`
  }
}

/** Forgets an activity that did not take place, such as a cancelled meeting. */
export function removeActivity(ctx: Context, kind: ActivityKind, source_id: string): void {
  ctx.later(sql`delete from account_activity t
    where ${mine(ctx)} and t.source_id = ${source_id} and t.kind = ${kind}`)
}

function named(...ids: ((string | null)[] | undefined)[]): string[] {
  return ids.flatMap((some = []) => some.filter((id) => id !== null))
}

// an input of health that one of the modules behind it opens is for who reads all of that module
restrictRows('account_activity', (ctx) => {
  const readable = Object.entries(kinds).flatMap(([kind, behind]) =>
    readsAllOf(ctx.actor, behind) ? [kind] : [],
  )
  if (readable.length === Object.keys(kinds).length) return undefined
  return sql`(select a.* from account_activity a where ${ofKinds(readable)})`
})

function ofKinds(readable: string[]): Query {
  return sql`a.kind = any(${readable}::text[])`
}

function readsAllOf(actor: Actor, { module, scope }: { module: string; scope: string }): boolean {
  if (actor.type === 'system') return true
  if (levelOf(actor, module, 'read') !== 'all') return false
  return !actor.app || actor.app.scopes.includes(`${scope}.read`)
}
