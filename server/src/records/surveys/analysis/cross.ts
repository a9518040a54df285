import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Context, Query } from '../../../kit/ground/context.ts'
import { badField } from '../../../kit/ground/errors.ts'
import { sql } from '../../../kit/ground/sql.ts'
import type { Row } from '../../../kit/record/record.ts'
import type { FormField, Page } from '../../../model/forms/form-parts.ts'
import { questionsOf } from '../../../model/surveys/structure.ts'
import type { Survey } from '../../../model/surveys/survey.ts'
import type { ResultFilters } from '../responses/filters.ts'
import { responsesTo } from '../responses/filters.ts'
import { countedTypes } from '../responses/insights.ts'
import { needed, neededProperties } from './needed.ts'

const choice = Type.Object(
  { value: Type.Unknown(), label: Type.String() },
  { title: 'SurveyCrossChoice' },
)
type Choice = Static<typeof choice>

export const crossSchema = Type.Object(
  {
    ...neededProperties,
    rows: Type.Array(choice),
    columns: Type.Array(choice),
    counts: Type.Array(Type.Array(Type.Integer()), {
      description: 'for each row, how many answers have it and each column',
    }),
  },
  { title: 'SurveyCrossTable' },
)

/** How many cells a table can have. */
const most = 10_000

type Asked = ResultFilters & { rows: string; columns: string }
type Cell = { row: unknown; column: unknown; count: number }

/**
 * How often the answers to two questions were given together; 400 for questions that are not counted, and for more
 * than 10,000 combinations.
 */
export async function crossOf(
  ctx: Context,
  survey: Row<typeof Survey>,
  { rows, columns, ...filters }: Asked,
): Promise<Static<typeof crossSchema>> {
  const { pages } = survey.form_structure
  const row = countedQuestion(pages, rows, 'rows')
  const column = countedQuestion(pages, columns, 'columns')
  if (row.id === column.id) throw badField('columns', 'must be another question than rows')
  const both = sql`${responsesTo(ctx, survey, filters)} and t.finished
    and t.answers ? ${row.id} and t.answers ? ${column.id}`
  const [counted, cells] = await Promise.all([
    ctx.one<{ answers: number }>(sql`
      select count(*)::int as answers from survey_responses t where ${both}`),
    ctx.all<Cell>(sql`
      select r.value as row, c.value as column, count(*)::int as count
      from survey_responses t, ${valuesOf(sql`t.answers -> ${row.id}`)} r,
        ${valuesOf(sql`t.answers -> ${column.id}`)} c
      where ${both} group by 1, 2 order by 1, 2 limit ${most + 1}`),
  ])
  const answers = counted?.answers ?? 0
  if (answers < needed) return { answers, needed, rows: [], columns: [], counts: [] }
  const across = choicesOf(
    column,
    cells.map((cell) => cell.column),
  )
  const down = choicesOf(
    row,
    cells.map((cell) => cell.row),
  )
  if (across.length * down.length > most) {
    throw badField('columns', `must have, by the answers to rows, at most ${most} combinations`)
  }
  const counts = new Map(cells.map((cell) => [JSON.stringify([cell.row, cell.column]), cell.count]))
  const countsOf = ({ value }: Choice) =>
    across.map((each) => counts.get(JSON.stringify([value, each.value])) ?? 0)
  return { answers, needed, rows: down, columns: across, counts: down.map(countsOf) }
}

/** The values of an answer as rows: each choice of several. */
export function valuesOf(answer: Query): Query {
  return sql`jsonb_array_elements(case jsonb_typeof(${answer}) when 'array' then ${answer}
    else jsonb_build_array(${answer}) end)`
}

/** Whether each answer to a question is a value that others give, too. */
export function isComparable({ type }: FormField): boolean {
  return countedTypes.includes(type) && !['matrix', 'rating-matrix', 'ranking'].includes(type)
}

function countedQuestion(pages: Page[], id: string, name: string): FormField {
  const found = questionsOf(pages).find((question) => question.id === id)
  if (!found || !isComparable(found)) {
    throw badField(name, 'must be the id of a question with choices or a scale')
  }
  return found
}

/** The options in their order, or the values that were given, lowest first. */
function choicesOf({ options }: FormField, given: unknown[]): Choice[] {
  const known = (options ?? []).map(({ value, label }) => ({ value, label }))
  const values = new Set<unknown>(known.map(({ value }) => value))
  const others = [...new Set(given)].filter((value) => !values.has(value))
  const ordered = others.toSorted((a, b) => Number(a) - Number(b))
  return [...known, ...ordered.map((value) => ({ value, label: String(value) }))]
}
