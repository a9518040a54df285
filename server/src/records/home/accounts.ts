import type { Context, Query } from '../../kit/ground/context.ts'
import { addDays } from '../../kit/ground/dates.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { readableRows } from '../../kit/record/readable.ts'
import { scope } from '../../kit/record/scope.ts'
import { Account } from '../../model/accounts/account.ts'
import { Survey } from '../../model/surveys/survey.ts'
import { today } from '../../model/time/dates.ts'
import { storedScore } from '../health/stored.ts'
import type { Part, Row, Why } from './shape.ts'
import { rowOf, whyOf } from './shape.ts'

/** Rows of a card at most. */
const most = 4
/** An account has fallen whose score lost so many points within so many days. */
const fall = { points: 5, days: 7 }
/** How far renewals are seen ahead. */
const renewalDays = 90
/** Answers from 0 to 6 are those of detractors, and new for so many days. */
const low = { below: 7, days: 30 }

type Found = { id: string; title: string; all: number }

/** Accounts of people whose health is lower than a week ago, the deepest fall first. */
export async function accountsFallen(ctx: Context, people: string[]): Promise<Part> {
  const week = addDays(today(ctx), -fall.days)
  const days = sql`select ${storedScore(ctx)} as score, to_char(d.day, 'YYYY-MM-DD') as day
    from account_health_days d where ${mine(ctx, 'd')} and d.account_id = t.id`
  const found = await ctx.all<Found & { score: number; lost: number; since: string }>(sql`
    select ${columns}, n.score, w.score - n.score as lost, w.day as since from accounts t
    cross join lateral (${days} order by d.day desc limit 1) n
    cross join lateral (${days} and d.day <= ${week}::date order by d.day desc limit 1) w
    where ${ofPeople(ctx, people)} and w.score - n.score >= ${fall.points}
    order by lost desc, t.account_name_key, t.id limit ${most}`)
  return partOf(found, ({ score, lost, since }) => ({
    value: String(score),
    why: whyOf('fell', { count: lost, since }),
  }))
}

/** Accounts of people of whose won deals the last contract ends soon, the next end first. */
export async function renewals(ctx: Context, people: string[]): Promise<Part> {
  const now = today(ctx)
  const found = await ctx.all<Found & { due: string; months: number; since: string }>(sql`
    select ${columns}, to_char(r.ends, 'YYYY-MM-DD') as due, r.months,
      to_char(r.begins, 'YYYY-MM-DD') as since
    from accounts t
    cross join lateral (
      select c.begins, c.months, (c.begins + make_interval(months => c.months))::date as ends from (
        select (p.closed_at at time zone ${ctx.organization.timezone})::date as begins,
          p.contract_duration as months
        from ${readableRows(ctx, 'projects')} p
        join stages s on ${mine(ctx, 's')} and s.id = p.stage_id and s.category = 'won'
        where ${mine(ctx, 'p')} and p.account_id = t.id and p.project_type = 'deal'
          and p.deleted_at is null and p.closed_at is not null
          and p.contract_duration between 1 and 1200
      ) c order by ends desc limit 1
    ) r
    where ${ofPeople(ctx, people)}
      and r.ends between ${now}::date and ${addDays(now, renewalDays)}::date
    order by r.ends, t.account_name_key, t.id limit ${most}`)
  return partOf(found, ({ due, months, since }) => ({
    due,
    why: whyOf('renewal', { count: months, since }),
  }))
}

/** Accounts of people with a low answer lately, each with its latest one. */
export async function lowAnswers(ctx: Context, people: string[]): Promise<Part> {
  const since = new Date(+ctx.now() - low.days * 86_400_000).toISOString()
  const found = await ctx.all<Found & { nps: number; who: string | null; at: string }>(sql`
    select ${columns}, r.nps, r.who, r.at from accounts t
    cross join lateral (
      select a.nps, a.at, c.full_name as who from record_activity a
      join ${readableRows(ctx, 'surveys')} s on ${mine(ctx, 's')} and s.id = a.reference_id
        and s.deleted_at is null
      left join ${readableRows(ctx, 'contacts')} c on ${mine(ctx, 'c')} and c.id = a.contact_id
        and c.deleted_at is null
      where ${mine(ctx, 'a')} and a.subject_module = ${Account.number} and a.subject_id = t.id
        and a.kind = 'answer' and a.module_id = ${Survey.number} and not a.is_private
        and a.nps < ${low.below} and a.at > ${since}::timestamptz
      order by a.at desc, a.id limit 1
    ) r
    where ${ofPeople(ctx, people)} order by r.at desc, t.id limit ${most}`)
  return partOf(found, ({ nps, who, at }) => ({
    value: String(nps),
    due: new Date(at).toISOString(),
    why: whyOf('answered', { count: nps, text: who }),
  }))
}

const columns = sql`t.id, t.account_name as title, (count(*) over ())::int as all`

function ofPeople(ctx: Context, people: string[]): Query {
  return sql`${scope(ctx, Account, 'read')} and t.account_owner = any(${people}::varchar[])`
}

/** A card whose rows are accounts; of what is computed for it there is no list. */
function partOf<T extends Found>(
  found: T[],
  more: (found: T) => Partial<Row> & { why: Why },
): Part {
  const rows = found.map((each) =>
    rowOf({ kind: 'account', id: each.id, title: each.title, ...more(each) }),
  )
  return { rows, count: found[0]?.all ?? 0, list: null, is_failed: false }
}
