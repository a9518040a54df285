import type { FastifyInstance, FastifyRequest } from 'fastify'
import { html } from '../../kit/ground/html-template.ts'
import { Failure } from '../../kit/ground/errors.ts'
import type { MessageKey, Voice } from '../../model/languages/language.ts'
import type { Runtime } from '../../runtime.ts'
import type { Invited } from '../application/invitations.ts'
import { accept, readInvitation } from '../application/invitations.ts'
import { choosePassword, openReset, requestReset } from '../application/passwords.ts'
import type { Verified } from '../application/sign-in.ts'
import type { SignInLink } from '../application/sign-in-link.ts'
import { enterByLink, offerAgain, openSignInLink } from '../application/sign-in-link.ts'
import { sessionCookie } from '../application/web/cookie.ts'
import { callerAddress } from '../address.ts'
import type { Look } from './page.ts'
import { failureText, lookOf, visitorVoice } from './look.ts'
import type { Page } from './page.ts'
import type { Html } from '../../kit/ground/html-template.ts'
import { errorTitle, messagePage, sendPage } from './page.ts'
import { formOf, visitorContext } from './plugin.ts'

/** The pages for the links in three mails: an invitation, a new password, and a sign-in. */
export function welcomePages(scope: FastifyInstance, runtime: Runtime): void {
  const inviteAt = '/invite/:token'
  const resetAt = '/reset/:token'
  const enterAt = '/enter/:token'
  const signIn = (voice: Voice) => signInLink(runtime, voice)
  const usedUp = (request: FastifyRequest): Page => {
    const voice = visitorVoice(request)
    return {
      voice,
      ...messagePage(voice.say('link.used'), voice.say('link.used_text'), signIn(voice)),
    }
  }

  scope.get<Token>(inviteAt, async (request, reply) => {
    const { token } = request.params
    const invited = await readInvitation(visitorContext(runtime, request), token)
    if (!invited) return sendPage(reply, 404, usedUp(request))
    const look = await lookOf(invited.reads, request, { address: invited.email })
    return sendPage(reply, 200, invitePage(look, token, invited))
  })
  scope.post<Token>(inviteAt, async (request, reply) => {
    const { token } = request.params
    const ctx = visitorContext(runtime, request)
    const invited = await readInvitation(ctx, token)
    if (!invited) return sendPage(reply, 404, usedUp(request))
    const look = await lookOf(invited.reads, request, { address: invited.email })
    const { say } = look.voice
    const { full_name = '', password = '' } = formOf(request)
    const failure = full_name.trim()
      ? passwordFailure(look.voice, password)
      : say('join.enter_name')
    const shown = { ...invited, full_name: full_name.slice(0, 255) }
    if (failure) return sendPage(reply, 400, invitePage(look, token, shown, failure))
    const input = { invite_token: token, password, full_name: shown.full_name }
    const failed = await failureOf(look.voice, accept(ctx, callerAddress(request), input))
    if (failed) {
      return sendPage(reply, failed.status, invitePage(look, token, shown, failed.message))
    }
    const { organization, email } = invited
    const text = say('join.done_text', { organization, email })
    const done = messagePage(say('join.done'), text, signIn(look.voice))
    return sendPage(reply, 200, { look, ...done })
  })

  scope.get('/reset', async (request, reply) =>
    sendPage(reply, 200, requestPage(visitorVoice(request))),
  )
  scope.post('/reset', async (request, reply) => {
    const { email = '' } = formOf(request)
    const voice = visitorVoice(request)
    if (!email.includes('@') || email.length > 320) {
      return sendPage(reply, 400, requestPage(voice, voice.say('reset.enter_email')))
    }
    await requestReset(visitorContext(runtime, request), callerAddress(request), { email })
    const sent = messagePage(voice.say('reset.sent'), voice.say('reset.sent_text'))
    return sendPage(reply, 200, { voice, ...sent })
  })
  scope.get<Token>(resetAt, async (request, reply) => {
    const { token } = request.params
    const open = await openReset(visitorContext(runtime, request), token)
    if (!open) return sendPage(reply, 404, usedUp(request))
    const look = await lookOf(open.reads, request, { address: open.email })
    return sendPage(reply, 200, choosePage(look, token, open.apps))
  })
  scope.post<Token>(resetAt, async (request, reply) => {
    const { token } = request.params
    const { password = '', keep } = formOf(request)
    const isKept = keep === 'yes'
    const ctx = visitorContext(runtime, request)
    const open = await openReset(ctx, token)
    if (!open) return sendPage(reply, 404, usedUp(request))
    const look = await lookOf(open.reads, request, { address: open.email })
    const { voice } = look
    const failure = passwordFailure(voice, password)
    const shownAgain = (why: string) => choosePage(look, token, open.apps, { failure: why, isKept })
    if (failure) return sendPage(reply, 400, shownAgain(failure))
    const chosen = { token, password, keep_connections: isKept }
    const failed = await failureOf(voice, choosePassword(ctx, callerAddress(request), chosen))
    if (failed) return sendPage(reply, failed.status, shownAgain(failed.message))
    const text = voice.say('reset.done_text')
    const done = messagePage(voice.say('reset.done'), text, signIn(voice))
    return sendPage(reply, 200, { look, ...done })
  })

  scope.get<Token>(enterAt, async (request, reply) => {
    const { token } = request.params
    const open = await openSignInLink(visitorContext(runtime, request), token)
    if (!open) return sendPage(reply, 404, usedUp(request))
    const look = await lookOf(open.reads, request, { address: open.user.email })
    if (isOver(open)) return sendPage(reply, 404, { look, ...usedLink(look, token) })
    return sendPage(reply, 200, enterPage(look, token, open.user))
  })
  scope.post<Token>(enterAt, async (request, reply) => {
    const { token } = request.params
    const { code = '' } = formOf(request)
    const ctx = visitorContext(runtime, request)
    const open = await openSignInLink(ctx, token)
    const from = { address: callerAddress(request), user_agent: request.headers['user-agent'] }
    const look = open && (await lookOf(open.reads, request, { address: open.user.email }))
    let session: Awaited<ReturnType<typeof enterByLink>>
    const entering = async () => (session = await enterByLink(ctx, from, { open, token, code }))
    const failed = await failureOf(look?.voice ?? visitorVoice(request), entering())
    if (open && look && failed) {
      return sendPage(reply, failed.status, enterPage(look, token, open.user, failed.message))
    }
    if (!session) {
      const over = open && look && isOver(open) ? { look, ...usedLink(look, token) } : undefined
      return sendPage(reply, 404, over ?? usedUp(request))
    }
    return reply
      .header('set-cookie', sessionCookie(ctx.public_url, session))
      .header('referrer-policy', 'no-referrer')
      .header('cache-control', 'no-store')
      .redirect(session.path, 303)
  })

  // a new link for whoever comes too late, or a second time, to the address of the old one
  scope.post<Token>('/enter/:token/again', async (request, reply) => {
    const ctx = visitorContext(runtime, request)
    const open = await openSignInLink(ctx, request.params.token)
    if (!open) return sendPage(reply, 404, usedUp(request))
    const look = await lookOf(open.reads, request, { address: open.user.email })
    await offerAgain(ctx, open)
    const { say } = look.voice
    return sendPage(reply, 200, {
      look,
      ...messagePage(say('portal.link_sent'), say('portal.link_sent_text')),
    })
  })
}

