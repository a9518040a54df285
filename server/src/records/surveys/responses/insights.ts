import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Context, Query } from '../../../kit/ground/context.ts'
import { addDays, daysBetween, isDay } from '../../../kit/ground/dates.ts'
import { badField } from '../../../kit/ground/errors.ts'
import { enumeration, orNull } from '../../../kit/ground/json-schema.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import type { Row } from '../../../kit/record/record.ts'
import type { FormField } from '../../../model/forms/form-parts.ts'
import { fieldType } from '../../../model/forms/form-parts.ts'
import { withoutNames } from '../../../model/forms/piping.ts'
import { questionsOf } from '../../../model/surveys/structure.ts'
import type { Survey } from '../../../model/surveys/survey.ts'
import { today } from '../../../model/time/dates.ts'
import type { ResultFilters } from './filters.ts'
import { matchingRecipients, responsesTo, resultFilters } from './filters.ts'

const share = Type.Optional(Type.Number({ description: 'of an NPS question, in per cent' }))

/** Where the score of everybody who could answer lies, with a probability of 95 %. */
const band = {
  nps_low: Type.Optional(
    Type.Number({ description: 'the score is at least this in 95 % of cases' }),
  ),
  nps_high: Type.Optional(
    Type.Number({ description: 'the score is at most this in 95 % of cases' }),
  ),
}

const distribution = Type.Array(
  Type.Object(
    {
      value: Type.Unknown(),
      label: Type.String(),
      count: Type.Integer(),
      average_rank: Type.Optional(
        Type.Number({ description: 'of an option of a ranking, 1 for the first' }),
      ),
    },
    { title: 'SurveyAnswerCount' },
  ),
)
type AnswerCount = Static<typeof distribution>[number]

const questionInsights = Type.Object(
  {
    field_id: Type.String(),
    label: Type.String(),
    type: fieldType,
    answered: Type.Integer({ description: 'finished responses that answer it' }),
    drop_off: Type.Integer({ description: 'unfinished responses that answer it' }),
    stopped: Type.Integer({ description: 'unfinished responses that answer no later question' }),
    distribution,
    rows: Type.Optional(
      Type.Array(
        Type.Object(
          {
            value: Type.String(),
            label: Type.String(),
            distribution,
            average: Type.Optional(orNull(Type.Number({ description: 'of ratings' }))),
          },
          { title: 'SurveyRowCounts' },
        ),
        { description: 'of a matrix, the answers in each of its rows' },
      ),
    ),
    average: orNull(Type.Number()),
    nps: orNull(Type.Number({ description: 'from -100 to 100' })),
    promoters: share,
    passives: share,
    detractors: share,
    ...band,
    csat: orNull(Type.Number({ description: 'the two best ratings, in per cent' })),
  },
  { title: 'SurveyQuestionInsights' },
)

/** The numbers of all responses together. */
const totals = {
  total_responses: Type.Integer(),
  finished_responses: Type.Integer(),
  partial_responses: Type.Integer(),
  completion_rate: Type.Number({ description: 'in per cent' }),
  sent: orNull(
    Type.Integer({ description: 'recipients of mailings; null where filters ask about answers' }),
  ),
  opened: orNull(Type.Integer({ description: 'recipients who followed their link' })),
  nps: orNull(Type.Number({ description: 'of the first NPS question' })),
  ...band,
  csat: orNull(Type.Number({ description: 'of the first CSAT question' })),
  median_seconds: orNull(
    Type.Number({
      description: 'from the first answer to the last, of responses given in several steps',
    }),
  ),
}
type Totals = Static<Type.TObject<typeof totals>>

const day = Type.String({ format: 'date' })

export const npsTrend = Type.Array(
  Type.Object(
    {
      date: day,
      promoters: Type.Integer(),
      passives: Type.Integer(),
      detractors: Type.Integer(),
      nps: Type.Number(),
      ...band,
    },
    { title: 'SurveyNpsOfPeriod' },
  ),
  { description: 'of the first NPS question, by the first day of each `unit`' },
)

export const insightsSchema = Type.Object(
  {
    ...totals,
    previous: Type.Optional(
      Type.Object(
        { from: day, to: day, ...totals },
        {
          title: 'SurveyInsightsBefore',
          description: 'of as many days before, with `compare`',
        },
      ),
    ),
    nps_trend: npsTrend,
    questions: Type.Array(questionInsights),
    trend: Type.Array(
      Type.Object({ date: Type.String({ format: 'date' }), count: Type.Integer() }),
      { description: 'finished responses by day, in the time zone of the organization' },
    ),
  },
  { title: 'SurveyInsights' },
)
type Insights = Static<typeof insightsSchema>
type QuestionInsights = Static<typeof questionInsights>
type Scores = Pick<
  QuestionInsights,
  'nps' | 'nps_low' | 'nps_high' | 'promoters' | 'passives' | 'detractors' | 'csat'
