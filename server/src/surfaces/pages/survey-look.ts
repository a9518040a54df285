import { hexColour, textOn } from '../../records/mail/colour.ts'
import { cssUrl, webAddress } from '../../kit/ground/web-address.ts'
import { rulesScript } from '../../model/forms/rules.ts'
import { scaleStyle } from './style.ts'

type Look = {
  background_color?: string | null
  background_url?: string | null
  action_color?: string | null
  field_border?: string | null
}

/** The style of a survey's fields, added to that of all pages; text stays readable on any color. */
export function surveyStyle({
  background_color,
  background_url,
  action_color,
  field_border,
}: Look): string {
  const ground = hexColour(background_color)
  const action = hexColour(action_color)
  const picture = webAddress(background_url ?? '')
  return [
    'main { max-width: 640px; }',
    'fieldset { margin: 16px 0 0; padding: 0; border: 0; min-width: 0; }',
    'legend { padding: 0; margin: 0 0 6px; font-weight: 600; font-size: 15px; }',
    'fieldset label { margin-top: 8px; font-weight: 400; }',
    'fieldset.row { margin: 8px 0 0 12px; }',
    '.question .wrong { margin: 0 0 8px; }',
    '.statement { margin: 24px 0 0; white-space: pre-line; }',
    '.over { margin: 0 0 4px; font-size: 14px; }',
    '.ends { display: flex; justify-content: space-between; gap: 16px; margin: 4px 0 0; color: var(--quiet); font-size: 14px; }',
    '.ends span:last-child { text-align: right; }',
    '.scale { display: grid; grid-template-columns: repeat(auto-fit, minmax(40px, 1fr)); gap: 6px; }',
    // seven fit in one line on a phone, too
    '.scale:has(> :nth-child(7):last-child) { grid-template-columns: repeat(7, minmax(0, 1fr)); gap: 4px; }',
    scaleStyle,
    '.parts { display: grid; grid-template-columns: repeat(auto-fit, minmax(200px, 1fr)); gap: 0 16px; }',
    '.pad svg { display: block; width: 100%; margin: 8px 0; border: 1px solid var(--edge); border-radius: 8px; background: #ffffff; color: #12264f; touch-action: none; cursor: crosshair; }',
    '.files { margin: 0; padding: 0; list-style: none; }',
    '.files li { display: flex; flex-wrap: wrap; gap: 4px 16px; align-items: center; justify-content: space-between; overflow-wrap: anywhere; }',
    '.label { margin: 16px 0 6px; font-weight: 600; font-size: 15px; }',
    'output { display: block; font-size: 20px; font-weight: 650; }',
    '.languages { display: flex; flex-wrap: wrap; gap: 4px 8px; margin: 0 0 12px; }',
    '.languages button { flex: 0 0 auto; min-width: 0; min-height: 40px; padding: 4px 12px; font-size: 14px; }',
    '.languages button[aria-current] { border-color: var(--accent); color: var(--accent); }',
    'progress { width: 100%; height: 6px; accent-color: var(--accent); }',
    field_border === 'Square'
      ? 'input, textarea, select, button, .scale .choice { border-radius: 0; }'
      : '',
    ground
      ? `body { background: ${ground}; } body > header, body > header svg { color: ${textOn(ground)}; fill: ${textOn(ground)}; }`
      : '',
    picture ? `body { background-image: ${cssUrl(picture)}; background-size: cover; }` : '',
    action
      ? `button.main, button.main:hover, .scale .choice:has(:checked) { background: ${action}; border-color: ${action}; color: ${textOn(action)}; }`
      : '',
  ]
    .filter(Boolean)
    .join('\n')
}

/**
 * Shows and hides questions that depend on others in the form, by the rules of the store themselves; says what earlier
 * answers put into later texts, calculates, takes drawn signatures, and stores what is answered when the page is left.
 */
