import { Type } from 'typebox'
import { attemptOf } from '../../kit/ground/address.ts'
import type { Actor, Organization, PublicContext } from '../../kit/ground/context.ts'
import { badField, forbidden, notFound } from '../../kit/ground/errors.ts'
import { operation } from '../../kit/ground/operation.ts'
import { anywhere, sql } from '../../kit/ground/sql.ts'
import {
  storeResponse,
  unownedWidget,
  widgetOf,
  widgetSchema,
} from '../../records/widget/widget.ts'
import { system } from '../../runtime.ts'
import { submitting } from '../limits.ts'

const key = Type.Optional(
  Type.String({ minLength: 1, maxLength: 25, description: 'the public key of the form' }),
)

/**
 * The feedback form for other sites, which needs no credentials: the public key in the page, or a
 * bearer token, identifies the organization. Submissions are limited by address.
 */
export const readWidgetConfig = operation({
  name: 'read_widget_config',
  summary: 'Retrieve the feedback form of an organization',
  can: 'anyone',
  checksBearer: true,
  topic: 'widget',
  writes: false,
  input: { query: Type.Object({ key }) },
  output: widgetSchema,
  async run(ctx, { query }) {
    if (!query.key && ctx.actor.type === 'anonymous') return unownedWidget
    const widget = await widgetOf(ctx.actAs(await submitterOf(ctx, query.key)).reads)
    if (!widget) throw notFound('Widget')
    return widget
  },
})

export const submitWidget = operation({
  name: 'submit_widget',
  summary: 'Submit feedback through the form',
  description: 'The body contains the answers by the names of the form’s fields.',
  can: 'anyone',
  checksBearer: true,
  topic: 'widget',
  writes: false,
  input: {
    query: Type.Object({ key }),
    body: Type.Object({
      key,
      page_url: Type.Optional(Type.String({ maxLength: 2048, format: 'web-address' })),
    }),
  },
  output: null,
  async run(ctx, { query, body, address }) {
    await ctx.services.submissions.failed(submitting(attemptOf(address).address))
    const { key: inBody, ...answers } = body
    const submitter = await submitterOf(ctx, query.key ?? inBody)
    await ctx.actAs(submitter).write(async (own) => {
      const widget = await widgetOf(own)
      if (!widget) throw notFound('Widget')
      if (!widget.is_active) throw forbidden('This form takes no feedback at the moment')
      await storeResponse(own, widget, answers)
    })
    return undefined
  },
})

type Submitter = { organization: Organization; actor: Actor }

/** The submitter and the organization: that of the key, else the caller's own. */
async function submitterOf(ctx: PublicContext, key: string | undefined): Promise<Submitter> {
  if (!key) {
    if (ctx.actor.type === 'anonymous') {
      throw badField('key', 'is required where nobody is signed in')
    }
    return ctx
  }
  const visitor = await visitorOf(ctx, key)
  const isOwn = ctx.organization.id === visitor.organization.id
  return isOwn ? { ...visitor, actor: ctx.actor } : visitor
}

/** A visitor who fills in the form with this public key, as a caller of its organization; else 404. */
export async function visitorOf(ctx: PublicContext, key: string): Promise<Submitter> {
  const organization = await ctx.lookup.one<Organization>(sql`
    select o.organization_id as id, o.name, o.timezone from widget_settings t
    join organizations o on o.organization_id = t.organization_id where ${anywhere('t')} and ${anywhere('o')}
      and t.widget_key = ${key}`)
  if (!organization) throw notFound('Widget')
  return { organization, actor: { ...system, full_name: 'Feedback form' } }
}