>

/** Field types whose answers are few enough to be counted one by one. */
export const countedTypes = [
  'single-select',
  'multi-select',
  'dropdown',
  'ratings',
  'nps',
  'csat',
  'ces',
  'consent',
  'matrix',
  'ranking',
  'yes-no',
  'rating-matrix',
  'calculated',
]

/** How insights are read, beside the filters. */
export const insightsQuery = {
  ...resultFilters,
  unit: Type.Optional(
    enumeration(['day', 'week', 'month'], {
      title: 'SurveyTrendUnit',
      description: 'of `nps_trend`; a week begins on Monday (month)',
    }),
  ),
  compare: Type.Optional(
    enumeration(['previous'], {
      title: 'SurveyComparison',
      description: 'with as many days before `since`, which it needs',
    }),
  ),
}
type Asked = Static<Type.TObject<typeof insightsQuery>>

/**
 * Statistics of a survey's responses that match the filters: totals, completion, distribution and average by
 * question, the net promoter score (promoters 9–10 less detractors 0–6, in per cent), satisfaction (the two best
 * ratings, in per cent), the trend by day, and where respondents stop.
 */
export async function insightsOf(
  ctx: Context,
  survey: Row<typeof Survey>,
  { unit = 'month', compare, ...filters }: Asked = {},
): Promise<Insights> {
  const span = compare ? spanBefore(ctx, filters) : undefined
  const { pages } = survey.form_structure
  const own = responsesTo(ctx, survey, filters)
  const first = questionsOf(pages).find(({ type }) => type === 'nps')
  const [numbers, nps_trend, trend, earlier] = await Promise.all([
    numbersOf(ctx, survey, filters),
    first ? npsTrendOf(ctx, own, first.id, unit) : [],
    ctx.all<{ date: string; count: number }>(sql`
      select to_char(t.finished_at at time zone ${ctx.organization.timezone}, 'YYYY-MM-DD') as date,
        count(*)::int as count
      from survey_responses t where ${own} and t.finished group by 1 order by 1`),
    span && numbersOf(ctx, survey, { ...filters, since: span.from, until: span.to }),
  ])
  const { questions, ...all } = numbers
  const { questions: _, ...before } = earlier ?? { questions: [] }
  const previous = span && { ...span, ...(before as Totals) }
  return { ...all, ...(previous ? { previous } : {}), questions, nps_trend, trend }
}

/** As many days as the filters have, before them; until today without `until`. */
function spanBefore(ctx: Context, { since, until }: ResultFilters): { from: string; to: string } {
  if (!since) throw badField('since', 'is required to compare with the time before')
  const last = until ?? today(ctx)
  const days = Math.max(1, daysBetween(since, last) + 1)
  const from = addDays(since, -days)
  if (!isDay(from)) throw badField('since', 'must be later, to compare with as many days before')
  return { from, to: addDays(since, -1) }
}

