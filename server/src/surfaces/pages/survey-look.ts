import { hexColour, textOn } from '../../records/mail/colour.ts'
import { cssUrl, webAddress } from '../../kit/ground/web-address.ts'

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
    '.scale { display: grid; grid-template-columns: repeat(auto-fit, minmax(40px, 1fr)); gap: 8px; }',
    // seven fit in one line on a phone, too
    '.scale:has(> :nth-child(7):last-child) { grid-template-columns: repeat(7, minmax(0, 1fr)); gap: 4px; }',
    '.scale .choice { flex-direction: column; gap: 4px; padding: 8px 4px; }',
    'progress { width: 100%; height: 6px; accent-color: var(--accent); }',
    field_border === 'Square' ? 'input, textarea, select, button { border-radius: 0; }' : '',
    ground
      ? `body { background: ${ground}; } body > header, body > header svg { color: ${textOn(ground)}; fill: ${textOn(ground)}; }`
      : '',
    picture ? `body { background-image: ${cssUrl(picture)}; background-size: cover; }` : '',
    action
      ? `button.main, button.main:hover { background: ${action}; border-color: ${action}; color: ${textOn(action)}; }`
      : '',
  ]
    .filter(Boolean)
    .join('\n')
}

/** Shows and hides questions that depend on others on the page, as the server would. */
export const surveyScript = `
const form = document.querySelector('[data-survey]')
const answer = (id) => {
  const all = [...form.elements].filter((each) => each.name === 'a.' + id)
  const isChoice = all.some((each) => /radio|checkbox/.test(each.type))
  const values = isChoice ? all.filter((each) => each.checked).map((each) => each.value)
    : all.map((each) => each.value).filter(Boolean)
  return values
}
const holds = ({ field_id, operator = 'eq', value }) => {
  if (![...form.elements].some((each) => each.name === 'a.' + field_id)) return true
  const answers = answer(field_id)
  const same = (one) => answers.includes(String(one)) || (one === true && answers.includes('yes'))
  switch (operator) {
    case 'eq': return same(value)
    case 'neq': return !same(value)
    case 'in': return (Array.isArray(value) ? value : []).some(same)
    case 'not_in': return !(Array.isArray(value) ? value : []).some(same)
    case 'contains': return same(value) || answers.some((each) => each.includes(String(value)))
    case 'gt': return answers.length > 0 && Number(answers[0]) > Number(value)
    case 'gte': return answers.length > 0 && Number(answers[0]) >= Number(value)
    case 'lt': return answers.length > 0 && Number(answers[0]) < Number(value)
    case 'lte': return answers.length > 0 && Number(answers[0]) <= Number(value)
    case 'is_empty': return answers.length === 0
    default: return answers.length > 0
  }
}
const update = () => {
  for (const each of form.querySelectorAll('[data-show-if]')) {
    each.hidden = !JSON.parse(each.dataset.showIf).every(holds)
  }
}
form.addEventListener('input', update)
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
