import { byId } from '../../../kit/crud.ts'
import type { Context } from '../../../kit/ground/context.ts'
import { conflict } from '../../../kit/ground/errors.ts'
import { operation } from '../../../kit/ground/operation.ts'
import { checkReadable } from '../../../kit/read/one.ts'
import { ProjectOrDeal } from '../../../model/projects/project.ts'
import { networkOf } from '../../../schedule/network.ts'
import type { Plan } from '../../../schedule/plan.ts'
import { dayNumber } from '../../../schedule/workdays.ts'
import { changesAnswer, described } from './answer.ts'
import { forecastOf, movedPlan } from './computed.ts'
import type { Changes } from './input.ts'
import { changesBody } from './input.ts'
import type { Wanted } from './moves.ts'
import { linkChanges, wantedBy } from './moves.ts'
import { readablePart, storedPlan, versionOf } from './stored.ts'
import { undoDays } from '../../bulk/undo.ts'
import { checkCircles, circle, lockDependencies } from '../../tasks/links.ts'
import { checkConfined } from '../../tasks/update.ts'
import { writePlan } from './write.ts'

/** A move in a plan with what follows, as a dry run or as one write. */
export const planChanges = operation({
  name: 'change_project_plan',
  summary: 'Move tasks and milestones with what follows',
  description:
    'Dates of tasks and milestones, dependencies, the start and the agreed go-live of the project are changed together, and what depends ' +
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
  checkConfined(ctx, ['due_date'])
  await checkReadable(ctx, ProjectOrDeal, id)
  // the lock of dependencies comes before those of tasks, as where a single one is added
  if (!dry_run && ops.some(({ op }) => op === 'link')) await lockDependencies(ctx)
  const stored = await storedPlan(ctx, id, dry_run ? 'whole' : 'locked')
  const version = versionOf(stored)
  if (plan_version !== undefined && plan_version !== version) {
    throw conflict('The plan has changed since it was read', 'plan_changed', {
      plan_version: version,
    })
  }
  const wanted = wantedBy(ops, stored)
  const before = planFor(stored.plan, wanted)
  const changed = linkChanges(stored, wanted)
  await checkCircles(ctx, changed)
  const links = [...wanted.links.values()].flatMap(({ link }) => link ?? [])
  const moves = { dates: wanted.dates, links, closesGaps: wanted.closesGaps }
  const result = await movedPlan(ctx, before, moves, follow ?? 'use_gaps')
  // one that leads through tasks and what they are a part of
  const isNew = result.cycle && changed.some(({ from }) => !from) && !networkOf(before).cycle
  if (result.cycle && isNew) throw await circle(ctx, result.cycle)
  const seen = async (whole: Plan) => {
    const plan = readablePart(stored, whole)
    return { plan, forecast: await forecastOf(ctx, plan) }
  }
  const sides = await Promise.all([seen(stored.plan), seen(result.plan)])
  const answer = described(stored, result, wanted, sides)
  if (dry_run) return { plan_version: version, bulk_id: null, rows: [], ...answer }
  return { ...answer, ...(await writePlan(ctx, stored, wanted, changed, result)) }
}

/** The plan with new pins, the new agreed day, and without removed dependencies. */
function planFor(plan: Plan, { pins, links, agreed }: Wanted): Plan {
  const isGone = (task: string, predecessor: string) =>
    links.get(`${task} ${predecessor}`)?.link === null
  return {
    ...plan,
    agreed: agreed === null ? plan.agreed : dayNumber(agreed),
    tasks: plan.tasks.map((task) => ({ ...task, isPinned: pins.get(task.id) ?? task.isPinned })),
    links: plan.links.filter(({ task, predecessor }) => !isGone(task, predecessor)),
  }
}
