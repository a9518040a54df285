import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Context } from '../../../kit/ground/context.ts'
import { enumeration, orNull } from '../../../kit/ground/json-schema.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { readableRows } from '../../../kit/record/readable.ts'
import type { Row } from '../../../kit/record/record.ts'
import { questionsOf } from '../../../model/surveys/structure.ts'
import { Survey } from '../../../model/surveys/survey.ts'
import type { ResultFilters } from '../responses/filters.ts'
import { responsesTo } from '../responses/filters.ts'
import { npsOf, npsTrend, periodOf } from '../responses/insights.ts'

/** What scores are grouped by, of the accounts that the answers are about. */
export const groupings = ['account', 'owner', 'segment'] as const
type By = (typeof groupings)[number]
type Unit = 'day' | 'week' | 'month'

/** How many groups are shown: those with the most answers. */
const most = 30

export const scoreGroupsSchema = Type.Object(
  {
    by: enumeration(groupings, { title: 'SurveyScoreGrouping' }),
    groups: Type.Array(
      Type.Object(
        {
          key: orNull(
            Type.String({ description: 'identifier of the account or user, or the segment' }),
          ),
          label: orNull(Type.String({ description: 'its name; null for accounts without one' })),
          promoters: Type.Integer({ description: 'answers of 9 and 10' }),
          passives: Type.Integer({ description: 'answers of 7 and 8' }),
          detractors: Type.Integer({ description: 'answers of 0 to 6' }),
          nps: Type.Number({ description: 'from -100 to 100' }),
          nps_low: Type.Number({ description: 'the score is at least this in 95 % of cases' }),
          nps_high: Type.Number({ description: 'the score is at most this in 95 % of cases' }),
          trend: Type.Optional(npsTrend),
        },
        { title: 'SurveyScoreGroup' },
      ),
      { description: 'those with the most answers first, at most 30' },
    ),
  },
  { title: 'SurveyScoreGroups' },
)

type Counted = {
  key: string | null
  label: string | null
  promoters: number
  passives: number
  detractors: number
}

/**
 * The net promoter score by account, its owner or its segment, of the accounts that the caller may read. An answer is
 * about the accounts that the timelines show it with.
 */
export async function scoreGroupsOf(
  ctx: Context,
  survey: Row<typeof Survey>,
  { by, unit, ...filters }: ResultFilters & { by: By; unit?: Unit | undefined },
): Promise<Static<typeof scoreGroupsSchema>> {
  const first = questionsOf(survey.form_structure.pages).find(({ type }) => type === 'nps')
  if (!first) return { by, groups: [] }
  const group = {
    account: { key: sql`x.id`, label: sql`x.account_name`, join: sql`` },
    owner: {
      key: sql`o.id`,
      label: sql`o.full_name`,
      join: sql`left join users o on ${mine(ctx, 'o')} and o.id = x.account_owner`,
    },
    segment: { key: sql`x.segment`, label: sql`x.segment`, join: sql`` },
  }[by]
  const score = sql`(t.answers ->> ${first.id})::numeric`
  const counts = sql`count(*) filter (where ${score} >= 9)::int as promoters,
      count(*) filter (where ${score} in (7, 8))::int as passives,
      count(*) filter (where ${score} <= 6)::int as detractors`
  const answers = sql`
    from survey_responses t
    join record_activity a on ${mine(ctx, 'a')} and a.source_id = t.id and a.kind = 'answer'
      and a.module_id = ${Survey.number} and a.reference_id = ${survey.survey_id}
      and a.subject_module = 8
    join ${readableRows(ctx, 'accounts')} x on ${mine(ctx, 'x')} and x.id = a.subject_id
      and x.deleted_at is null
    ${group.join}
    where ${responsesTo(ctx, survey, filters)} and t.finished
      and jsonb_typeof(t.answers -> ${first.id}) = 'number'`
  const counted = await ctx.all<Counted>(sql`
    select ${group.key} as key, ${group.label} as label, ${counts} ${answers}
    group by 1, 2 order by count(*) desc, 2 limit ${most}`)
  const groups = counted.map((each) => ({ ...each, ...npsOf(each) }))
  if (!unit) return { by, groups }
  const periods = await ctx.all<Counted & { date: string }>(sql`
    select ${group.key} as key, ${periodOf(ctx, unit)} as date, ${counts} ${answers}
      and coalesce(${group.key}, '') = any(${groups.map(({ key }) => key ?? '')}::text[])
    group by 1, 2 order by 2`)
  const byKey = Map.groupBy(periods, ({ key }) => key)
  return {
    by,
    groups: groups.map((each) => ({
      ...each,
      trend: (byKey.get(each.key) ?? []).map(({ date, promoters, passives, detractors }) => {
        const its = { promoters, passives, detractors }
        return { date, ...its, ...npsOf(its) }
      }),
    })),
  }
}
