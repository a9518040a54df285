import type { FastifyInstance, FastifyRequest } from 'fastify'
import { mine, sql } from '../../kit/ground/sql.ts'
import { catalogues } from '../../model/languages/language.ts'
import type { StoredSurvey } from '../../model/surveys/survey.ts'
import type { StoredEmbed } from '../../records/surveys/links/embed.ts'
import { readEmbed } from '../../records/surveys/links/embed.ts'
import { limitsOf } from '../../records/surveys/responses/limits.ts'
import type { Runtime } from '../../runtime.ts'
import { system } from '../../runtime.ts'
import { findOrganization } from '../organization.ts'
import type { Page } from './page.ts'
import { visitorContext } from './plugin.ts'

type Keyed = { Querystring: { key?: string } }
type Embedded = Pick<
  StoredSurvey,
  'name' | 'status' | 'is_active' | 'end_date' | 'response_limit' | 'response_count' | 'item_type'
> & { embed: StoredEmbed | null }

/**
 * The script with which pages of other sites show a survey: `<script src="…/survey.js?key=…" async></script>`. It
 * contains the rules, so that a page needs to allow no more than this script and this frame.
 */
export function surveyScripts(scope: FastifyInstance, runtime: Runtime): void {
  scope.get<Keyed>('/survey.js', async (request, reply) => {
    const { key = '' } = request.query
    const survey = await embeddedSurvey(runtime, request, key)
    return (
      reply
        .code(survey ? 200 : 404)
        .header('content-type', 'text/javascript; charset=utf-8')
        .header('cache-control', `public, max-age=${survey ? 300 : 60}`)
        // pages of other sites must be able to load it, even with cross-origin isolation
        .header('cross-origin-resource-policy', 'cross-origin')
        .send(
          survey?.embed
            ? scriptOf(runtime.config.publicUrl, survey, survey.embed)
            : nothing(survey),
        )
    )
  })
}

type Shown = { id: string; name: string; embed: StoredEmbed | undefined }

/** The survey of a key, with its rules where pages show it now; undefined if the key is unknown. */
async function embeddedSurvey(
  runtime: Runtime,
  request: FastifyRequest,
  key: string,
): Promise<Shown | undefined> {
  const visitor = visitorContext(runtime, request)
  const its = readEmbed(visitor.secrets, key)
  const organization = its && (await findOrganization(visitor.lookup, its.organization))
  if (!organization) return undefined
  const ctx = visitor.actAs({ organization, actor: system }).reads
  const survey = await ctx.one<Embedded>(sql`
    select t.name, t.status, t.is_active, t.end_date, t.response_limit, t.response_count,
      t.item_type, t.embed
    from surveys t where ${mine(ctx)} and t.id = ${its.survey} and t.deleted_at is null`)
  if (!survey) return undefined
  const { name, embed } = survey
  const isShown = embed?.is_active && limitsOf(ctx, survey).accepting_responses
  return { id: its.survey, name, embed: isShown ? embed : undefined }
}

function nothing(survey: Shown | undefined): string {
  const why = survey ? 'This survey is not shown now' : 'The key of this survey is unknown'
  return `console.info(${JSON.stringify(why)})\n`
}

function scriptOf(base: string, { id, name }: Shown, rules: StoredEmbed): string {
  const close = Object.fromEntries(
    Object.entries(catalogues).map(([language, texts]) => [language, texts['survey.close']]),
  )
  const given = { base, id, name, close, ...rules }
  return `(${script})(${JSON.stringify(given).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')})\n`
}

/** A page of a survey in a frame of another site: without a ground of its own, and it says how high it is. */
export function embedded(page: Page, sites: string[] = []): Page {
  return {
    ...page,
    isFramed: true,
    framedBy: sites,
    style: `${page.style ?? ''}\n${embedStyle}`,
    script: `${page.script ?? ''}${page.script ? '' : 'parent.postMessage({ perennial: "over" }, "*")'}${sizeScript}`,
  }
}

const embedStyle = [
  'body { min-height: 0; padding: 0; gap: 0; justify-content: flex-start; align-items: stretch; background: var(--card); }',
  'body > header { justify-content: flex-start; padding: 20px 52px 0 20px; font-size: 14px; color: var(--quiet); }',
  'body > header img { height: 28px; max-width: 160px; }',
  'main { max-width: none; border: 0; border-radius: 0; padding: 12px 20px 20px; box-shadow: none; }',
  'h1 { font-size: 20px; }',
].join('\n')

const sizeScript = `
new ResizeObserver(() => {
  parent.postMessage({ perennial: 'size', height: Math.ceil(document.body.getBoundingClientRect().height) }, '*')
}).observe(document.body)
`

/**
 * What the script does. It stores nothing and sets no cookie, unless the page says that its visitor has consented:
 * with \`data-consent\` on the script, or later by the event \`perennial:consent\` of the document. Then the browser's
 * local storage has whether the survey was shown to the visitor, and when.
 */
