import type { Context } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { FormField, Page } from './structure.ts'
import { questionsOf } from './structure.ts'

type Row = { [field: string]: any } // oxlint-disable-line typescript/no-explicit-any

const counted = [
  'single-select',
  'multi-select',
  'dropdown',
  'ratings',
  'nps',
  'csat',
  'ces',
  'consent',
]

/**
 * What the finished answers say: totals, completion, distribution and average by question, the net
 * promoter score (promoters 9–10 less detractors 0–6, in per cent), satisfaction (the two best of
 * the scale, in per cent), the trend by day, and where people stop.
 */
export async function insightsOf(ctx: Context, survey: Row) {
  const questions = questionsOf((survey.form_structure as { pages: Page[] }).pages)
  const its = sql`${mine(ctx)} and t.survey_id = ${survey.survey_id}`
  const ids = questions.filter(({ type }) => counted.includes(type)).map(({ id }) => id)
  const [totals, answered, values, trend] = await Promise.all([
    ctx.one<{ total: number; finished: number }>(sql`
      select count(*)::int as total, count(*) filter (where t.finished)::int as finished
      from survey_responses t where ${its}`),
    ctx.all<{ id: string; finished: number; partial: number }>(sql`
      select a.key as id, count(*) filter (where t.finished)::int as finished,
        count(*) filter (where not t.finished)::int as partial
      from survey_responses t, jsonb_object_keys(t.answers) as a (key) where ${its} group by 1`),
    ctx.all<{ id: string; value: unknown; count: number }>(sql`
      select a.key as id, v.value, count(*)::int as count
      from survey_responses t, jsonb_each(t.answers) a,
        jsonb_array_elements(case jsonb_typeof(a.value) when 'array' then a.value
          else jsonb_build_array(a.value) end) v
      where ${its} and t.finished and a.key = any(${ids}::text[])
      group by 1, 2 order by 1, 2`),
    ctx.all<{ date: string; count: number }>(sql`
      select to_char(t.finished_at at time zone ${ctx.organization.timezone}, 'YYYY-MM-DD') as date,
        count(*)::int as count
      from survey_responses t where ${its} and t.finished group by 1 order by 1`),
  ])
  const { total, finished } = totals!
  const each = questions.map((question) => {
    const of = values.filter(({ id }) => id === question.id)
    const count = answered.find(({ id }) => id === question.id)
    return {
      field_id: question.id,
      label: question.label,
      type: question.type,
      answered: count?.finished ?? 0,
      drop_off: count?.partial ?? 0,
      distribution: distribution(question, of),
      average: average(of),
      ...score(question, of),
    }
  })
  return {
    total_responses: total,
    finished_responses: finished,
    partial_responses: total - finished,
    completion_rate: total ? round((100 * finished) / total) : 0,
    nps: each.find(({ type }) => type === 'nps')?.nps ?? null,
    csat: each.find(({ type }) => type === 'csat')?.csat ?? null,
    questions: each,
    trend,
  }
}

type Counted = { value: unknown; count: number }

function distribution({ options = [] }: FormField, values: Counted[]) {
  const labels = new Map(options.map(({ value, label }) => [value, label]))
  const chosen = values.map(({ value, count }) => ({
    value,
    label: labels.get(String(value)) ?? String(value),
    count,
  }))
  const unchosen = options
    .filter(({ value }) => !values.some((one) => one.value === value))
    .map(({ value, label }) => ({ value, label, count: 0 }))
  return [...chosen, ...unchosen]
}

function average(values: Counted[]): number | null {
  const numbers = values.filter(({ value }) => typeof value === 'number')
  const n = numbers.reduce((sum, { count }) => sum + count, 0)
  if (!n) return null
  return round(numbers.reduce((sum, { value, count }) => sum + (value as number) * count, 0) / n)
}

function score({ type, maxRating = 5 }: FormField, values: Counted[]) {
  const share = (holds: (value: number) => boolean) => {
    const all = values.reduce((sum, { count }) => sum + count, 0)
    const some = values.reduce(
      (sum, { value, count }) => sum + (holds(value as number) ? count : 0),
      0,
    )
    return all ? (100 * some) / all : 0
  }
  if (!values.length) return { nps: null, csat: null }
  if (type === 'nps') {
    const [promoters, detractors] = [share((n) => n >= 9), share((n) => n <= 6)]
    const passives = 100 - promoters - detractors
    return {
      nps: round(promoters - detractors),
      promoters: round(promoters),
      passives: round(passives),
      detractors: round(detractors),
      csat: null,
    }
  }
  if (type === 'csat') return { nps: null, csat: round(share((n) => n >= maxRating - 1)) }
  return { nps: null, csat: null }
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
