import { Type } from 'typebox'
import type { Static } from 'typebox'
import { byId } from '../../kit/crud.ts'
import type { Context } from '../../kit/ground/context.ts'
import { daysBetween } from '../../kit/ground/dates.ts'
import { enumeration, orNull } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { checkReadable } from '../../kit/read/one.ts'
import { readableRows } from '../../kit/record/readable.ts'
import { scope } from '../../kit/record/scope.ts'
import { Account } from '../../model/accounts/account.ts'
import { today } from '../../model/time/dates.ts'
import { forbidden } from '../../kit/ground/errors.ts'

const names = ['lead', 'won', 'onboarding', 'live', 'renewal'] as const
type Name = (typeof names)[number]

/** Fewer accounts that have left a phase than this say nothing of what is usual. */
const fewest = 3

const day = (description: string) => ({
  ...orNull(Type.String({ format: 'date' })),
  description,
})
const phase = Type.Object(
  {
    phase: enumeration(names, { title: 'AccountPhaseName' }),
    state: enumeration(['past', 'now', 'to_come', 'skipped'], { title: 'AccountPhaseState' }),
    entered: day('the day on which the account came into it'),
    left: day('the day on which it went on to a later one'),
    planned: day('the day on which it is expected to come into it, while it has not'),
    days: orNull(Type.Integer({ description: 'from `entered` to `left`, or to today' })),
    planned_days: orNull(
      Type.Integer({ description: 'from `entered` to the planned day of the next phase' }),
    ),
    usual_days: orNull(
      Type.Integer({
        description: `the median of the accounts that have left it, as far as the caller may read them; null below ${fewest}`,
      }),
    ),
  },
  { title: 'AccountPhase', additionalProperties: false },
)
type Phase = Static<typeof phase>

/** An account from its first deal to the end of its contract. */
export const accountPhases = operation({
  name: 'read_account_phases',
  summary: 'Retrieve the phases of an account',
  description:
    'Lead begins with the account or its first deal, Won with the first deal that is won, Onboarding with the start of ' +
    'its first project, Live with the go-live or else the completion of that project, Renewal with the end of the last ' +
    'contract. Days are those of the organization. Counts what the caller may read.',
  can: { module: 'accounts', action: 'read' },
  writes: false,
  lane: 'heavy',
  input: { params: byId },
  output: Type.Object(
    { account_id: Type.String(), phases: Type.Array(phase) },
    { title: 'AccountPhases', additionalProperties: false },
  ),
  async run(ctx, { params: { id } }) {
    if (ctx.actor.is_external) throw forbidden('Customers and partners may not read phases')
    await checkReadable(ctx, Account, id)
    const { dates, usual } = await datesOf(ctx, id)
    return { account_id: id, phases: phasesOf(dates, usual, today(ctx)) }
  },
})

type Day = string | null
type Dates = { [name in Name]: Day } & { planned_live: Day; planned_onboarding: Day }
type Usual = { [name in Name]?: number | null }

