import { paced } from '../kit/ground/turns.ts'
import { prepareBody } from '../kit/record/validate.ts'
import type { Route } from '../surfaces/route.ts'

/**
 * Compiles the validators of all bodies after a start, one at a time and leaving half of the event loop to
 * requests: otherwise simultaneous first requests would block it until all their validators are compiled.
 */
export async function warmUp(routes: Route[]): Promise<void> {
  const stepDone = paced()
  for (const { operation } of routes) {
    if (operation.input.body) prepareBody(operation.input.body)
    await stepDone()
  }
}
