import type { Context, Organization } from '../kit/ground/context.ts'
import { newId } from '../kit/ground/ids.ts'
import type { Runtime } from '../runtime.ts'
import { inTransaction, system } from '../runtime.ts'

/** Runs a batch of the service's own work for an organization, each in a transaction, until none is left. */
export async function repeat(
  runtime: Runtime,
  organization: Organization,
  batch: (ctx: Context) => Promise<number>,
): Promise<number> {
  const caller = { organization, actor: system, source: 'job', request_id: newId() }
  let total = 0
  for (;;) {
    const done = await inTransaction(runtime, caller, batch)
    total += done
    if (done === 0) return total
  }
}
