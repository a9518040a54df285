import type { Context } from '../../../kit/ground/context.ts'
import type { MoveResult } from '../../../schedule/move.ts'
import { agreedConflicts, lastDay, sumsOf } from '../../../schedule/move.ts'
import { networkOf } from '../../../schedule/network.ts'
import type { Plan, PlanDates } from '../../../schedule/plan.ts'
import { textOfConflict } from '../schedule/answer.ts'
import { movedPlan } from '../schedule/computed.ts'
import { textOf } from '../schedule/stored.ts'
import type { Replaced } from '../schedule/write.ts'
import type { Beside } from './hand.ts'
import type { Line } from './lines.ts'
import type { Merged, NewLine, Sources } from './merged.ts'
import { merged, planWith } from './merged.ts'

/** What another version of its template makes of a project, in dates and words. */
export type Outcome = {
  beside: Beside
  merged: Merged
  /** the names of the lines in the order of the template */
  order: string[]
  /** the dates of new lines, by their names */
  added: (NewLine & { dates: PlanDates })[]
  replaced: Replaced[]
  conflicts: string[]
  go_live: { from: string | null; to: string | null }
  /** why the project cannot be updated */
  problem: string | null
}

/** Computes what a version of its template makes of a project: what it adds, changes and moves. */
export async function outcomeOf(
  ctx: Context,
  beside: Beside,
  next: Line[],
  sources: Sources,
): Promise<Outcome> {
  const what = merged(beside, next, sources)
  const { stored } = beside
  const { plan, links } = planWith(beside, what)
  const result = await movedPlan(ctx, plan, { dates: new Map(), links }, 'use_gaps')
  const dates = finalDates(beside, what, result)
  const after: Plan = {
    ...plan,
    tasks: plan.tasks.map((task) => ({ ...task, ...dates.get(task.id) })),
    milestones: plan.milestones.map((each) => ({ ...each, ...dates.get(each.id) })),
  }
  const titles = new Map(what.added.map(({ line }) => [line.ref, line.title]))
  for (const row of beside.rows) if (row.is_readable) titles.set(row.id, row.title)
  const seen = [stored.plan, after].map((each) => ({
    ...each,
    tasks: each.tasks.filter(({ id }) => titles.has(id)),
    milestones: each.milestones.filter(({ id }) => titles.has(id)),
  })) as [Plan, Plan]
  const isClosed = result.cycle !== null && !networkOf(stored.plan).cycle
  const titleOf = (id: string | null) => titles.get(id ?? '') ?? 'another task'
  return {
    beside,
    merged: what,
    order: next.map(({ ref }) => ref),
    added: what.added.map((each) => ({
      ...each,
      dates: dates.get(each.line.ref) ?? { start: null, due: null },
    })),
    replaced: replacedBy(beside, what, dates),
    conflicts: [...agreedConflicts(...seen), ...result.conflicts]
      .filter(({ id }) => id === null || titles.has(id))
      .map((each) =>
        each.kind === 'pinned' && beside.byHand.has(each.id ?? '')
          ? `${titleOf(each.id)} was changed by hand, and is ${workingDays(each.days)} too early for ${titleOf(each.other)}`
          : textOfConflict(each, titleOf),
      ),
    go_live: { from: textOf(lastDay(seen[0])), to: textOf(lastDay(seen[1])) },
    problem: isClosed
      ? `Its tasks would wait for each other: ${(result.cycle ?? []).map(titleOf).join(' → ')}`
      : null,
  }
}

function workingDays(days: number): string {
  return `${days} working ${days === 1 ? 'day' : 'days'}`
}

/** The dates of what moves: tasks as the engine has left them, and what holds them as far as it follows. */
function finalDates(
  beside: Beside,
  { dates }: Merged,
  { plan }: MoveResult,
): Map<string, PlanDates> {
  const { stored, byHand, isGroup } = beside
  const before = new Map(
    [...stored.plan.tasks, ...stored.plan.milestones].map((row) => [row.id, row]),
  )
  const holders = new Set<string | null>([
    ...isGroup,
    ...plan.tasks.flatMap(({ parent, milestone }) => [parent, milestone]),
  ])
  const moved = new Map<string, PlanDates>()
  for (const { id, start, due } of [...plan.tasks, ...plan.milestones]) {
    const was = before.get(id)
    if (holders.has(id) && was) continue
    if (was?.start !== start || was.due !== due) moved.set(id, { start, due })
  }
  // new lines are there before as they are after, so that what holds them grows
  const all: Plan = {
    ...stored.plan,
    tasks: plan.tasks.map((task) => ({ ...task, ...before.get(task.id) })),
    milestones: plan.milestones.map((each) => ({ ...each, ...before.get(each.id) })),
  }
  const sums = sumsOf(all, moved, new Map())
  for (const [id, sum] of sums) {
    const was = before.get(id)
    const isOther = was?.start !== sum.start || was.due !== sum.due
    if (isOther && !byHand.has(id) && !(was && 'isPinned' in was && was.isPinned))
      moved.set(id, sum)
  }
  for (const [id, own] of dates) if (!before.has(id) && !moved.has(id)) moved.set(id, own)
  return moved
}

function replacedBy(
  { rows, stored }: Beside,
  { changed, links }: Merged,
  dates: ReadonlyMap<string, PlanDates>,
): Replaced[] {
  const before = new Map(
    [...stored.plan.tasks, ...stored.plan.milestones].map((row) => [row.id, row]),
  )
  const linksOf = Map.groupBy(links, ({ task_id }) => task_id)
  return rows.flatMap((row): Replaced[] => {
    const { id: record_id, row_kind: kind } = row
    const fields = { ...changed.get(record_id)?.fields }
    const [was, is] = [before.get(record_id), dates.get(record_id)]
    if (was && is && is.start !== was.start) {
      fields.start_date = { from: textOf(was.start), to: textOf(is.start) }
    }
    if (was && is && is.due !== was.due) {
      fields.due_date = { from: textOf(was.due), to: textOf(is.due) }
    }
    const its = (linksOf.get(record_id) ?? []).map(({ predecessor_id, from, to }) => ({
      predecessor_id,
      from,
      to,
    }))
    return Object.keys(fields).length || its.length ? [{ record_id, kind, fields, links: its }] : []
  })
}
