import type { Context } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { inSavepoint } from '../../kit/write/savepoint.ts'
import type { Letter } from '../mail/letter.ts'
import { post } from '../mail/post.ts'
import type { Voice } from '../../model/languages/language.ts'
import type { Weekly } from '../notifications/mailed.ts'
import { weekly } from '../notifications/mailed.ts'
import { unsubscribeUrl } from '../notifications/unsubscribe.ts'
import { loadActor } from '../users/actor.ts'

/** Mails of a batch: each computes the numbers of a whole page. */
const batch = 5

type Reader = {
  user_id: string
  full_name: string
  email: string
  language: string | null
  timezone: string | null
}

/** What a mail says in the language of its reader; undefined where there is nothing to say to them. */
export type Composing = (
  theirs: Context,
  id: string,
) => Promise<((voice: Voice) => Omit<Letter, 'name' | 'footers'>) | undefined>

/**
 * Mails what people chose for a week, which is named by its Monday; returns how many mails it has been through, a
 * batch. The week is stored in the transaction that mails, so that nobody gets one twice.
 */
export async function mailWeekly(
  ctx: Context,
  monday: string,
  kind: Weekly,
  compose: Composing,
): Promise<number> {
  const { table, column } = weekly[kind]
  const id = sql.ref(column)
  const chosen = await ctx.all<Reader & { id: string }>(sql`
    select t.user_id, t.${id} as id, u.full_name, u.email, u.language, u.timezone
    from ${sql.table(table)} t
    join users u on u.organization_id = $organization and u.id = t.user_id
      and u.is_active and u.deleted_at is null and not u.is_demo_data
    where ${mine(ctx)} and t.is_on and (t.week is null or t.week < ${monday})
    order by t.user_id, t.${id} limit ${batch} for update of t skip locked`)
  for (const each of chosen) {
    await tried(ctx, kind, each, compose)
    await ctx.run(sql`update ${sql.table(table)} t set week = ${monday}
      where ${mine(ctx)} and t.user_id = ${each.user_id} and t.${id} = ${each.id}`)
  }
  return chosen.length
}

/** Mails one; one that fails is left out this week, so that the others are sent. */
async function tried(
  ctx: Context,
  kind: Weekly,
  to: Reader & { id: string },
  compose: Composing,
): Promise<void> {
  try {
    await inSavepoint(ctx, () => mailOne(ctx, kind, to, compose))
  } catch (error) {
    ctx.log.error({ err: error, user_id: to.user_id }, `a ${kind} could not be mailed`)
  }
}

/** Within the rights of its reader: whoever may not see any more what they chose gets nothing. */
async function mailOne(
  ctx: Context,
  kind: Weekly,
  to: Reader & { id: string },
  compose: Composing,
): Promise<void> {
  const loaded = await loadActor(ctx, ctx.organization.id, to.user_id)
  if (!loaded?.is_active || loaded.actor.is_external) return
  const theirs: Context = { ...ctx, actor: loaded.actor }
  const said = await compose(theirs, to.id)
  if (!said) return
  const unsubscribe = unsubscribeUrl(theirs, { user: to.user_id, category: `${kind}:${to.id}` })
  const { full_name: name, email: address, language, timezone } = to
  const letter = (voice: Voice): Letter => ({
    ...said(voice),
    name,
    footers: [{ label: voice.say('dashboard_mail.stop'), url: unsubscribe }],
  })
  await post(theirs, { name, address, language, timezone }, letter, {
    kind: 'digest',
    sender: null,
    unsubscribe,
    needed: { user: to.user_id },
  })
}

/** What a number is: how it is written follows from it. */
export type Unit = 'count' | 'percent' | 'money'

/** A number as its reader writes it; amounts are whole, others have so many decimals at most. */
export function numberWords(
  value: number | null | undefined,
  { unit, currency }: { unit: Unit; currency?: string | null | undefined },
  language: string,
  decimals: { percent: number; count: number } = { percent: 0, count: 0 },
): string {
  if (value === null || value === undefined) return '–'
  if (unit === 'percent') {
    const look = { style: 'percent', maximumFractionDigits: decimals.percent } as const
    return new Intl.NumberFormat(language, look).format(value / 100)
  }
  const look =
    unit === 'money' && currency
      ? ({ style: 'currency', currency, maximumFractionDigits: 0 } as const)
      : { maximumFractionDigits: decimals.count }
  return new Intl.NumberFormat(language, look).format(value)
}
