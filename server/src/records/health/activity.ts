import type { Actor, Context, Query } from '../../kit/ground/context.ts'
import { newId } from '../../kit/ground/ids.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { isInScope, restrictRows } from '../../kit/record/readable.ts'
import { levelOf } from '../../kit/record/scope.ts'

/** Which parts of an account's activity each permission allows to read, and for apps each scope. */
const kinds = {
  answer: { module: 'surveys', scope: 'survey' },
  signature: { module: 'documents', scope: 'document' },
  opened: { module: 'documents', scope: 'document' },
  meeting: { module: 'calendar', scope: 'meeting' },
  comment: { module: 'interactions', scope: 'interaction' },
  mail: { module: 'contacts', scope: 'contact' },
  feedback: { module: 'surveys', scope: 'survey' },
} as const

export type ActivityKind = keyof typeof kinds

/** Something that customers or the team did, and how the records that it belongs to are found. */
export type Activity = {
  kind: ActivityKind
  /** the record of the activity itself, such as a response, which counts once */
  source_id: string
  /** the record that it is about */
  module_id: number | null
  reference_id: string | null
  /** when it happened, or when a meeting begins; ISO text */
  at: string
  /** whether it is hidden from some of those who see what it belongs to */
  is_private?: boolean
  /** who took part, and what else it belongs to */
  projects?: (string | null)[]
  companies?: (string | null)[]
  contacts?: (string | null)[]
  emails?: (string | null)[]
  users?: (string | null)[]
  nps?: number | null
  is_satisfied?: boolean | null
}

/** The maximum number of accounts, companies, contacts and projects of one activity together. */
const most = 60

/**
 * Stores an activity for the accounts, companies, contacts and projects that it belongs to, and updates the
 * `last_activity_date` of the contacts who took part. Repeating it only updates its time. Only the commit waits for
 * these statements.
 */
export function recordActivity(ctx: Context, activity: Activity): void {
  const { kind, source_id, module_id, reference_id, at, is_private = false } = activity
  const { nps = null, is_satisfied = null } = activity
  const of = (module: number) => (module_id === module ? [reference_id] : [])
  const contacts = named(activity.contacts, of(5))
  const companies = named(activity.companies, of(4))
  const projects = named(activity.projects, of(2), of(3))
  const users = named(activity.users)
  const emails = named(activity.emails).map((email) => email.trim().toLowerCase())
  const now = ctx.now().toISOString()
  const ids = Array.from({ length: most }, newId)
  // an answer to an account's survey is only about that account
  const others =
    kind === 'answer' ? sql`not exists (select from about where account_id is not null)` : sql`true`
  const people = sql`${mine(ctx)} and t.deleted_at is null
    and (t.id = any(${contacts}::varchar[]) or t.primary_email_key = any(${emails}::text[])
      or t.linked_user = any(${users}::varchar[]))`
  if (!is_private && (contacts.length || emails.length || users.length)) {
    ctx.later(sql`
      update contacts t set last_activity_date = ${at}::timestamptz
      where ${people} and ${at}::timestamptz <= ${now}::timestamptz
        and (t.last_activity_date is null or t.last_activity_date < ${at}::timestamptz)`)
  }
  ctx.later(sql`
    with person as materialized (
      select t.id, t.company_id from contacts t where ${people}
    ), about as materialized (
      select x.account_id, x.project_id
      from (${belongings(ctx, module_id, reference_id)}) x (account_id, project_id)
    ), project as materialized (
      select p.id, p.account_id from projects p where p.organization_id = $organization
        and p.id in (select unnest(${projects}::varchar[]) union select project_id from about)
    ), account as materialized (
      select t.id, t.company_id from accounts t where ${mine(ctx)} and t.deleted_at is null and t.id in (
        select account_id from about
        union select account_id from project
        union select a.id from accounts a
          where a.organization_id = $organization and a.company_id = any(${companies}::varchar[])
        union select a.id from accounts a join person on a.customer_contact = person.id
          where a.organization_id = $organization and ${others}
        union select a.id from accounts a join person on a.company_id = person.company_id
          where a.organization_id = $organization and ${others}
        union select u.account_id from users u where u.organization_id = $organization
          and (u.id = any(${users}::varchar[]) or u.email_key = any(${emails}::text[])) and ${others}
      )
    ), subject as (
      select 8 as module, id from account
      union select 5, id from person
      union select 4, t.id from companies t where ${mine(ctx)} and t.id in (
        select company_id from person union select company_id from account
        union select unnest(${companies}::varchar[]))
      union select 2, id from project
    )
    insert into record_activity (organization_id, id, subject_module, subject_id, contact_id, kind,
      module_id, reference_id, source_id, at, is_private, nps, is_satisfied)
    select $organization, (${ids}::varchar[])[row_number() over (order by s.module desc, s.id)],
      s.module, s.id, (select min(person.id) from person having count(*) = 1), ${kind},
      ${module_id}::smallint, ${reference_id}, ${source_id}, ${at}::timestamptz, ${is_private},
      ${nps}::smallint, ${is_satisfied}::boolean
    from subject s order by s.module desc, s.id limit ${most}
    on conflict (organization_id, subject_module, subject_id, kind, source_id)
      do update set at = excluded.at`)
}

/** The account and the project of the record that an activity is about, if it has one. */
function belongings(ctx: Context, module: number | null, id: string | null): Query {
  const one = sql`${mine(ctx)} and t.id = ${id}`
  switch (module) {
    case 1:
    case 6: {
      const table = sql.table(module === 1 ? 'tasks' : 'documents')
      return sql`select coalesce(p.account_id, t.account_id), t.project_id from ${table} t
        left join projects p on p.organization_id = $organization and p.id = t.project_id
        where ${one}`
    }
    case 10:
      return sql`select null::varchar, t.project_id from milestones t where ${one}`
    case 7:
      return sql`select t.account_id, null::varchar from surveys t where ${one}`
    case 8:
      return sql`select t.id, null::varchar from accounts t where ${one}`
    default:
      return sql`select null::varchar, null::varchar`
  }
}

/** Deletes an activity that did not take place, such as a cancelled meeting. */
export function removeActivity(ctx: Context, kind: ActivityKind, source_id: string): void {
  ctx.later(sql`delete from record_activity t
    where ${mine(ctx)} and t.source_id = ${source_id} and t.kind = ${kind}`)
}

function named(...ids: ((string | null)[] | undefined)[]): string[] {
  return ids.flatMap((some = []) => some.filter((id) => id !== null))
}

// an input of health is visible to whoever reads all records of one of the modules behind it
restrictRows('record_activity', (ctx) => {
  const readable = Object.entries(kinds).flatMap(([kind, behind]) =>
    readsAllOf(ctx.actor, behind) ? [kind] : [],
  )
  if (readable.length === Object.keys(kinds).length) return undefined
  return sql`(select a.* from record_activity a
    where ${mine(ctx, 'a')} and a.kind = any(${readable}::text[]))`
})

function readsAllOf(actor: Actor, { module, scope }: { module: string; scope: string }): boolean {
  return (
    levelOf(actor, module, 'read') === 'all' && isInScope(actor, { apps: { scopedAs: [scope] } })
  )
}
