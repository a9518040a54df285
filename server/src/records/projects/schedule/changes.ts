import { byId } from '../../../kit/crud.ts'
import type { Context } from '../../../kit/ground/context.ts'
import { conflict, forbidden } from '../../../kit/ground/errors.ts'
import { operation } from '../../../kit/ground/operation.ts'
import { checkReadable } from '../../../kit/read/one.ts'
import { lockName } from '../../../kit/write/lock-name.ts'
import { ProjectOrDeal } from '../../../model/projects/project.ts'
import type { Plan } from '../../../schedule/plan.ts'
import { changesAnswer, described } from './answer.ts'
import { forecastOf, movedPlan } from './computed.ts'
import type { Changes } from './input.ts'
import { changesBody } from './input.ts'
import type { Wanted } from './moves.ts'
import { wantedBy } from './moves.ts'
import type { StoredPlan } from './stored.ts'
import { readablePart, storedPlan, versionOf } from './stored.ts'
import { undoDays } from '../../bulk/undo.ts'
import { writePlan } from './write.ts'

/** A move in a plan with what follows, as a dry run or as one write. */
export const planChanges = operation({
  name: 'change_project_plan',
  summary: 'Move tasks and milestones with what follows',
  description:
    'Dates of tasks and milestones, dependencies and the start of the project are changed together, and what depends ' +
    'on them moves, by working days and around holidays. Nothing moves earlier by itself; done and pinned tasks stay, ' +
    'of started ones only the due day moves. `dry_run` answers the same and writes nothing. ' +
    `A write can be undone for ${undoDays} days by \`bulk_id\`.`,
  can: { module: 'tasks', action: 'update' },
  writes: true,
  input: { params: byId, body: changesBody },
  output: changesAnswer,
  run: (ctx, { params, body }) => changePlan(ctx, params.id, body),
})

async function changePlan(
  ctx: Context,
  id: string,
  { dry_run, follow, ops, plan_version }: Changes,
) {
  if (ctx.actor.is_confined) throw forbidden('Your role may complete tasks, not move them')
  await checkReadable(ctx, ProjectOrDeal, id)
  // the lock of dependencies comes before those of tasks, as where a single one is added
  if (!dry_run) await lockName(ctx, `dependencies ${ctx.organization.id}`)
  const stored = await storedPlan(ctx, id, { isLocked: !dry_run })
  const version = versionOf(stored)
  if (plan_version !== undefined && plan_version !== version) {
    throw conflict('The plan has changed since it was read', 'plan_changed', {
      plan_version: version,
    })
  }
  const wanted = wantedBy(ops, stored)
  const before = planFor(stored.plan, wanted)
  const moves = { dates: wanted.dates, links: wanted.links, closesGaps: wanted.closesGaps }
  const result = await movedPlan(ctx, before, moves, follow ?? 'use_gaps')
  if (result.cycle && wanted.links.length) throw cycleError(stored, result.cycle)
  const readable = (plan: Plan) => forecastOf(ctx, readablePart({ ...stored, plan }))
  const forecasts = await Promise.all([readable(stored.plan), readable(result.plan)])
  const answer = described(stored, result, wanted.start, forecasts)
  if (dry_run) return { plan_version: version, bulk_id: null, rows: [], ...answer }
  const { bulk_id, rows } = await writePlan(ctx, stored, wanted, result)
  const after = bulk_id ? versionOf(await storedPlan(ctx, id)) : version
  return { plan_version: after, bulk_id, rows, ...answer }
}

/** The plan with new pins and without removed dependencies. */
function planFor(plan: Plan, { pins, unlinks }: Wanted): Plan {
  const isGone = (task: string, predecessor: string) =>
    unlinks.some((each) => each.task === task && each.predecessor === predecessor)
  return {
    ...plan,
    tasks: plan.tasks.map((task) => ({ ...task, isPinned: pins.get(task.id) ?? task.isPinned })),
    links: plan.links.filter(({ task, predecessor }) => !isGone(task, predecessor)),
  }
}

/** 409 naming the tasks of a cycle that the caller may read. */
export function cycleError({ tasks }: StoredPlan, cycle: string[]) {
  const titles = new Map(tasks.flatMap((row) => (row.is_readable ? [[row.id, row.title]] : [])))
  const path = cycle.filter((id) => titles.has(id))
  const names = path.map((id) => titles.get(id)).join(' → ')
  return conflict(`This would be a cycle: ${names}`, 'cycle', { path })
}
