import type { FastifyInstance, FastifyRequest } from 'fastify'
import { html } from '../../kit/ground/html-template.ts'
import { Failure } from '../../kit/ground/errors.ts'
import type { Answering } from '../../records/calendar/answer.ts'
import { answer, answers, readAnswering } from '../../records/calendar/answer.ts'
import { readAnswerTicket } from '../../records/calendar/answer-link.ts'
import { joinOf, meetingFacts } from '../../records/calendar/invitations.ts'
import type { Runtime } from '../../runtime.ts'
import { system } from '../../runtime.ts'
import { findOrganization } from '../organization.ts'
import type { Look } from './page.ts'
import { lookOf, unknownLink } from './look.ts'
import type { Page } from './page.ts'
import { messagePage, sendPage } from './page.ts'
import { formOf, visitorContext } from './plugin.ts'

type Linked = { Params: { token: string }; Querystring: { answer?: string } }

/**
 * The page where somebody invited to a meeting answers without an account. The links in the mail preselect a button,
 * and the answer is only stored when it is pressed, because mail programs open links, too.
 */
export function meetingPages(scope: FastifyInstance, runtime: Runtime): void {
  scope.get<Linked>('/meeting/:token', async (request, reply) => {
    const opened = await open(runtime, request)
    if (!opened) return sendPage(reply, 404, unknownLink(request))
    const { look, meeting } = opened
    const closed = closedPage(look, meeting)
    if (closed) return sendPage(reply, 410, closed)
    const meant = answers.find(({ response }) => response === request.query.answer)?.response
    return sendPage(reply, 200, answerPage(look, meeting, request.params.token, meant))
  })

  scope.post<Linked>('/meeting/:token', async (request, reply) => {
    const opened = await open(runtime, request)
    if (!opened) return sendPage(reply, 404, unknownLink(request))
    const { look, meeting, ticket, attendee } = opened
    const { token } = request.params
    const chosen = answers.find(({ response }) => response === formOf(request).answer)
    if (!chosen) return sendPage(reply, 400, answerPage(look, meeting, token))
    try {
      await attendee.write((ctx) => answer(ctx, ticket, chosen.response))
    } catch (error) {
      if (!(error instanceof Failure) || error.status !== 409) throw error
      const closed = closedPage(look, (await readAnswering(attendee.reads, ticket)) ?? meeting)
      return sendPage(reply, 409, closed ?? unknownLink(request))
    }
    // a redirect, so that a reload does not submit again
    return reply.redirect(`/meeting/${token}`, 303)
  })
}

async function open(runtime: Runtime, request: FastifyRequest<Linked>) {
  const ctx = visitorContext(runtime, request)
  const ticket = readAnswerTicket(ctx.secrets, request.params.token)
  const organization = ticket && (await findOrganization(ctx.lookup, ticket.organization))
  if (!organization) return undefined
  const { reads } = ctx.actAs({ organization, actor: system })
  const meeting = await readAnswering(reads, ticket)
  if (!meeting) return undefined
  const look = await lookOf(reads, request, { address: ticket.email })
  const actor = { ...system, full_name: meeting.attendee?.name ?? ticket.email }
  return { ticket, meeting, look, attendee: ctx.actAs({ organization, actor }) }
}

function closedPage(look: Look, { state, title }: Answering): Page | undefined {
  const { say } = look.voice
  if (state === 'open') return undefined
  const heading = {
    cancelled: 'meeting.was_cancelled',
    over: 'meeting.is_over',
    not_invited: 'meeting.not_invited',
  } as const
  const text = state === 'not_invited' ? '' : `${title}. `
  return { look, ...messagePage(say(heading[state]), `${text}${say('meeting.nothing')}`) }
}

function answerPage(look: Look, meeting: Answering, token: string, meant?: string): Page {
  const { voice } = look
  const { say } = voice
  const { title, attendee, organizer, description } = meeting
  const stored = answers.find(({ response }) => response === attendee?.response)?.response
  const main = meant ?? (stored ? undefined : 'accepted')
  const [join] = joinOf(meeting, voice)
  return {
    look,
    title,
    main: html`<h1>${title}</h1>
      ${
        organizer
          ? html`<p class="quiet">
              ${say('meeting.invited_by', { person: organizer, organization: look.brand.name })}
            </p>`
          : ''
      }
      <dl class="facts">
        ${meetingFacts(look.brand, meeting, voice).map(
          ({ label, value }) =>
            html`<div>
              <dt>${label}</dt>
              <dd>${value}</dd>
            </div>`,
        )}
      </dl>
      ${description ? html`<p class="words">${description}</p>` : ''}
      ${join ? html`<p><a href="${join.url}" rel="noopener noreferrer">${join.label}</a></p>` : ''}
      ${
        stored
          ? html`<p class="right" role="status">
              <strong>${say(`meeting.answered.${stored}`)}</strong>
              ${say('meeting.answered.text', { organizer: organizer ?? look.brand.name })}
            </p>`
          : html`<h2 id="ask">${say('meeting.ask')}</h2>`
      }
      <form method="post" action="/meeting/${token}">
        <div class="actions">
          ${answers.map(
            ({ response, key }) =>
              html`<button
                name="answer"
                value="${response}"
                class="${response === main ? 'main' : ''}"
                ${response === stored ? html`aria-pressed="true"` : ''}
              >
                ${say(key)}
              </button>`,
          )}
        </div>
      </form>`,
  }
}
