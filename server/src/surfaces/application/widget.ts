import type { Context } from '../../kit/ground/context.ts'
import { badField, forbidden, notFound } from '../../kit/ground/errors.ts'
import { newId } from '../../kit/ground/ids.ts'
import type { Operation } from '../../kit/ground/operation.ts'
import { sql } from '../../kit/ground/sql.ts'
import {
  storeResponse,
  unownedWidget,
  widgetOf,
  widgetSchema,
} from '../../records/widget/widget.ts'
import type { Caller, Organization, Runtime } from '../../runtime.ts'
import { inTransaction, readingContext, system } from '../../runtime.ts'
import type { FailureLimiter } from '../limits.ts'
import { allOrganizations } from '../../kit/ground/context.ts'

const key = { type: 'string', minLength: 1, maxLength: 25, description: 'the public widget key' }

/**
 * The feedback form for pages elsewhere. It is open: the key of the page, or a bearer token, says
 * whose form it is. Submissions are counted by address.
 */
export function widgetOperations(runtime: Runtime, submissions: FailureLimiter) {
  return {
    config: {
      name: 'read_widget_config',
      summary: 'The feedback form of an organization',
      can: 'anyone',
      topic: 'widget',
      writes: false,
      input: { query: { type: 'object', properties: { key } } },
      output: widgetSchema,
      async run(ctx, { query }) {
        if (!ctx && !query.key) return unownedWidget
        const caller = await callerFor(ctx, query.key)
        const widget = await widgetOf(readingContext(runtime, caller))
        if (!widget) throw notFound('Widget')
        return widget
      },
    } satisfies Operation,
    submit: {
      name: 'submit_widget',
      summary: 'Send feedback through the form',
      can: 'anyone',
      topic: 'widget',
      writes: false,
      input: {
        query: { type: 'object', properties: { key } },
        body: {
          type: 'object',
          properties: { key, page_url: { type: 'string', maxLength: 2048 } },
        },
      },
      output: null,
      async run(ctx, { query, body, address }) {
        await submissions.check(`widget ${address}`)
        const { key: inBody, ...given } = body ?? {}
        const caller = await callerFor(ctx, query.key ?? inBody)
        await submissions.failed(`widget ${address}`)
        await inTransaction(runtime, caller, async (own) => {
          const widget = await widgetOf(own)
          if (!widget) throw notFound('Widget')
          if (!widget.is_active) throw forbidden('This form takes no feedback at the moment')
          await storeResponse(own, widget, given)
        })
        return undefined
      },
    } satisfies Operation,
  }

  /** Whose form it is: the key's organization, else the caller's own. */
  async function callerFor(ctx: Context | undefined, given: string | undefined): Promise<Caller> {
    if (!given) {
      if (!ctx) throw badField('key', 'is required where nobody is signed in')
      const { organization, actor, source, request_id } = ctx
      return { organization, actor, source, request_id }
    }
    const caller = await widgetCaller(runtime, given)
    return ctx?.organization.id === caller.organization.id
      ? { ...caller, actor: ctx.actor }
      : caller
  }
}

/** Whoever fills in the form with a public key, for its organization; 404 for a key of nobody's. */
export async function widgetCaller(runtime: Runtime, key: string): Promise<Caller> {
  const organization = await runtime.database.reads(allOrganizations).one<Organization>(sql`
    select o.organization_id as id, o.name, o.timezone from widget_settings t
    join organizations o on o.organization_id = t.organization_id where t.widget_key = ${key}`)
  if (!organization) throw notFound('Widget')
  const actor = { ...system, full_name: 'Feedback form' }
  return { organization, actor, source: 'application', request_id: newId() }
}
