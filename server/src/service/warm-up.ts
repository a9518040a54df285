import { paced } from '../kit/ground/turns.ts'
import { prepareBody } from '../kit/record/validate.ts'
import type { Route } from '../surfaces/route.ts'

/**
 * Compiles the checks of all bodies after a start, one at a time and with half of the event loop left to
 * requests: first requests of several operations at once would hold it for all of theirs.
 */
export async function warmUp(routes: Route[]): Promise<void> {
  const stepDone = paced()
  for (const { operation } of routes) {
    if (operation.input.body) prepareBody(operation.input.body)
    await stepDone()
  }
}
