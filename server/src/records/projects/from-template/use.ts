import { byId } from '../../../kit/crud.ts'
import type { Context } from '../../../kit/ground/context.ts'
import { badField, notFound } from '../../../kit/ground/errors.ts'
import { Answer, operation } from '../../../kit/ground/operation.ts'
import { sql } from '../../../kit/ground/sql.ts'
import { scope } from '../../../kit/record/scope.ts'
import type { TemplateConfig, TemplateRole } from '../../../model/templates/config.ts'
import { Template } from '../../../model/templates/template.ts'
import { today } from '../../../model/time/dates.ts'
import { storeWrite } from '../../bulk/change.ts'
import { undoDays } from '../../bulk/undo.ts'
import { afterUndo, gatherMails } from '../../notifications/gathered.ts'
import type { ChosenRoles } from '../../templates/assignees.ts'
import type { LayOutOptions, LaidOutProject, UsedTemplate } from '../../templates/dated.ts'
import { dated } from '../../templates/dated.ts'
import { planOf } from '../../templates/plan.ts'
import { draftOf } from '../../templates/versions.ts'
import { described, useAnswer } from './answer.ts'
import { concernsOf } from './concerns.ts'
import type { UseBody } from './input.ts'
import { useBody } from './input.ts'
import { loadsOf } from './loads.ts'
import { chosenRoles, peopleBy } from './people.ts'
import { leadsIn, targetOf } from './target.ts'

/** A template becomes a project, or a part of one: as a dry run or as one write. */
export const applyTemplate = operation({
  name: 'use_template',
  summary: 'Create a project from a template, or add it to one',
  description:
    'A new project, the project of a won deal (`deal_id`), or the template added to a running project (`project_id`). ' +
    'Dates are working days around holidays, from `start_date` on or back from `go_live_date`. ' +
    '`dry_run` answers the same and writes nothing. ' +
    `For ${undoDays} days \`bulk_id\` undoes all of it, unless somebody else has worked in it; mails to others and invitations wait ten minutes.`,
  // which of the two it needs, and the right to read the template, depends on the body
  can: { module: 'projects', action: 'create', or: 'tasks' },
  writes: true,
  input: { params: byId, body: useBody },
  output: useAnswer,
  run: (ctx, { params, body }) => applied(ctx, params.id, body),
})

type Found = { id: string; name: string; config: TemplateConfig; roles: TemplateRole[] }