/** The totals of the responses that match the filters, and the numbers of each question. */
async function numbersOf(
  ctx: Context,
  survey: Row<typeof Survey>,
  filters: ResultFilters,
): Promise<Totals & { questions: QuestionInsights[] }> {
  const { pages } = survey.form_structure
  const questions = questionsOf(pages)
  const own = responsesTo(ctx, survey, filters)
  const ids = questions.filter(({ type }) => countedTypes.includes(type)).map(({ id }) => id)
  const asked = questions.map(({ id }) => id)
  const [counts, mailed, stopped, answered, values] = await Promise.all([
    ctx.one<{ total: number; finished: number; seconds: number | null }>(sql`
      select count(*)::int as total, count(*) filter (where t.finished)::int as finished,
        percentile_cont(0.5) within group (order by extract(epoch from t.finished_at - t.creation_time))
          filter (where t.finished and t.finished_at > t.creation_time)::float8 as seconds
      from survey_responses t where ${own}`),
    mailedOf(ctx, survey.survey_id, filters),
    ctx.all<{ id: string; count: number }>(sql`
      select x.id, count(*)::int as count
      from survey_responses t, lateral (
        select q.id from unnest(${asked}::text[]) with ordinality q (id, place)
        where t.answers ? q.id order by q.place desc limit 1) x
      where ${own} and not t.finished group by 1`),
    ctx.all<{ id: string; finished: number; partial: number }>(sql`
      select a.key as id, count(*) filter (where t.finished)::int as finished,
        count(*) filter (where not t.finished)::int as partial
      from survey_responses t, jsonb_object_keys(t.answers) as a (key) where ${own} group by 1`),
    // whole answers are counted first: of ten thousand few differ, and only those are taken apart
    ctx.all<{ id: string } & Counted>(sql`
      with whole as (
        select a.key, a.value, count(*) as n
        from survey_responses t, jsonb_each(t.answers) a
        where ${own} and t.finished and a.key = any(${ids}::text[]) group by 1, 2)
      select a.key as id, v.part as row, v.value, sum(a.n)::int as count,
        (sum(v.rank * a.n) / sum(a.n))::float8 as rank
      from whole a, lateral (
        select null as part, e.value, e.rank
        from jsonb_array_elements(case jsonb_typeof(a.value) when 'array' then a.value
          when 'object' then '[]' else jsonb_build_array(a.value) end)
          with ordinality e (value, rank)
        union all
        select m.key, m.value, null
        from jsonb_each(case jsonb_typeof(a.value) when 'object' then a.value else '{}' end) m) v
      group by 1, 2, 3 order by 1, 2, 3`),
  ])
  const stops = new Map(stopped.map(({ id, count }) => [id, count]))
  const insights = questionInsightsOf(questions, { answered, stops, values })
  const { total, finished, seconds } = counts ?? { total: 0, finished: 0, seconds: null }
  const { nps = null, nps_low, nps_high } = insights.find(({ type }) => type === 'nps') ?? {}
  return {
    total_responses: total,
    finished_responses: finished,
    partial_responses: total - finished,
    completion_rate: total ? round((100 * finished) / total) : 0,
    ...mailed,
    nps,
    ...(nps_low === undefined || nps_high === undefined ? {} : { nps_low, nps_high }),
    csat: insights.find(({ type }) => type === 'csat')?.csat ?? null,
    median_seconds: seconds === null ? null : round(seconds),
    questions: insights,
  }
}

/** Whether a question has an answer in each of its rows. */
function isGrid({ type }: FormField): boolean {
  return type === 'matrix' || type === 'rating-matrix'
}

function questionInsightsOf(
  questions: FormField[],
  {
    answered,
    stops,
    values,
  }: {
    answered: { id: string; finished: number; partial: number }[]
    stops: Map<string, number>
    values: ({ id: string } & Counted)[]
  },
): QuestionInsights[] {
  const byQuestion = Map.groupBy(values, ({ id }) => id)
  const answeredBy = new Map(answered.map((each) => [each.id, each]))
  return questions.map((question) => {
    const counts = byQuestion.get(question.id) ?? []
    const count = answeredBy.get(question.id)
    return {
      field_id: question.id,
      label: withoutNames(question.label),
      type: question.type,
      answered: count?.finished ?? 0,
      drop_off: count?.partial ?? 0,
      stopped: stops.get(question.id) ?? 0,
      distribution: distributionOf(question, counts),
      ...(isGrid(question) ? { rows: rowsOf(question, counts) } : {}),
      average: average(counts),
      ...scores(question, counts),
    }
  })
}

/** How many were asked by mail and how many followed their link. */
async function mailedOf(
  ctx: Context,
  survey_id: string,
  filters: ResultFilters,
): Promise<Pick<Totals, 'sent' | 'opened'>> {
  const matching = matchingRecipients(ctx, filters)
  if (!matching) return { sent: null, opened: null }
  const found = await ctx.one<{ sent: number; opened: number }>(sql`
    select count(distinct t.email_key)::int as sent,
      count(distinct t.email_key) filter (where t.opened_at is not null)::int as opened
    from survey_recipients t where ${mine(ctx)} and t.survey_id = ${survey_id} and ${matching}`)
  return found ?? { sent: 0, opened: 0 }
}

/** The groups of a net promoter score by period, in the time zone of the organization. */
async function npsTrendOf(ctx: Context, own: Query, id: string, unit: string) {
  const rows = await ctx.all<Omit<Static<typeof npsTrend>[number], 'nps' | keyof typeof band>>(sql`
    select ${periodOf(ctx, unit)} as date,
      count(*) filter (where (t.answers ->> ${id})::numeric >= 9)::int as promoters,
      count(*) filter (where (t.answers ->> ${id})::numeric in (7, 8))::int as passives,
      count(*) filter (where (t.answers ->> ${id})::numeric <= 6)::int as detractors
    from survey_responses t
    where ${own} and t.finished and jsonb_typeof(t.answers -> ${id}) = 'number'
    group by 1 order by 1`)
  return rows.map((each) => ({ ...each, ...npsOf(each) }))
}

