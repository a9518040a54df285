import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Context, Query } from '../../../kit/ground/context.ts'
import { orNull } from '../../../kit/ground/json-schema.ts'
import { sql } from '../../../kit/ground/sql.ts'
import type { Row } from '../../../kit/record/record.ts'
import type { FormField } from '../../../model/forms/form-parts.ts'
import { withoutNames } from '../../../model/forms/piping.ts'
import { questionsOf } from '../../../model/surveys/structure.ts'
import type { Survey } from '../../../model/surveys/survey.ts'
import type { ResultFilters } from '../responses/filters.ts'
import { responsesTo } from '../responses/filters.ts'
import { round } from '../responses/insights.ts'
import { isComparable, valuesOf } from './cross.ts'
import { needed, neededProperties } from './needed.ts'

const driver = Type.Object(
  {
    field_id: Type.String(),
    label: Type.String({ description: 'the question' }),
    value: Type.Unknown(),
    value_label: Type.String(),
    count: Type.Integer({ description: 'how many gave this answer' }),
    difference: Type.Number({ description: 'their score less that of the others, in points' }),
    low: Type.Number({ description: 'the difference is at least this in 95 % of cases' }),
    high: Type.Number({ description: 'the difference is at most this in 95 % of cases' }),
  },
  { title: 'SurveyDriver' },
)
type Driver = Static<typeof driver>

export const driversSchema = Type.Object(
  {
    ...neededProperties,
    field_id: orNull(Type.String({ description: 'the first NPS question; null without one' })),
    drivers: Type.Array(driver),
  },
  { title: 'SurveyDrivers' },
)

/** Answers with their number, and the sums of their points and of the squares of these. */
type Sums = { field: string; count: number; sum: number; squares: number }

const most = 30

/**
 * What goes with a high or a low net promoter score. Each answer has 100, 0 or −100 points, whose mean is the score;
 * the range of a difference is that of Welch. Both groups need `needed` answers.
 */
export async function driversOf(
  ctx: Context,
  survey: Row<typeof Survey>,
  filters: ResultFilters,
): Promise<Static<typeof driversSchema>> {
  const { pages } = survey.form_structure
  const questions = questionsOf(pages)
  const scored = questions.find(({ type }) => type === 'nps')
  if (!scored) return { answers: 0, needed, field_id: null, drivers: [] }
  const others = questions.filter((each) => each.id !== scored.id && isComparable(each))
  const points = pointsOf(sql`t.answers -> ${scored.id}`)
  const sums = sql`count(*)::int as count, sum(${points})::float8 as sum,
    sum(${points} * ${points})::float8 as squares`
  const own = sql`${responsesTo(ctx, survey, filters)} and t.finished
    and jsonb_typeof(t.answers -> ${scored.id}) = 'number'`
  const ids = others.map(({ id }) => id)
  const [counted, wholes, groups] = await Promise.all([
    ctx.one<{ answers: number }>(sql`
      select count(*)::int as answers from survey_responses t where ${own}`),
    ctx.all<Sums>(sql`select a.key as field, ${sums}
      from survey_responses t, jsonb_each(t.answers) a
      where ${own} and a.key = any(${ids}::text[]) group by 1`),
    ctx.all<Sums & { value: unknown }>(sql`select a.key as field, v.value, ${sums}
      from survey_responses t, jsonb_each(t.answers) a, ${valuesOf(sql`a.value`)} v
      where ${own} and a.key = any(${ids}::text[])
      group by 1, 2 having count(*) >= ${needed} order by 1, 2`),
  ])
  const answers = counted?.answers ?? 0
  if (answers < needed) return { answers, needed, field_id: scored.id, drivers: [] }
  const byField = new Map(wholes.map((each) => [each.field, each]))
  const drivers = groups.flatMap((group) => {
    const question = others.find(({ id }) => id === group.field)
    const whole = byField.get(group.field)
    return question && whole ? (driverOf(question, group, whole) ?? []) : []
  })
  const clearest = drivers.toSorted((a, b) => clarity(b) - clarity(a))
  return { answers, needed, field_id: scored.id, drivers: clearest.slice(0, most) }
}

/** The points of an answer from 0 to 10. */
export function pointsOf(score: Query): Query {
  return sql`(case when (${score})::numeric >= 9 then 100 when (${score})::numeric <= 6 then -100 else 0 end)`
}

function driverOf(
  { id, label, options }: FormField,
  group: Sums & { value: unknown },
  whole: Sums,
): Driver | undefined {
  const rest = {
    count: whole.count - group.count,
    sum: whole.sum - group.sum,
    squares: whole.squares - group.squares,
  }
  if (rest.count < needed) return undefined
  const { value } = group
  const difference = group.sum / group.count - rest.sum / rest.count
  const half = 1.96 * Math.sqrt(variance(group) / group.count + variance(rest) / rest.count)
  return {
    field_id: id,
    label: withoutNames(label),
    value,
    value_label: options?.find((option) => option.value === value)?.label ?? String(value),
    count: group.count,
    difference: round(difference),
    low: round(difference - half),
    high: round(difference + half),
  }
}

function variance({ count, sum, squares }: Pick<Sums, 'count' | 'sum' | 'squares'>): number {
  return Math.max(0, (squares - (sum * sum) / count) / (count - 1))
}

/** How far the range of a difference is from none: above zero where it does not contain it. */
function clarity({ low, high }: Driver): number {
  return Math.max(low, -high)
}
