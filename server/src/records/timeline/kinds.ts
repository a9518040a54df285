import type { Context, Query } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { readableRows } from '../../kit/record/readable.ts'
import { readsAll } from '../../kit/record/scope.ts'
import { visibleEntriesOf } from '../activity/visible.ts'

/**
 * The activities of each kind, as a join over `a` that keeps those the reader may read, and the data
 * for their sentences, as JSON; `sources` are their `source_id`s. Activities in the future are left out.
 */
export const activities: {
  [kind: string]: (ctx: Context, sources: string[]) => { join: Query; what: Query }
} = {
  answer: (ctx) => ({
    join: sql`join ${surveys(ctx)} s
        on ${same('s', 'reference_id')} and s.deleted_at is null
      join survey_responses r on ${same('r', 'source_id')} and ${ownAnswers(ctx)}
      left join ${rows(ctx, 'contacts')} c on ${same('c', 'contact_id')} and c.deleted_at is null`,
    what: sql`json_build_object('who', coalesce(c.full_name, r.respondent_email), 'nps', a.nps)`,
  }),
  signature: signatures,
  opened: signatures,
  meeting: (ctx) => ({
    join: sql`join ${rows(ctx, 'meetings')} m on ${same('m', 'source_id')} and m.deleted_at is null
      and not m.is_meeting_cancelled`,
    what: sql`json_build_object('people', (select json_agg(coalesce(p ->> 'name', p ->> 'email'))
      from jsonb_array_elements(m.attendees) p))`,
  }),
  comment: (ctx, sources) => ({
    // also restricted by their ids: checking the rights on all other comments would be too expensive
    join: sql`join ${rows(ctx, 'interactions')} i on ${same('i', 'source_id')}
      and i.id = any((select ${sources}::varchar[])::varchar[]) and i.deleted_at is null and not i.is_deleted
      left join users u on u.organization_id = $organization and u.id = i.created_by`,
    what: sql`json_build_object('who', u.full_name, 'user_id', u.id,
      'text', left(i.content, 2000), 'rating', i.rating)`,
  }),
  mail: (ctx) => ({
    join: sql`left join ${surveys(ctx)} s on a.module_id = 7 and ${same('s', 'reference_id')}
      and s.deleted_at is null
      left join events e on ${same('e', 'source_id')} and ${visibleEntriesOf(ctx, modules)}
      where (s.id is not null or e.id is not null)
        and ${ctx.actor.is_external ? isOwn(ctx) : sql`true`}`,
    what: sql`json_build_object('text', e.description)`,
  }),
  feedback: (ctx) => ({
    join: sql`join widget_responses w on ${same('w', 'source_id')}
      and ${readsAll(ctx.actor, ['surveys'])}
      left join ${rows(ctx, 'contacts')} c on ${same('c', 'contact_id')} and c.deleted_at is null`,
    what: sql`json_build_object('who', coalesce(c.full_name, w.email), 'text', (
      select left(string_agg(f.value, ' · '), 2000) from jsonb_each_text(w.answers) f
      where f.key <> 'email'))`,
  }),
}

function signatures(ctx: Context) {
  return {
    join: sql`join ${rows(ctx, 'documents')} d on ${same('d', 'reference_id')} and d.deleted_at is null
      join signature_recipients r on ${same('r', 'source_id')}`,
    // what somebody did is told as it was, also after the request was withdrawn
    what: sql`json_build_object('who', r.name, 'status', case when r.status <> 'voided' then r.status
      when r.reason is not null then 'declined' when r.address is null then r.status
      when r.role = 'approver' then 'approved' else 'signed' end)`,
  }
}

/** Customers see what they answered and were mailed themselves, whichever survey it was. */
function surveys(ctx: Context): Query {
  return ctx.actor.is_external ? sql`surveys` : rows(ctx, 'surveys')
}

/** Customers see only their own answers. */
function ownAnswers(ctx: Context): Query {
  const { actor } = ctx
  return actor.is_external ? sql`(r.created_by = ${actor.user_id} or ${isOwn(ctx)})` : sql`true`
}

/** Whether the contact of `a` is the caller: linked to them, or with their e-mail address. */
function isOwn(ctx: Context): Query {
  const { user_id } = ctx.actor
  return sql`exists (select from contacts own where ${same('own', 'contact_id')}
    and own.deleted_at is null and (own.linked_user = ${user_id} or lower(own.primary_email) =
      (select lower(u.email) from users u where ${mine(ctx, 'u')} and u.id = ${user_id})))`
}

