import type { Context } from '../../kit/ground/context.ts'
import { badField, conflict, notFound } from '../../kit/ground/errors.ts'
import { newId } from '../../kit/ground/ids.ts'
import { all, mine, nothingCached, sql } from '../../kit/ground/sql.ts'
import { announce } from '../../kit/write/announce.ts'
import { subscriptionKey } from '../apps/subscription-key.ts'
import type { Link } from '../links/links.ts'
import { announceMoved, names, onlyOf, point } from '../links/repoint.ts'
import { UserProfile } from '../../model/users/user.ts'
import type { Kind } from './kinds.ts'
import { kinds } from './kinds.ts'

export type HandedOver = { kind: string; count: number }

/** A user as records show people. */
type Person = { [column: string]: unknown; id: string; full_name: string }

/** How long a hand-over can be undone. */
export const undoDays = 30

/**
 * Transfers what belongs to a user to another one, all kinds or only some, in the caller's transaction, and
 * stores which rows those were. Each record is logged and announced like any other change.
 */
export async function handOver(
  ctx: Context,
  from_id: string,
  to_id: string,
  chosen: string[] | undefined,
): Promise<{ hand_over_id: string; handed_over: HandedOver[] }> {
  const [from, to] = await people(ctx, from_id, to_id)
  const id = newId()
  const its = kinds.filter(({ kind }) => !chosen || chosen.includes(kind))
  await ctx.run(sql`insert into hand_overs (organization_id, id, from_id, to_id, created_by,
      creation_time)
    values (${ctx.organization.id}, ${id}, ${from_id}, ${to_id}, ${ctx.actor.user_id},
      ${ctx.now().toISOString()})`)
  const handed_over: HandedOver[] = []
  for (const kind of its) {
    const count = await moveKind(ctx, id, kind, from, to)
    if (count) handed_over.push({ kind: kind.kind, count })
  }
  if (its.some(({ kind }) => kind === 'projects' || kind === 'deals')) {
    await joinTeams(ctx, id, from_id, to_id)
  }
  ctx.forget()
  const total = handed_over.reduce((sum, { count }) => sum + count, 0)
  await announce(ctx, UserProfile, 'handed_over', {
    id: from_id,
    name: from.full_name,
    title: `Handed over to ${to.full_name}`,
    changes: handed_over.map(({ kind, count }) => ({ field: kind, from: count, to: 0 })),
    more: { hand_over_id: id, to_id },
    notify: total
      ? [
          {
            user_id: to_id,
            notification_type: 2,
            title: `${from.full_name} handed over to you`.slice(0, 255),
            description: handed_over.map(({ kind, count }) => `${count} ${kind}`).join(', '),
            notification_obj: { hand_over_id: id },
          },
        ]
      : [],
  })
  return { hand_over_id: id, handed_over }
}

/**
 * Undoes a hand-over: what still belongs to the other user belongs to the first one again. What was
 * changed since stays as it is. 404 after 30 days, 409 if it was already undone.
 */
export async function undoHandOver(ctx: Context, id: string) {
  const since = new Date(+ctx.now() - undoDays * 86_400_000).toISOString()
  const found = await ctx.one<{ from_id: string; to_id: string; undone_at: string | null }>(sql`
    select t.from_id, t.to_id, t.undone_at from hand_overs t
    where ${mine(ctx)} and t.id = ${id} and t.creation_time > ${since} for update`)
  if (!found) throw notFound('Hand-over')
  if (found.undone_at) throw conflict('This hand-over was already undone', 'already_undone')
  const [to, from] = await people(ctx, found.to_id, found.from_id)
  const stored = await ctx.all<{
    table_name: string
    column_name: string
    record_id: string
    kind: string
  }>(sql`select t.table_name, t.column_name, t.record_id, t.kind from hand_over_moves t
    where ${mine(ctx)} and t.hand_over_id = ${id} order by t.record_id`)
  const restored: HandedOver[] = []
  for (const kind of kinds) {
    let count = 0
    for (const { link } of kind.links) {
      const ids = stored
        .filter(
          (row) =>
            row.table_name === link.table &&
            row.column_name === link.column &&
            row.kind === kind.kind,
        )
        .map(({ record_id }) => record_id)
      const rows = await move(ctx, link, ids, to, from)
      const steps = [{ from: to, to: from, rows }]
      count += (await announceMoved(ctx, 'hand_over', quiet(link), steps)).length
    }
    if (count) restored.push({ kind: kind.kind, count })
  }
  const teams = stored.filter(({ kind }) => kind === team).map(({ record_id }) => record_id)
  await ctx.run(sql`delete from project_members t where ${mine(ctx)}
    and t.user_id = ${found.to_id} and t.project_id = any(${teams})`)
  await ctx.run(sql`update hand_overs t set undone_at = ${ctx.now().toISOString()}
    where ${mine(ctx)} and t.id = ${id}`)
  ctx.forget()
  await announce(ctx, UserProfile, 'hand_over_undone', {
    id: found.from_id,
    name: from.full_name,
    title: 'Hand-over undone',
    more: { hand_over_id: id },
  })
  const moved = restored.reduce((sum, { count }) => sum + count, 0)
  const whole = stored.filter(({ kind }) => kind !== team).length
  return { hand_over_id: id, restored, kept: Math.max(0, whole - moved) }
}

