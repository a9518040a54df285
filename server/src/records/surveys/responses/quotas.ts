import type { Context } from '../../../kit/ground/context.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import type { Answers, FormField, Option, Page } from '../../../model/forms/form-parts.ts'
import type { StoredSurvey } from '../../../model/surveys/survey.ts'
import { isIn } from '../../../model/forms/rules.ts'

type Limited = Pick<StoredSurvey, 'id' | 'form_structure'>

/**
 * The pages of a survey without the choices that as many finished answers have as may (`most`); a question of which none
 * is left may stay unanswered. `begun` keeps those that somebody has chosen already. One statement, and none for
 * surveys without such choices.
 */
export async function withoutFull(
  ctx: Context,
  { id, form_structure: { pages } }: Limited,
  begun: Answers = {},
): Promise<Page[]> {
  const limited = pages.flatMap(({ fields }) => fields.filter(isLimited)).map((each) => each.id)
  if (!limited.length) return pages
  const counts = await ctx.all<{ field_id: string; value: string; count: number }>(sql`
    select q.id as field_id, v.value #>> '{}' as value, count(*)::int as count
    from survey_responses t cross join unnest(${limited}::text[]) q (id)
      cross join lateral jsonb_array_elements(case jsonb_typeof(t.answers -> q.id)
        when 'array' then t.answers -> q.id
        when 'string' then jsonb_build_array(t.answers -> q.id) else '[]' end) v
    where ${mine(ctx)} and t.survey_id = ${id} and t.finished
    group by 1, 2`)
  const taken = new Map(
    counts.map(({ field_id, value, count }) => [JSON.stringify([field_id, value]), count]),
  )
  return pages.map((page) => ({
    ...page,
    fields: page.fields.map((field) => {
      if (!isLimited(field)) return field
      const options = field.options?.filter(
        ({ value, most }) =>
          !most ||
          (taken.get(JSON.stringify([field.id, value])) ?? 0) < most ||
          begun[field.id] === value ||
          isIn(begun[field.id], value),
      )
      return { ...field, options, ...(options?.length ? {} : { required: false }) } as FormField
    }),
  }))
}

function isLimited({ options }: FormField): boolean {
  return Boolean(options?.some(({ most }: Option) => most))
}
