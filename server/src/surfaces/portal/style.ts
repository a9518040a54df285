import { scaleStyle } from '../pages/style.ts'

/** The style of the portal, added to that of all pages: one column on phones, two beside each other on wider screens. */
export const portalStyle = `
body { display: block; padding: 0 0 88px; }
body > header {
  display: flex; flex-wrap: wrap; gap: 8px 20px; align-items: center; max-width: none; padding: 10px 16px;
  background: var(--card); border-bottom: 1px solid var(--line); text-align: start;
}
header .brand { display: flex; gap: 8px; align-items: center; color: inherit; text-decoration: none; }
header form { display: flex; gap: 6px; align-items: center; margin: 0; }
header label { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
header select { min-height: 44px; padding: 6px 10px; font-size: 15px; max-width: min(320px, 70vw); }
header .space { flex: 1; }
header details { position: relative; }
header summary { min-height: 44px; padding: 8px 10px; font-size: 15px; font-weight: 600; cursor: pointer; border-radius: 10px; }
header details > div {
  position: absolute; z-index: 1; inset-inline-end: 0; min-width: 220px; padding: 8px; background: var(--card);
  border: 1px solid var(--line); border-radius: 12px; box-shadow: 0 8px 24px rgb(0 0 0 / 18%);
}
header details > div > a, header details button { display: block; width: 100%; padding: 10px 12px; text-align: start; border: 0; font-weight: 600; color: var(--ink); text-decoration: none; border-radius: 8px; }
header details > div > a:hover { background: var(--tint); }
main { max-width: 1120px; margin: 0 auto; padding: 24px 16px; background: none; border: 0; box-shadow: none; border-radius: 0; }
main > h1 { margin-bottom: 4px; }
.lead { margin: 0 0 20px; color: var(--quiet); font-size: 17px; }
.lead strong { color: var(--ink); }
.columns { display: grid; gap: 20px; align-items: start; }
.columns > div { display: grid; gap: 20px; min-width: 0; }
.card { padding: 20px; background: var(--card); border: 1px solid var(--line); border-radius: 14px; min-width: 0; }
.card > h2:first-child { margin-top: 0; }
.card.first { border-color: var(--accent); }
.card.first .over { margin: 0 0 6px; color: var(--accent); font-size: 14px; font-weight: 650; }
.card.first h2 { margin: 0 0 6px; font-size: 20px; line-height: 1.3; }
.card .actions { margin-top: 16px; }
.card .actions > * { flex: 0 1 auto; }
.card .actions button, .card .actions .button { min-width: 0; }
a.button {
  display: inline-flex; align-items: center; justify-content: center; min-height: 46px; padding: 10px 18px;
  color: var(--ink); border: 1px solid var(--edge); border-radius: 10px; text-decoration: none;
}
a.button:hover { background: var(--tint); }
a.button.main { color: var(--on-action, var(--on-accent)); background: var(--action, var(--accent)); border-color: var(--action-edge, var(--accent)); }
ul.rows { margin: 0; padding: 0; list-style: none; }
ul.rows li { display: flex; flex-wrap: wrap; gap: 8px 12px; align-items: center; padding: 12px 0; border-top: 1px solid var(--line); }
ul.rows li:first-child { border-top: 0; }
ul.rows .what { flex: 1 1 200px; min-width: 0; overflow-wrap: anywhere; }
ul.rows .what a { text-decoration: none; }
ul.rows .what a:hover { text-decoration: underline; }
ul.rows .what > a, ul.rows .what > strong { display: block; font-weight: 600; color: var(--ink); }
ul.rows .what > a.mail { color: var(--accent); font-weight: 400; font-size: 14px; }
ul.rows .what > span { color: var(--quiet); font-size: 14px; }
ul.rows li > a.button, ul.rows form button { min-height: 44px; }
ul.rows li.done .what > a { color: var(--quiet); font-weight: 400; }
ol.steps { display: grid; gap: 14px; margin: 0; padding: 0; list-style: none; }
ol.steps li { position: relative; padding-inline-start: 36px; min-width: 0; }
ol.steps li::before {
  content: ""; position: absolute; inset-inline-start: 0; top: 1px; width: 22px; height: 22px; border-radius: 50%;
  border: 2px solid var(--edge); background: var(--card);
}
ol.steps li[data-state="now"]::before { border: 7px solid var(--accent); }
ol.steps li[data-state="done"]::before { border-color: var(--accent); background: var(--accent); }
ol.steps li[data-state="done"]::after {
  content: ""; position: absolute; inset-inline-start: 8px; top: 6px; width: 7px; height: 11px;
  border: solid var(--on-accent); border-width: 0 2.5px 2.5px 0; transform: rotate(40deg);
}
ol.steps strong { display: block; font-size: 15px; overflow-wrap: anywhere; }
ol.steps a { display: inline-block; padding: 10px 0; }
ol.steps span { color: var(--quiet); font-size: 14px; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.said { margin: 0; padding: 0; list-style: none; }
.said li { padding: 8px 0; overflow-wrap: anywhere; }
.said p { margin: 2px 0 0; white-space: pre-line; }
.said time { color: var(--quiet); font-size: 13px; }
.card textarea { min-height: 84px; }
.card details { margin-top: 16px; }
.card summary { min-height: 44px; padding: 10px 0; font-weight: 600; color: var(--accent); cursor: pointer; }
.notice { display: flex; flex-wrap: wrap; gap: 12px; align-items: center; margin: 0 0 20px; padding: 10px 16px; border-radius: 12px; background: var(--tint); font-weight: 600; }
.notice form { margin: 0; }
.preview { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: center; margin: 0 0 20px; padding: 8px 16px; border-radius: 12px; border: 1px solid #d9a441; background: color-mix(in oklab, #d9a441 18%, var(--card)); }
.preview span { flex: 1 1 240px; font-weight: 600; }
.preview form { margin: 0; }
.preview a { color: var(--ink); }
.narrow .card + .card { margin-top: 20px; }
.card > .actions:first-child { margin-top: 0; }
fieldset { margin: 16px 0 0; padding: 0; border: 0; min-width: 0; }
legend { padding: 0; margin: 0 0 6px; font-weight: 600; font-size: 15px; }
fieldset label { margin-top: 8px; font-weight: 400; }
.scale { display: grid; grid-template-columns: repeat(auto-fit, minmax(40px, 1fr)); gap: 8px; }
${scaleStyle}.ends { display: flex; justify-content: space-between; gap: 16px; color: var(--quiet); font-size: 14px; }
.narrow { max-width: 680px; }
nav.foot {
  position: fixed; inset: auto 0 0; display: flex; background: var(--card); border-top: 1px solid var(--line);
  padding-bottom: env(safe-area-inset-bottom);
}
nav.foot a { flex: 1; min-width: 0; padding: 14px 2px; text-align: center; font-size: 13px; text-decoration: none; color: var(--quiet); overflow-wrap: anywhere; }
nav.foot a[aria-current] { color: var(--accent); }
@media (min-width: 860px) {
  body { padding-bottom: 24px; }
  body > header { padding: 12px 32px; }
  main { padding: 28px 32px; }
  .columns { grid-template-columns: minmax(0, 2fr) minmax(280px, 1fr); }
  .columns > .across { grid-column: 1 / -1; order: -1; }
  .across ol.steps { grid-auto-flow: column; grid-auto-columns: minmax(0, 1fr); }
  .across ol.steps li { padding: 34px 12px 0 0; }
  .across ol.steps li:not(:last-child) { background: linear-gradient(var(--line), var(--line)) no-repeat 28px 11px / calc(100% - 34px) 2px; }
  nav.foot { display: none; }
}
@media (max-width: 460px) {
  body { padding: 0 0 88px; }
  main { padding: 20px 16px; border-radius: 0; }
  .card.first .actions > *, .card.first .actions button { width: 100%; }
}
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
@media print { nav.foot, body > header form, form { display: none; } }
`

