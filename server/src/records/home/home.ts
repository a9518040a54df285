import type { Context, Query } from '../../kit/ground/context.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'
import { readableRows } from '../../kit/record/readable.ts'
import { workCalendar } from '../../model/holidays/calendar.ts'
import { today } from '../../model/time/dates.ts'
import { WorkDays, dayNumber, dayText } from '../../schedule/workdays.ts'
import { cards, leads } from './cards.ts'
import { groupsOf, nextOf } from './day.ts'
import { orElse, orFailed } from './part.ts'
import { preparationOf } from './preparation.ts'
import { cardsOf, roleOf } from './role.ts'
import type { Home } from './shape.ts'
import { cardNames } from './shape.ts'

/** People of a team whose work is shown together at most: they stand in the addresses of lists. */
const mostPeople = 100

/** The day of the caller, or of their team: groups of tasks and meetings, and the cards of their role. */
export async function homeOf(ctx: Context, as: 'me' | 'team'): Promise<Home> {
  const { user_id: me, team } = ctx.actor
  const people = as === 'team' && leads(ctx) ? team.slice(0, mostPeople) : [me ?? '']
  const { guessed, arranged } = await roleOf(ctx)
  const role = arranged.role ?? guessed
  const available = cardNames.filter((name) => cards[name].may(ctx))
  const shown = (arranged.cards ?? cardsOf[role]).filter((name) => available.includes(name))
  const groupsRead = groupsOf(ctx, people)
  const preparing = groupsRead.then(({ today: { rows } }) => preparationOf(ctx, rows))
  const [groups, preparation, next, workday, lacks, ...parts] = await Promise.all([
    groupsRead,
    orElse(ctx, preparing, null),
    nextOf(ctx, people),
    nextWorkday(ctx),
    orElse(ctx, lacksOf(ctx), null),
    ...shown.map(async (card) => ({
      card,
      ...(await orFailed(ctx, cards[card].read(ctx, people))),
    })),
  ])
  return {
    today: today(ctx),
    workday,
    lacks,
    leads: leads(ctx),
    role,
    guessed,
    groups,
    next,
    preparation,
    cards: parts,
    available,
  }
}

/** The next working day of the organization after today. */
async function nextWorkday(ctx: Context): Promise<string> {
  const { rules } = await workCalendar(ctx)
  const tomorrow = dayNumber(today(ctx)) + 1
  return dayText(new WorkDays(rules, tomorrow).day(0)) ?? today(ctx)
}

/** What the caller sees nothing of yet: records of the organization, or tasks of their own. */
async function lacksOf(ctx: Context): Promise<Home['lacks']> {
  const { user_id: me } = ctx.actor
  const some = (table: string, ...only: Query[]) =>
    sql`exists (select 1 from ${readableRows(ctx, table)} t where ${all(mine(ctx), ...only)})`
  const isThere = sql`t.deleted_at is null`
  const found = await ctx.one<{ records: boolean; tasks: boolean }>(sql`
    select ${some('companies', isThere)} or ${some('contacts', isThere)} or ${some('imports')}
        as records,
      ${some('tasks', sql`t.owner = ${me}`)} as tasks`)
  if (!found?.records) return 'records'
  return found.tasks ? null : 'tasks'
}
