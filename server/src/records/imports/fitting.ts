import type { Context, Query } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { readableRows } from '../../kit/record/readable.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { scope } from '../../kit/record/scope.ts'
import { Deal, Project } from '../../model/projects/project.ts'
import { Task } from '../../model/tasks/task.ts'
import type { Body, Fitting } from './importable.ts'
import { lowered } from './importable.ts'

/**
 * The deals or projects that rows may be about: the one with a row's number, else those of its name, account or company,
 * and days; those that say the same days before those that say less. One query.
 */
export function fittingProjects(
  ctx: Context,
  type: 'deal' | 'project',
  bodies: Body[],
  mapped: Set<string>,
): Promise<Fitting[][]> {
  // a row without a customer is about no customer's deal, if the file has a column for them
  const namesCustomers = mapped.has('account_id') || mapped.has('company_id')
  const rows = bodies.map((body) => ({
    number: textIn(body.display_id),
    name: lowered(body.project_name),
    account: textIn(body.account_id),
    company: textIn(body.company_id),
    starts: textIn(body.start_date),
    due: textIn(body.due_date),
    expected: textIn(body.forecasted_date),
  }))
  const days = sql`(w.starts is null or t.start_date = w.starts) and (w.due is null or t.due_date = w.due)
    and (w.expected is null or t.forecasted_date = w.expected)`
  const company = sql`coalesce(t.company_id, a.company_id)`
  const customer = sql`(w.account is null or t.account_id = w.account)
    and (w.company is null or ${company} = w.company)
    and (not ${namesCustomers} or w.account is not null or w.company is not null
      or (t.account_id is null and t.company_id is null))`
  return fittingRows(ctx, type === 'deal' ? Deal : Project, {
    rows,
    columns:
      'number text, name text, account text, company text, starts date, due date, expected date',
    beside: sql`left join ${readableRows(ctx, 'accounts')} a on ${mine(ctx, 'a')} and a.id = t.account_id
      left join ${readableRows(ctx, 'companies')} c on ${mine(ctx, 'c')} and c.id = ${company}`,
    text: sql`concat_ws(', ', t.project_name, coalesce(a.account_name, c.company_name),
      coalesce(t.forecasted_date, t.due_date))`,
    number: mapped.has('display_id') ? sql.ref('t.display_id') : undefined,
    named: sql`t.project_name_key = w.name and (w.number is null or t.display_id is null)
      and ${customer} and ${days}`,
    says: [
      sql`t.start_date is not distinct from w.starts`,
      sql`t.due_date is not distinct from w.due`,
      sql`t.forecasted_date is not distinct from w.expected`,
    ],
  })
}

/** The same for tasks: by number, else by title, project or parent, and days. */
export function fittingTasks(
  ctx: Context,
  bodies: Body[],
  mapped: Set<string>,
): Promise<Fitting[][]> {
  const rows = bodies.map((body) => ({
    number: textIn(body.display_id),
    name: lowered(body.title),
    project: textIn(body.project_id),
    parent: textIn(body.parent_id),
    starts: textIn(body.start_date),
    due: textIn(body.due_date),
  }))
  return fittingRows(ctx, Task, {
    rows,
    columns: 'number text, name text, project text, parent text, starts date, due date',
    beside: sql`left join ${readableRows(ctx, 'projects')} p on ${mine(ctx, 'p')} and p.id = t.project_id`,
    text: sql`concat_ws(', ', t.title, p.project_name, t.due_date)`,
    number: mapped.has('display_id') ? sql.ref('t.display_id') : undefined,
    named: sql`t.title_key = w.name and (w.number is null or t.display_id is null)
      and (w.parent is null and t.project_id is not distinct from w.project or t.parent_id = w.parent)
      and (w.starts is null or t.start_date = w.starts) and (w.due is null or t.due_date = w.due)`,
    says: [
      sql`t.start_date is not distinct from w.starts`,
      sql`t.due_date is not distinct from w.due`,
      sql`t.parent_id is not distinct from w.parent`,
    ],
  })
}

/** What rows `w` say, and which records `t` fit them. */
type Sought = {
  rows: { [column: string]: unknown; number: unknown }[]
  /** the columns of `w` with their types */
  columns: string
  /** joins of what the text shows */
  beside?: Query
  /** how a person knows a record */
  text: Query
  /** the column that has the number of a row; undefined if the rows have none */
  number: Query | undefined
  /** whether a record fits a row without the same number */
  named: Query
  /** what the record says in the same way as the row, of which more is better; not asked of one with the row's number */
  says: Query[]
}

/**
 * The records that fit each row, as far as the caller may read them: those that are as near to it as any. Each of the two
 * ways is a join by one column: with an OR every row would be compared with every record.
 */
export async function fittingRows(
  ctx: Context,
  record: AnyRecord,
  { rows, columns, beside = sql``, text, number, named, says }: Sought,
): Promise<Fitting[][]> {
  const differing = says.map((same) => sql`case when ${same} then 0 else 1 end`)
  const way = (
    condition: Query,
    rank: Query,
  ) => sql`select w.n, t.id, ${rank} as rank, ${text} as text
    from w join ${sql.table(record.table)} t on ${mine(ctx)} ${beside}
    where ${scope(ctx, record, 'read')} and ${condition}`
  const byName = way(named, sql.join([sql`1`, ...differing], sql` + `))
  const ways = number ? [way(sql`${number} = w.number`, sql`0`), byName] : [byName]
  const numbered = JSON.stringify(rows.map((row, n) => ({ n, ...row })))
  const found = await ctx.all<{ n: number; id: string; text: string; rank: number }>(sql`
    with w as (select * from json_to_recordset(${numbered}::json) as w (n integer, ${sql.raw(columns)}))
    ${sql.join(ways, sql` union all `)} order by n, rank, id`)
  const byRow = Map.groupBy(found, ({ n }) => n)
  return rows.map((_, n) => {
    const its = byRow.get(n) ?? []
    const best = its[0]?.rank
    return its
      .filter(({ rank }) => rank === best)
      .map(({ id, text: shown }) => ({ id, text: shown }))
  })
}

function textIn(value: unknown): string | null {
  return typeof value === 'string' && value ? value : null
}
