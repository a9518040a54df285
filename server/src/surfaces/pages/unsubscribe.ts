import type { FastifyInstance, FastifyRequest } from 'fastify'
import { html } from '../../kit/ground/html-template.ts'
import {
  addressOfTicket,
  readUnsubscribe,
  unsubscribe,
} from '../../records/notifications/unsubscribe.ts'
import type { Runtime } from '../../runtime.ts'
import { system } from '../../runtime.ts'
import { findOrganization } from '../organization.ts'
import { messagePage, sendPage } from './page.ts'
import { visitorContext } from './plugin.ts'
import { lookOf, unknownLink } from './look.ts'

type Linked = { Params: { token: string } }

/**
 * The page to unsubscribe from mails. Opening it only asks for confirmation, since programs open links,
 * too; one POST is enough, by the page's button or by a mail program (RFC 8058).
 */
export function unsubscribePages(scope: FastifyInstance, runtime: Runtime): void {
  scope.get<Linked>('/unsubscribe/:token', async (request, reply) => {
    const opened = await open(runtime, request)
    if (!opened) return sendPage(reply, 404, unknownLink(request))
    const { look, address } = opened
    const { say } = look.voice
    const title = say('unsubscribe.title')
    return sendPage(reply, 200, {
      look,
      title,
      main: html`<h1>${title}</h1>
        <p>${say('unsubscribe.ask', { organization: look.brand.name, address })}</p>
        <form method="post" action="/unsubscribe/${request.params.token}">
          <div class="actions"><button class="main">${title}</button></div>
        </form>`,
    })
  })

  scope.post<Linked>('/unsubscribe/:token', async (request, reply) => {
    const opened = await open(runtime, request)
    if (!opened) return sendPage(reply, 404, unknownLink(request))
    const { look, address, ticket, service } = opened
    await service.write((ctx) => unsubscribe(ctx, ticket))
    const { say } = look.voice
    const said = { organization: look.brand.name, address }
    const text = say('unsubscribe.done_text', said)
    return sendPage(reply, 200, { look, ...messagePage(say('unsubscribe.done'), text) })
  })
}

async function open(runtime: Runtime, request: FastifyRequest<Linked>) {
  const ctx = visitorContext(runtime, request)
  const ticket = readUnsubscribe(ctx.secrets, request.params.token)
  const organization = ticket && (await findOrganization(ctx.lookup, ticket.organization))
  if (!organization) return undefined
  const service = ctx.actAs({ organization, actor: system })
  const address = await addressOfTicket(service.reads, ticket)
  if (address === undefined) return undefined
  return { ticket, address, service, look: await lookOf(service.reads, request, { address }) }
}
