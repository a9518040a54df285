import type { Context } from '../../../kit/ground/context.ts'
import { badField } from '../../../kit/ground/errors.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import type { Place, PlaceColumns } from '../../../kit/record/rank.ts'
import { between, inPlace, textBetween, textOf } from '../../../kit/record/rank.ts'
import { levelOf, mayCreate, rights, scope } from '../../../kit/record/scope.ts'
import { lock } from '../../../kit/write/write.ts'
import { Account } from '../../../model/accounts/account.ts'
import { Milestone } from '../../../model/milestones/milestone.ts'
import { ProjectOrDeal } from '../../../model/projects/project.ts'
import type { ChosenRoles } from '../../templates/assignees.ts'
import type { DatedPlan, LaidOutProject } from '../../templates/dated.ts'
import type { LaidOut } from '../../templates/layout.ts'
import { layOut } from '../../templates/layout.ts'
import type { Laying } from '../create.ts'
import { createProject } from '../create.ts'
import { getsAccount } from '../account-of-deal.ts'
import { convertDeal, converting, convertible } from '../convert.ts'
import type { UseBody } from './input.ts'

/** What a template is used on: how its project looks before, and how it is written. */
export type Target = {
  project: LaidOutProject
  name: string
  /** the customer's account, into which people of theirs are invited */
  account_id: string | null
  /** whether a dry run stands for a write that makes the account */
  getsAccount?: boolean
  /** the account that it made for a won deal */
  madeAccount?: string | undefined
  /** the running project, whose own dates stay */
  running?: { id: string; agreed: string | null }
  /** whether the caller may delete what is created, as the undo does */
  canUndo: boolean
  write(plan: DatedPlan, set: Set, laying: Laying): Promise<{ id: string; laidOut: LaidOut }>
}

/** What a new project gets of a plan. */
type Set = Leads & { start_date: string | null; due_date: string | null }
export type Leads = { project_owner: string | null; project_manager: string | null }

/** The owner and the manager that a choice of roles gives a project. */
export function leadsIn(roles: ChosenRoles, usual: Leads): Leads {
  return {
    project_owner: roles.get('project_owner') ?? roles.get('owner') ?? usual.project_owner,
    project_manager: roles.get('project_manager') ?? roles.get('manager') ?? usual.project_manager,
  }
}

type Named = { id: string; name: string }

/** The target of a body; 400 where it names two, and the refusals that its write would have. */
export async function targetOf(ctx: Context, template: Named, body: UseBody): Promise<Target> {
  const { deal_id, project_id, account_id, project_name, after } = body
  for (const [field, id] of Object.entries({ deal_id, project_id })) {
    if (id !== undefined) await checkNamed(ctx, field, id)
  }
  if (deal_id !== undefined && project_id !== undefined) {
    throw badField('project_id', 'cannot be combined with deal_id')
  }
  for (const [field, value] of Object.entries({ account_id, project_name })) {
    if (value !== undefined && project_id !== undefined) {
      throw badField(field, 'is for a new project')
    }
  }
  if (after !== undefined && project_id === undefined) {
    throw badField('after', 'is for a running project')
  }
  if (account_id !== undefined && deal_id !== undefined) {
    throw badField('account_id', 'is that of the deal')
  }
  if (project_id !== undefined) return running(ctx, project_id, after)
  mayCreate(ctx, 'projects')
  return deal_id === undefined
    ? newProject(ctx, template, body)
    : ofDeal(ctx, template, deal_id, body)
}

const none = { account_id: null, start_date: null, due_date: null, holidays_id: null }

async function newProject(
  ctx: Context,
  template: Named,
  { account_id, project_name }: UseBody,
): Promise<Target> {
  if (account_id !== undefined) {
    const found = await ctx.one(sql`select t.id from accounts t
      where ${scope(ctx, Account, 'read')} and t.id = ${account_id}`)
    if (!found) throw badField('account_id', 'no such record')
  }
  const name = project_name ?? template.name
  return {
    project: { ...none, project_owner: ctx.actor.user_id, project_manager: null, id: null },
    name,
    account_id: account_id ?? null,
    canUndo: levelOf(ctx.actor, 'projects', 'delete') !== 'none',
    write: (plan, set, laying) => {
      const project = {
        ...set,
        project_name: name,
        template_id: template.id,
        project_team: teamIn(plan),
        ...(account_id === undefined ? {} : { account_id }),
      }
      return watched(laying, (all) => createProject(ctx, project, {}, undefined, all))
    },
  }
}

