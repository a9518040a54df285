import type { Context } from '../../../kit/ground/context.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import type { Answers, FormField, Option, Page } from '../../../model/forms/form-parts.ts'
import type { StoredSurvey } from '../../../model/surveys/survey.ts'
import { isIn } from '../../../model/forms/rules.ts'

/** How many finished answers have each choice of the questions that are or were limited, by question and value. */
export type Taken = { [field_id: string]: { [value: string]: number } }

/** A stored survey with what its row counts. */
export type Counted = Pick<StoredSurvey, 'id' | 'form_structure'> & { taken?: Taken | null }

/**
 * The pages of a survey without the choices that as many finished answers have as may (`most`); a question of which none
 * is left may stay unanswered. `begun` keeps those that somebody has chosen already. Of a survey whose choices are
 * counted (`isCounted`).
 */
export function withoutFull(
  { taken, form_structure: { pages } }: Counted,
  begun: Answers = {},
): Page[] {
  if (!pages.some(({ fields }) => fields.some(isLimited))) return pages
  const have = (id: string, value: string) => ownOf(ownOf(taken, id), value) ?? 0
  return pages.map((page) => ({
    ...page,
    fields: page.fields.map((field) => {
      if (!isLimited(field)) return field
      const options = field.options?.filter(
        ({ value, most }) =>
          !most ||
          have(field.id, value) < most ||
          begun[field.id] === value ||
          isIn(begun[field.id], value),
      )
      return { ...field, options, ...(options?.length ? {} : { required: false }) } as FormField
    }),
  }))
}

/** Whether the row of a survey counts the choices of all its limited questions. */
export function isCounted(survey: Counted): boolean {
  return uncounted(survey).length === 0
}

/**
 * Counts the answers to the questions that were limited since, once: from then on each finished answer adds to the
 * row's count. Locks the survey, so that no answer is counted twice or not at all. Returns what the row then has.
 */
export async function countChoices(ctx: Context, id: string): Promise<Taken | null> {
  const survey = await ctx.one<Counted>(sql`
    select t.id, t.form_structure, t.taken from surveys t
    where ${mine(ctx)} and t.id = ${id} for update`)
  if (!survey) return null
  const fields = uncounted(survey)
  const { taken = null } = survey
  if (!fields.length) return taken
  const counts = await ctx.all<{ field_id: string; value: string; count: number }>(sql`
    select q.id as field_id, v.value #>> '{}' as value, count(*)::int as count
    from survey_responses t cross join unnest(${fields}::text[]) q (id)
      cross join lateral jsonb_array_elements(case jsonb_typeof(t.answers -> q.id)
        when 'array' then t.answers -> q.id
        when 'string' then jsonb_build_array(t.answers -> q.id) else '[]' end) v
    where ${mine(ctx)} and t.survey_id = ${id} and t.finished
    group by 1, 2`)
  const byField = Map.groupBy(counts, ({ field_id }) => field_id)
  const added = fields.map((field) => [
    field,
    Object.fromEntries((byField.get(field) ?? []).map(({ value, count }) => [value, count])),
  ])
  const all: Taken = { ...taken, ...Object.fromEntries(added) }
  await ctx.run(sql`update surveys t set taken = ${JSON.stringify(all)}::jsonb
    where ${mine(ctx)} and t.id = ${id}`)
  return all
}

/** What the row counts once a finished answer is stored; null where it counts nothing. */
export function takenWith({ taken }: Counted, answers: Answers): Taken | null {
  if (!taken) return null
  return Object.fromEntries(
    Object.entries(taken).map(([field_id, counts]) => {
      const chosen = [ownOf(answers, field_id) ?? []].flat() as unknown[]
      const values = chosen.filter((value) => typeof value === 'string')
      const added = values.map((value) => [value, (ownOf(counts, value) ?? 0) + 1])
      return [field_id, { ...counts, ...Object.fromEntries(added) }]
    }),
  )
}

/** The limited questions of a survey that its row does not count yet. */
function uncounted({ taken, form_structure: { pages } }: Counted): string[] {
  return pages
    .flatMap(({ fields }) => fields.filter(isLimited))
    .map(({ id }) => id)
    .filter((id) => ownOf(taken, id) === undefined)
}

/** A member of its own: ids and values may be words that every object has. */
function ownOf<T>(of: { [name: string]: T } | null | undefined, name: string): T | undefined {
  return of && Object.hasOwn(of, name) ? of[name] : undefined
}

function isLimited({ options }: FormField): boolean {
  return Boolean(options?.some(({ most }: Option) => most))
}
