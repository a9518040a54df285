import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { forbidden } from '../../kit/ground/errors.ts'
import { operation } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { inSavepoint } from '../../kit/write/savepoint.ts'
import type { Voice } from '../../model/languages/language.ts'
import { externalKinds } from '../../model/users/roles/permissions.ts'
import type { Brand } from '../mail/brand.ts'
import type { Letter } from '../mail/letter.ts'
import { outsiderUrl } from '../mail/outsider-link.ts'
import { personOf, post } from '../mail/post.ts'
import { unsubscribeUrl } from '../notifications/unsubscribe.ts'
import { loadActor } from '../users/actor.ts'
import { portalOf, waitingFor } from './portal.ts'
import type { Portal, Waiting } from './shape.ts'

/** Switches the weekly overview of a customer or partner on or off. */
export const setOverview = operation({
  name: 'set_portal_overview',
  summary: 'Choose the weekly overview',
  topic: 'portal',
  can: 'signed_in',
  writes: true,
  needsSession: true,
  input: { body: Type.Object({ is_on: Type.Boolean() }) },
  output: null,
  async run(ctx, { body: { is_on } }) {
    if (!ctx.actor.is_external) throw forbidden('The overview is for customers and partners')
    await ctx.run(sql`insert into portal_overviews as t (organization_id, user_id, is_on)
      values (${ctx.organization.id}, ${ctx.actor.user_id}, ${is_on})
      on conflict (organization_id, user_id) do update set is_on = excluded.is_on`)
  },
})

/** Users of a batch: each overview reads a portal. */
const batch = 10
/** Projects of one person whose news an overview has, and how much of what waits it lists. */
const most = { projects: 5, entries: 8 }

type Chosen = {
  user_id: string
  shown: string | null
  full_name: string
  email: string
  language: string | null
  timezone: string | null
}

/**
 * Mails the overviews of a week, which is named by its Monday, to those who chose them; returns how many people it has
 * been through, a batch. The week is stored in the transaction that mails, so that nobody gets two. Where nothing waits
 * and nothing has changed since the last one, there is none.
 */
export async function mailOverviews(ctx: Context, monday: string): Promise<number> {
  const chosen = await ctx.all<Chosen>(sql`
    select t.user_id, t.shown, u.full_name, u.email, u.language, u.timezone
    from portal_overviews t
    join users u on u.organization_id = $organization and u.id = t.user_id
      and u.is_active and u.deleted_at is null and not u.is_demo_data
    where ${mine(ctx)} and t.is_on and (t.week is null or t.week < ${monday})
    order by t.user_id limit ${batch} for update of t skip locked`)
  for (const each of chosen) {
    const shown = await triedOverview(ctx, each)
    await ctx.run(sql`update portal_overviews t
      set week = ${monday}, shown = coalesce(${shown}, t.shown)
      where ${mine(ctx)} and t.user_id = ${each.user_id}`)
  }
  return chosen.length
}

/** The same as `mailOverview`; one that fails is left out this week, so that the others are sent. */
async function triedOverview(ctx: Context, to: Chosen): Promise<string | null> {
  try {
    return await inSavepoint(ctx, () => mailOverview(ctx, to))
  } catch (error) {
    ctx.log.error({ err: error, user_id: to.user_id }, 'a weekly overview could not be mailed')
    return null
  }
}

/** Mails one overview by the rights of its reader; returns what it shows, in short. */
async function mailOverview(ctx: Context, to: Chosen): Promise<string | null> {
  const loaded = await loadActor(ctx, ctx.organization.id, to.user_id)
  if (!loaded?.is_active || !loaded.actor.is_external) return null
  const theirs: Context = { ...ctx, actor: loaded.actor }
  const first = await portalOf(theirs)
  const others = first.projects.filter(({ id }) => id !== first.project?.id)
  const portals = [first]
  for (const { id } of others.slice(0, most.projects - 1)) portals.push(await portalOf(theirs, id))
  const waiting = await waitingFor(theirs)
  const shown = shortOf(portals, waiting)
  if (!waiting.length && (shown === to.shown || to.shown === null)) return shown
  await send(ctx, to, { portals, waiting })
  return shown
}

