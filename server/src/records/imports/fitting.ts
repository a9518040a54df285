import type { Context, Query } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { scope } from '../../kit/record/scope.ts'
import { Deal, Project } from '../../model/projects/project.ts'
import { Task } from '../../model/tasks/task.ts'
import type { Body, Fitting } from './importable.ts'
import { foldedText } from './importable.ts'

type Row = { n: number; id: string; text: string; rank: number }

/**
 * The deals or projects that rows may be about: the one with a row's number, else those of its name, account or company,
 * and days; those that say the same days before those that say less. One query.
 */
export async function fittingProjects(
  ctx: Context,
  type: 'deal' | 'project',
  bodies: Body[],
  mapped: Set<string>,
): Promise<Fitting[][]> {
  // a row without a customer is about no customer's deal, if the file has a column for them
  const namesCustomers = mapped.has('account_id') || mapped.has('company_id')
  const rows = bodies.map((body, n) => ({
    n,
    number: textIn(body.display_id),
    name: foldedText(body.project_name),
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
  const says = [
    sql`t.start_date is not distinct from w.starts`,
    sql`t.due_date is not distinct from w.due`,
    sql`t.forecasted_date is not distinct from w.expected`,
  ]
  const found = await ctx.all<Row>(sql`
    select w.n, t.id, ${rankOf(says)} as rank,
      concat_ws(', ', t.project_name, coalesce(a.account_name, c.company_name),
        coalesce(t.forecasted_date, t.due_date)) as text
    from json_to_recordset(${JSON.stringify(rows)}::json) as w (n integer, number text, name text,
      account text, company text, starts date, due date, expected date)
    join projects t on (t.display_id = w.number or ((w.number is null or t.display_id is null)
      and t.project_name_key = w.name))
    left join accounts a on ${mine(ctx, 'a')} and a.id = t.account_id
    left join companies c on ${mine(ctx, 'c')} and c.id = ${company}
    where ${scope(ctx, type === 'deal' ? Deal : Project, 'read')} and t.project_type = ${type}
      and (t.display_id = w.number or (${customer} and ${days}))
    order by w.n, rank, t.id`)
  return byRow(bodies, found)
}

/** The same for tasks: by number, else by title, project or parent, and days. */
export async function fittingTasks(ctx: Context, bodies: Body[]): Promise<Fitting[][]> {
  const rows = bodies.map((body, n) => ({
    n,
    number: textIn(body.display_id),
    name: foldedText(body.title),
    project: textIn(body.project_id),
    parent: textIn(body.parent_id),
    starts: textIn(body.start_date),
    due: textIn(body.due_date),
  }))
  const says = [
    sql`t.start_date is not distinct from w.starts`,
    sql`t.due_date is not distinct from w.due`,
    sql`t.parent_id is not distinct from w.parent`,
  ]
  const found = await ctx.all<Row>(sql`
    select w.n, t.id, ${rankOf(says)} as rank, concat_ws(', ', t.title, p.project_name, t.due_date) as text
    from json_to_recordset(${JSON.stringify(rows)}::json) as w (n integer, number text, name text,
      project text, parent text, starts date, due date)
    join tasks t on (t.display_id = w.number or ((w.number is null or t.display_id is null)
      and t.title_key = w.name))
    left join projects p on ${mine(ctx, 'p')} and p.id = t.project_id
    where ${scope(ctx, Task, 'read')} and (t.display_id = w.number or (
      (w.parent is null and t.project_id is not distinct from w.project or t.parent_id = w.parent)
      and (w.starts is null or t.start_date = w.starts) and (w.due is null or t.due_date = w.due)))
    order by w.n, rank, t.id`)
  return byRow(bodies, found)
}

/** 0 for the number of the row, and one more for each thing that the record says and the row does not. */
function rankOf(says: Query[]): Query {
  const counts = says.map((same) => sql`case when ${same} then 0 else 1 end`)
  return sql`case when t.display_id = w.number then 0 else 1 + ${sql.join(counts, sql` + `)} end`
}

/** The records of each row that are as near to it as any. */
export function byRow(bodies: Body[], found: Row[]): Fitting[][] {
  const rows = Map.groupBy(found, ({ n }) => n)
  return bodies.map((_, n) => {
    const its = rows.get(n) ?? []
    const best = its[0]?.rank
    return its.filter(({ rank }) => rank === best).map(({ id, text }) => ({ id, text }))
  })
}

function textIn(value: unknown): string | null {
  return typeof value === 'string' && value ? value : null
}
