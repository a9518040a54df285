import type { Context } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { scope } from '../../kit/record/scope.ts'
import { Account } from '../../model/accounts/account.ts'
import { ProjectOrDeal } from '../../model/projects/project.ts'
import { leads } from './cards.ts'
import type { CardName, Role } from './shape.ts'
import { cardNames, roles } from './shape.ts'

/** The cards of each role, in their order. */
export const cardsOf: { [role in Role]: CardName[] } = {
  delivery: ['projects_late', 'mentions', 'accounts_at_risk', 'meetings'],
  sales: ['deals_need_step', 'deals_closing', 'mentions', 'meetings'],
  success: ['accounts_at_risk', 'renewals', 'low_answers', 'mentions'],
  manager: ['team', 'projects_late', 'deals_need_step', 'accounts_fallen'],
}

/** What a person chose under Arrange, as far as it can be understood. */
export type Arranged = { role: Role | undefined; cards: CardName[] | undefined }

/** The person's own choice of role and cards, and the role that suits what they own and may read. */
export async function roleOf(ctx: Context): Promise<{ guessed: Role; arranged: Arranged }> {
  const { user_id: me } = ctx.actor
  const work = scope(ctx, ProjectOrDeal, 'read')
  const found = await ctx.one<{
    chosen: unknown
    deals: number
    projects: number
    accounts: number
  }>(
    sql`select
      (select t.content -> 'home' from preferences t where ${mine(ctx)} and t.user_id = ${me}) as chosen,
      (select count(*)::int from projects t where ${work} and t.project_type = 'deal' and t.project_owner = ${me} and t.closed_at is null) as deals,
      (select count(*)::int from projects t where ${work} and t.project_type = 'project' and t.completed_at is null
        and (t.project_owner = ${me} or t.project_manager = ${me})) as projects,
      (select count(*)::int from accounts t where ${scope(ctx, Account, 'read')}
        and t.account_owner = ${me}) as accounts`,
  )
  const { deals = 0, projects = 0, accounts = 0 } = found ?? {}
  const most = Math.max(deals, projects, accounts)
  const owned =
    deals > projects && deals === most ? 'sales' : accounts > projects ? 'success' : 'delivery'
  return { guessed: leads(ctx) ? 'manager' : owned, arranged: arrangedOf(found?.chosen) }
}

/** The choice as it is stored, which any program of the person may have written. */
function arrangedOf(chosen: unknown): Arranged {
  const { role, cards } = (typeof chosen === 'object' && chosen ? chosen : {}) as {
    role?: unknown
    cards?: unknown
  }
  return {
    role: roles.find((each) => each === role),
    cards: Array.isArray(cards) ? named(cards) : undefined,
  }
}

/** The cards with these names, in their order and once each; other values are nobody's. */
function named(values: unknown[]): CardName[] {
  return [...new Set(values.flatMap((value) => cardNames.find((name) => name === value) ?? []))]
}