/** The way to the screens, where there are any. */
export function signInLink({ config }: Runtime, { say }: Voice) {
  return config.workspace === 'off' ? undefined : { label: say('oauth.sign_in'), href: '/' }
}

type Token = { Params: { token: string } }

function isOver({ mailed }: SignInLink): boolean {
  return mailed !== undefined && mailed.state !== 'open'
}

/** What is wrong with the length of a new password, in words. */
export function passwordFailure({ say }: Voice, password: string): string | undefined {
  if (password.length < 8) return say('join.short')
  if (password.length > 1000) return say('join.long')
  return undefined
}

/** The translations of failures that can occur here. */
const failures: { [code: string]: MessageKey } = {
  common_password: 'join.common',
  invalid_token: 'link.used',
  wrong_code: 'enter.wrong_code',
}

/** The message for a caller's own mistake, in their language; other failures are rethrown. */
async function failureOf(
  voice: Voice,
  done: Promise<unknown>,
): Promise<{ status: number; message: string } | undefined> {
  try {
    await done
    return undefined
  } catch (error) {
    if (!(error instanceof Failure) || error.status >= 500 || error.status === 429) throw error
    const { status, code, message } = error
    return { status, message: failureText(voice, message, failures[code]) }
  }
}

function invitePage(
  look: Look,
  token: string,
  { full_name, email, organization, invited_by, expires_at }: Invited,
  failure?: string,
): Page {
  const { say, instant } = look.voice
  const title = say('join.title', { organization })
  return {
    look,
    title: errorTitle(look.voice, title, failure),
    main: html`<h1>${title}</h1>
      ${invited_by ? html`<p>${say('join.by', { person: invited_by, organization })}</p>` : ''}
      <p class="quiet">
        ${say('join.as', { email })} ${say('page.until', { date: instant(expires_at) })}.
      </p>
      <form method="post" action="/invite/${token}">
        ${wrong(failure)}
        <input type="hidden" name="username" autocomplete="username" value="${email}" />
        <label for="full_name">${say('join.name')}</label>
        <input
          id="full_name"
          name="full_name"
          autocomplete="name"
          maxlength="255"
          required
          value="${full_name}"
        />
        ${newPassword(look.voice, failure)}
        <div class="actions"><button class="main">${say('join.action')}</button></div>
      </form>`,
  }
}