/** The first day of the period in which an answer was finished, in the time zone of the organization. */
export function periodOf({ organization: { timezone } }: Context, unit: string): Query {
  return sql`to_char(date_trunc(${unit}, t.finished_at at time zone ${timezone}), 'YYYY-MM-DD')`
}

/** The score of counted groups and its range; 0 without an answer. */
export function npsOf({
  promoters,
  passives,
  detractors,
}: {
  promoters: number
  passives: number
  detractors: number
}): { nps: number; nps_low: number; nps_high: number } {
  const total = promoters + passives + detractors
  if (!total) return { nps: 0, nps_low: -100, nps_high: 100 }
  const nps = round((100 * (promoters - detractors)) / total)
  return { nps, ...bandOf(promoters / total, detractors / total, total) }
}

/** How often a value was answered: in a row of a matrix, or with its mean position in a ranking. */
type Counted = { value: unknown; count: number; row: string | null; rank: number | null }

function distributionOf({ type, options }: FormField, counts: Counted[]): AnswerCount[] {
  const labels = new Map(options?.map(({ value, label }) => [value, label]))
  const byValue = Map.groupBy(counts, ({ value }) => value)
  const chosen = [...byValue].map(([value, each]) => ({
    value,
    label: labels.get(String(value)) ?? String(value),
    count: each.reduce((sum, { count }) => sum + count, 0),
    ...(type === 'ranking' ? { average_rank: round(each[0]?.rank ?? 0) } : {}),
  }))
  const known = new Set(byValue.keys())
  const unchosen = (options ?? [])
    .filter(({ value }) => !known.has(value))
    .map(({ value, label }) => ({ value, label, count: 0 }))
  return [...chosen, ...unchosen]
}

function rowsOf(question: FormField, counts: Counted[]) {
  return (question.rows ?? []).map(({ value, label }) => {
    const own = counts.filter(({ row }) => row === value)
    const mean = question.type === 'rating-matrix' ? { average: average(own) } : {}
    return { value, label, distribution: distributionOf(question, own), ...mean }
  })
}

function average(counts: Counted[]): number | null {
  const numbers = counts.filter(({ value }) => typeof value === 'number')
  const n = numbers.reduce((sum, { count }) => sum + count, 0)
  if (!n) return null
  return round(numbers.reduce((sum, { value, count }) => sum + Number(value) * count, 0) / n)
}

function scores({ type, maxRating = 5 }: FormField, counts: Counted[]): Scores {
  if (!counts.length) return { nps: null, csat: null }
  if (type === 'nps') {
    const promoters = percentage(counts, (n) => n >= 9)
    const detractors = percentage(counts, (n) => n <= 6)
    const total = counts.reduce((sum, { count }) => sum + count, 0)
    return {
      nps: round(promoters - detractors),
      ...bandOf(promoters / 100, detractors / 100, total),
      promoters: round(promoters),
      passives: round(100 - promoters - detractors),
      detractors: round(detractors),
      csat: null,
    }
  }
  if (type === 'csat') {
    return { nps: null, csat: round(percentage(counts, (n) => n >= maxRating - 1)) }
  }
  return { nps: null, csat: null }
}

/**
 * The adjusted Wald interval of a net promoter score (B. Rocks, Interval Estimation for the "Net Promoter Score",
 * The American Statistician 70, 2016): three answers are added, so that it is not too short for few answers.
 */
function bandOf(promoters: number, detractors: number, total: number) {
  const count = total + 3
  const above = (promoters * total + 0.75) / count
  const below = (detractors * total + 0.75) / count
  const score = above - below
  const half = 1.96 * Math.sqrt((above + below - score * score) / count)
  return {
    nps_low: round(100 * Math.max(-1, score - half)),
    nps_high: round(100 * Math.min(1, score + half)),
  }
}

/** The share of the answers that match, in per cent. */
function percentage(counts: Counted[], matches: (value: number) => boolean): number {
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  const matching = counts.filter(({ value }) => matches(Number(value)))
  return total ? (100 * matching.reduce((sum, { count }) => sum + count, 0)) / total : 0
}

/** A number with two decimals. */
export function round(value: number): number {
  return Math.round(value * 100) / 100
}
