import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Context } from '../../../kit/ground/context.ts'
import { orNull } from '../../../kit/ground/json-schema.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import type { Row } from '../../../kit/record/record.ts'
import type { FormField } from '../../../model/surveys/structure.ts'
import { fieldType, questionsOf } from '../../../model/surveys/structure.ts'
import type { Survey } from '../../../model/surveys/survey.ts'

const share = Type.Optional(Type.Number({ description: 'of an NPS question, in per cent' }))

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
    distribution,
    rows: Type.Optional(
      Type.Array(
        Type.Object(
          { value: Type.String(), label: Type.String(), distribution },
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
    csat: orNull(Type.Number({ description: 'the two best ratings, in per cent' })),
  },
  { title: 'SurveyQuestionInsights' },
)

export const insightsSchema = Type.Object(
  {
    total_responses: Type.Integer(),
    finished_responses: Type.Integer(),
    partial_responses: Type.Integer(),
    completion_rate: Type.Number({ description: 'in per cent' }),
    nps: orNull(Type.Number({ description: 'of the first NPS question' })),
    csat: orNull(Type.Number({ description: 'of the first CSAT question' })),
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
type Scores = Pick<QuestionInsights, 'nps' | 'promoters' | 'passives' | 'detractors' | 'csat'>

/** Field types whose answers are few enough to be counted one by one. */
const countedTypes = [
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
]

/**
 * Statistics of a survey's responses: totals, completion, distribution and average by question, the
 * net promoter score (promoters 9–10 less detractors 0–6, in per cent), satisfaction (the two best
 * ratings, in per cent), the trend by day, and where respondents stop.
 */
export async function insightsOf(ctx: Context, survey: Row<typeof Survey>): Promise<Insights> {
  const questions = questionsOf(survey.form_structure.pages)
  const own = sql`${mine(ctx)} and t.survey_id = ${survey.survey_id}`
  const ids = questions.filter(({ type }) => countedTypes.includes(type)).map(({ id }) => id)
  const [totals, answered, values, trend] = await Promise.all([
    ctx.one<{ total: number; finished: number }>(sql`
      select count(*)::int as total, count(*) filter (where t.finished)::int as finished
      from survey_responses t where ${own}`),
    ctx.all<{ id: string; finished: number; partial: number }>(sql`
      select a.key as id, count(*) filter (where t.finished)::int as finished,
        count(*) filter (where not t.finished)::int as partial
      from survey_responses t, jsonb_object_keys(t.answers) as a (key) where ${own} group by 1`),
    ctx.all<{ id: string } & Counted>(sql`
      select a.key as id, v.part as row, v.value, count(*)::int as count,
        avg(v.rank)::float8 as rank
      from survey_responses t, jsonb_each(t.answers) a, lateral (
        select null as part, e.value, e.rank
        from jsonb_array_elements(case jsonb_typeof(a.value) when 'array' then a.value
          when 'object' then '[]' else jsonb_build_array(a.value) end)
          with ordinality e (value, rank)
        union all
        select m.key, m.value, null
        from jsonb_each(case jsonb_typeof(a.value) when 'object' then a.value else '{}' end) m) v
      where ${own} and t.finished and a.key = any(${ids}::text[])
      group by 1, 2, 3 order by 1, 2, 3`),
    ctx.all<{ date: string; count: number }>(sql`
      select to_char(t.finished_at at time zone ${ctx.organization.timezone}, 'YYYY-MM-DD') as date,
        count(*)::int as count
      from survey_responses t where ${own} and t.finished group by 1 order by 1`),
  ])
  const { total, finished } = totals ?? { total: 0, finished: 0 }
  const byQuestion = Map.groupBy(values, ({ id }) => id)
  const answeredBy = new Map(answered.map((each) => [each.id, each]))
  const insights = questions.map((question): QuestionInsights => {
    const counts = byQuestion.get(question.id) ?? []
    const count = answeredBy.get(question.id)
    return {
      field_id: question.id,
      label: question.label,
      type: question.type,
      answered: count?.finished ?? 0,
      drop_off: count?.partial ?? 0,
      distribution: distributionOf(question, counts),
      ...(question.type === 'matrix' ? { rows: rowsOf(question, counts) } : {}),
      average: average(counts),
      ...scores(question, counts),
    }
  })
  return {
    total_responses: total,
    finished_responses: finished,
    partial_responses: total - finished,
    completion_rate: total ? round((100 * finished) / total) : 0,
    nps: insights.find(({ type }) => type === 'nps')?.nps ?? null,
    csat: insights.find(({ type }) => type === 'csat')?.csat ?? null,
    questions: insights,
    trend,
  }
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
  return (question.rows ?? []).map(({ value, label }) => ({
    value,
    label,
    distribution: distributionOf(
      question,
      counts.filter(({ row }) => row === value),
    ),
  }))
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
    return {
      nps: round(promoters - detractors),
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

/** The share of the answers that match, in per cent. */
function percentage(counts: Counted[], matches: (value: number) => boolean): number {
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  const matching = counts.filter(({ value }) => matches(Number(value)))
  return total ? (100 * matching.reduce((sum, { count }) => sum + count, 0)) / total : 0
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
