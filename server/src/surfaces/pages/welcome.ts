import type { FastifyInstance } from 'fastify'
import { html } from 'hono/html'
import { Failure } from '../../kit/ground/errors.ts'
import type { Runtime } from '../../runtime.ts'
import { accept, readInvitation } from '../application/invitations.ts'
import { choosePassword, openReset, requestReset } from '../application/passwords.ts'
import { callerAddress } from '../address.ts'
import type { Html, Page } from './page.ts'
import { messagePage, sendPage } from './page.ts'
import { formOf, visitorContext } from './plugin.ts'

const usedUp = messagePage(
  'This link does not work any more',
  'It was used, has expired, or was replaced by a newer one. Ask for another.',
)

/** The pages behind the links of two mails: an invitation, and a new password. */
export function welcomePages(scope: FastifyInstance, runtime: Runtime): void {
  const inviteAt = '/invite/:token'
  const resetAt = '/reset/:token'

  scope.get<Token>(inviteAt, async (request, reply) => {
    const { token } = request.params
    const invited = await readInvitation(visitorContext(runtime, request), token)
    if (!invited) return sendPage(reply, 404, usedUp)
    return sendPage(reply, 200, invitePage(token, invited))
  })
  scope.post<Token>(inviteAt, async (request, reply) => {
    const { token } = request.params
    const ctx = visitorContext(runtime, request)
    const invited = await readInvitation(ctx, token)
    if (!invited) return sendPage(reply, 404, usedUp)
    const { full_name = '', password = '' } = formOf(request)
    const failure = full_name.trim() ? passwordFailure(password) : 'Enter your name'
    const shown = { ...invited, full_name: full_name.slice(0, 255) }
    if (failure) return sendPage(reply, 400, invitePage(token, shown, failure))
    const input = { invite_token: token, password, full_name: shown.full_name }
    const failed = await failureOf(accept(ctx, callerAddress(request), input))
    if (failed) return sendPage(reply, failed.status, invitePage(token, shown, failed.message))
    return sendPage(
      reply,
      200,
      messagePage('Welcome', `You can now sign in to ${invited.organization} as ${invited.email}.`),
    )
  })

  scope.get('/reset', async (_request, reply) => sendPage(reply, 200, requestPage()))
  scope.post('/reset', async (request, reply) => {
    const { email = '' } = formOf(request)
    if (!email.includes('@') || email.length > 320) {
      return sendPage(reply, 400, requestPage('Enter your e-mail'))
    }
    await requestReset(visitorContext(runtime, request), callerAddress(request), { email })
    return sendPage(
      reply,
      200,
      messagePage(
        'Look into your mail',
        'If there is an account with this e-mail, a link to a new password is on its way. It works for an hour.',
      ),
    )
  })
  scope.get<Token>(resetAt, async (request, reply) => {
    const { token } = request.params
    const open = await openReset(visitorContext(runtime, request), token)
    return sendPage(reply, open ? 200 : 404, open ? choosePage(token, open.apps) : usedUp)
  })
  scope.post<Token>(resetAt, async (request, reply) => {
    const { token } = request.params
    const { password = '', keep } = formOf(request)
    const isKept = keep === 'yes'
    const ctx = visitorContext(runtime, request)
    const open = await openReset(ctx, token)
    if (!open) return sendPage(reply, 404, usedUp)
    const failure = passwordFailure(password)
    const shownAgain = (why: string) => choosePage(token, open.apps, { failure: why, isKept })
    if (failure) return sendPage(reply, 400, shownAgain(failure))
    const chosen = { token, password, keep_connections: isKept }
    const failed = await failureOf(choosePassword(ctx, callerAddress(request), chosen))
    if (failed) return sendPage(reply, failed.status, shownAgain(failed.message))
    return sendPage(
      reply,
      200,
      messagePage('Your password was changed', 'Every session was ended. You can sign in again.'),
    )
  })
}

type Token = { Params: { token: string } }

function passwordFailure(password: string): string | undefined {
  if (password.length < 8) return 'Choose a password of at least 8 characters'
  if (password.length > 1000) return 'Choose a password of at most 1,000 characters'
  return undefined
}

/** The failure of a caller's own mistake; other failures are thrown on. */
async function failureOf(done: Promise<unknown>): Promise<Failure | undefined> {
  try {
    await done
    return undefined
  } catch (error) {
    if (error instanceof Failure && error.status < 500 && error.status !== 429) return error
    throw error
  }
}

function invitePage(
  token: string,
  { full_name, email, organization }: { full_name: string; email: string; organization: string },
  failure?: string,
): Page {
  return {
    title: failure ? `Error: ${failure}` : `Join ${organization}`,
    main: html`<h1>Join ${organization}</h1>
      <p class="quiet">You are invited as <strong>${email}</strong>.</p>
      <form method="post" action="/invite/${token}">
        ${wrong(failure)}
        <input type="hidden" name="username" autocomplete="username" value="${email}" />
        <label for="full_name">Your name</label>
        <input
          id="full_name"
          name="full_name"
          autocomplete="name"
          maxlength="255"
          required
          value="${full_name}"
        />
        ${newPassword(failure)}
        <div class="actions"><button class="main">Join</button></div>
      </form>`,
  }
}

function requestPage(failure?: string): Page {
  return {
    title: failure ? `Error: ${failure}` : 'A new password',
    main: html`<h1>A new password</h1>
      <p class="quiet">Enter your e-mail, and a link to choose one is sent to you.</p>
      <form method="post" action="/reset">
        ${wrong(failure)}
        <label for="email">E-mail</label>
        <input
          id="email"
          name="email"
          type="email"
          autocomplete="username"
          maxlength="320"
          required
          ${invalid(failure)}
        />
        <div class="actions"><button class="main">Send the link</button></div>
      </form>`,
  }
}

function choosePage(
  token: string,
  apps: string[],
  { failure, isKept = false }: { failure?: string; isKept?: boolean } = {},
): Page {
  return {
    title: failure ? `Error: ${failure}` : 'Choose a new password',
    main: html`<h1>Choose a new password</h1>
      <p class="quiet">This ends all your sessions.</p>
      <form method="post" action="/reset/${token}">
        ${wrong(failure)} ${newPassword(failure)} ${connections(apps, isKept)}
        <div class="actions"><button class="main">Change the password</button></div>
      </form>`,
  }
}

/** The apps that act as the user, which end with the old password unless the user keeps them. */
function connections(apps: string[], isKept: boolean): Html {
  if (!apps.length) return html``
  const checked = isKept ? html`checked` : ''
  return html`<p class="note">
      Connected as you: <strong>${apps.join(', ')}</strong>. They are disconnected, since somebody
      who knew your password may have connected one.
    </p>
    <label class="choice">
      <input type="checkbox" name="keep" value="yes" ${checked} />
      <span>Keep them connected</span>
    </label>`
}

function newPassword(failure?: string): Html {
  return html`<label for="password">Password</label>
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
    <p class="note">At least 8 characters.</p>`
}

function wrong(failure?: string): Html {
  return failure ? html`<p class="wrong" id="wrong" role="alert">${failure}</p>` : html``
}

function invalid(failure?: string): Html {
  return failure ? html`aria-invalid="true" aria-describedby="wrong"` : html``
}
