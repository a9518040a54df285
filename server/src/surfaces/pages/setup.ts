import type { FastifyInstance, FastifyRequest } from 'fastify'
import { attemptOf } from '../../kit/ground/address.ts'
import { allOrganizations } from '../../kit/ground/context.ts'
import { isEmailAddress, withReadableDomain } from '../../kit/ground/email-address.ts'
import { Failure } from '../../kit/ground/errors.ts'
import { html } from '../../kit/ground/html-template.ts'
import { isTimeZone } from '../../kit/ground/time.ts'
import type { MessageKey, Voice } from '../../model/languages/language.ts'
import { checkPassword } from '../../records/users/password-rules.ts'
import type { Runtime } from '../../runtime.ts'
import { demonstrations, isSetupOpen, makeFirst } from '../../setup.ts'
import { callerAddress } from '../address.ts'
import { startBrowserSession } from '../application/sign-in.ts'
import { sessionCookie } from '../application/web/cookie.ts'
import { failureText, visitorVoice } from './look.ts'
import type { Page } from './page.ts'
import { errorTitle, messagePage, sendPage } from './page.ts'
import { formOf, visitorContext } from './plugin.ts'
import { invalid, newPassword, passwordFailure, signInLink, wrong } from './welcome.ts'

const currencies = Intl.supportedValuesOf('currency')
const zones = Intl.supportedValuesOf('timeZone')

/** Proposes the zone of the browser, where nothing was chosen yet. */
const script = `
const zone = document.getElementById('timezone')
const own = Intl.DateTimeFormat().resolvedOptions().timeZone
if (!zone.value && [...zone.options].some(({ value }) => value === own)) zone.value = own`

/** The page of the link that a start without an organization prints: whoever has it makes the first one. */
export function setupPages(scope: FastifyInstance, runtime: Runtime): void {
  const at = '/setup/:token'
  const named = () => demonstrations(runtime.database.reads(allOrganizations))

  scope.get<Token>(at, async (request, reply) => {
    const { token } = request.params
    const voice = visitorVoice(request)
    if (!(await isSetupOpen(runtime, token))) return sendPage(reply, 404, usedUp(runtime, voice))
    const shown = { demos: runtime.removeOrganization ? await named() : [], values: {} }
    return sendPage(reply, 200, setupPage(voice, token, shown))
  })

  scope.post<Token>(at, async (request, reply) => {
    const { token } = request.params
    const voice = visitorVoice(request)
    if (!(await isSetupOpen(runtime, token))) return sendPage(reply, 404, usedUp(runtime, voice))
    const { password = '', ...values } = formOf(request)
    const demos = runtime.removeOrganization ? await named() : []
    const again = (failure: string, status = 400) =>
      sendPage(reply, status, setupPage(voice, token, { demos, values, failure }))
    const failure = missing(voice, values) ?? passwordFailure(voice, password)
    if (failure) return again(failure)
    try {
      const { session, user } = await begin(runtime, request, { ...values, password })
      reply.header('set-cookie', sessionCookie(runtime.config.publicUrl, session))
      const isLeft = values.remove === 'yes' && !(await allRemoved(runtime, demos))
      if (!isLeft) return await reply.header('cache-control', 'no-store').redirect('/', 303)
      const next = {
        label: voice.say('setup.open', { organization: user.organization }),
        href: '/',
      }
      const text = voice.say('setup.left_text')
      return await sendPage(reply, 200, {
        voice,
        ...messagePage(voice.say('setup.left'), text, next),
      })
    } catch (error) {
      if (!(error instanceof Failure) || error.status >= 500 || error.status === 429) throw error
      if (error.status === 404) return sendPage(reply, 404, usedUp(runtime, voice))
      return again(failureText(voice, error.message, failures[error.code]), error.status)
    }
  })
}

type Token = { Params: { token: string } }
type Values = { [name: string]: string }

const failures: { [code: string]: MessageKey } = {
  common_password: 'join.common',
  name_taken: 'setup.taken',
}

function usedUp(runtime: Runtime, voice: Voice): Page {
  const { say } = voice
  return {
    voice,
    ...messagePage(say('link.used'), say('setup.used_text'), signInLink(runtime, voice)),
  }
}