async function ofDeal(
  ctx: Context,
  template: Named,
  deal: string,
  { project_name, dry_run }: UseBody,
): Promise<Target> {
  const { row, links, team, account } = dry_run
    ? { ...(await convertible(ctx, deal)), account: undefined }
    : await converting(ctx, deal)
  const people = {
    project_owner: links.project_owner ?? null,
    project_manager: links.project_manager ?? null,
  }
  const name = project_name ?? row.project_name
  return {
    project: { ...none, ...people, id: null, holidays_id: links.holidays_id ?? null },
    name,
    account_id: links.account_id ?? null,
    madeAccount: account,
    // one that the caller may not read is none for them
    getsAccount:
      dry_run === true &&
      levelOf(ctx.actor, 'accounts', 'read') !== 'none' &&
      (await getsAccount(ctx, deal)),
    canUndo: levelOf(ctx.actor, 'projects', 'delete') !== 'none',
    write: (plan, { start_date, due_date, ...leads }, laying) => {
      const changes = { start_date, due_date, project_name: name, template_id: template.id }
      const people = { ...leads, team: teamIn(plan, team) }
      return watched(laying, (all) => convertDeal(ctx, deal, changes, people, all))
    },
  }
}

/** 400 for a field that names nothing that the caller may read. */
async function checkNamed(ctx: Context, field: string, id: string) {
  const found = await ctx.one(sql`select t.id from projects t
    where ${scope(ctx, ProjectOrDeal, 'read')} and t.id = ${id}`)
  if (!found) throw badField(field, 'no such record')
}

async function running(
  ctx: Context,
  id: string,
  after: string | null | undefined,
): Promise<Target> {
  await lock(ctx, ProjectOrDeal, id, 'update')
  mayCreate(ctx, 'tasks')
  const found = await ctx.one<LaidOutProject & { id: string; project_name: string }>(
    sql`select t.id, t.project_name, t.project_owner, t.project_manager, t.account_id,
      t.start_date::text, t.due_date::text, t.holidays_id
    from projects t where ${mine(ctx)} and t.id = ${id}`,
  )
  if (!found) throw badField('project_id', 'no such record')
  const placesFor = await placesBehind(ctx, id, after)
  return {
    project: found,
    name: found.project_name,
    account_id: found.account_id ?? null,
    running: { id, agreed: found.due_date },
    canUndo: levelOf(ctx.actor, 'tasks', 'delete') !== 'none',
    write: async (plan) => ({
      id,
      laidOut: await layOut(ctx, found, plan, placesFor(plan.milestones.length)),
    }),
  }
}

/** The places of new milestones behind one of a project, before all, or behind all; 400 for one that it does not have. */
async function placesBehind(ctx: Context, project: string, after: string | null | undefined) {
  type Row = Place & { id: string; is_readable: boolean }
  const readable = rights(ctx, Milestone, 'read') ?? sql`true`
  const rows = await ctx.all<Row>(sql`
    select t.id, coalesce(t.position, 0) as position, ${sql.raw(textOf('t'))} as text,
      (${readable}) as is_readable
    from milestones t where ${mine(ctx)} and t.project_id = ${project} and t.deleted_at is null
    order by ${sql.raw(inPlace('t'))}, t.id`)
  const at = rows.findIndex((row) => row.id === after && row.is_readable)
  if (typeof after === 'string' && at < 0) throw badField('after', 'no such milestone')
  const first = after === undefined ? rows.length - 1 : at
  return (count: number): PlaceColumns[] => {
    let before: Place | undefined = rows[first]
    const next = rows[first + 1]
    return Array.from({ length: count }, () => {
      const { position, rank } = between(before, next)
      // the id, from which it would follow, is not known yet
      before = { position, text: rank ?? textBetween('') }
      return { position, rank: before.text }
    })
  }
}

/** Runs a creation and returns what its plan came to. */
async function watched(laying: Laying, create: (laying: Laying) => Promise<{ id: string }>) {
  let laidOut: LaidOut = { milestoneIds: [], taskIds: [], documentIds: [] }
  const { id } = await create({ ...laying, onLaidOut: (made) => (laidOut = made) })
  return { id, laidOut }
}

type Member = { user_id: string; role: string | null }

/** Who joins the team, with their role in the plan: whoever has one and neither leads nor is on the team. */
function teamIn({ roles }: DatedPlan, team: Member[] = []): Member[] {
  const joining = new Map<string, Member>()
  for (const [word, { role, owner }] of roles) {
    if (owner === null || leading.includes(word) || joining.has(owner)) continue
    if (!team.some(({ user_id }) => user_id === owner)) joining.set(owner, { user_id: owner, role })
  }
  return [...joining.values()]
}

const leading = ['project_owner', 'owner', 'project_manager', 'manager', 'creator']
