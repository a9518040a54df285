import type { Context } from '../../../kit/ground/context.ts'
import { conflict, forbidden } from '../../../kit/ground/errors.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import type { AnyRecord } from '../../../kit/record/record.ts'
import { lockMany } from '../../../kit/write/many.ts'
import { remove } from '../../../kit/write/write.ts'
import { Document } from '../../../model/documents/document.ts'
import { Milestone } from '../../../model/milestones/milestone.ts'
import { Project } from '../../../model/projects/project.ts'
import { Task } from '../../../model/tasks/task.ts'
import { lockPeople } from '../../../model/users/guards.ts'
import { UserProfile, isInvited } from '../../../model/users/user.ts'
import { visibleEntries } from '../../activity/visible.ts'
import type { Done } from '../../bulk/change.ts'
import type { UndoOutcome } from '../../bulk/undo.ts'
import { undoneFrom } from '../../notifications/gathered.ts'
import { entitled } from '../../users/change.ts'
import { lockCompanies, withoutAccountOfWonDeal } from '../account-of-deal.ts'
import { cascade, cascadeDocuments, cascadeRows } from '../cascade.ts'

type Kind = 'project' | 'milestone' | 'task' | 'document' | 'account' | 'user'

/** How many of others' changes a refusal names. */
const most = 20

/**
 * Deletes what a use of a template created, the account of a won deal too where nothing else has come to use it, and
 * invitations that were not sent yet. 409 with a list once somebody else has
 * worked in it: changed or completed something, added to it, or written about it.
 */
export async function undoTemplate(
  ctx: Context,
  { records }: { records: Done[] },
): Promise<UndoOutcome> {
  const of = (kind: Kind) =>
    records.flatMap(({ record_id, before }) =>
      (before as { kind: Kind } | null)?.kind === kind ? record_id : [],
    )
  const [project] = of('project')
  const made = { milestones: of('milestone'), tasks: of('task'), documents: of('document') }
  const { milestones, tasks, documents } = made
  const to = ctx.now().toISOString()
  const deal = project === undefined ? null : await dealOf(ctx, project)
  if (project !== undefined) {
    if (deal !== null) await lockCompanies(ctx, { deal })
    // first, so that nobody works in it meanwhile
    await remove(ctx, Project, project)
    await checkAlone(ctx, project, made)
    await cascade(ctx, 'project_id', project, { from: null, to })
  } else {
    await checkAllowed(ctx, Milestone, milestones)
    await checkAllowed(ctx, Task, tasks)
    await checkAlone(ctx, null, made)
    await cascadeRows(ctx, milestones, tasks, to)
  }
  await cascadeDocuments(ctx, documents, to)
  await withdraw(ctx, of('user'))
  for (const account of of('account')) if (deal !== null) await takeBack(ctx, account, deal)
  return { updated: records.length, failed: [] }
}

/** Removes users whose invitation still waits for this undo: the mail is not needed then. */
async function withdraw(ctx: Context, users: string[]) {
  if (!users.length) return
  await lockPeople(ctx)
  const waiting = await ctx.all<{ id: string }>(sql`
    select t.id from users t where ${mine(ctx)} and t.id = any(${users}::varchar[])
      and t.deleted_at is null and ${sql.raw(isInvited)} and t.creation_time > ${undoneFrom(ctx)}`)
  for (const { id } of waiting) await remove(entitled(ctx), UserProfile, id)
}

/** The deal that a project was converted from; null for any other project. */
async function dealOf(ctx: Context, project: string): Promise<string | null> {
  const found = await ctx.one<{ deal: string | null }>(sql`select t.converted_from as deal
    from projects t where ${mine(ctx)} and t.id = ${project}`)
  return found?.deal ?? null
}

/** Deletes the account that the conversion of a deal made, unless something else has come to use it. */
async function takeBack(ctx: Context, account: string, deal: string) {
  const found = await ctx.one(sql`select from accounts t where ${mine(ctx)} and t.id = ${account}
    and t.won_with = ${deal} and t.deleted_at is null`)
  if (found) await withoutAccountOfWonDeal(ctx, deal)
}

/** Locks those that are still there; 403 if the caller may not delete one. */
async function checkAllowed(ctx: Context, record: AnyRecord, ids: string[]) {
  const locked = await lockMany(ctx, record, ids.toSorted(), 'delete')
  if ([...locked.values()].some(({ isAllowed }) => !isAllowed)) {
    throw forbidden(`Your role may not delete all of these ${record.word}s`)
  }
}

/** 409 if somebody else changed one of these, added to them, signed or wrote about them. */
async function checkAlone(
  ctx: Context,
  project: string | null,
  { milestones, tasks, documents }: { [kind in 'milestones' | 'tasks' | 'documents']: string[] },
) {
  const me = ctx.actor.user_id
  const created: [AnyRecord, string[]][] = [
    [Project, project === null ? [] : [project]],
    [Milestone, milestones],
    [Task, tasks],
    [Document, await versionsOf(ctx, documents)],
  ]
  const oneOf = (alias: string) =>
    sql`(${sql.join(
      created.map(
        ([{ number }, ids]) => sql`(${sql.ref(`${alias}.module_id`)} = ${number}
          and ${sql.ref(`${alias}.reference_id`)} = any(${ids}::varchar[]))`,
      ),
      sql` or `,
    )})`
  const below = sql`e.module_id = ${Task.number} and e.reference_id in (select k.id from tasks k
    where ${mine(ctx, 'k')} and k.milestone_id = any(${milestones}::varchar[]))`
  // those who sign a document are no users
  const byOther = sql`(e.actor_id <> ${me} or (e.actor_id is null and e.module_id = ${Document.number}))`
  const found = await ctx.all<Entry>(sql`
    select distinct on (e.reference_id) e.reference_id as id, e.title,
      e.raw_description->>'name' as name, e.actor_name as by, (${visibleEntries(ctx)}) as is_visible
    from events e where ${mine(ctx, 'e')} and ${byOther}
      and (${oneOf('e')} or (${below}) or e.project_id = ${project})
    order by e.reference_id, e.id desc limit ${most}`)
  const written = await ctx.all<{ by: string }>(sql`
    select distinct u.full_name as by from interactions t
    join users u on u.organization_id = $organization and u.id = t.created_by
    where ${mine(ctx)} and t.deleted_at is null and t.created_by <> ${me} and ${oneOf('t')}
    limit ${most}`)
  if (!found.length && !written.length) return
  const visible = found.filter(({ is_visible }) => is_visible)
  const people = new Set([...found, ...written].map(({ by }) => by))
  throw conflict(`${[...people].join(', ')} worked in it since`, 'worked_on', {
    records: [
      ...visible.map(({ id, title, name, by }) => ({ id, what: name ?? title, by })),
      ...written.map(({ by }) => ({ id: null, what: 'Comment', by })),
    ],
    hidden: found.length - visible.length,
  })
}

/** The ids of all versions of documents. */
async function versionsOf(ctx: Context, documents: string[]): Promise<string[]> {
  if (!documents.length) return []
  const found = await ctx.all<{ id: string }>(sql`select t.id from documents t
    where ${mine(ctx)} and t.chain_id = any(${documents}::varchar[])`)
  return found.map(({ id }) => id)
}

type Entry = { id: string; title: string; name: string | null; by: string; is_visible: boolean }
