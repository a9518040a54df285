import type { Context } from '../../../kit/ground/context.ts'
import { forbidden } from '../../../kit/ground/errors.ts'
import type { Operation } from '../../../kit/ground/operation.ts'
import { Answer } from '../../../kit/ground/operation.ts'
import { may } from '../../../kit/record/scope.ts'
import { checkBody, trimmed } from '../../../kit/record/validate.ts'

/**
 * Runs an operation as a request of the actor would: 403 where the role does not allow it, 400 for a
 * body that does not fit, and the same events. Returns what is said beside its answer, such as the record's id.
 */
export async function request(
  ctx: Context,
  operation: Operation,
  sent: { id?: string; body: { [field: string]: unknown } },
) {
  mayCall(ctx, operation)
  const { input, run } = operation
  const schema = input.body ?? {}
  const body = trimmed(schema, sent.body)
  checkBody(schema, body)
  const params = sent.id ? { id: sent.id } : {}
  const answer = await run(ctx, { params, query: {}, body, address: '', url: '' })
  return answer instanceof Answer ? answer.meta : {}
}

/** 403 where the actor's role does not allow an operation, before anything is looked up for it. */
export function mayCall({ actor }: Context, { can }: Operation) {
  if (may(actor, can) || typeof can !== 'object') return
  throw forbidden(`Your role may not ${can.action} ${can.module}`)
}
