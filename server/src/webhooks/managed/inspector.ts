import { Type } from 'typebox'
import { badRequest, notFound, stale } from '../../kit/ground/errors.ts'
import type { Context } from '../../kit/ground/context.ts'
import { newId } from '../../kit/ground/ids.ts'
import { arrayOf } from '../../kit/ground/json-schema.ts'
import { Answer, operation } from '../../kit/ground/operation.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'
import { randomToken } from '../../secrets.ts'
import { newSecret } from '../signature.ts'
import { byId } from '../subscription.ts'

/** An inspector receives for so long. */
const minutes = 10
/** The maximum number per user; a new one ends the oldest. */
const mostOpen = 3

/** The maximum number of deliveries that an inspector shows, the newest, and of their bytes together. */
export const mostShown = 50
export const mostBytesShown = 2 * 1024 * 1024

/** The path of an inspector, before its token. */
export const inspectorPath = '/inspect/'

const topic = 'webhooks'
const text = Type.String()
const instant = Type.String({ format: 'date-time' })
const inspector = Type.Object(
  {
    inspector_id: text,
    url: Type.String({ description: 'where deliveries of this installation can be sent' }),
    secret: Type.String({ description: 'signs test deliveries to it' }),
    expires_at: instant,
    creation_time: instant,
    deliveries: arrayOf(
      Type.Object(
        {
          id: text,
          received_at: instant,
          headers: Type.Record(text, text),
          body: Type.String({ description: 'the bytes that were signed, as text' }),
        },
        { title: 'InspectedDelivery' },
      ),
    ),
  },
  {
    title: 'WebhookInspector',
    description: `the newest ${mostShown} deliveries, newest first, of at most 2 MiB together`,
  },
)

/** Inspectors: temporary addresses of this installation that store deliveries sent to them. */
export const inspectors = {
  list: operation({
    name: 'list_webhook_inspectors',
    summary: 'List your webhook inspectors',
    topic,
    can: { module: 'apps', action: 'read' },
    writes: false,
    input: {},
    output: arrayOf(inspector),
    run: (ctx) => shown(ctx),
  }),
  open: operation({
    name: 'open_webhook_inspector',
    summary: 'Open a webhook inspector',
    description: `An address that receives webhooks of this installation for ${minutes} minutes, for you to look at. It accepts only deliveries: requests not signed by a subscription of the organization to that address, or by a test, are refused. A user has at most ${mostOpen}; a new one ends the oldest.`,
    topic,
    can: { module: 'apps', action: 'update' },
    writes: true,
    input: {},
    output: inspector,
    async run(ctx) {
      const id = newId()
      const token = randomToken('')
      const { secrets, organization, actor } = ctx
      const expires = new Date(+ctx.now() + minutes * 60_000).toISOString()
      await ctx.run(sql`delete from webhook_inspectors t where ${mine(ctx)} and
        t.user_id = ${actor.user_id} and t.id not in (select o.id from webhook_inspectors o
          where o.organization_id = $organization and o.user_id = t.user_id
            and o.expires_at > ${ctx.now().toISOString()}
          order by o.id desc limit ${mostOpen - 1})`)
      await ctx.run(sql`insert into webhook_inspectors (organization_id, id, user_id, token_hash,
          token, secret, expires_at, creation_time)
        values (${organization.id}, ${id}, ${actor.user_id}, ${secrets.hash(token)},
          ${secrets.encrypt(token)}, ${secrets.encrypt(newSecret())}, ${expires},
          ${ctx.now().toISOString()})`)
      return versioned(await find(ctx, id), true)
    },
  }),
  read: operation({
    name: 'read_webhook_inspector',
    summary: 'Retrieve what a webhook inspector received',
    topic,
    can: { module: 'apps', action: 'read' },
    writes: false,
    input: { params: byId },
    output: inspector,
    run: async (ctx, { params }) => versioned(await find(ctx, params.id)),
  }),
  close: operation({
    name: 'close_webhook_inspector',
    summary: 'Close a webhook inspector',
    description: 'What it received is removed.',
    topic,
    can: { module: 'apps', action: 'update' },
    writes: true,
    isVersioned: true,
    input: { params: byId },
    output: null,
    async run(ctx, { params, ifMatch }) {
      const found = await find(ctx, params.id)
      if (ifMatch && !ifMatch.includes(found.deliveries.length + 1)) throw stale()
      await ctx.run(
        sql`delete from webhook_inspectors t where ${mine(ctx)} and t.id = ${params.id}`,
      )
    },
  }),
}

/** The secret of the caller's own inspector at an address; undefined for other addresses. */
export async function secretOfOwn(ctx: Context, url: string): Promise<string | undefined> {
  const prefix = `${ctx.public_url}${inspectorPath}`
  if (!url.startsWith(prefix)) return undefined
  const own = await shown(ctx)
  const found = own.find((each) => each.url === url)
  if (found) return found.secret
  throw badRequest('url: is not an inspector of yours', [
    { field: 'url', message: 'is not an inspector of yours' },
  ])
}

type Inspected = { id: string; received_at: string; headers: object; body: string }
type Stored = {
  inspector_id: string
  token: Buffer
  secret: Buffer
  expires_at: string
  creation_time: string
}
type Shown = Omit<Stored, 'token' | 'secret'> & {
  url: string
  secret: string
  deliveries: Inspected[]
}

async function find(ctx: Context, id: string): Promise<Shown> {
  const [found] = await shown(ctx, id)
  if (!found) throw notFound('Inspector')
  return found
}

async function shown(ctx: Context, id?: string): Promise<Shown[]> {
  const rows = await ctx.all<Stored>(sql`
    select t.id as inspector_id, t.token, t.secret, t.expires_at, t.creation_time
    from webhook_inspectors t where ${all(
      mine(ctx),
      sql`t.user_id = ${ctx.actor.user_id} and t.expires_at > ${ctx.now().toISOString()}`,
      id === undefined ? undefined : sql`t.id = ${id}`,
    )} order by t.id desc limit ${mostOpen}`)
  const deliveries = await ctx.all<Inspected & { inspector_id: string }>(sql`
    select t.inspector_id, t.id, t.received_at, t.headers, t.body from inspected_deliveries t
    where ${mine(ctx)} and t.inspector_id = any(${rows.map((row) => row.inspector_id)})
    order by t.id desc`)
  return rows.map(({ token, secret, ...row }) => ({
    ...row,
    url: `${ctx.public_url}${inspectorPath}${ctx.secrets.decrypt(token)}`,
    secret: ctx.secrets.decrypt(secret),
    deliveries: deliveries
      .filter(({ inspector_id }) => inspector_id === row.inspector_id)
      .map(({ inspector_id: _inspector_id, ...each }) => each),
  }))
}

function versioned(body: Shown, created?: boolean): Answer {
  return new Answer(body, { created, id: body.inspector_id, version: body.deliveries.length + 1 })
}
