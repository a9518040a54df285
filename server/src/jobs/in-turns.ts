import type { Context, Organization } from '../kit/ground/context.ts'
import { newId } from '../kit/ground/ids.ts'
import type { Runtime } from '../runtime.ts'
import { inTransaction, system } from '../runtime.ts'

/**
 * Runs the service's own work for several organizations in batches, each in a transaction, until a batch finds
 * nothing left. The organizations take turns, so that much work of one does not delay the others; one whose batch
 * fails is left out, and the first error is thrown once the others are done. Returns the sum of the batches.
 */
export async function inTurns(
  runtime: Runtime,
  organizations: Organization[],
  batch: (ctx: Context) => Promise<number>,
): Promise<number> {
  const errors: unknown[] = []
  let total = 0
  for (let waiting = organizations; waiting.length > 0;) {
    const unfinished: Organization[] = []
    for (const organization of waiting) {
      const caller = { organization, actor: system, source: 'job', request_id: newId() }
      try {
        const done = await inTransaction(runtime, caller, batch)
        total += done
        if (done > 0) unfinished.push(organization)
      } catch (error) {
        errors.push(error)
        const organization_id = organization.id
        runtime.log.warn({ err: error, organization_id }, 'work for an organization failed')
      }
    }
    waiting = unfinished
  }
  if (errors.length) throw errors[0]
  return total
}