const rows = readableRows

/** The row of a table to which a column of `a` refers. */
function same(alias: string, column: string): Query {
  return sql`${sql.ref(`${alias}.organization_id`)} = $organization
    and ${sql.ref(`${alias}.id`)} = ${sql.ref(`a.${column}`)}`
}

/** The modules whose log entries are in timelines. */
export const modules = [
  'tasks',
  'projects',
  'deals',
  'companies',
  'contacts',
  'documents',
  'accounts',
  'milestones',
  'meetings',
]

const action = sql`e.raw_description ->> 'action'`
const isEdit = sql`(e.type is null and ${action} = 'updated')`
const moves = ['deal_stage_changed', 'deal_won', 'deal_lost']
/** A move that wins or loses a deal is shown by the event for that, which comes from the same write. */
const isClosing = sql`(e.type = 'deal_stage_changed' and exists (select from events w
  where w.organization_id = $organization and w.module_id = e.module_id
    and w.reference_id = e.reference_id and w.type in ('deal_won', 'deal_lost')
    and w.occurred_at = e.occurred_at))`
const stages = [...moves, 'project_status_changed', 'project_completed']
const stageFields = [
  'stage_id',
  'current_stage',
  'status',
  'pipeline_id',
  'lost_reason',
  'closed_at',
]

/**
 * Which log entries belong to each kind, as a condition over `e`. If something is also shown by another
 * kind, or twice, only one remains: a signature is not shown as a change of its document, nor a move as a change of its deal.
 */
export const entries: { [kind: string]: Query } = {
  task: sql`(e.module_id = 1 and not ${isEdit}
    and e.type is distinct from 'task_updated' and e.type is distinct from 'task_status_changed')`,
  milestone: sql`(e.module_id = 10 and not ${isEdit} and e.type is distinct from 'milestone_updated')`,
  document: sql`(e.module_id = 6 and e.type is distinct from 'document_declined'
    and e.type is distinct from 'document_updated'
    and not (e.type is null and ${action} = any(${[
      'updated',
      'viewed',
      'signed',
      'approved',
      'sealed',
      'signature asked for',
    ]}::text[])))`,
  meeting: sql`(e.module_id = 11 and not ${isEdit})`,
  stage: sql`(e.type = any(${stages}::text[]) and not ${isClosing})`,
  change: sql`(e.module_id = any('{2,3,4,5,8}'::int[])
    and coalesce(e.type, '') <> all(${[...stages, 'engagement_tracked']}::text[])
    and not (coalesce(e.type, '') in ('deal_updated', 'project_updated')
      and coalesce(json_array_length(e.changes), 0) > 0 and not exists (
        select from json_array_elements(e.changes) c
        where c ->> 'field' <> all(${stageFields}::text[]))))`,
}

/** Whether an entry is an edit, with or without an event. */
const changed = sql`(${isEdit} or coalesce(e.type, '') like '%\\_updated'
  or coalesce(e.type, '') = 'task_status_changed')`
const ofSigning = sql`(coalesce(${action}, '') = any(${[
  'signed',
  'approved',
  'declined',
  'sealed',
  'signature requested',
  'signature asked for',
]}::text[]))`
const isOpening = sql`(coalesce(${action}, '') = 'viewed')`
const isAnswer = sql`(coalesce(${action}, '') = 'answered')`

/**
 * The same for the timeline of a record that only has its own entries, by the module's number. There each
 * entry has exactly one kind.
 */
export const ownEntries: { [module: number]: { [kind: string]: Query } } = {
  1: { task: sql`(not ${changed})`, change: changed },
  6: {
    signature: ofSigning,
    opened: isOpening,
    document: sql`(not (${changed} or ${ofSigning} or ${isOpening}))`,
    change: sql`(${changed} and not (${ofSigning} or ${isOpening}))`,
  },
  7: { answer: isAnswer, change: sql`(not ${isAnswer})` },
  11: { meeting: sql`(not ${changed})`, change: changed },
}

/** The kinds of a timeline, in the order for simultaneous entries. */
export const kinds = [...new Set([...Object.keys(activities), ...Object.keys(entries)])]