/** Signs in by a button: programs that look into mails open links, and must not use this one up. */
function enterPage(
  look: Look,
  token: string,
  { email, has_codes, organization }: Verified,
  failure?: string,
): Page {
  const { say } = look.voice
  const title = say('enter.title', { organization: organization.name })
  return {
    look,
    title: errorTitle(look.voice, title, failure),
    main: html`<h1>${title}</h1>
      <p class="quiet">${say('enter.as', { email })}</p>
      <form method="post" action="/enter/${token}">
        ${wrong(failure)}
        ${
          has_codes
            ? html`<label for="code">${say('enter.code')}</label>
                <input
                  id="code"
                  name="code"
                  autocomplete="one-time-code"
                  maxlength="50"
                  required
                  ${invalid(failure)}
                />
                <p class="note">${say('enter.code_note')}</p>`
            : ''
        }
        <div class="actions"><button class="main">${say('enter.action')}</button></div>
      </form>`,
  }
}

/** For a link of a mail that was used or has expired: another, to the same address. */
export function usedLink({ voice: { say } }: Look, token: string): Pick<Page, 'title' | 'main'> {
  const title = say('link.used')
  return {
    title,
    main: html`<h1>${title}</h1>
      <p>${say('link.used_text')}</p>
      <form method="post" action="/enter/${token}/again">
        <div class="actions"><button class="main">${say('link.again')}</button></div>
      </form>`,
  }
}

function requestPage(voice: Voice, failure?: string): Page {
  const { say } = voice
  return {
    voice,
    title: errorTitle(voice, say('reset.title'), failure),
    main: html`<h1>${say('reset.title')}</h1>
      <p class="quiet">${say('reset.ask')}</p>
      <form method="post" action="/reset">
        ${wrong(failure)}
        <label for="email">${say('reset.email')}</label>
        <input
          id="email"
          name="email"
          type="email"
          autocomplete="username"
          maxlength="320"
          required
          ${invalid(failure)}
        />
        <div class="actions"><button class="main">${say('reset.send')}</button></div>
      </form>`,
  }
}

function choosePage(
  look: Look,
  token: string,
  apps: string[],
  { failure, isKept = false }: { failure?: string; isKept?: boolean } = {},
): Page {
  const { say } = look.voice
  return {
    look,
    title: errorTitle(look.voice, say('reset.action'), failure),
    main: html`<h1>${say('reset.action')}</h1>
      <p class="quiet">${say('reset.ends')}</p>
      <form method="post" action="/reset/${token}">
        ${wrong(failure)} ${newPassword(look.voice, failure)}
        ${connections(look.voice, apps, isKept)}
        <div class="actions"><button class="main">${say('reset.change')}</button></div>
      </form>`,
  }
}

/** The apps that act as the user, which end with the old password unless the user keeps them. */
function connections({ say }: Voice, apps: string[], isKept: boolean): Html {
  if (!apps.length) return html``
  const checked = isKept ? html`checked` : ''
  return html`<p class="note">${say('reset.connected', { apps: apps.join(', ') })}</p>
    <label class="choice">
      <input type="checkbox" name="keep" value="yes" ${checked} />
      <span>${say('reset.keep')}</span>
    </label>`
}

/** The field for a new password, with its rule. */
export function newPassword({ say }: Voice, failure?: string): Html {
  return html`<label for="password">${say('join.password')}</label>
    <input
      id="password"
      name="password"
      type="password"
      autocomplete="new-password"
      minlength="8"
      maxlength="1000"
      required
      ${invalid(failure)}
    />
    <p class="note">${say('join.password_note')}</p>`
}

/** The message of what is wrong, above the fields. */
export function wrong(failure?: string): Html {
  return failure ? html`<p class="wrong" id="wrong" role="alert">${failure}</p>` : html``
}

/** The attributes of a field that the message may be about. */
export function invalid(failure?: string): Html {
  return failure ? html`aria-invalid="true" aria-describedby="wrong"` : html``
}