/** A hash of what a reader would find new: what waits, milestones, documents, meetings and comments. */
function shortOf(portals: Portal[], waiting: Waiting[]): string {
  const shown = portals.map(({ project, documents, meetings, conversation }) => [
    project?.go_live,
    project?.milestones.map(({ id, state, due }) => [id, state, due]),
    documents.map(({ id }) => id),
    meetings.map(({ id, start }) => [id, start]),
    conversation.map(({ id }) => id),
  ])
  const text = JSON.stringify([waiting.map(({ id, due }) => [id, due]), shown])
  return createHash('sha256').update(text).digest('hex')
}

async function send(
  ctx: Context,
  to: Chosen,
  { portals, waiting }: { portals: Portal[]; waiting: Waiting[] },
): Promise<void> {
  const user = to.user_id
  const [next] = waiting
  const isIn = ({ next: own }: Portal) => !next || own.some(({ id }) => id === next.id)
  const of = portals.find(isIn)
  const project = of?.project
  const path = next ? placeOf(next) : '/portal'
  const isTask = next?.kind === 'task' || next?.kind === 'form'
  const url = await outsiderUrl(ctx, user, { path, task_id: isTask ? next.id : null })
  const unsubscribe = unsubscribeUrl(ctx, { user, category: 'overview' })
  const lead = await leadOf(ctx, project)
  const compose = (voice: Voice, { name: organization }: Brand): Letter => {
    const { say, day } = voice
    const count = waiting.length
    const name = project?.name ?? organization
    return {
      subject: count
        ? say('overview.subject', { count, project: name })
        : say('overview.news', { project: name }),
      name: to.full_name,
      paragraphs: [
        ...(project?.go_live ? [say('overview.go_live', { date: day(project.go_live) })] : []),
        next ? say('overview.first', { title: next.title }) : say('overview.nothing'),
      ],
      entries: waiting.slice(0, most.entries).map((each) => ({
        title: each.title,
        text: each.due
          ? say('portal.due', { date: day(each.due) })
          : say(each.kind === 'rate' ? 'portal.rate_ask' : 'portal.no_date'),
        url: `${ctx.public_url}${placeOf(each)}`,
      })),
      actions: [{ label: say(next ? labels[next.action] : 'portal.open_all'), url }],
      note: say('overview.note', { organization }),
      footers: [{ label: say('overview.stop'), url: unsubscribe }],
    }
  }
  const { full_name: name, email: address, language, timezone } = to
  await post(ctx, { name, address, language, timezone }, compose, {
    kind: 'digest',
    sender: lead ? await personOf(ctx, lead) : null,
    unsubscribe,
    needed: { user },
  })
}

/** The first of a project's team who is neither a customer nor a partner. */
async function leadOf(ctx: Context, project: Portal['project'] | undefined) {
  const ids = project?.team.map(({ id }) => id) ?? []
  const found = await ctx.one<{ id: string }>(sql`
    select t.id from users t
    join roles r on r.organization_id = $organization and r.id = t.role_id
      and not r.kind = any(${externalKinds})
    where ${mine(ctx)} and t.id = any(${ids}::varchar[]) and t.deleted_at is null
    order by array_position(${ids}::varchar[], t.id) limit 1`)
  return found?.id
}

const labels = {
  upload: 'portal.upload',
  answer: 'portal.open_form',
  sign: 'portal.sign',
  done: 'portal.open',
  rate: 'portal.rate',
} as const satisfies { [action in Waiting['action']]: string }

function placeOf({ kind, id }: Waiting): string {
  if (kind === 'rate') return `/portal/milestones/${id}`
  return kind === 'sign' ? `/portal/sign/${id}` : `/portal/tasks/${id}`
}