const script = `(survey) => {
  const own = document.currentScript
  const base = own?.src ? new URL(own.src).origin : survey.base
  const shown = (window.perennialSurveys ??= {})
  if (shown[survey.id]) return
  shown[survey.id] = true
  const isHere = (site) => (site[0] === '*' ? location.host.endsWith(site.slice(1)) : location.host === site)
  if (survey.sites?.length && !survey.sites.some(isHere)) return console.info('This survey is not for this site')
  const name = 'perennial-survey-' + survey.id
  let mayStore = own?.dataset.consent !== undefined
  let known = null
  const read = () => {
    try { known = JSON.parse(localStorage.getItem(name)) } catch { known = null }
    const days = survey.again_after_days
    if (known && days && Date.now() - known.at > days * 86400000) known = null
  }
  const note = (chosen) => {
    known = { chosen, at: Date.now() }
    if (!mayStore) return
    try { localStorage.setItem(name, JSON.stringify(known)) } catch { /* a full or forbidden store */ }
  }
  if (mayStore) read()
  if (known) return
  const dice = crypto.getRandomValues(new Uint32Array(1))[0] / 2 ** 32 * 100
  const isChosen = dice < survey.visitors_percent
  document.addEventListener('perennial:consent', () => {
    mayStore = true
    const mine = known
    read()
    if (known && !mine) clearInterval(timer)
    else if (mine) note(mine.chosen)
  })
  if (!isChosen) return note(false)

  const fits = (pattern) => {
    const text = location.origin + location.pathname + location.search
    const from = pattern.startsWith('/') ? location.pathname + location.search : text
    return [from, from.split('?')[0]].some((address) => isLike(address, pattern))
  }
  const isLike = (text, pattern) => {
    const parts = pattern.split('*')
    if (parts.length === 1) return text === pattern
    const first = parts.shift(), last = parts.pop()
    if (!text.startsWith(first)) return false
    let at = first.length
    for (const part of parts) {
      const found = text.indexOf(part, at)
      if (found < 0) return false
      at = found + part.length
    }
    return text.length - last.length >= at && text.endsWith(last)
  }
  let since = Date.now(), address = location.href
  const isDue = () => {
    if (location.href !== address) { address = location.href; since = Date.now() }
    if (survey.pages.length && !survey.pages.some(fits)) return false
    if (Date.now() - since < survey.wait_seconds * 1000) return false
    const { scrollTop, clientHeight, scrollHeight } = document.scrollingElement ?? document.documentElement
    return (scrollTop + clientHeight) / scrollHeight * 100 >= survey.scroll_percent || scrollTop + clientHeight >= scrollHeight - 1
  }
  const timer = setInterval(() => { if (isDue()) { clearInterval(timer); show() } }, 250)

  const show = () => {
    const isInline = survey.kind === 'inline'
    const place = isInline && (own?.dataset.target ? document.querySelector(own.dataset.target) : null)
    if (isInline && !place && !(own?.isConnected && document.body.contains(own))) {
      return console.error('The survey has no place: put its script there, or name one in data-target')
    }
    note(true)
    const language = document.documentElement.lang.slice(0, 2).toLowerCase()
    const host = document.createElement('div')
    const root = host.attachShadow({ mode: 'open' })
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(style)
    root.adoptedStyleSheets = [sheet]
    const box = document.createElement(isInline ? 'section' : survey.kind === 'popup' ? 'dialog' : 'div')
    box.className = survey.kind
    box.setAttribute('aria-label', survey.name)
    const frame = document.createElement('iframe')
    frame.title = survey.name
    frame.src = base + '/s/embed/' + survey.key + (survey.close[language] ? '?lang=' + language : '')
    box.append(frame)
    root.append(box)
    const before = document.activeElement
    const end = () => {
      removeEventListener('message', hear)
      host.remove()
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    }
    const hear = ({ source, origin, data }) => {
      if (source !== frame.contentWindow || origin !== new URL(base).origin) return
      if (data?.perennial === 'size') frame.style.height = Math.min(20000, Math.max(0, Number(data.height) || 0)) + 'px'
      if (data?.perennial === 'over') host.dispatchEvent(new CustomEvent('perennial:over', { bubbles: true }))
    }
    addEventListener('message', hear)
    if (isInline) return place ? place.append(host) : own.before(host)
    const close = document.createElement('button')
    close.type = 'button'
    close.textContent = '\\u00d7'
    close.setAttribute('aria-label', survey.close[language] ?? survey.close.en)
    close.addEventListener('click', () => (box.open ? box.close() : end()))
    box.prepend(close)
    document.body.append(host)
    if (survey.kind === 'popup') {
      box.addEventListener('close', end)
      box.showModal()
    } else {
      box.setAttribute('role', 'dialog')
      box.addEventListener('keydown', ({ key }) => { if (key === 'Escape') end() })
    }
  }
  const style = \`
    :host { all: initial; display: block; color-scheme: light dark; }
    iframe { display: block; width: 100%; height: 320px; border: 0; }
    .popup, .slide_in {
      box-sizing: border-box; padding: 0; overflow: auto; overscroll-behavior: contain;
      width: min(480px, calc(100vw - 32px)); max-height: calc(100vh - 32px);
      border: 1px solid rgb(127 127 127 / 40%); border-radius: 14px;
      background: light-dark(#fff, #161d19); box-shadow: 0 8px 32px rgb(0 0 0 / 25%);
    }
    .slide_in {
      position: fixed; z-index: 2147483000; right: 16px; bottom: 16px;
      width: min(400px, calc(100vw - 32px)); max-height: min(640px, calc(100vh - 32px));
    }
    @media (prefers-reduced-motion: no-preference) {
      .slide_in { animation: slide 240ms ease-out; }
      @keyframes slide { from { transform: translateY(32px); opacity: 0; } }
    }
    dialog::backdrop { background: rgb(0 0 0 / 45%); }
    button {
      position: sticky; float: right; top: 8px; margin: 8px 8px -44px 0; z-index: 1;
      width: 36px; height: 36px; border: 0; border-radius: 18px; cursor: pointer;
      background: light-dark(#eef1ef, #27302b); color: light-dark(#17211c, #e6ece8); font: 22px/1 system-ui, sans-serif;
    }
    button:focus-visible { outline: 3px solid light-dark(#14704c, #4fbf8d); outline-offset: 2px; }
  \`
}`
