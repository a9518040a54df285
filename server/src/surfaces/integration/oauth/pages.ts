import type { FastifyRequest } from 'fastify'
import { html } from '../../../kit/ground/html-template.ts'
import { inPlainWords } from '../../../records/apps/scopes.ts'
import type { Caller } from '../../../runtime.ts'
import type { Look } from '../../pages/page.ts'
import { failureText, visitorVoice } from '../../pages/look.ts'
import type { Page } from '../../pages/page.ts'
import type { Html } from '../../../kit/ground/html-template.ts'
import { errorTitle, messagePage } from '../../pages/page.ts'
import type { Requester } from './clients.ts'
import { isDynamic } from './clients.ts'
import type { AuthorizeRequest } from './request.ts'

/** The addresses of the consent page, and of the forms on its pages. */
export const paths = {
  authorize: '/oauth/authorize',
  connect: '/oauth/connect',
  signIn: '/oauth/authorize/sign-in',
  code: '/oauth/authorize/code',
  openid: '/oauth/authorize/openid',
  openidReturn: '/openid/callback',
  consent: '/oauth/authorize/consent',
  signOut: '/oauth/authorize/sign-out',
}

/**
 * A failed attempt and its reason, with the code of the refusal; `several` if the e-mail is in
 * several organizations and one must be chosen.
 */
export type Failed = { email?: string; message: string; code?: string; several?: boolean }

/** E-mail and password, to connect an app. `sealed` is the request of the app. */
export function signInPage(
  look: Look,
  { client }: AuthorizeRequest,
  sealed: string,
  { failed, provider: host }: { failed?: Failed; provider?: string } = {},
): Page {
  const { say } = look.voice
  const organization = isDynamic(client) ? undefined : client.organization.name
  const heading =
    organization === undefined ? say('oauth.sign_in') : say('oauth.sign_in_to', { organization })
  // after a mistake the focus is on the password
  const atPassword = Boolean(failed?.email) && !failed?.several
  const message = failed && inWords(look, failed)
  const wrong = failed ? html`aria-invalid="true" aria-describedby="wrong"` : ''
  return {
    look,
    title: errorTitle(look.voice, say('oauth.sign_in'), message),
    main: html`<h1>${heading}</h1>
      <p class="quiet">${wantsText(look, client)}</p>
      ${provenance(look, client)}
      <form method="post" action="${paths.signIn}">
        <input type="hidden" name="request" value="${sealed}" />
        ${message ? html`<p class="wrong" id="wrong" role="alert">${message}</p>` : ''}
        <label for="email">${say('reset.email')}</label>
        <input
          id="email"
          name="email"
          type="email"
          autocomplete="username"
          maxlength="320"
          required
          value="${failed?.email ?? ''}"
          ${wrong}
          ${atPassword || failed?.several ? '' : html`autofocus`}
        />
        <label for="password">${say('join.password')}</label>
        <input
          id="password"
          name="password"
          type="password"
          autocomplete="current-password"
          maxlength="1000"
          required
          ${wrong}
          ${atPassword ? html`autofocus` : ''}
        />
        ${
          failed?.several
            ? html`<label for="organization">${say('oauth.organization')}</label>
                <input id="organization" name="organization" maxlength="255" required autofocus />`
            : ''
        }
        ${signInOrCancel(look)}
      </form>
      ${
        host !== undefined && organization !== undefined
          ? html`<p class="instead">
              <a href="${paths.openid}?request=${encodeURIComponent(sealed)}"
                >${say('oauth.elsewhere', { organization, host })}</a
              >
            </p>`
          : ''
      }`,
  }
}

/** The code of an authenticator app, after the password was right. */
export function codePage(
  look: Look,
  { client }: AuthorizeRequest,
  sealed: string,
  challenge: string,
  failed?: Failed,
): Page {
  const { say } = look.voice
  const message = failed && inWords(look, failed)
  return {
    look,
    title: errorTitle(look.voice, say('oauth.enter_code'), message),
    main: html`<h1>${say('oauth.enter_code')}</h1>
      <p class="quiet">${say('oauth.code_text')} ${wantsText(look, client)}</p>
      <form method="post" action="${paths.code}">
        <input type="hidden" name="request" value="${sealed}" />
        <input type="hidden" name="challenge" value="${challenge}" />
        ${message ? html`<p class="wrong" id="wrong" role="alert">${message}</p>` : ''}
        <label for="code">${say('oauth.code')}</label>
        <input
          id="code"
          name="code"
          autocomplete="one-time-code"
          autocapitalize="none"
          spellcheck="false"
          maxlength="50"
          required
          ${message ? html`aria-invalid="true" aria-describedby="wrong"` : ''}
          autofocus
        />
        ${signInOrCancel(look)}
      </form>`,
  }
}