/**
 * Shows what somebody else changed without a reload, as long as nothing is typed; sends the choices of the bar at
 * once. The pages work without it.
 */
export const portalScript = `
for (const each of document.querySelectorAll('[data-at-once]')) {
  each.addEventListener('change', () => each.form.requestSubmit())
  each.form.querySelector('button').hidden = true
}
const main = document.querySelector('main')
const isTyped = (each) => /checkbox|radio/.test(each.type) ? each.checked !== each.defaultChecked
  : each.tagName === 'SELECT' ? [...each.options].some((one) => one.selected !== one.defaultSelected && one.value)
  : each.value !== each.defaultValue
const isBusy = () => main.contains(document.activeElement) && document.activeElement.matches('input, textarea, select')
  || [...main.querySelectorAll('input:not([type=hidden]), textarea, select')].some(isTyped)
  || main.querySelector('details[open]') !== null
let timer
const refresh = async () => {
  if (document.hidden || isBusy()) return
  const answer = await fetch(location.pathname + location.search.replace(/[?&](done|asked|saved|rated|overview)=[^&]*/g, ''))
    .catch(() => undefined)
  if (!answer?.ok || isBusy()) return
  const next = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('main')
  if (!next) return
  const notice = main.querySelector('.notice')
  if (next.innerHTML === main.innerHTML) return
  const at = document.activeElement?.id
  main.replaceChildren(...(notice ? [notice] : []), ...next.childNodes)
  if (at) document.getElementById(at)?.focus()
}
const source = new EventSource('/api/stream/')
for (const name of ['changed', 'many']) {
  source.addEventListener(name, () => { clearTimeout(timer); timer = setTimeout(refresh, 400) })
}
source.addEventListener('session', () => location.reload())
addEventListener('pagehide', () => source.close())
addEventListener('pageshow', (event) => { if (event.persisted) location.reload() })
`