const team = 'project_team'

/** Both users as records show them; the first may have left. */
async function people(ctx: Context, first: string, second: string): Promise<[Person, Person]> {
  const found = await ctx.all<Person>(sql`select t.* from people t
    where ${mine(ctx)} and t.id = any(${[first, second]})`)
  const of = (id: string) => found.find((person) => person.id === id)
  const [one, other] = [of(first), of(second)]
  if (!one) throw notFound('User')
  if (!other) throw badField('to', 'no such record')
  return [one, other]
}

async function moveKind(ctx: Context, id: string, kind: Kind, from: Person, to: Person) {
  const touched = new Set<string>()
  for (const { link, where } of kind.links) {
    const apart = link.isJson ? sql`not ${names(link, to.id)}` : undefined
    const rows = await ctx.all<{ record_id: string }>(sql`
      insert into hand_over_moves as m (organization_id, hand_over_id, table_name, column_name, record_id,
        kind)
      select t.organization_id, ${id}, ${link.table}, ${link.column}, t.id, ${kind.kind}
      from ${sql.table(link.table)} t
      where ${all(mine(ctx), names(link, from.id), onlyOf(link), where, apart)}
      returning m.record_id`)
    const ids = rows.map(({ record_id }) => record_id)
    const moved = await move(ctx, link, ids, from, to)
    await announceMoved(ctx, 'hand_over', quiet(link), [{ from, to, rows: moved }])
    for (const { id: its, is_alive } of moved) if (is_alive) touched.add(its)
  }
  return touched.size
}

/** The link without a notification per record: the hand-over sends one for all. */
function quiet(link: Link): Link {
  const { record } = link
  return record
    ? { ...link, record: { ...record, events: { ...record.events, assignees: [] } } }
    : link
}

async function move(ctx: Context, link: Link, ids: string[], from: Person, to: Person) {
  if (link.table !== 'subscriptions') return point(ctx, link, ids, from.id, to.id)
  // if the other user has the same subscription, that one stays the only one
  const rows = await ctx.all<Parameters<typeof subscriptionKey>[0] & { id: string }>(sql`
    select t.id, t.app_id, t.url, t.events, t.project_id, t.conditions, t.fields
    from subscriptions t
    where ${mine(ctx)} and t.id = any(${ids}) and t.user_id = ${from.id}`)
  const moved: { id: string; is_alive: boolean }[] = []
  for (const { id, ...row } of rows) {
    const key = subscriptionKey({ ...row, user_id: to.id })
    const done =
      await ctx.run(sql`${nothingCached} update subscriptions t set user_id = ${to.id}, unique_key = ${key}
      where ${mine(ctx)} and t.id = ${id} and not exists (select from subscriptions o
        where ${mine(ctx, 'o')} and o.unique_key = ${key})`)
    if (done) moved.push({ id, is_alive: true })
  }
  return moved
}

/** The other user becomes a member of the teams; the first one stays a member until they leave. */
async function joinTeams(ctx: Context, id: string, from: string, to: string) {
  const joined = await ctx.all<{ project_id: string }>(sql`
    insert into project_members as m (organization_id, project_id, user_id, role, creation_time)
    select t.organization_id, t.project_id, ${to}, t.role, ${ctx.now().toISOString()}
    from project_members t where ${mine(ctx)} and t.user_id = ${from}
    on conflict do nothing returning m.project_id`)
  const ids = joined.map(({ project_id }) => project_id)
  await ctx.run(sql`insert into hand_over_moves (organization_id, hand_over_id, table_name,
      column_name, record_id, kind)
    select o.organization_id, ${id}, 'project_members', 'user_id', p, ${team}
    from organizations o, unnest(${ids}::text[]) p where ${mine(ctx, 'o')}`)
}

/** 400 for an unknown user, for the same one, and for one who is not active. */
export async function checkReceiver(ctx: Context, from: string, to: string, field = 'to') {
  if (to === from) throw badField(field, 'must be another user')
  const found = await ctx.one<{ is_active: boolean }>(sql`select t.is_active from users t
    where ${mine(ctx)} and t.id = ${to} and t.deleted_at is null`)
  if (!found) throw badField(field, 'no such record')
  if (!found.is_active) throw badField(field, 'is not active')
}