export const surveyScript = `
${rulesScript}
const form = document.querySelector('[data-survey]')
const groups = () => form.querySelectorAll('[data-question], [data-section]')
const textOf = (value) => (typeof value === 'string' && value.trim() ? value.trim() : undefined)
const rowsOf = (all, as) => {
  const rows = all.filter((each) => each.checked).map((each) => [each.name.split('.').slice(2).join('.'), as(each.value)])
  return rows.length ? Object.fromEntries(rows) : undefined
}
const read = (root) => {
  const all = [...form.elements].filter((each) => each.name && each.closest('[data-question]') === root)
  const checked = all.filter((each) => each.checked)
  const value = all[0]?.value
  switch (root.dataset.type) {
    case 'statement': return undefined
    case 'consent': return checked.length > 0
    case 'yes-no': return checked.length ? checked[0].value === 'yes' : undefined
    case 'single-select': return checked[0]?.value
    case 'multi-select': return checked.length ? checked.map((each) => each.value) : undefined
    case 'nps': case 'csat': case 'ces': case 'ratings':
      return checked.length ? Number(checked[0].value) : undefined
    case 'number': return textOf(value) === undefined ? undefined : Number(value)
    case 'matrix': return rowsOf(all, String)
    case 'rating-matrix': return rowsOf(all, Number)
    case 'ranking': {
      const places = all.filter((each) => each.value).sort((a, b) => a.value - b.value)
      return places.length ? places.map((each) => each.name.split('.').slice(2).join('.')) : undefined
    }
    case 'contact': case 'address': case 'signature': {
      const parts = all.filter((each) => textOf(each.value))
      return parts.length ? Object.fromEntries(parts.map((each) => [each.name.split('.').pop(), each.value.trim()])) : undefined
    }
    case 'file': {
      const files = all.flatMap((each) => (each.type === 'file' ? [...each.files].map(({ name }) => name)
        : each.name.startsWith('x.') ? (each.checked ? [] : [each.value]) : each.checked ? [each.value] : []))
      return files.length ? files : undefined
    }
    default: return textOf(value)
  }
}
const wordsOf = (root, value) => {
  const chosen = [...root.querySelectorAll('input:checked')].map((each) => each.closest('label')?.innerText.trim())
  if (chosen.length) return chosen.join(', ')
  const select = root.querySelector('select')
  if (select && !Array.isArray(value)) return select.selectedOptions[0]?.text.trim() ?? ''
  if (value === null || typeof value !== 'object') return String(value ?? '')
  return root.dataset.type === 'contact' ? [value.first_name, value.last_name].filter(Boolean).join(' ')
    : root.dataset.type === 'signature' ? value.name ?? '' : Object.values(value).join(', ')
}
const update = () => {
  const answers = {}
  const roots = {}
  for (const each of groups()) {
    each.hidden = !JSON.parse(each.dataset.showIf ?? '[]').every((rule) => ruleHolds(rule, answers))
    const id = each.dataset.question
    if (id === undefined) continue
    const { steps } = each.dataset
    const value = each.hidden ? undefined : steps ? valueOf(JSON.parse(steps), answers) : read(each)
    if (steps) each.querySelector('output').textContent = value ?? '…'
    if (value !== undefined) answers[id] = value
    roots[id] = each
  }
  for (const each of document.querySelectorAll('[data-pipe]')) {
    const { pipe, instead } = each.dataset
    const text = pipe in answers ? wordsOf(roots[pipe], answers[pipe]) : ''
    each.textContent = [...text.replace(/\\s+/g, ' ')].slice(0, 200).join('') || instead
  }
}
for (const pad of form.querySelectorAll('[data-pad]')) {
  const [stored, line, svg, clear] = ['input', 'path', 'svg', 'button'].map((name) => pad.querySelector(name))
  pad.hidden = false
  const set = (path) => { stored.value = path; line.setAttribute('d', path); clear.disabled = !path }
  const at = ({ clientX, clientY }) => {
    const { left, top, width, height } = svg.getBoundingClientRect()
    const whole = (part, most) => Math.round(Math.min(most, Math.max(0, part * most)))
    return whole((clientX - left) / width, 600) + ' ' + whole((clientY - top) / height, 200)
  }
  let down
  svg.addEventListener('pointerdown', (event) => {
    if (down !== undefined || stored.value.length > 19000) return
    down = event.pointerId
    svg.setPointerCapture(down)
    set(stored.value + 'M' + at(event) + 'L' + at(event))
  })
  svg.addEventListener('pointermove', (event) => {
    if (event.pointerId === down && stored.value.length < 19000) set(stored.value + 'L' + at(event))
  })
  for (const end of ['pointerup', 'pointercancel']) svg.addEventListener(end, () => { down = undefined })
  clear.addEventListener('click', () => set(''))
  set(stored.value)
}
let isKept = true
form.addEventListener('input', () => { isKept = false; update() })
form.addEventListener('submit', () => { isKept = true })
document.addEventListener('visibilitychange', () => {
  if (isKept || document.visibilityState !== 'hidden' || !form.hasAttribute('data-keeps')) return
  const body = new URLSearchParams([...new FormData(form)].filter(([, value]) => typeof value === 'string'))
  body.set('go', 'keep')
  const { seen } = form.elements
  if (seen) {
    const [steps, keeps] = seen.value.split('.')
    seen.value = steps + '.' + (Number(keeps) + 1)
    body.set('seen', seen.value)
  }
  isKept = navigator.sendBeacon(form.action, body)
})
update()
`

/** Marks the question that is selected in the editor around a preview. */
export const previewStyle =
  '[data-picked] { outline: 2px solid var(--accent); outline-offset: 10px; border-radius: 4px; }'

/** Selects a question for the editor around a preview, and shows which one it has selected. */
export const previewScript = `
const pick = (id) => {
  for (const each of form.querySelectorAll('[data-question]')) {
    const isPicked = each.dataset.question === id
    each.toggleAttribute('data-picked', isPicked)
    if (isPicked) each.scrollIntoView({ block: 'nearest' })
  }
}
addEventListener('message', ({ source, origin, data }) => {
  if (source === parent && origin === location.origin && data?.select) pick(data.select)
})
form.addEventListener('focusin', ({ target }) => {
  const id = target.closest('[data-question]')?.dataset.question
  if (id) { pick(id); parent.postMessage({ selected: id }, location.origin) }
})
form.addEventListener('click', ({ target }) => {
  const id = target.closest('[data-question]')?.dataset.question
  if (id) { pick(id); parent.postMessage({ selected: id }, location.origin) }
})
parent.postMessage({ ready: true }, location.origin)
`
