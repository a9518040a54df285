import type { Context } from '../../kit/ground/context.ts'
import { today } from '../../model/time/dates.ts'
import { cards, leads } from './cards.ts'
import { groupsOf, nextOf } from './day.ts'
import { orFailed } from './part.ts'
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
  const [groups, next, ...parts] = await Promise.all([
    groupsOf(ctx, people),
    nextOf(ctx, people),
    ...shown.map(async (card) => ({
      card,
      ...(await orFailed(ctx, cards[card].read(ctx, people))),
    })),
  ])
  return {
    today: today(ctx),
    leads: leads(ctx),
    role,
    guessed,
    groups,
    next,
    cards: parts,
    available,
  }
}
