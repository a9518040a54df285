import type { FastifyInstance } from 'fastify'
import { allOrganizations } from '../kit/ground/context.ts'
import { notFound, unauthorized } from '../kit/ground/errors.ts'
import { newId } from '../kit/ground/ids.ts'
import { anywhere, sql } from '../kit/ground/sql.ts'
import type { Runtime } from '../runtime.ts'
import { equalInConstantTime } from '../secrets.ts'
import { secretsOf } from '../webhooks/attempt.ts'
import { inspectorPath, mostBytesShown, mostShown } from '../webhooks/managed/inspector.ts'
import type { Due } from '../webhooks/queue.ts'
import { sign } from '../webhooks/signature.ts'
import { isFresh } from './integration/signature.ts'
import { refuseOtherMethods } from './methods.ts'

/** The headers of a delivery that are shown; others come from the network in between. */
const shown = ['content-type', 'user-agent', 'webhook-id', 'webhook-timestamp', 'webhook-signature']
/** Deliveries never have longer headers. */
const longest = 500
/** The maximum number of subscriptions to one inspector whose secrets are tried. */
const mostSubscriptions = 20

type Open = { organization_id: string; id: string; secret: Buffer }

declare module 'fastify' {
  interface FastifyRequest {
    inspector?: Open
  }
}

/**
 * The route where inspectors receive deliveries. Only what this installation has signed is stored: by a subscription to this
 * very address, or a test. Everything else is 401, and an address that is not open 404, before its body.
 */
export function inspector(scope: FastifyInstance, runtime: Runtime) {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('application/json', (request, payload, done) => {
    scope.bodies.receive(request, payload, done, (body) => body.toString('utf8'))
  })
  scope.post<{ Params: { token: string } }>(
    `${inspectorPath}:token`,
    {
      onRequest: async (request) => {
        request.inspector = await openInspector(runtime, request.params.token)
        const { headers } = request
        if (!isFresh(String(headers['webhook-timestamp'] ?? ''), runtime.now())) throw unsigned()
        if (shown.some((name) => String(headers[name] ?? '').length > longest)) throw unsigned()
      },
    },
    async (request, reply) => {
      const body = typeof request.body === 'string' ? request.body : ''
      const headers = Object.fromEntries(
        shown.map((name) => [name, String(request.headers[name] ?? '')]),
      )
      const at = request.inspector
      const { token } = request.params
      if (!at || !(await isSigned(runtime, at, token, headers, body))) throw unsigned()
      // PostgreSQL cannot store NUL, and deliveries never contain it
      if (body.includes('\0')) throw unsigned()
      await store(runtime, at, headers, body)
      return reply.header('cache-control', 'no-store').send({ status: 'success' })
    },
  )
  refuseOtherMethods(scope, [{ path: `${inspectorPath}{token}`, method: 'POST' }])
}

async function openInspector({ database, secrets, now }: Runtime, token: string): Promise<Open> {
  const hash = secrets.hash(token.slice(0, 200))
  const found = await database.reads(allOrganizations).one<Open>(sql`
    select organization_id, id, secret from webhook_inspectors t
    where ${anywhere('t')} and token_hash = ${hash} and expires_at > ${now().toISOString()}`)
  if (!found) throw notFound('Inspector')
  return found
}

async function isSigned(
  runtime: Runtime,
  { organization_id, secret }: Open,
  token: string,
  headers: { [name: string]: string },
  body: string,
): Promise<boolean> {
  const url = `${runtime.config.publicUrl}${inspectorPath}${token}`
  const subscriptions = await runtime.database.reads(organization_id).all<
    Pick<Due, 'secret' | 'previous_secret' | 'previous_until'>
  >(sql`
      select secret, previous_secret, previous_until from subscriptions
      where organization_id = ${organization_id} and url = ${url} limit ${mostSubscriptions}`)
  const secrets = [
    runtime.secrets.decrypt(secret),
    ...subscriptions.flatMap((each) => secretsOf(runtime, each)),
  ]
  const id = headers['webhook-id'] ?? ''
  const timestamp = Number(headers['webhook-timestamp'])
  const sent = (headers['webhook-signature'] ?? '').split(' ')
  return secrets.some((each) => {
    const expected = Buffer.from(sign({ id, timestamp, body, secrets: [each] }))
    return sent.some((signature) => equalInConstantTime(expected, Buffer.from(signature)))
  })
}

/** Stores a delivery and removes the oldest above the maximum. */
async function store(
  { database, now }: Runtime,
  { organization_id, id }: Open,
  headers: { [name: string]: string },
  body: string,
): Promise<void> {
  await database.transaction(organization_id, async (queries) => {
    const found = await queries.one(sql`select from webhook_inspectors
      where organization_id = ${organization_id} and id = ${id} for update`)
    if (!found) throw notFound('Inspector')
    await queries.run(sql`
      insert into inspected_deliveries (organization_id, id, inspector_id, headers, body, received_at)
      values (${organization_id}, ${newId()}, ${id}, ${JSON.stringify(headers)}, ${body},
        ${now().toISOString()})`)
    await queries.run(sql`
      delete from inspected_deliveries d using (
        select o.id, row_number() over (order by o.id desc) as nth,
          sum(octet_length(o.body)) over (order by o.id desc) as bytes
        from inspected_deliveries o
        where o.organization_id = ${organization_id} and o.inspector_id = ${id}) old
      where d.organization_id = ${organization_id} and d.id = old.id
        and (old.nth > ${mostShown} or old.bytes > ${mostBytesShown})`)
  })
}

function unsigned() {
  return unauthorized('Only deliveries of this installation are received here', 'invalid_signature')
}