function signInOrCancel({ voice: { say } }: Look): Html {
  return html`<div class="actions">
    <button class="main">${say('oauth.sign_in')}</button>
    <button name="decision" value="deny" formaction="${paths.consent}" formnovalidate>
      ${say('oauth.cancel')}
    </button>
  </div>`
}

type SignedIn = Caller & { email: string }

/** The consent page: what the app would be allowed to do, in plain words, to approve or deny. */
export function consentPage(
  look: Look,
  { client, scopes, redirect_uri }: AuthorizeRequest,
  sealed: string,
  user: SignedIn,
): Page {
  const { say } = look.voice
  const app = client.name
  const sentences = inPlainWords(scopes, look.voice)
  return {
    look,
    title: say('oauth.connect', { app }),
    main: html`<h1>${say('oauth.connect_to', { app, organization: user.organization.name })}</h1>
      ${provenance(look, client)}
      ${client.description ? html`<p class="quiet">${client.description}</p>` : ''}
      ${
        sentences.length
          ? html`<h2>${say('oauth.will', { app })}</h2>
              <ul class="ticks">
                ${sentences.map((sentence) => html`<li>${sentence}</li>`)}
              </ul>`
          : html`<p>${say('oauth.only_name', { app })}</p>`
      }
      <p class="note">${say('oauth.as_you')}</p>
      <form method="post" action="${paths.consent}">
        <input type="hidden" name="request" value="${sealed}" />
        <div class="actions">
          <button class="main" name="decision" value="approve">${say('oauth.approve')}</button>
          <button name="decision" value="deny">${say('oauth.deny')}</button>
        </div>
      </form>
      ${whoIs(look, user, sealed)}
      <p class="note">${say('oauth.back_to_place', { place: placeOf(look, redirect_uri) })}</p>`,
  }
}

/** The same for a user whose role may not connect apps. */
export function mayNotPage(
  look: Look,
  { client }: AuthorizeRequest,
  sealed: string,
  user: SignedIn,
): Page {
  const { say } = look.voice
  const app = client.name
  const title = say('oauth.may_not', { app })
  return {
    look,
    title,
    main: html`<h1>${title}</h1>
      <p>${say('oauth.may_not_text', { organization: user.organization.name })}</p>
      ${whoIs(look, user, sealed)}
      <form method="post" action="${paths.consent}">
        <input type="hidden" name="request" value="${sealed}" />
        <div class="actions">
          <button name="decision" value="deny">${say('oauth.back_to_app', { app })}</button>
        </div>
      </form>`,
  }
}

/** After a sign-in that was cancelled, for a client that the browser is not sent back to. */
export function cancelledPage(request: FastifyRequest, { name: app }: Requester): Page {
  const voice = visitorVoice(request)
  return {
    voice,
    ...messagePage(voice.say('oauth.cancelled'), voice.say('oauth.cancelled_text', { app })),
  }
}

/** Who requests access to what; for a client that nobody issued, the organization is not known yet. */
function wantsText({ voice: { say } }: Look, client: Requester): string {
  const { name: app } = client
  if (isDynamic(client)) return say('oauth.wants_some', { app })
  return say('oauth.wants', { app, organization: client.organization.name })
}

/** Who vouches for the name of a client that nobody here issued. */
function provenance({ voice: { say } }: Look, client: Requester): Html | '' {
  if (!isDynamic(client)) return ''
  const { host, name: app, publisher } = client
  if (publisher !== undefined) {
    return html`<p class="note">${say('oauth.listed_by', { app, publisher })}</p>`
  }
  return host === null
    ? html`<p class="note">${say('oauth.registered_itself', { app })}</p>`
    : html`<p class="note">${say('oauth.described_by', { app, host })}</p>`
}

function inWords({ voice }: Look, { message, code, several }: Failed): string {
  if (several) return voice.say('oauth.several')
  return failureText(voice, message, code === 'wrong_credentials' ? 'oauth.wrong' : undefined)
}

function whoIs({ voice: { say } }: Look, { actor, email }: SignedIn, sealed: string): Html {
  return html`<form class="who" method="post" action="${paths.signOut}">
    <input type="hidden" name="request" value="${sealed}" />
    <strong>${actor.full_name}</strong>
    <span class="quiet">${email}</span><br />
    <button class="link">${say('oauth.other_account')}</button>
  </form>`
}

/** The host of a web address, the scheme of an app on the device. */
function placeOf({ voice: { say } }: Look, uri: string): string {
  const { protocol, host } = new URL(uri)
  return protocol === 'https:' || protocol === 'http:'
    ? host
    : say('oauth.device', { scheme: protocol })
}
