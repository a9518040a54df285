import type { Context } from '../../kit/ground/context.ts'
import { stale } from '../../kit/ground/errors.ts'
import { Answer } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'

/** What people choose to get every Monday: the table of their choices, and its column with the id of what is mailed. */
export const weekly = {
  dashboard: { table: 'dashboard_mails', column: 'dashboard_id' },
  report: { table: 'report_mails', column: 'filter_id' },
} as const
export type Weekly = keyof typeof weekly

type Choice = { is_on: boolean; version: number }

/** Whether the caller gets something every Monday, with the version of that choice. */
export async function readMailed(ctx: Context, kind: Weekly, id: string) {
  return shown(await chosenBy(ctx, kind, id))
}

/** Switches a weekly mail on or off, for the caller alone; 412 if the choice has another version. */
export async function setMailed(
  ctx: Context,
  kind: Weekly,
  id: string,
  is_on: boolean,
  ifMatch?: number[],
) {
  const before = await chosenBy(ctx, kind, id, sql`for update`)
  if (ifMatch && !ifMatch.includes(before.version)) throw stale()
  if (before.is_on === is_on) return shown(before)
  const { table, column } = weekly[kind]
  const version = before.version + 1
  await ctx.run(sql`insert into ${sql.table(table)} as t (organization_id, user_id, ${sql.ref(column)}, is_on, version)
    values (${ctx.organization.id}, ${ctx.actor.user_id}, ${id}, ${is_on}, ${version})
    on conflict (organization_id, user_id, ${sql.ref(column)}) do update set is_on = excluded.is_on, version = t.version + 1`)
  return shown({ is_on, version })
}

/** What the caller chose; where they never did, it is off. */
async function chosenBy(ctx: Context, kind: Weekly, id: string, locked = sql``): Promise<Choice> {
  const { table, column } = weekly[kind]
  const found = await ctx.one<Choice>(sql`select t.is_on, t.version from ${sql.table(table)} t
    where ${mine(ctx)} and t.user_id = ${ctx.actor.user_id} and t.${sql.ref(column)} = ${id} ${locked}`)
  return found ?? { is_on: false, version: 1 }
}

function shown({ is_on, version }: Choice) {
  return new Answer({ is_on }, { version })
}

/** Ends a weekly mail of somebody, by the link in it. */
export async function stopMailed(ctx: Context, kind: Weekly, user: string, id: string) {
  const { table, column } = weekly[kind]
  await ctx.run(sql`update ${sql.table(table)} t set is_on = false, version = t.version + 1
    where ${mine(ctx)} and t.user_id = ${user} and t.${sql.ref(column)} = ${id}`)
}
