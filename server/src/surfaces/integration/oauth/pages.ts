import { html } from 'hono/html'
import { inPlainWords } from '../../../records/apps/scopes.ts'
import type { Caller } from '../../../runtime.ts'
import type { Page } from '../../pages/page.ts'
import type { AuthorizeRequest } from './request.ts'

/** Where consent is entered, and where the forms of its pages go. */
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

/** What was tried and why it did not work. */
export type Failed = { email?: string; message: string }

/** E-mail and password, to connect an app. `sealed` is the request of the app. */
export function signInPage(
  { client }: AuthorizeRequest,
  sealed: string,
  { failed, hasProvider = false }: { failed?: Failed; hasProvider?: boolean } = {},
): Page {
  // after a mistake it is the password that is typed again
  const atPassword = Boolean(failed?.email)
  const wrong = failed ? html`aria-invalid="true" aria-describedby="wrong"` : ''
  return {
    title: failed ? `Error: ${failed.message}` : 'Sign in',
    main: html`<h1>Sign in to ${client.organization.name}</h1>
      <p class="quiet"><strong>${client.name}</strong> would like to connect to it.</p>
      <form method="post" action="${paths.signIn}">
        <input type="hidden" name="request" value="${sealed}" />
        ${failed ? html`<p class="wrong" id="wrong" role="alert">${failed.message}</p>` : ''}
        <label for="email">E-mail</label>
        <input
          id="email"
          name="email"
          type="email"
          autocomplete="username"
          maxlength="320"
          required
          value="${failed?.email ?? ''}"
          ${wrong}
          ${atPassword ? '' : html`autofocus`}
        />
        <label for="password">Password</label>
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
        <div class="actions">
          <button class="main">Sign in</button>
          <button name="decision" value="deny" formaction="${paths.consent}" formnovalidate>
            Cancel
          </button>
        </div>
      </form>
      ${
        hasProvider
          ? html`<p class="instead">
              <a href="${paths.openid}?request=${encodeURIComponent(sealed)}"
                >Sign in with single sign-on</a
              >
            </p>`
          : ''
      }`,
  }
}

/** The code of an authenticator app, after the password was right. */
export function codePage(
  { client }: AuthorizeRequest,
  sealed: string,
  challenge: string,
  failed?: Failed,
): Page {
  return {
    title: failed ? `Error: ${failed.message}` : 'Enter your code',
    main: html`<h1>Enter your code</h1>
      <p class="quiet">
        Your authenticator app shows it. A recovery code works too.
        <strong>${client.name}</strong> would like to connect to ${client.organization.name}.
      </p>
      <form method="post" action="${paths.code}">
        <input type="hidden" name="request" value="${sealed}" />
        <input type="hidden" name="challenge" value="${challenge}" />
        ${failed ? html`<p class="wrong" id="wrong" role="alert">${failed.message}</p>` : ''}
        <label for="code">Code</label>
        <input
          id="code"
          name="code"
          autocomplete="one-time-code"
          autocapitalize="none"
          spellcheck="false"
          maxlength="50"
          required
          ${failed ? html`aria-invalid="true" aria-describedby="wrong"` : ''}
          autofocus
        />
        <div class="actions">
          <button class="main">Sign in</button>
          <button name="decision" value="deny" formaction="${paths.consent}" formnovalidate>
            Cancel
          </button>
        </div>
      </form>`,
  }
}

type SignedIn = Caller & { email: string }

/** What the app would be allowed to, in plain words, for the user to approve or deny. */
export function consentPage(
  { client, scopes, redirect_uri }: AuthorizeRequest,
  sealed: string,
  user: SignedIn,
): Page {
  const sentences = inPlainWords(scopes)
  return {
    title: `Connect ${client.name}`,
    main: html`<h1>Connect ${client.name} to ${client.organization.name}?</h1>
      ${client.description ? html`<p class="quiet">${client.description}</p>` : ''}
      ${
        sentences.length
          ? html`<h2>${client.name} will be able to</h2>
              <ul class="ticks">
                ${sentences.map((sentence) => html`<li>${sentence}</li>`)}
              </ul>`
          : html`<p>${client.name} will only see the name of your organization.</p>`
      }
      <p class="note">It acts as you: it never sees or changes more than you may yourself.</p>
      <form method="post" action="${paths.consent}">
        <input type="hidden" name="request" value="${sealed}" />
        <div class="actions">
          <button class="main" name="decision" value="approve">Approve</button>
          <button name="decision" value="deny">Deny</button>
        </div>
      </form>
      ${whoIs(user, sealed)}
      <p class="note">You will go back to ${placeOf(redirect_uri)}.</p>`,
  }
}

/** The same for a user whose role may not connect apps. */
export function mayNotPage({ client }: AuthorizeRequest, sealed: string, user: SignedIn): Page {
  return {
    title: `You may not connect ${client.name}`,
    main: html`<h1>You may not connect ${client.name}</h1>
      <p>
        Your role in ${client.organization.name} does not allow connecting apps. Ask an
        administrator or manager to do it, or sign in as one.
      </p>
      ${whoIs(user, sealed)}
      <form method="post" action="${paths.consent}">
        <input type="hidden" name="request" value="${sealed}" />
        <div class="actions">
          <button name="decision" value="deny">Back to ${client.name}</button>
        </div>
      </form>`,
  }
}

function whoIs({ actor, email }: SignedIn, sealed: string) {
  return html`<form class="who" method="post" action="${paths.signOut}">
    <input type="hidden" name="request" value="${sealed}" />
    <strong>${actor.full_name}</strong>
    <span class="quiet">${email}</span><br />
    <button class="link">Use another account</button>
  </form>`
}

/** The host of a web address, the scheme of an app on the device. */
function placeOf(uri: string): string {
  const { protocol, host } = new URL(uri)
  return protocol === 'https:' || protocol === 'http:'
    ? host
    : `an app on this device (${protocol})`
}