async function applied(ctx: Context, id: string, body: UseBody) {
  const { start_date, go_live_date, dry_run, draft } = body
  if (draft && !dry_run) throw badField('draft', 'is published before it is used: needs dry_run')
  if (start_date !== undefined && go_live_date !== undefined) {
    throw badField('go_live_date', 'cannot be combined with start_date')
  }
  const template = await ctx.one<Found>(sql`
    select t.id, t.template_name as name, t.template_config as config, t.roles from templates t
    where ${scope(ctx, Template, 'read')} and t.id = ${id} and t.template_type = 'project'`)
  if (!template) throw notFound('Template')
  if (draft) Object.assign(template, await draftPlan(ctx, id))
  checkMilestones(template.config, body.milestones)
  checkTasks(template.config, body.without)
  const target = await targetOf(ctx, template, body)
  const project = {
    ...target.project,
    start_date: start_date ?? (go_live_date === undefined ? today(ctx) : null),
    due_date: go_live_date ?? null,
  }
  const at = target.canUndo ? { at: afterUndo(ctx) } : {}
  const people = await chosenRoles(ctx, body.roles ?? {}, {
    named: template.roles,
    account_id: target.account_id,
    getsAccount: target.getsAccount ?? false,
    dry_run: dry_run ?? false,
    ...at,
  })
  const chosen = {
    ...(body.milestones ? { milestones: body.milestones } : {}),
    ...(body.without ? { without: new Set(body.without) } : {}),
  }
  const { leads, left, names, plan } = await withoutLeft(ctx, project, template, {
    roles: people.chosen,
    ...chosen,
  })
  for (const { id, full_name } of people.invited) names.set(id, full_name)
  const { loads, concerns } = await loadsOf(ctx, plan)
  const conflicts = await concernsOf(ctx, plan, {
    ...(start_date === undefined ? {} : { start_date }),
    ...(go_live_date === undefined ? {} : { go_live_date }),
    ...(target.running ? { project_id: target.running.id, agreed: target.running.agreed } : {}),
    left,
    loads: concerns,
  })
  const answer = described(plan, target.name, names, {
    conflicts,
    loads,
    hasRows: body.rows ?? false,
  })
  const project_id = target.running?.id ?? null
  if (dry_run) return { project_id, bulk_id: null, told_at: null, ...answer }
  const set = {
    ...leads,
    start_date: answer.start_date ?? start_date ?? null,
    due_date: answer.go_live_date ?? go_live_date ?? null,
  }
  // everybody as previewed, whoever else the project would have for a role
  const roles = new Map([...plan.roles].map(([word, { owner }]) => [word, owner]))
  const laying = { roles, ...chosen }
  const created = await target.write(plan, set, laying)
  const { milestoneIds, taskIds, documentIds } = created.laidOut
  const done = [
    ...(target.running ? [] : [{ record_id: created.id, before: { kind: 'project' } }]),
    ...milestoneIds.map((record_id) => ({ record_id, before: { kind: 'milestone' } })),
    ...taskIds.map((record_id) => ({ record_id, before: { kind: 'task' } })),
    ...documentIds.map((record_id) => ({ record_id, before: { kind: 'document' } })),
    ...(target.madeAccount ? [{ record_id: target.madeAccount, before: { kind: 'account' } }] : []),
    ...people.invited.map(({ id }) => ({ record_id: id, before: { kind: 'user' } })),
  ].map((each) => ({ ...each, version: null }))
  const write = { list: 'template', action: 'update' as const, field: 'id' }
  const bulk_id = target.canUndo && done.length ? await storeWrite(ctx, write, done) : null
  const told = bulk_id ? await gatherMails(ctx, [created.id, ...taskIds]) : null
  const told_at = told ?? (people.invited.length ? (at.at?.toISOString() ?? null) : null)
  return new Answer({ project_id: created.id, bulk_id, told_at, ...answer }, { id: created.id })
}

/** The draft in place of what is published. */
async function draftPlan(ctx: Context, id: string): Promise<Partial<Found>> {
  const plan = await draftOf(ctx, id)
  return plan ? { config: plan.template_config, roles: plan.roles } : {}
}

/** 400 for a milestone that the template does not have. */
function checkMilestones(config: TemplateConfig, places: number[] = []) {
  const count = planOf(config).length
  const at = places.findIndex((place) => place >= count)
  if (at >= 0) throw badField(`milestones.${at}`, `must be below ${count}, from 0`)
}

/** 400 for a task that the template does not have. */
function checkTasks(config: TemplateConfig, refs: string[] = []) {
  if (!refs.length) return
  const known = new Set(planOf(config).flatMap(({ tasks }) => tasks.map(({ ref }) => ref)))
  const at = refs.findIndex((ref) => !known.has(ref))
  if (at >= 0) throw badField(`without.${at}`, 'no task of the template has this id or title')
}

/** A plan in which nobody who has left is given anything, and who that would have been. */
async function withoutLeft(
  ctx: Context,
  project: LaidOutProject,
  template: UsedTemplate,
  options: LayOutOptions & { roles: Map<string, string | null> },
) {
  const planFor = (roles: ChosenRoles) => {
    const of = project.id === null ? { ...project, ...leadsIn(roles, project) } : project
    return dated(ctx, of, template, { ...options, roles })
  }
  const first = await planFor(options.roles)
  const owners = [...first.roles.values()].flatMap(({ owner }) => owner ?? [])
  const people = await peopleBy(ctx, [...new Set(owners)])
  const roles = new Map(options.roles)
  const left: { name: string; tasks: number }[] = []
  for (const [word, { owner, tasks }] of first.roles) {
    const one = people.get(owner ?? '')
    if (!one?.has_left) continue
    roles.set(word, null)
    left.push({ name: one.full_name, tasks })
  }
  return {
    leads: leadsIn(roles, project),
    left,
    names: new Map([...people].map(([id, { full_name }]) => [id, full_name])),
    plan: left.length ? await planFor(roles) : first,
  }
}
