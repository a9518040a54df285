import type { Context } from '../kit/ground/context.ts'
import { addDays } from '../kit/ground/dates.ts'
import { mine, sql } from '../kit/ground/sql.ts'
import { convertDeal } from '../records/projects/convert.ts'
import { createProject } from '../records/projects/create.ts'
import { updateProject } from '../records/projects/update.ts'
import type { Story } from './story.ts'

const day = 86_400_000

/** What became of the deals of the first accounts: the stages they went through, in their order. */
const ways = [
  ['discovery', 'negotiation', 'closed_won'],
  ['proposal', 'closed_won'],
  ['discovery', 'proposal'],
  ['negotiation'],
  ['proposal', 'closed_lost'],
  [],
]
const offers = ['Growth plan', 'Rollout', 'Renewal', 'Expansion', 'Pilot', 'Second site']

/**
 * Deals of the first accounts on their way through the pipeline, and the onboarding projects of those
 * that were won, laid out from the default template.
 */
export async function makeSales(
  as: (email: string, at: Date) => Context,
  now: Date,
  { people }: Story,
  accounts: { account_id: string; name: string }[],
): Promise<{ deals: number; projects: number }> {
  const sellers = people.filter(({ role }) => role === 'manager' || role === 'member')
  const counts = { deals: 0, projects: 0 }
  for (const [i, { account_id, name }] of accounts.slice(0, ways.length).entries()) {
    const seller = sellers[i % sellers.length]!.email
    const begun = +now - (70 - 6 * i) * day
    const at = (days: number) => as(seller, new Date(begun + days * day))
    const expected = new Date(+now + (20 + 15 * i) * day).toISOString().slice(0, 10)
    const { id } = await createProject(at(0), {
      project_name: `${name}: ${offers[i]}`,
      project_type: 'deal',
      account_id,
      project_owner: { email: seller },
      expected_deal_value: 12_000 + 8500 * i,
      forecasted_date: expected,
      contract_duration: 12,
      tags: i % 2 ? ['renewal'] : ['new business'],
    })
    counts.deals++
    for (const [nth, stage_id] of ways[i]!.entries()) {
      const lost_reason = stage_id === 'closed_lost' ? 'price' : undefined
      await updateProject(at(7 * (nth + 1)), id, { stage_id, lost_reason })
    }
    if (ways[i]!.at(-1) !== 'closed_won') continue
    const ctx = at(30)
    const start_date = addDays(ctx.now().toISOString().slice(0, 10), 3)
    const template_id = await defaultTemplate(ctx)
    const plan = { project_name: `${name} onboarding`, start_date, template_id }
    const project = await convertDeal(ctx, id, plan)
    // the customer looks at its plan, and at nothing of the sale
    await updateProject(ctx, project.id, { share_all: true })
    counts.projects++
  }
  return counts
}

async function defaultTemplate(ctx: Context): Promise<string | undefined> {
  const found = await ctx.one<{ id: string }>(sql`select t.id from templates t
    where ${mine(ctx)} and t.template_type = 'project' and t.is_default and t.deleted_at is null`)
  return found?.id
}
