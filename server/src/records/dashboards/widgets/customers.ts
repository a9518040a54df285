import { scope } from '../../../kit/record/scope.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { isTimeZone } from '../../../kit/ground/time.ts'
import { Account } from '../../accounts/account.ts'
import { healthScores } from '../../accounts/health.ts'
import type { Repeat } from '../../calendar/repeat.ts'
import { occurrences } from '../../calendar/repeat.ts'
import { Meeting } from '../../calendar/meeting.ts'
import { Survey } from '../../surveys/survey.ts'
import { day, everyDay, within } from './daily.ts'
import type { Row, Widget } from './kind.ts'
import { cents, percent, sum } from './kind.ts'
import { Deal, Project } from '../../projects/project.ts'
import { Task } from '../../tasks/task.ts'
import { Milestone } from '../../milestones/milestone.ts'

const bands = [
  { band: 'healthy', minimum: 70, maximum: 100 },
  { band: 'at_risk', minimum: 40, maximum: 69 },
  { band: 'critical', minimum: 0, maximum: 39 },
]

/**
 * The accounts that were there when the period ended, by the health that they have now. Former
 * scores are not kept, so that of the period before only the number of accounts is known.
 */
export const accountsHealth: Widget = {
  module: 'accounts',
  changedBy: [Account, Task, Milestone, Project, Deal],
  ask(ctx, range, isPrevious) {
    const there = sql`${scope(ctx, Account, 'read')} and t.creation_time < ${range.until}`
    if (isPrevious)
      return sql`select null as score, count(*)::int as count from accounts t where ${there}`
    return sql`select h.score, count(*)::int as count from (${healthScores(ctx, there)}) h group by 1`
  },
  show(rows, _range, _ctx, isPrevious) {
    const series = bands.map((each) => {
      const its = rows.filter(({ score }) => score >= each.minimum && score <= each.maximum)
      return { ...each, count: sum(its, 'count') }
    })
    const count = sum(rows, 'count')
    const points = rows.reduce((total, row) => total + row.score * row.count, 0)
    const known = {
      average: count ? cents(points / count) : null,
      ...Object.fromEntries(series.map((each) => [each.band, each.count])),
    }
    const unknown = Object.fromEntries(Object.keys(known).map((name) => [name, null]))
    return { series, totals: { count, ...(isPrevious ? unknown : known) } }
  },
}

/** What the finished answers to questions of the type `nps` say, by day: promoters less detractors. */
export const surveyNps: Widget = {
  module: 'surveys',
  changedBy: [Survey],
  daily: true,
  ask: (ctx, range) => sql`
    with questions as (
      select v.survey_id, v.version, q ->> 'id' as id from survey_versions v,
        jsonb_path_query(v.pages, '$[*].fields[*] ? (@.type == "nps")') q
      where ${mine(ctx, 'v')}
    ), scores as (
      select r.finished_at, (r.answers -> q.id)::int as score
      from survey_responses r
      join questions q on q.survey_id = r.survey_id and q.version = r.structure_version
      where ${mine(ctx, 'r')} and r.finished and ${within(sql`r.finished_at`, range)}
        and jsonb_typeof(r.answers -> q.id) = 'number'
        and r.survey_id in (select t.id from surveys t where ${scope(ctx, Survey, 'read')})
    )
    select ${day(ctx, sql`s.finished_at`)} as date, count(*)::int as count,
      (count(*) filter (where s.score >= 9))::int as promoters,
      (count(*) filter (where s.score between 7 and 8))::int as passives,
      (count(*) filter (where s.score <= 6))::int as detractors
    from scores s group by 1`,
  show(rows, range) {
    const columns = ['count', 'promoters', 'passives', 'detractors'] as const
    const none = Object.fromEntries(columns.map((column) => [column, 0]))
    const series = everyDay(rows, range, none)
    const totals = Object.fromEntries(columns.map((column) => [column, sum(series, column)]))
    return { series: series.map(scored), totals: scored(totals) }
  },
}

function scored(counts: Row): Row {
  return { ...counts, nps: netPromoter(counts) }
}

/** −100 to 100; null where nobody answered. */
function netPromoter({ count, promoters, detractors }: Row): number | null {
  return count ? percent(promoters - detractors, count) : null
}

/** More occurrences of one series than this in a period are not counted. */
const most = 5000

/** The meetings that start in the period, those of series each day they take place. */
export const meetings: Widget = {
  module: 'calendar',
  changedBy: [Meeting, Project, Deal],
  daily: true,
  ask: (ctx, range) => sql`
    with meeting as (
      select t.starts_at, t.ends_at, t.is_meeting_cancelled, t.repeat, t.timezone
      from meetings t
      where ${scope(ctx, Meeting, 'read')} and t.starts_at < ${range.until}
        and (t.starts_at >= ${range.since} or t.repeat is not null)
    )
    select ${day(ctx, sql`m.starts_at`)} as date, m.is_meeting_cancelled as cancelled,
      count(*)::int as count,
      sum(extract(epoch from m.ends_at - m.starts_at) / 60)::float8 as minutes,
      null::jsonb as repeat, null as start, null as zone
    from meeting m where m.repeat is null group by 1, 2
    union all
    select null, m.is_meeting_cancelled, 1, extract(epoch from m.ends_at - m.starts_at) / 60,
      m.repeat, m.starts_at, coalesce(m.timezone ->> 'name', m.timezone ->> 'value',
        m.timezone ->> 'timezone')
    from meeting m where m.repeat is not null`,
  show(rows, range, { organization: { timezone } }) {
    const localDay = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short' })
    const byDay = new Map<string, Row>()
    const add = (date: string, { cancelled, count, minutes }: Row) => {
      const old = byDay.get(date) ?? { date, ...noMeetings }
      byDay.set(date, {
        date,
        count: old.count + (cancelled ? 0 : count),
        minutes: cents(old.minutes + (cancelled ? 0 : minutes)),
        cancelled: old.cancelled + (cancelled ? count : 0),
      })
    }
    const bounds = { from: range.since, to: range.until }
    for (const row of rows) {
      if (!row.repeat) add(row.date, row)
      else {
        const zone = isTimeZone(row.zone ?? '') ? row.zone : timezone
        const series = row as { repeat: Repeat; start: string }
        for (const start of occurrences(series, zone, bounds, most)) {
          if (start < range.until) add(localDay.format(new Date(start)), row)
        }
      }
    }
    const series = everyDay([...byDay.values()], range, noMeetings)
    const columns = ['count', 'minutes', 'cancelled']
    return { series, totals: Object.fromEntries(columns.map((word) => [word, sum(series, word)])) }
  },
}

const noMeetings = { count: 0, minutes: 0, cancelled: 0 }
