import type { Context } from '../kit/ground/context.ts'
import { Failure } from '../kit/ground/errors.ts'
import type { Input, Operation } from '../kit/ground/operation.ts'
import { Answer, Json } from '../kit/ground/operation.ts'
import type { AnyRecord } from '../kit/record/record.ts'
import { readOne } from '../kit/read/one.ts'
import { changedSince } from '../records/activity/changes-since.ts'
import type { Route } from './route.ts'

/** The read of the record that a route changes: at its own path, or at the one above it. */
export function readBeside(routes: Route[], { path }: Route): Route | undefined {
  const above = path.replace(/[^/]+\/$/, '')
  const reads = routes.filter(({ method }) => method === 'GET')
  return (
    reads.find((each) => each.path === path) ??
    reads.find((each) => each.path === above && above.endsWith('}/'))
  )
}

/**
 * The details of a 412: the current record as its own read returns it, and who
 * changed what since the version that the caller sent. Other errors stay as they are.
 */
export async function withRecord(
  ctx: Context,
  error: unknown,
  read: Operation | undefined,
  input: Input,
): Promise<unknown> {
  if (!(error instanceof Failure) || !error.stale || ctx.source === 'integration') return error
  const { record, id, versions, current } = error.stale
  const answer = read
    ? ((await read.run(ctx, { ...input, query: {}, body: undefined })) as Answer)
    : await readOne(ctx, record as AnyRecord, id)
  const content: unknown = answer instanceof Answer ? answer.body : answer
  const body: unknown = typeof content === 'function' ? await content() : content
  error.data = body instanceof Json ? (JSON.parse(body.text) as unknown) : body
  const sent = versions.filter((version) => version > 0 && version < current)
  error.changed = sent.length
    ? await changedSince(ctx, record as AnyRecord, id, Math.max(...sent))
    : []
  return error
}
