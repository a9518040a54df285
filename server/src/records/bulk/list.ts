import type { Context } from '../../kit/ground/context.ts'
import type { Input, Operation } from '../../kit/ground/operation.ts'
import { Answer } from '../../kit/ground/operation.ts'
import type { AnyRecord } from '../../kit/record/record.ts'

/** The operations that change one record; its bulk operation is made of them. */
export type BulkList = {
  /** the name of the list, such as `companies` */
  list: string
  record: AnyRecord
  operations: { list: Operation; update?: Operation; remove?: Operation; restore?: Operation }
}

export type Verb = 'update' | 'remove' | 'restore'

/**
 * Runs the ordinary operation on one record, as its own route would; returns the version afterwards. `at`
 * are the path parameters of the list.
 */
export async function perform(
  ctx: Context,
  { operations }: BulkList,
  verb: Verb,
  { at = {}, id, body }: { at?: object; id: string; body?: unknown },
): Promise<number | undefined> {
  const operation = operations[verb]
  if (!operation) throw new Error(`there is no operation to ${verb} these`)
  const names = Object.keys((operation.input.params?.properties ?? {}) as object)
  const input: Input = {
    params: { ...at, [names.at(-1) ?? 'id']: id },
    query: {},
    body,
    address: '',
    url: '',
  }
  const answer = await operation.run(ctx, input)
  return answer instanceof Answer ? answer.meta.version : undefined
}
