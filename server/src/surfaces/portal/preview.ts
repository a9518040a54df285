import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Html } from '../../kit/ground/html-template.ts'
import { html } from '../../kit/ground/html-template.ts'
import { isId } from '../../kit/ground/ids.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { Voice } from '../../model/languages/language.ts'
import { externalKinds } from '../../model/users/roles/permissions.ts'
import type { Caller, Runtime } from '../../runtime.ts'
import { readingContext } from '../../runtime.ts'
import { requireViewer, viewAs, viewAsReadsOnly } from '../application/view-as.ts'
import { cookieName, ownCookie } from '../cookies.ts'
import { lookOf } from '../pages/look.ts'
import { sendPage } from '../pages/page.ts'
import { formOf } from '../pages/plugin.ts'

const name = 'perennial_preview'
/** How long a preview lasts: whoever forgets it has their own pages again. */
const seconds = 3600
/** How many customers one can choose from. */
const most = 200

type Asked = { Querystring: { project?: string }; Params: { id: string } }
type CallerOf = (request: FastifyRequest, reply: FastifyReply) => Promise<Caller>

/**
 * The portal as a customer sees it, for administrators: they choose one, and every page of the portal shows what that
 * customer's own session would, until they close it. Nothing is written meanwhile.
 */
export function previewPages(scope: FastifyInstance, runtime: Runtime, signedIn: CallerOf): void {
  const { publicUrl } = runtime.config

  scope.get<Asked>('/portal/preview', async (request, reply) => {
    const who = await signedIn(request, reply)
    requireViewer(who)
    const ctx = readingContext(runtime, who)
    const project = idIn(request.query.project)
    const people = await ctx.all<Person>(sql`
      select u.id, u.full_name, u.email, a.account_name from users u
      join roles r on r.organization_id = $organization and r.id = u.role_id
        and r.kind = any(${externalKinds})
      left join accounts a on a.organization_id = $organization and a.id = u.account_id
      left join projects p on p.organization_id = $organization and p.id = ${project}
      where ${mine(ctx, 'u')} and u.is_active and u.deleted_at is null
      order by u.account_id is not distinct from p.account_id and p.account_id is not null desc,
        u.full_name, u.id limit ${most}`)
    const look = await lookOf(ctx, request)
    const { say } = look.voice
    const title = say('preview.title')
    const query = project ? `?project=${project}` : ''
    const main = html`<h1>${title}</h1>
      <p>${say(people.length ? 'preview.choose' : 'preview.nobody')}</p>
      <ul>
        ${people.map(
          ({ id, full_name, email, account_name }) =>
            html`<li>
              <a href="/portal/preview/${id}${query}">${full_name}</a>
              ${[account_name, email].filter(Boolean).join(' · ')}
            </li>`,
        )}
      </ul>
      ${closing(look.voice, project)}`
    return sendPage(reply, 200, { look, title, main })
  })

  scope.get<Asked>('/portal/preview/:id', async (request, reply) => {
    const who = await signedIn(request, reply)
    const id = idIn(request.params.id)
    await viewAs(runtime, who, id)
    const project = idIn(request.query.project)
    return reply
      .header('set-cookie', ownCookie(publicUrl, name, { value: id, seconds }))
      .redirect(project ? `/portal?project=${project}` : '/portal', 303)
  })

  scope.post<Asked>('/portal/preview/end', async (request, reply) => {
    await signedIn(request, reply)
    const ended = ownCookie(publicUrl, name, { value: '', seconds: 0 })
    const project = idIn(formOf(request).project)
    return reply.header('set-cookie', ended).redirect(project ? `/projects/${project}` : '/', 303)
  })
}

type Person = { id: string; full_name: string; email: string; account_name: string | null }

/** Whom a page is shown to: the caller, or the customer whom an administrator looks as; writes are refused then. */
export async function seenBy(
  runtime: Runtime,
  request: FastifyRequest,
  caller: Caller,
): Promise<Caller> {
  const user = previewed(runtime.config.publicUrl, request)
  if (!user || !caller.actor.is_admin) return caller
  if (request.method === 'POST') throw viewAsReadsOnly()
  return viewAs(runtime, caller, user)
}

/** What stands above every page of a preview. */
export function previewBar(voice: Voice, person: string, project: string | undefined): Html {
  const query = project ? `?project=${project}` : ''
  return html`<div class="preview" role="status">
    <span>${voice.say('preview.text', { person })}</span>
    <a href="/portal/preview${query}">${voice.say('preview.other')}</a>
    ${closing(voice, project)}
  </div>`
}

/** The button that ends a preview, and leads back to the project that it began at. */
function closing({ say }: Voice, project: string | undefined): Html {
  return html`<form method="post" action="/portal/preview/end">
    ${project ? html`<input type="hidden" name="project" value="${project}" />` : ''}
    <button>${say('preview.close')}</button>
  </form>`
}

/** The id in a part of an address; none for what can be no id. */
function idIn(text: unknown): string {
  return typeof text === 'string' && isId(text) ? text : ''
}

function previewed(publicUrl: string, { headers }: FastifyRequest): string | undefined {
  const found = new RegExp(`(?:^|; *)${cookieName(publicUrl, name)}=([\\w-]{1,25})(?:;|$)`)
  return found.exec(headers.cookie ?? '')?.[1]
}
