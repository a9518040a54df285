import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { html } from '../../kit/ground/html-template.ts'
import type { OutsiderLink } from '../../records/mail/outsider-link.ts'
import { reopenOutsiderLink, useOutsiderLink } from '../../records/mail/outsider-link.ts'
import { tasks } from '../../records/tasks/operations.ts'
import { loadActor } from '../../records/users/actor.ts'
import type { Caller, Runtime } from '../../runtime.ts'
import { inTransaction, readingContext, system } from '../../runtime.ts'
import { openSignInLink } from '../application/sign-in-link.ts'
import type { Limiter } from '../limits.ts'
import { lookOf, unknownLink } from '../pages/look.ts'
import type { Look, Page } from '../pages/page.ts'
import { errorTitle, sendPage } from '../pages/page.ts'
import { formOf, visitorContext } from '../pages/plugin.ts'
import { surveyScript } from '../pages/survey-look.ts'
import { usedLink } from '../pages/welcome.ts'
import type { Act } from './act.ts'
import { aboutTask, actOnTask, found, runAs } from './act.ts'
import { fileForTask } from './files.ts'
import { portalStyle } from './style.ts'
import type { Refused, ShownTask } from './task-view.ts'
import { filedOf, hasQuestions, taskMain } from './task-view.ts'
import type { Done } from './views.ts'

type Linked = { Params: { token: string } }
type Opened = { link: OutsiderLink; who: Caller; look: Look; task: ShownTask }

/**
 * The page of the one task that a mail asks a customer or partner for: it is done there without a sign-in, which uses
 * the link up. Opening the page does not. Whoever has one-time codes signs in.
 */
export function linkedTask(scope: FastifyInstance, runtime: Runtime, limit: Limiter): void {
  scope.get<Linked>('/t/:token', async (request, reply) => {
    const opened = await openTask(runtime, limit, request, reply)
    if (!opened) return reply
    return sendPage(reply, 200, await linkedPage(runtime, opened, request))
  })

  scope.post<Linked>('/t/:token', async (request, reply) => {
    const opened = await openTask(runtime, limit, request, reply)
    if (!opened) return reply
    const { link, who, look, task } = opened
    const outcome = await actOnTask(runtime, who, request, { task, look: async () => look })
    if ('refused' in outcome) {
      return sendPage(reply, outcome.status, await linkedPage(runtime, opened, request, outcome))
    }
    const { act } = outcome
    const isDone = act === 'done' || act === 'send'
    if (isDone || act === 'open') {
      await inTransaction(runtime, { ...who, actor: system }, async (ctx) => {
        if (isDone) await useOutsiderLink(ctx, link.id)
        else await reopenOutsiderLink(ctx, link.id)
      })
    }
    const after = await taskOf(runtime, who, request, task.item_id)
    const done = doneOf(look, act, task)
    const now = { ...opened, task: after ?? task }
    return sendPage(reply, 200, await linkedPage(runtime, now, request, { done }))
  })
}

/** Takes the files of the one task, in a scope that takes files. */
export function linkedTaskFiles(scope: FastifyInstance, runtime: Runtime, limit: Limiter): void {
  scope.post<Linked>('/t/:token/files', async (request, reply) => {
    const opened = await openTask(runtime, limit, request, reply)
    if (!opened) return reply
    const { who, look, task } = opened
    const { item_id: id } = task
    const filed = await fileForTask(runtime, who, request, { task: id, look: async () => look })
    const done = filedOf(look, filed)
    const refused = { wrong: {}, files: filed.refused }
    return sendPage(
      reply,
      filed.status,
      await linkedPage(runtime, opened, request, { done, refused }),
    )
  })
}

/** What the page says of an act; nothing of one that was taken back. */
function doneOf(
  { voice: { say } }: Look,
  act: Act,
  { item_id: undo, title }: ShownTask,
): Done | undefined {
  if (act === 'open') return undefined
  if (act === 'save') return { text: say('portal.saved') }
  if (act === 'more-time') return { text: say('portal.asked') }
  return { text: say('portal.is_done', { title }), undo }
}

function taskOf(runtime: Runtime, who: Caller, request: FastifyRequest, id: string) {
  return found(runAs<ShownTask>(runtime, who, request, { operation: tasks.read, id }))
}

/** The task of a link with its owner; undefined once another page was sent. */
async function openTask(
  runtime: Runtime,
  limit: Limiter,
  request: FastifyRequest<Linked>,
  reply: FastifyReply,
): Promise<Opened | undefined> {
  const { token } = request.params
  const open = await openSignInLink(visitorContext(runtime, request), token)
  const id = open?.mailed?.task_id
  if (!open?.mailed || !id) {
    await sendPage(reply, 404, unknownLink(request))
    return undefined
  }
  const { user, mailed, reads } = open
  const { organization } = user
  await limit(reply, user.user_id)
  const look = await lookOf(reads, request, { address: user.email })
  const isUndo = request.method === 'POST' && formOf(request).act === 'open' && mailed.isRecent
  if (mailed.state !== 'open' && !isUndo) {
    await sendPage(reply, 404, { look, ...usedLink(look, token) })
    return undefined
  }
  if (user.has_codes || user.must_enrol) {
    await reply.redirect(`/enter/${token}`, 303)
    return undefined
  }
  const loaded = await loadActor(reads, organization.id, user.user_id)
  const who: Caller | undefined = loaded && {
    organization: loaded.organization,
    actor: loaded.actor,
    source: 'application',
    request_id: request.id,
  }
  const task = who && (await taskOf(runtime, who, request, id))
  if (!task) {
    const { say } = look.voice
    const main = html`<h1>${say('portal.gone')}</h1>
      <p>${say('portal.gone_text')}</p>`
    await sendPage(reply, 404, { look, title: say('portal.gone'), main })
    return undefined
  }
  return { link: mailed, who, look, task }
}

async function linkedPage(
  runtime: Runtime,
  { who, look, task }: Opened,
  { params: { token } }: FastifyRequest<Linked>,
  { done, refused }: { done?: Done | undefined; refused?: Refused | undefined } = {},
): Promise<Page> {
  const { say } = look.voice
  const { user_id, full_name } = who.actor
  const { files, known } = await aboutTask(readingContext(runtime, who), task)
  const main = taskMain({ look, me: { id: user_id ?? '' }, known }, task, {
    done,
    refused,
    files: { all: files },
    action: `/t/${token}`,
  })
  return {
    look,
    title: refused ? errorTitle(look.voice, task.title, refused.message) : task.title,
    style: portalStyle,
    ...(hasQuestions(task) && !task.is_completed ? { script: surveyScript } : {}),
    main: html`<div class="narrow">
      <p class="over">${say('portal.for', { person: full_name })}</p>
      ${main}
      <p class="note"><a href="/enter/${token}">${say('portal.open_all')}</a></p>
    </div>`,
  }
}
