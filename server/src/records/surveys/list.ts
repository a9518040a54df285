import { Type } from 'typebox'
import type { Static } from 'typebox'
import { idInQuery } from '../../kit/ground/ids.ts'
import type { Context } from '../../kit/ground/context.ts'
import { enumeration, extend } from '../../kit/ground/json-schema.ts'
import { all, sql } from '../../kit/ground/sql.ts'
import { pageQuery } from '../../kit/crud.ts'
import { listPage } from '../../kit/read/list.ts'
import { otherPageProperties, pageUnderEitherName } from '../../kit/read/page.ts'
import { eitherOf } from '../../kit/record/names.ts'
import { scope } from '../../kit/record/scope.ts'
import { Account } from '../../model/accounts/account.ts'
import { statusSchema, Survey } from '../../model/surveys/survey.ts'
import { checkReadable } from '../../kit/read/one.ts'

/** The query of a list of surveys. */
export const listQuery = extend(pageQuery(), {
  account_id: Type.Optional(idInQuery()),
  ...otherPageProperties,
  sort_order: Type.Optional(enumeration(['asc', 'desc'], { title: 'SortOrder' })),
  sort_key: Type.Optional(Type.String({ maxLength: 200, description: 'same as sort' })),
  status: Type.Optional(statusSchema),
})

/** A page of surveys; with `item_type` only those of that type. */
export async function listSurveys(
  ctx: Context,
  query: Static<typeof listQuery>,
  item_type?: 'form',
) {
  const { account_id, page_size: _size, page_number: _number, ...others } = query
  const { sort_order, sort_key, status, ...common } = others
  const descends = sort_order ? sort_order === 'desc' : undefined
  if (account_id) await checkReadable(ctx, Account, account_id)
  const page = {
    ...common,
    ...pageUnderEitherName(query),
    sort:
      eitherOf(['sort', common.sort], ['sort_key', sort_key]) ??
      (sort_order ? 'creation_time' : undefined),
    reverse: eitherOf(['reverse', common.reverse], ['sort_order', descends]),
  }
  const condition = all(
    account_id ? sql`t.account_id = ${account_id}` : undefined,
    status ? sql`t.status = ${status}` : undefined,
    item_type ? sql`t.item_type = ${item_type}` : undefined,
  )
  return listPage(ctx, Survey, page, condition)
}

const statusCounts = { draft: Type.Integer(), published: Type.Integer(), closed: Type.Integer() }
const typeCounts = {
  survey: Type.Integer(),
  survey_template: Type.Integer(),
  form: Type.Integer(),
}

export const countsSchema = Type.Object({
  total: Type.Integer(),
  by_status: Type.Object(statusCounts),
  by_item_type: Type.Object(typeCounts),
})

/** The number of surveys that the caller can read, by status and by type. */
export async function countSurveys(ctx: Context): Promise<Static<typeof countsSchema>> {
  const rows = await ctx.all<{ status: string; item_type: string; n: number }>(sql`
    select t.status, t.item_type, count(*)::int as n from surveys t
    where ${scope(ctx, Survey, 'read')} group by 1, 2`)
  const sum = (matches: (row: (typeof rows)[number]) => boolean) =>
    rows.filter(matches).reduce((total, { n }) => total + n, 0)
  const byStatus = (word: string) => sum(({ status }) => status === word)
  const byType = (word: string) => sum(({ item_type }) => item_type === word)
  return {
    total: sum(() => true),
    by_status: {
      draft: byStatus('draft'),
      published: byStatus('published'),
      closed: byStatus('closed'),
    },
    by_item_type: {
      survey: byType('survey'),
      survey_template: byType('survey_template'),
      form: byType('form'),
    },
  }
}
