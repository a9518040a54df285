import { Type } from 'typebox'
import type { Static, TObject } from 'typebox'
import type { Context, Query } from '../../../kit/ground/context.ts'
import { orNull } from '../../../kit/ground/json-schema.ts'
import type { Range } from '../../../model/dashboards/range.ts'
import { scope } from '../../../kit/record/scope.ts'
import { all, mine, sql } from '../../../kit/ground/sql.ts'
import { Account } from '../../../model/accounts/account.ts'
import { healthScores } from '../../accounts/health.ts'
import { counting } from '../../calendar/expand.ts'
import { Meeting } from '../../../model/calendar/meeting.ts'
import { Document } from '../../../model/documents/document.ts'
import { bands, healthBand } from '../../../model/health/schema.ts'
import { storedScore } from '../../health/stored.ts'
import { Interaction } from '../../../model/interactions/interaction.ts'
import { Survey } from '../../../model/surveys/survey.ts'
import { date, day, everyDay, within } from './daily.ts'
import { byAccount, byMeeting, bySurvey } from './filtered-by.ts'
import type { Widget } from './kind.ts'
import { amount, cents, count, percent, sum, sums, widget } from './kind.ts'
import { Deal, Project } from '../../../model/projects/project.ts'
import { Task } from '../../../model/tasks/task.ts'
import { Milestone } from '../../../model/milestones/milestone.ts'

const inBand = (band: string) =>
  orNull(count(`The number of accounts whose health is ${band}; null where none is known.`))

/**
 * The accounts that existed at the end of the period, by their current health; those of the
 * previous period by the last score stored before its end, if there is one.
 */
export const accountsHealth: Widget = widget({
  isInternal: true,
  module: 'accounts',
  changedBy: [Account, Task, Milestone, Project, Deal, Survey, Document, Meeting, Interaction],
  by: byAccount,
  series: {
    band: healthBand,
    minimum: Type.Integer(),
    maximum: Type.Integer(),
    count: count('The number of accounts whose health is in the band.'),
  },
  totals: {
    count: count('The number of accounts that existed at the end of the period.'),
    average: orNull(amount('The average health of the accounts; null for the period before.')),
    healthy: inBand('70 or more'),
    at_risk: inBand('40 to 69'),
    critical: inBand('below 40'),
  },
  query(ctx, range, { isPrevious, where }) {
    const there = all(scope(ctx, Account, 'read'), sql`t.creation_time < ${range.until}`, where)
    if (isPrevious) {
      return sql`select ${storedScore(ctx)} as score, count(*)::int as count from accounts t
        left join lateral (select h.* from account_health_days h
          where h.organization_id = $organization and h.account_id = t.id
            and h.day <= ${range.to}::date order by h.day desc limit 1) d on true
        where ${there} group by 1`
    }
    return sql`select h.score, count(*)::int as count from (${healthScores(ctx, there)}) h group by 1`
  },
  show(rows: { score: number | null; count: number }[], _range, { isPrevious }) {
    const known = rows.flatMap(({ score, count: number }) =>
      score === null ? [] : [{ score, count: number }],
    )
    const series = bands.map((each) => {
      const its = known.filter(({ score }) => isWithin(each, score))
      return { ...each, count: sum(its, 'count') }
    })
    const total = sum(rows, 'count')
    if (isPrevious && !known.length) return { series, totals: { count: total, ...unknownHealth } }
    const points = known.reduce((all, row) => all + row.score * row.count, 0)
    const [healthy, at_risk, critical] = series.map(({ count: number }) => number)
    const average = known.length ? cents(points / sum(known, 'count')) : null
    const byBand = { healthy: healthy ?? 0, at_risk: at_risk ?? 0, critical: critical ?? 0 }
    return { series, totals: { count: total, average, ...byBand } }
  },
})

const unknownHealth = { average: null, healthy: null, at_risk: null, critical: null }

function isWithin({ minimum, maximum }: (typeof bands)[number], score: number): boolean {
  return score >= minimum && score <= maximum
}

const responses = {
  count: count('The number of answers to questions of the type nps.'),
  promoters: count('The number of answers of 9 and 10.'),
  passives: count('The number of answers of 7 and 8.'),
  detractors: count('The number of answers from 0 to 6.'),
}
const nps = orNull(
  Type.Number({
    description:
      'The share of promoters less that of detractors, -100 to 100; null where nobody answered.',
  }),
)

/** The net promoter score of finished answers to questions of the type `nps`, by day. */
export const surveyNps: Widget = widget({
  isInternal: true,
  module: 'surveys',
  changedBy: [Survey],
  by: bySurvey,
  daily: true,
  series: { date, ...responses, nps },
  totals: { ...responses, nps },
  query: (ctx, range, { where }) => sql`
    with scores as (${npsAnswers(ctx, range, where)})
    select ${day(ctx, sql`s.finished_at`)} as date, ${scoreCounts}
    from scores s group by 1`,
  show(rows: (Responses & { date: string })[], range) {
    const series = everyDay(rows, range, noResponses)
    const totals = sums(series, ['count', 'promoters', 'passives', 'detractors'])
    return { series: series.map(scored), totals: scored(totals) }
  },
})

