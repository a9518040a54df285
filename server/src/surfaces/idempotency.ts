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

const dayMs = 86_400_000
/** The status of a key whose request is being processed outside a transaction. */
const processing = 102
/** After so many milliseconds such a request was cut off with its process, and may be repeated. */
const abandonedMs = 60_000

/** What a key identifies: caller, path, key, and the hash of what was sent. */
export type Claim = { who: string; path: string; key: string; bodyHash: Buffer }

/**
 * Runs a write once for its `Idempotency-Key`, per caller and path, for 24 hours. The answer is
 * stored in the transaction of the write itself, so that a retry finds either both or neither. In
 * flight is 409, the same key with another body 400; 5xx and 429 are not stored.
 */
export async function onceOnly(
  runtime: Runtime,
  caller: Caller,
  request: FastifyRequest,
  claim: Claim,
  work: Work,
): Promise<Rendered> {
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
    // a refusal is an answer too, stored once the write is rolled back
    const refusal = refusalOf(error, request)
    if (isWorking && refusal) {
      await inTransaction(runtime, caller, async (ctx) => {
        if (await earlierAnswer(runtime, ctx, claim)) return
        await store(runtime, ctx, claim, refusal)
      })
    }
    throw error
  }
}

/**
 * The same for what is done outside a transaction, such as a test delivery: the key is taken before the
 * work, and gets the answer after it.
 */
export async function onceOutside(
  runtime: Runtime,
  caller: Caller,
  request: FastifyRequest,
  claim: Claim,
  work: () => Promise<Rendered>,
): Promise<Rendered> {
  const write = <T>(run: (ctx: Context) => Promise<T>) => inTransaction(runtime, caller, run)
  const earlier = await write(async (ctx) => {
    const found = await earlierAnswer(runtime, ctx, claim)
    if (!found) await store(runtime, ctx, claim, { status: processing, headers: {}, body: null })
    return found
  })
  if (earlier) return earlier
  try {
    const rendered = await work()
    await write((ctx) => store(runtime, ctx, claim, rendered))
    return rendered
  } catch (error) {
    const refusal = refusalOf(error, request)
    await write((ctx) => (refusal ? store(runtime, ctx, claim, refusal) : release(ctx, claim)))
    throw error
  }
}

/** What the key of a request stands for; 400 for one that is empty or too long. */
export function claimOf(caller: Caller, request: FastifyRequest, key: string): Claim {
  if (key.length < 1 || key.length > 255) {
    throw badField('Idempotency-Key', 'must be 1 to 255 characters')
  }
  const [path = '', search = ''] = request.url.split('?')
  const { body = null, upload } = request
  const file = upload ? `\n${upload.name}\n${upload.hash}` : ''
  const sent = `${changeOf(request)}${search}\n${JSON.stringify(body)}${file}`
  return {
    who: whoIs(caller),
    path: path.replace(/\/+$/, ''),
    key,
    bodyHash: createHash('sha256').update(sent).digest(),
  }
}

/** The answer of a refusal that a repeat gets too; 5xx and 429 are none. */
function refusalOf(error: unknown, request: FastifyRequest): Rendered | undefined {
  if (!(error instanceof Failure) || error.status >= 500 || error.status === 429) return undefined
  const headers = { 'content-type': 'application/json; charset=utf-8' }
  return { status: error.status, headers, body: JSON.stringify(errorBody(error, request.id)) }
}

/** What a change of a record says beside its body: the same key for another method or version is a mistake. */
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
    throw inFlight()
  }
  const found = await ctx.one<{
    body_hash: Buffer
    status: number
    headers: Rendered['headers']
    body: Buffer | null
  }>(sql`
    select body_hash, status, headers, body from idempotency_keys t
    where ${mine(ctx)} and caller = ${who} and path = ${path} and key = ${key}
      and creation_time > ${before(ctx, dayMs)}
      and (status <> ${processing} or creation_time > ${before(ctx, abandonedMs)})`)
  if (!found) return undefined
  if (!found.body_hash.equals(bodyHash)) {
    throw badField('Idempotency-Key', 'was used for another request; use a new key')
  }
  if (found.status === processing) throw inFlight()
  return {
    status: found.status,
    headers: { ...found.headers, 'idempotency-replayed': 'true' },
    body: found.body ? runtime.secrets.decrypt(found.body) : null,
  }
}

function before(ctx: Context, ms: number): string {
  return new Date(+ctx.now() - ms).toISOString()
}

function inFlight(): Failure {
  return conflict('A request with this Idempotency-Key is being processed', 'in_flight')
}

async function release(ctx: Context, { who, path, key }: Claim) {
  await ctx.run(sql`delete from idempotency_keys t
    where ${mine(ctx)} and caller = ${who} and path = ${path} and key = ${key}`)
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
