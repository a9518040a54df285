import type { Context } from '../../kit/ground/context.ts'
import { conflict } from '../../kit/ground/errors.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { Written } from '../../kit/write/write.ts'
import { lock } from '../../kit/write/write.ts'
import { accountOfWonDeal, lockCompanies } from './account-of-deal.ts'
import type { Laying } from './create.ts'
import { createProject } from './create.ts'
import { usableLinks, usableTeam } from './links.ts'
import { typeOfId } from './move.ts'
import { Deal, Project } from '../../model/projects/project.ts'
import { checkReadable } from '../../kit/read/one.ts'

type Changes = {
  project_name?: string
  template_id?: string | null
  start_date?: string | null
  due_date?: string | null
}

/** People who take the place of the deal's, or join its team. */
type People = {
  project_owner?: string | null
  project_manager?: string | null
  team?: { user_id: string; role: string | null }[]
}

/** The project that follows a won deal, once: 409 with its id where it exists already. */
export async function convertDeal(
  ctx: Context,
  id: string,
  changes: Changes,
  { team = [], ...people }: People = {},
  laying: Laying = {},
): Promise<Written> {
  const { row, links, team: usual } = await converting(ctx, id)
  const joining = new Set(team.map(({ user_id }) => user_id))
  const project = {
    ...links,
    ...people,
    project_name: changes.project_name ?? row.project_name,
    project_type: 'project' as const,
    description: row.description ?? undefined,
    revenue: row.revenue ?? row.expected_deal_value,
    is_private: row.is_private,
    visible_to_all: row.visible_to_all,
    start_date: changes.start_date,
    due_date: changes.due_date,
    template_id: changes.template_id ?? (await usableTemplate(ctx, row.template_id)),
    project_team: [...usual.filter(({ user_id }) => !joining.has(user_id)), ...team],
  }
  return createProject(ctx, project, { converted_from: id }, undefined, laying)
}

/** A deal that is about to become a project, with its account: a deal that has none gets one. */
export async function converting(ctx: Context, id: string): Promise<Convertible> {
  await lockCompanies(ctx, { deal: id })
  const found = await convertible(ctx, id)
  const account = await accountOfWonDeal(ctx, id)
  // read again with the account
  return account ? { ...(await convertible(ctx, id)), account } : found
}

type Convertible = Awaited<ReturnType<typeof convertible>> & {
  /** the account that it got */
  account?: string
}

/** A locked deal that may become a project, with what the project takes over; 409 where it may not. */
export async function convertible(ctx: Context, id: string) {
  if ((await typeOfId(ctx, id)) === 'project') {
    await checkReadable(ctx, Project, id)
    throw conflict('Only a won deal becomes a project; this is already a project')
  }
  const { row } = await lock(ctx, Deal, id, 'update')
  const category = row.current_pipe_stage?.category ?? 'open'
  if (category !== 'won') {
    throw conflict(`Only a won deal becomes a project; this one is ${category}`)
  }
  const existing = await ctx.one<{ id: string }>(sql`select t.id from projects t
    where ${mine(ctx)} and t.converted_from = ${id} and t.deleted_at is null limit 1`)
  if (existing) {
    throw conflict('This deal already has a project', 'duplicate', { project_id: existing.id })
  }
  return { row, links: await usableLinks(ctx, row), team: await usableTeam(ctx, id) }
}

async function usableTemplate(ctx: Context, id: string | null): Promise<string | undefined> {
  const found = await ctx.one<{ id: string }>(sql`select t.id from templates t
    where ${mine(ctx)} and t.id = ${id} and t.deleted_at is null and t.template_type = 'project'`)
  return found?.id
}