/** How many answers there are in rows `s` of `npsAnswers`, and of whom. */
export const scoreCounts = sql`count(*)::int as count,
  (count(*) filter (where s.score >= 9))::int as promoters,
  (count(*) filter (where s.score between 7 and 8))::int as passives,
  (count(*) filter (where s.score <= 6))::int as detractors`

/** The finished answers of a period to questions of the type `nps`, of surveys that the caller may read; `where` is over these. */
export function npsAnswers(ctx: Context, range: Range, where?: Query): Query {
  return sql`select r.id, r.survey_id, q.id as question, r.finished_at, (r.answers -> q.id)::int as score
    from survey_responses r
    join (select v.survey_id, v.version, q ->> 'id' as id from survey_versions v,
        jsonb_path_query(v.pages, '$[*].fields[*] ? (@.type == "nps")') q
      where ${mine(ctx, 'v')}) q on q.survey_id = r.survey_id and q.version = r.structure_version
    where ${mine(ctx, 'r')} and r.finished and ${within(sql`r.finished_at`, range)}
      and jsonb_typeof(r.answers -> q.id) = 'number'
      and r.survey_id in (select t.id from surveys t
        where ${all(scope(ctx, Survey, 'read'), where)})`
}

type Responses = Static<TObject<typeof responses>>

const noResponses: Responses = { count: 0, promoters: 0, passives: 0, detractors: 0 }

function scored<R extends Responses>(row: R): R & { nps: number | null } {
  return { ...row, nps: netPromoter(row) }
}

/** −100 to 100; null if nobody answered. */
export function netPromoter({
  count: total,
  promoters,
  detractors,
}: Pick<Responses, 'count' | 'promoters' | 'detractors'>): number | null {
  return total ? percent(promoters - detractors, total) : null
}

const held = {
  count: count('The number of meetings that begin then and were not cancelled.'),
  minutes: amount('The length of these meetings together, in minutes.'),
  cancelled: count('The number of meetings that were cancelled.'),
}
type Held = Static<TObject<typeof held>>

/** The number of meetings on a day. */
type MeetingRow = { cancelled: boolean; count: number; minutes: number; date: string }
/** One series; `repeat` is JSON. */
type SeriesRow = Omit<MeetingRow, 'date'> & { repeat: string; start: string; zone: string | null }

/** The maximum number of occurrences of one series that are counted in a period. */
const most = 5000

/** The meetings that start in the period, with each occurrence of a series. */
export const meetings: Widget = widget({
  module: 'calendar',
  changedBy: [Meeting, Project, Deal],
  by: byMeeting,
  daily: true,
  series: { date, ...held },
  totals: held,
  query: (ctx, range, { where }) => sql`
    with meeting as (
      select t.starts_at, t.ends_at, t.is_meeting_cancelled, t.repeat, t.timezone
      from meetings t
      where ${all(scope(ctx, Meeting, 'read'), where)} and t.starts_at < ${range.until}
        and (t.starts_at >= ${range.since} or t.repeat is not null)
    )
    select ${day(ctx, sql`m.starts_at`)} as date, m.is_meeting_cancelled as cancelled,
      count(*)::int as count,
      sum(extract(epoch from m.ends_at - m.starts_at) / 60)::float8 as minutes,
      null as repeat, null as start, null as zone
    from meeting m where m.repeat is null group by 1, 2
    union all
    select null, m.is_meeting_cancelled, 1, extract(epoch from m.ends_at - m.starts_at) / 60,
      m.repeat::text, m.starts_at, coalesce(m.timezone ->> 'name', m.timezone ->> 'value',
        m.timezone ->> 'timezone')
    from meeting m where m.repeat is not null`,
  async complete(ctx, rows, range) {
    const { id, timezone: zone } = ctx.organization
    const repeated = rows.filter(({ repeat }) => repeat !== null) as SeriesRow[]
    if (!repeated.length) return rows
    const series = repeated.map(({ repeat, start, zone: own }) => ({ repeat, start, zone: own }))
    const bounds = { from: range.since, to: range.until }
    const counted = { series, zone, bounds, limit: most }
    const days = await ctx.services.computations.run(id, counting, counted)
    const single = rows.filter(({ repeat }) => repeat === null)
    const one = (row: SeriesRow) => (on: string) => ({ ...row, date: on })
    return [...single, ...repeated.flatMap((row, i) => (days[i] ?? []).map(one(row)))]
  },
  show(rows: MeetingRow[], range) {
    const byDay = new Map<string, Held & { date: string }>()
    for (const { date: on, cancelled, count: number, minutes } of rows) {
      const old = byDay.get(on) ?? noMeetings
      byDay.set(on, {
        date: on,
        count: old.count + (cancelled ? 0 : number),
        minutes: cents(old.minutes + (cancelled ? 0 : minutes)),
        cancelled: old.cancelled + (cancelled ? number : 0),
      })
    }
    const series = everyDay([...byDay.values()], range, noMeetings)
    return { series, totals: sums(series, ['count', 'minutes', 'cancelled']) }
  },
})

const noMeetings: Held = { count: 0, minutes: 0, cancelled: 0 }
