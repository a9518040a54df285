import type { Context } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { moduleNumber } from '../../kit/record/modules.ts'

/** The project and the account of a document. */
type Belonging = { project_id: string | null; account_id: string | null }

/** What a document is attached to: a record, by its module's number and id, and a project. */
type Place = {
  module_id?: number | null
  reference_id?: string | null
  project_id?: string | null
}

/**
 * Where a document belongs by default: to the project that it names or is attached to, or that
 * of its task or milestone, and to the account of that project, else that of the task.
 */
export async function belongingOf(ctx: Context, place: Place): Promise<Belonging> {
  const { module_id = null, reference_id = null, project_id = null } = place
  const isAttachedTo = (module: string) => module_id === (moduleNumber(module) ?? 0)
  const isProject = isAttachedTo('projects') || isAttachedTo('deals')
  const task = isAttachedTo('tasks') ? reference_id : null
  const milestone = isAttachedTo('milestones') ? reference_id : null
  const found = await ctx.one<Belonging>(sql`
    select own.project_id, coalesce(${isAttachedTo('accounts') ? reference_id : null},
        (select t.account_id from projects t where ${mine(ctx)} and t.id = own.project_id),
        (select t.account_id from tasks t where ${mine(ctx)} and t.id = ${task})) as account_id
    from (select coalesce(${project_id ?? (isProject ? reference_id : null)},
        (select t.project_id from tasks t where ${mine(ctx)} and t.id = ${task}),
        (select t.project_id from milestones t where ${mine(ctx)} and t.id = ${milestone})
      ) as project_id) own`)
  return found ?? { project_id: null, account_id: null }
}

/**
 * The project and account of a document that is attached to something else, unless somebody had set them
 * differently. `to` contains what changes.
 */
export async function movedBelonging(ctx: Context, id: string, to: Place): Promise<Belonging> {
  const was = await ctx.one<Required<Place> & Belonging>(sql`
    select t.module_id, t.reference_id, t.project_id, t.account_id from documents t
    where ${mine(ctx)} and t.id = ${id}`)
  const { project_id = null, account_id = null, ...about } = was ?? {}
  const ofPlace = await belongingOf(ctx, about)
  const before = await belongingOf(ctx, { ...about, project_id })
  const stays = to.project_id === undefined && project_id !== ofPlace.project_id
  const project = stays ? project_id : to.project_id
  const now = await belongingOf(ctx, { ...about, ...to, project_id: project })
  return {
    project_id: to.project_id === null ? null : now.project_id,
    account_id: account_id === before.account_id ? now.account_id : account_id,
  }
}
