import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../kit/ground/context.ts'
import { Failure, badField, conflict } from '../kit/ground/errors.ts'
import { Stream } from '../kit/ground/operation.ts'
import { mine, sql } from '../kit/ground/sql.ts'
import type { Caller, Runtime } from '../runtime.ts'
import { inTransaction } from '../runtime.ts'
import { errorBody } from './errors.ts'
import type { Rendered } from './render.ts'

type Work = (ctx: Context) => Promise<Rendered>
/** A stored key: caller, path, key, and the hash of the request. */
type Claim = { who: string; path: string; key: string; bodyHash: Buffer }

/**
 * Runs a write once for its `Idempotency-Key`, per caller and path, for 24 hours. The answer is
 * stored in the transaction of the write itself, so that a retry finds either both or neither. In
 * flight is 409, the same key with another body 400; 5xx and 429 are not stored.
 */
export async function onceOnly(
  runtime: Runtime,
  caller: Caller,
  request: FastifyRequest,
  key: string,
  work: Work,
): Promise<Rendered> {
  if (key.length < 1 || key.length > 255) {
    throw badField('Idempotency-Key', 'must be 1 to 255 characters')
  }
  const [path = '', search = ''] = request.url.split('?')
  const { body = null, upload } = request
  const file = upload ? `\n${upload.name}\n${upload.hash}` : ''
  const sent = `${changeOf(request)}${search}\n${JSON.stringify(body)}${file}`
  const claim: Claim = {
    who: whoIs(caller),
    path: path.replace(/\/+$/, ''),
    key,
    bodyHash: createHash('sha256').update(sent).digest(),
  }
  let isWorking = false
  try {
    return await inTransaction(runtime, caller, async (ctx) => {
      const earlier = await earlierAnswer(runtime, ctx, claim)
      if (earlier) return earlier
      isWorking = true
      const rendered = await work(ctx)
      await store(runtime, ctx, claim, rendered)
      return rendered
    })
  } catch (error) {
    // a refusal is also an answer, stored after the write is rolled back
    const isAnswer = error instanceof Failure && error.status < 500 && error.status !== 429
    if (isWorking && isAnswer) {
      await inTransaction(runtime, caller, async (ctx) => {
        if (await earlierAnswer(runtime, ctx, claim)) return
        const headers = { 'content-type': 'application/json; charset=utf-8' }
        const body = JSON.stringify(errorBody(error, request.id))
        await store(runtime, ctx, claim, { status: error.status, headers, body })
      })
    }
    throw error
  }
}

/** The parts of a change besides its body: the same key for another method or version is a mistake. */
function changeOf({ method, headers }: FastifyRequest): string {
  return method === 'POST' ? '' : `${method} ${headers['if-match'] ?? ''}\n`
}

/**
 * The owner of a key: a token with fewer rights than its user must not get the user's stored answer.
 */
function whoIs({ actor }: Caller): string {
  return actor.app?.grant_id ?? actor.access_token?.id ?? actor.user_id ?? ''
}

async function earlierAnswer(
  runtime: Runtime,
  ctx: Context,
  { who, path, key, bodyHash }: Claim,
): Promise<Rendered | undefined> {
  const lock = `${ctx.organization.id} ${who} ${path} ${key}`
  const row = await ctx.one<{ free: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtextextended(${lock}, 1)) as free`,
  )
  if (!row!.free) {
    throw conflict('A request with this Idempotency-Key is being processed', 'in_flight')
  }
  const found = await ctx.one<{
    body_hash: Buffer
    status: number
    headers: Rendered['headers']
    body: Buffer | null
  }>(sql`
    select body_hash, status, headers, body from idempotency_keys t
    where ${mine(ctx)} and caller = ${who} and path = ${path} and key = ${key}
      and creation_time > ${new Date(+ctx.now() - 86_400_000).toISOString()}`)
  if (!found) return undefined
  if (!found.body_hash.equals(bodyHash)) {
    throw badField('Idempotency-Key', 'was used for another request; use a new key')
  }
  return {
    status: found.status,
    headers: { ...found.headers, 'idempotency-replayed': 'true' },
    body: found.body ? runtime.secrets.decrypt(found.body) : null,
  }
}

async function store(
  runtime: Runtime,
  ctx: Context,
  { who, path, key, bodyHash }: Claim,
  { status, headers, body }: Rendered,
) {
  if (body instanceof Stream) throw new Error('the answer to a write is never a stream')
  const encrypted = body === null ? null : runtime.secrets.encrypt(body)
  await ctx.run(sql`
    insert into idempotency_keys
      (organization_id, caller, path, key, body_hash, status, headers, body, creation_time)
    values (${ctx.organization.id}, ${who}, ${path}, ${key}, ${bodyHash}, ${status},
      ${JSON.stringify(headers)}, ${encrypted}, ${ctx.now().toISOString()})
    on conflict (organization_id, caller, path, key) do update set body_hash = excluded.body_hash,
      status = excluded.status, headers = excluded.headers, body = excluded.body,
      creation_time = excluded.creation_time`)
}
