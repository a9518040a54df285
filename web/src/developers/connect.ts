import { api } from '../api/client.ts'
import { sendRaw } from '../data/integration.ts'
import type { App } from './queries.ts'
import { refresh } from './queries.ts'
import { consentAddress } from './sign.ts'
import { t } from '../locales/text.ts'

const channel = 'perennial consent'
type Consent = { state: string; code: string | null; error: string | null }

/**
 * Connects an app as the signed-in user, and returns an access token: opens the consent page in another
 * tab, which redirects to this page's address, and exchanges the code. Adds that address to the app.
 */
export async function connect(
  app: App,
  clientSecret: string,
  signal: AbortSignal,
): Promise<string> {
  const redirectUri = `${location.origin}/developers/try`
  const tab = window.open('about:blank', '_blank')
  if (!app.redirect_uris.includes(redirectUri)) {
    await api.put('/api/apps/{id}/', {
      path: { id: app.app_id },
      body: { redirect_uris: [...app.redirect_uris, redirectUri] },
    })
    void refresh('apps')
  }
  const state = crypto.randomUUID()
  const credentials = { clientId: app.client_id, clientSecret }
  const address = await consentAddress(credentials, redirectUri, state, Date.now())
  const answered = consentOf(state, signal)
  if (!tab) throw new Error(t('The browser has blocked the tab of the consent page'))
  tab.location.href = address
  const { code, error } = await answered
  if (!code) {
    throw new Error(
      error
        ? t('The app was not connected: {error}', { error })
        : t('The app was not connected: no code came back'),
    )
  }
  const { status, text } = await sendRaw({
    method: 'POST',
    path: '/oauth/token',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      client_id: app.client_id,
      client_secret: clientSecret,
    }),
  })
  const answer = JSON.parse(text) as { access_token?: string; error_description?: string }
  if (!answer.access_token) {
    throw new Error(`${status}: ${answer.error_description ?? text.slice(0, 200)}`)
  }
  return answer.access_token
}

function consentOf(state: string, signal: AbortSignal): Promise<Consent> {
  return new Promise((resolve, reject) => {
    const listening = new BroadcastChannel(channel)
    listening.addEventListener('message', ({ data }: MessageEvent<Consent>) => {
      if (data.state !== state) return
      listening.close()
      resolve(data)
    })
    signal.addEventListener('abort', () => {
      listening.close()
      reject(new Error('The page was left'))
    })
  })
}

let isReturn: boolean | undefined

/**
 * Whether this page is the one to which consent redirects; then it passes the code on, once however often
 * the page is rendered.
 */
export function isConsentReturn(): boolean {
  return (isReturn ??= announceConsent())
}

function announceConsent(): boolean {
  const query = new URLSearchParams(location.search)
  const state = query.get('state')
  if (!state || !(query.has('code') || query.has('error'))) return false
  const sending = new BroadcastChannel(channel)
  sending.postMessage({ state, code: query.get('code'), error: query.get('error') } as Consent)
  sending.close()
  history.replaceState(null, '', location.pathname)
  return true
}