/** What is missing or wrong of what was entered, by the first field of which it is true. */
function missing({ say }: Voice, values: Values): string | undefined {
  const { name = '', currency = '', timezone = '', full_name = '', email = '' } = values
  if (!name.trim() || name.length > 255) return say('setup.enter_organization')
  if (!currencies.includes(currency)) return say('setup.choose_currency')
  if (!isTimeZone(timezone)) return say('setup.choose_timezone')
  if (!full_name.trim() || full_name.length > 255) return say('join.enter_name')
  if (!isEmailAddress(withReadableDomain(email.trim()))) return say('reset.enter_email')
  return undefined
}

/** Makes the organization, and signs its administrator in. */
async function begin(runtime: Runtime, request: FastifyRequest, values: Values) {
  const {
    name = '',
    currency = '',
    timezone = '',
    full_name = '',
    email = '',
    password = '',
  } = values
  const ctx = visitorContext(runtime, request)
  const address = callerAddress(request)
  const readable = withReadableDomain(email.trim())
  const owner = { email: readable, full_name: full_name.trim(), organization: name.trim() }
  await checkPassword(password, owner)
  const { organization, user_id } = await makeFirst(runtime, {
    name: owner.organization,
    timezone,
    currency_unit: currency,
    full_name: owner.full_name,
    email: owner.email,
    password_hash: await ctx.services.passwords.hash(password, attemptOf(address)),
  })
  const user = { ...owner, organization_id: organization.id, user_id, role: 'admin' }
  const from = { address, user_agent: request.headers['user-agent'], method: 'password' as const }
  const { session_id, secret } = await startBrowserSession(ctx, user, from)
  return { user, session: { organization_id: organization.id, session_id, secret } }
}

/** Removes the demonstrations; false if one is left, which the log explains. */
async function allRemoved(runtime: Runtime, demos: { id: string }[]): Promise<boolean> {
  try {
    for (const { id } of demos) await runtime.removeOrganization?.(id)
    return true
  } catch (err) {
    runtime.log.error({ err }, 'a demonstration was not removed')
    return false
  }
}

type Shown = { demos: { name: string }[]; values: Values; failure?: string }

function setupPage(voice: Voice, token: string, { demos, values, failure }: Shown): Page {
  const { say, language } = voice
  const title = say('setup.title')
  const labels = new Intl.DisplayNames(language, { type: 'currency' })
  const organization = new Intl.ListFormat(language).format(demos.map(({ name }) => name))
  const chosen = (value: string, name: string) => (values[name] === value ? html`selected` : '')
  return {
    voice,
    title: errorTitle(voice, title, failure),
    script,
    main: html`<h1>${title}</h1>
      <p class="quiet">${say('setup.text')}</p>
      <form method="post" action="/setup/${token}">
        ${wrong(failure)}
        <label for="name">${say('setup.organization')}</label>
        <input
          id="name"
          name="name"
          autocomplete="organization"
          maxlength="255"
          required
          value="${values.name ?? ''}"
        />
        <label for="currency">${say('setup.currency')}</label>
        <select id="currency" name="currency" required>
          <option value="">${say('setup.choose')}</option>
          ${currencies.map(
            (each) =>
              html`<option value="${each}" ${chosen(each, 'currency')}>
                ${each} · ${labels.of(each) ?? each}
              </option>`,
          )}
        </select>
        <label for="timezone">${say('setup.timezone')}</label>
        <select id="timezone" name="timezone" required>
          <option value="">${say('setup.choose')}</option>
          ${[...new Set(['UTC', ...zones])].map(
            (each) =>
              html`<option value="${each}" ${chosen(each, 'timezone')}>
                ${each.replaceAll('_', ' ')}
              </option>`,
          )}
        </select>
        <label for="full_name">${say('join.name')}</label>
        <input
          id="full_name"
          name="full_name"
          autocomplete="name"
          maxlength="255"
          required
          value="${values.full_name ?? ''}"
        />
        <label for="email">${say('reset.email')}</label>
        <input
          id="email"
          name="email"
          type="email"
          autocomplete="username"
          maxlength="320"
          required
          value="${values.email ?? ''}"
          ${invalid(failure)}
        />
        ${newPassword(voice, failure)}
        ${
          demos.length
            ? html`<label class="choice">
                <input
                  type="checkbox"
                  name="remove"
                  value="yes"
                  ${values.remove === 'yes' ? html`checked` : ''}
                />
                ${say('setup.remove', { organization })}
              </label>`
            : ''
        }
        <div class="actions"><button class="main">${say('setup.action')}</button></div>
      </form>`,
  }
}
