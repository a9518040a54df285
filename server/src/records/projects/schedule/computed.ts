import type { Context } from '../../../kit/ground/context.ts'
import { computation } from '../../../kit/ground/computation.ts'
import type { Forecast } from '../../../schedule/forecast.ts'
import { forecast } from '../../../schedule/forecast.ts'
import type { Follow, MoveResult, Moves } from '../../../schedule/move.ts'
import { move } from '../../../schedule/move.ts'
import type { Plan } from '../../../schedule/plan.ts'

const forecasting = computation(import.meta.resolve('../../../schedule/forecast.ts'), forecast)
const forecastingAll = computation(import.meta.url, forecasts)
const moving = computation(import.meta.url, moved)

/** Tasks and dependencies of a plan that are computed at once: within some 20 ms. Larger ones leave the event loop. */
const most = 5000

/** The forecast of a plan. */
export function forecastOf(ctx: Context, plan: Plan): Promise<Forecast> | Forecast {
  if (sizeOf(plan) <= most) return forecast(plan)
  return ctx.services.computations.run(ctx.organization.id, forecasting, plan)
}

/** The forecasts of several plans. */
export async function forecastsOf(ctx: Context, plans: Plan[]): Promise<Forecast[]> {
  const sum = plans.reduce((total, plan) => total + sizeOf(plan), 0)
  if (sum <= most) return forecasts(plans)
  return ctx.services.computations.run(ctx.organization.id, forecastingAll, plans)
}

/** The same as a computation takes it. */
export function forecasts(plans: Plan[]): Forecast[] {
  return plans.map(forecast)
}

/** A plan after a move. */
export function movedPlan(
  ctx: Context,
  plan: Plan,
  moves: Moves,
  follow: Follow,
): Promise<MoveResult> | MoveResult {
  const input = { plan, moves, follow }
  if (sizeOf(plan) <= most) return moved(input)
  return ctx.services.computations.run(ctx.organization.id, moving, input)
}

/** The same with one input, as a computation takes it. */
export function moved({ plan, moves, follow }: { plan: Plan; moves: Moves; follow: Follow }) {
  return move(plan, moves, follow)
}

function sizeOf({ tasks, links }: Plan): number {
  return tasks.length + links.length
}
