import type { Context, Query } from '../../../kit/ground/context.ts'
import { sql } from '../../../kit/ground/sql.ts'
import { operatorsOf } from '../../../kit/read/filter.ts'
import { FilterCost } from '../../../kit/read/filter-cost.ts'
import { compileFilter } from '../../../kit/read/filter-condition.ts'
import type { Registry } from '../../../kit/read/filter-fields.ts'
import { customField } from '../../../kit/read/filter-fields.ts'
import type { Answers, FormField, Page } from '../../../model/forms/form-parts.ts'
import { withoutNames } from '../../../model/forms/piping.ts'
import { questionsOf } from '../../../model/surveys/structure.ts'
import { isNumeric, scoreOf } from '../../../model/surveys/automations/score.ts'

/** The fields that conditions can compare, for an editor: each question, the score and the respondent. */
export function conditionFields(pages: Page[]) {
  const labels = new Map(questionsOf(pages).map(({ id, label }) => [`answers.${id}`, label]))
  return [...registryOf(pages)].map(([field, { kind }]) => ({
    field,
    label: withoutNames(labels.get(field) ?? field),
    type: kind,
    operators: operatorsOf(kind),
  }))
}

/** 400 under `at` for conditions that are not in the filter grammar or name unknown fields. */
export function checkConditions(ctx: Context, conditions: unknown[], pages: Page[], at: string) {
  compileFilter(registryOf(pages), conditions, clockOf(ctx), at)
}

type Answered = { answers: Answers; respondent_email: string | null }

/** For which of these responses the conditions hold, in their order; one statement for all. */
export async function conditionsHold(
  ctx: Context,
  conditions: unknown[],
  pages: Page[],
  responses: Answered[],
): Promise<boolean[]> {
  if (!responses.length) return []
  const holds = compileFilter(registryOf(pages), conditions, clockOf(ctx), 'conditions')
  const compared = responses.map(({ answers, respondent_email }, at) => ({
    at,
    custom_fields: answers,
    respondent_email,
    score: scoreOf(pages, answers),
  }))
  const found = await ctx.all<{ at: number }>(sql`
    select t.at from jsonb_to_recordset(${JSON.stringify(compared)}::jsonb)
      as t(at integer, custom_fields jsonb, respondent_email text, score numeric)
    where ${holds}`)
  const matching = new Set(found.map(({ at }) => at))
  return responses.map((_, at) => matching.has(at))
}

/** Conditions on answers, JSON text, over `t`, the responses; 400 names `answers`, also where they cost too much. */
export function answersHold(ctx: Context, pages: Page[], conditions: string): Query {
  const registry = registryOf(pages)
  registry.delete('score')
  const cost = new FilterCost()
  const holds = compileFilter(registry, conditions, clockOf(ctx), 'answers', cost)
  cost.check(ctx.limits.filterCost, 'answers')
  return sql`exists (select from
    (select t.answers as custom_fields, t.respondent_email) t where ${holds})`
}

/** The fields that conditions can use, as the filter grammar expects them. */
function registryOf(pages: Page[]): Registry {
  const registry: Registry = new Map()
  for (const { id, type } of questionsOf(pages)) {
    // answers are read like custom fields: they have that name in the rows that conditions check
    const [, field] = customField({ key: id, type: kindOf(type) })
    registry.set(`answers.${id}`, field)
  }
  registry.set('score', { kind: 'number', sql: 't.score' })
  registry.set('respondent_email', { kind: 'text', sql: 't.respondent_email' })
  return registry
}

function kindOf(type: FormField['type']): string {
  if (isNumeric(type)) return 'number'
  if (type === 'multi-select' || type === 'ranking') return 'multi_select'
  if (type === 'date') return 'date'
  if (type === 'consent' || type === 'yes-no') return 'boolean'
  return 'text'
}

function clockOf(ctx: Context) {
  return { ...ctx.organization, now: ctx.now() }
}
