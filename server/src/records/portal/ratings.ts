import { Type } from 'typebox'
import { byId } from '../../kit/crud.ts'
import type { Context } from '../../kit/ground/context.ts'
import { escapeHtml } from '../../kit/ground/html.ts'
import { addDays } from '../../kit/ground/dates.ts'
import { conflict, forbidden, notFound } from '../../kit/ground/errors.ts'
import type { Can } from '../../kit/ground/operation.ts'
import { operation } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { levelOf, scope } from '../../kit/record/scope.ts'
import { Milestone } from '../../model/milestones/milestone.ts'
import { externalKinds } from '../../model/users/roles/permissions.ts'
import { today } from '../../model/time/dates.ts'
import { createInteraction } from '../interactions/create.ts'
import type { Waiting } from './shape.ts'

// Customers and partners are asked once how a completed milestone went. What they answer is a comment on it, which
// everybody sees who sees the milestone's comments; it moves nothing, neither the health of the account.

const can: Can = { module: 'interactions', action: 'create' }
const topic = 'portal'

/** For how long a completed milestone is asked about, how long one is put off, in days, and how many at once. */
const days = { asked: 30, putOff: 7 }
const most = 2
/** How long the words of a rating may be: as HTML they are up to six times as long, and a comment has a bound. */
export const mostWords = 1500

/** The completed milestones, of a project or of all, that the caller is asked to rate, the latest first. */
export async function unratedOf(ctx: Context, project?: string): Promise<Waiting[]> {
  const { actor } = ctx
  if (!actor.is_external || levelOf(actor, 'interactions', 'create') === 'none') return []
  const since = new Date(+ctx.now() - days.asked * 86_400_000).toISOString()
  const found = await ctx.all<{ id: string; name: string }>(sql`
    select t.id, t.name from milestones t
    join projects p on p.organization_id = $organization and p.id = t.project_id
      and p.project_type = 'project' and ${project ? sql`p.id = ${project}` : sql`true`}
    where ${scope(ctx, Milestone, 'read')} and t.completed_at > ${since}
      and not exists (select from milestone_ratings r
        where ${mine(ctx, 'r')} and r.milestone_id = t.id and r.user_id = ${actor.user_id}
          and (r.is_answered or r.put_off_until > ${today(ctx)}))
    order by t.completed_at desc, t.id limit ${most}`)
  return found.map(({ id, name: title }) => ({
    kind: 'rate',
    action: 'rate',
    id,
    title,
    text: '',
    due: null,
    is_late: false,
    person: null,
    questions: null,
  }))
}

/** A completed milestone as the page on which it is rated shows it. */
export type RatedMilestone = {
  id: string
  name: string
  project_id: string
  is_answered: boolean
}

/** A completed milestone of a project that the caller may read; undefined for any other. */
export function ratedMilestone(ctx: Context, id: string): Promise<RatedMilestone | undefined> {
  return ctx.one<RatedMilestone>(sql`
    select t.id, t.name, t.project_id, exists (select from milestone_ratings r
      where ${mine(ctx, 'r')} and r.milestone_id = t.id and r.user_id = ${ctx.actor.user_id}
        and r.is_answered) as is_answered
    from milestones t
    join projects p on p.organization_id = $organization and p.id = t.project_id
      and p.project_type = 'project'
    where ${scope(ctx, Milestone, 'read')} and t.id = ${id} and t.completed_at is not null`)
}

export const rateMilestone = operation({
  name: 'rate_milestone',
  summary: 'Rate a completed milestone',
  topic,
  can,
  writes: true,
  needsSession: true,
  input: {
    params: byId,
    body: Type.Object({
      rating: Type.Integer({ minimum: 1, maximum: 5, description: 'from 1 to 5' }),
      words: Type.Optional(Type.String({ maxLength: mostWords })),
    }),
  },
  output: null,
  async run(ctx, { params: { id }, body: { rating, words = '' } }) {
    const { project_id } = await asked(ctx, id)
    // two forms that are sent at once meet here
    const stored = await ctx.one(sql`
      insert into milestone_ratings as t (organization_id, milestone_id, user_id, is_answered)
      values (${ctx.organization.id}, ${id}, ${ctx.actor.user_id}, true)
      on conflict (organization_id, milestone_id, user_id) do update set is_answered = true
        where not t.is_answered
      returning t.user_id`)
    if (!stored) throw conflict('You have rated this already', 'answered')
    const said = escapeHtml(words.trim()).replaceAll(/\r?\n/g, '<br>')
    await createInteraction(
      ctx,
      {
        module_name: 'milestones',
        reference_id: id,
        content: [`${rating}/5`, said].filter(Boolean).join(' · '),
      },
      { rating, notified: await leadersOf(ctx, { id, project_id }) },
    )
  },
})

export const putOffRating = operation({
  name: 'put_off_rating',
  summary: 'Rate a completed milestone later',
  topic,
  can,
  writes: true,
  needsSession: true,
  input: { params: byId },
  output: null,
  async run(ctx, { params: { id } }) {
    await asked(ctx, id)
    await ctx.run(sql`
      insert into milestone_ratings as t (organization_id, milestone_id, user_id, put_off_until)
      values (${ctx.organization.id}, ${id}, ${ctx.actor.user_id}, ${addDays(today(ctx), days.putOff)})
      on conflict (organization_id, milestone_id, user_id)
        do update set put_off_until = excluded.put_off_until`)
  },
})

/** The milestone that the caller rates; 403 for the team, 404 for one that is open or that they may not read. */
async function asked(ctx: Context, id: string): Promise<RatedMilestone> {
  if (!ctx.actor.is_external) throw forbidden('Milestones are rated by customers and partners')
  const found = await ratedMilestone(ctx, id)
  if (!found) throw notFound('Milestone')
  return found
}

/** Who of the team is notified of a rating: the owner of the milestone, else who manages or owns its project. */
async function leadersOf(ctx: Context, { id, project_id }: { id: string; project_id: string }) {
  const found = await ctx.one<{ user_id: string }>(sql`
    select u.id as user_id from milestones t
    join projects p on p.organization_id = $organization and p.id = ${project_id}
    cross join unnest(array[t.owner, p.project_manager, p.project_owner]) with ordinality l (id, place)
    join users u on u.organization_id = $organization and u.id = l.id and u.is_active
      and u.deleted_at is null
    join roles r on r.organization_id = $organization and r.id = u.role_id
      and r.kind <> all(${externalKinds})
    where ${mine(ctx)} and t.id = ${id}
    order by l.place limit 1`)
  return found ? [found.user_id] : []
}