/** When an account came into each phase, and how long those that one may read stay in them: one statement. */
async function datesOf(ctx: Context, id: string): Promise<{ dates: Dates; usual: Usual }> {
  const zone = ctx.organization.timezone
  const now = today(ctx)
  const found = await ctx.one<Dates & { usual: Usual }>(sql`
    with deals as (
      select p.account_id, min(p.creation_time) as first,
        min(p.closed_at) filter (where s.category = 'won') as won,
        max(((p.closed_at at time zone ${zone})::date
            + make_interval(months => p.contract_duration))::date)
          filter (where s.category = 'won' and p.contract_duration between 1 and 1200) as ends
      from ${readableRows(ctx, 'projects')} p
      left join stages s on ${mine(ctx, 's')} and s.id = p.stage_id
      where ${mine(ctx, 'p')} and p.project_type = 'deal' and p.deleted_at is null
        and p.account_id is not null
      group by 1
    ), firsts as (
      select distinct on (p.account_id) p.account_id, p.id, p.due_date, p.completed_at,
        coalesce(p.start_date, (p.creation_time at time zone ${zone})::date) as began
      from ${readableRows(ctx, 'projects')} p
      where ${mine(ctx, 'p')} and p.project_type = 'project' and p.deleted_at is null
        and p.account_id is not null
      order by p.account_id, began, p.id
    ), steps as (
      select f.account_id, f.began,
        ((case when g.id is null then f.completed_at else g.completed_at end)
          at time zone ${zone})::date as live,
        coalesce(g.due_date, f.due_date) as planned_live
      from firsts f
      left join lateral (
        select m.id, m.completed_at, m.due_date from ${readableRows(ctx, 'milestones')} m
        where ${mine(ctx, 'm')} and m.project_id = f.id and m.kind = 'go_live'
          and m.deleted_at is null order by m.id limit 1) g on true
    ), phases as materialized (
      select t.id, (least(d.first, t.creation_time) at time zone ${zone})::date as lead,
        (d.won at time zone ${zone})::date as won,
        case when f.began <= ${now}::date
          then greatest(f.began, (d.won at time zone ${zone})::date) end as onboarding,
        case when f.began > ${now}::date then f.began end as planned_onboarding,
        case when f.live is not null then greatest(f.live, f.began) end as live, f.planned_live, d.ends as renewal
      from accounts t
      left join deals d on d.account_id = t.id
      left join steps f on f.account_id = t.id
      where ${scope(ctx, Account, 'read')}
    ), stays as (
      select coalesce(won, onboarding, live) - lead as lead,
        coalesce(onboarding, live) - won as won, live - onboarding as onboarding,
        case when renewal <= ${now}::date then renewal - live end as live
      from phases
    )
    select p.lead::text, p.won::text, p.onboarding::text, p.live::text, p.renewal::text,
      p.planned_live::text, p.planned_onboarding::text,
      (select json_build_object(${sql.join(
        (['lead', 'won', 'onboarding', 'live'] as const).map(
          (
            name,
          ) => sql`${name}::text, case when count(*) filter (where ${sql.ref(name)} >= 0) >= ${fewest}
            then round(percentile_cont(0.5) within group (order by ${sql.ref(name)})
              filter (where ${sql.ref(name)} >= 0))::integer end`,
        ),
      )}) from stays) as usual
    from phases p where p.id = ${id}`)
  const { usual, ...dates } = found ?? { ...none, usual: {} }
  return { dates, usual }
}

const none: Dates = {
  lead: null,
  won: null,
  onboarding: null,
  live: null,
  renewal: null,
  planned_live: null,
  planned_onboarding: null,
}

/** The phases in their order: each is left on the day on which a later one begins. */
function phasesOf(dates: Dates, usual: Usual, now: string): Phase[] {
  const { renewal: ends, planned_live, planned_onboarding } = dates
  const entered: { [name in Name]: Day } = {
    lead: dates.lead,
    won: dates.won,
    onboarding: dates.onboarding,
    live: dates.live,
    renewal: ends !== null && ends <= now ? ends : null,
  }
  const planned: { [name in Name]?: Day } = {
    onboarding: planned_onboarding,
    live: planned_live,
    renewal: ends,
  }
  return names.map((name, at): Phase => {
    const begun = entered[name]
    const later = names.slice(at + 1).flatMap((each) => entered[each] ?? [])
    const left = begun === null ? null : (later.toSorted()[0] ?? null)
    const next = names[at + 1]
    const until = next && left === null ? (planned[next] ?? null) : null
    const isPast = later.length > 0
    return {
      phase: name,
      state: begun === null ? (isPast ? 'skipped' : 'to_come') : left === null ? 'now' : 'past',
      entered: begun,
      left,
      planned: begun === null && !isPast ? (planned[name] ?? null) : null,
      days: begun === null ? null : Math.max(0, daysBetween(begun, left ?? now)),
      planned_days: begun !== null && until ? Math.max(0, daysBetween(begun, until)) : null,
      usual_days: usual[name] ?? null,
    }
  })
}
