import type { Context } from '../kit/ground/context.ts'
import { forbidden, unauthorized } from '../kit/ground/errors.ts'
import type { Can, Input, Operation } from '../kit/ground/operation.ts'
import { may } from '../kit/record/scope.ts'
import type { Caller, Runtime } from '../runtime.ts'
import { inTransaction, onLane, publicContext, readingContext } from '../runtime.ts'
import type { Sent } from './input.ts'
import { inputOf, namedAsSent } from './input.ts'
import { withRecord } from './stale.ts'

/**
 * Work that is done once for its `Idempotency-Key`, on the lane of the operation: within the transaction of a write, or
 * around a read.
 */
export type Once<T> = {
  within(own: Runtime, run: (ctx: Context) => Promise<T>): Promise<T>
  around(own: Runtime, run: () => Promise<T>): Promise<T>
}

/** What a surface adds to an operation. */
export type Manner<T> = {
  /** makes what is answered of the result; still within the transaction, for bodies that are computed then */
  answer(result: unknown): Promise<T>
  /** the operation that reads the record which this one changes, as a 412 shows it */
  read?: Operation | undefined
  once?: Once<T> | undefined
}

/**
 * Refuses a caller who may not call the operation: 401 if anonymous, 403 without the right, 413 over the quota of
 * rows. It needs nothing of the body, so that a surface can call it before reading one; `perform` calls it too.
 */
export function admit(
  { services }: Pick<Runtime, 'services'>,
  { actor, organization }: Caller,
  operation: Operation,
): void {
  const { can } = operation
  if (can !== 'anyone') {
    if (actor.type === 'anonymous') throw unauthorized('Credentials are needed')
    if (!may(actor, can)) {
      const { module, action } = can as Exclude<Can, string>
      throw forbidden(`Your role may not ${action} ${module}`)
    }
  }
  if (actor.type !== 'anonymous') services.rowQuota.check(organization.id, operation)
}

/**
 * Runs an operation for a caller, whatever surface they came by: on its lane, with its input checked, `before` ahead
 * of the transaction, as a read or in one transaction, and once for a key. A refusal names fields as they were sent,
 * and a 412 has the record as it is. The surface only translates what it received and what it answers.
 */
export async function perform<T>(
  runtime: Runtime,
  { caller, operation, sent }: { caller: Caller; operation: Operation; sent: Sent },
  { answer, read, once }: Manner<T>,
): Promise<T> {
  admit(runtime, caller, operation)
  const own = laneOf(runtime, operation)
  const inputNow = () => inputOf(sent, operation)
  const run = async (ctx: Context, input: Input) => {
    try {
      return await answer(await operation.run(ctx, input))
    } catch (error) {
      throw namedAsSent(await withRecord(ctx, error, read, input), sent.body, operation)
    }
  }
  if (operation.can === 'anyone') return run(publicContext(own, caller), inputNow())
  if (!operation.writes) {
    const work = async () => run(readingContext(own, caller), inputNow())
    return once ? once.around(own, work) : work()
  }
  const ready = operation.before ? await prepared(own, caller, operation, sent) : inputNow
  // the check of the input is inside, so that its refusal is stored too
  if (once) return once.within(own, async (ctx) => run(ctx, ready()))
  const input = ready()
  return inTransaction(own, caller, (ctx) => run(ctx, input))
}

/** The runtime over the connections of an operation's lane. */
export function laneOf(runtime: Runtime, { lane }: Operation): Runtime {
  return lane ? onLane(runtime, lane) : runtime
}

/** Runs the operation's `before`, ahead of the transaction; the result returns the checked input or throws the refusal. */
async function prepared(
  runtime: Runtime,
  caller: Caller,
  operation: Operation,
  sent: Sent,
): Promise<() => Input> {
  try {
    const input = inputOf(sent, operation)
    await operation.before!(readingContext(runtime, caller), input)
    return () => input
  } catch (error) {
    return () => {
      throw namedAsSent(error, sent.body, operation)
    }
  }
}
