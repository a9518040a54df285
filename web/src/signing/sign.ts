import { areAsked } from '../../../server/src/model/documents/requests/conditions.ts'
import type { Files } from './files.ts'
import { openFiles } from './files.ts'
import { openKept } from './kept.ts'
import type { About } from './page.ts'
import { button, drawing, find, make, say } from './page.ts'
import type { Signature } from './signature.ts'
import { openSignature } from './signature.ts'
import { openStage } from './stage.ts'

// The page on which somebody signs a document without an account. The server writes all of it, and it works
// without this script; with it, the pages are drawn, and the fields are asked for one after another.

type Step = {
  element: HTMLElement
  kind: string
  label: string
  where: string
  positions: number[]
  isOptional: boolean
  /** by its condition: otherwise it is passed over, and says nothing */
  isAsked: boolean
}

const about = JSON.parse(find('#about').dataset.about ?? '') as About
const room = find('.stage')
const form = document.querySelector<HTMLFormElement>('#sign')
const stage = openStage(room, about, { field: (field) => goToField(field), zoom: showZoom })
openZoom()
let files: Files | undefined
const goToField = form ? openForm(form) : () => {}

function openZoom() {
  const box = document.querySelector<HTMLElement>('#zoom')
  if (!box || !about.pdf) return
  box.hidden = false
  find('[data-zoom="-1"]', box).addEventListener('click', () => stage.zoomBy(-1))
  find('[data-zoom="1"]', box).addEventListener('click', () => stage.zoomBy(1))
}

function showZoom(zoom: number) {
  const format = new Intl.NumberFormat(document.documentElement.lang, { style: 'percent' })
  find('#zoom output').textContent = format.format(zoom)
}

function openForm(whole: HTMLFormElement): (field: number) => void {
  const steps = [...whole.querySelectorAll<HTMLElement>('fieldset.step')].map(stepOf)
  const last = steps.length - 1
  const list = find('#steps')
  const count = find('#count')
  const moves = find('#moves')
  let at = 0
  let furthest = 0

  const kept = openKept(about.key, whole, find<HTMLInputElement>('#keep'))
  const isBack = !whole.querySelector('[aria-invalid]') && kept.restore()
  find('#back-again').hidden = !isBack
  find('#keeping').hidden = false
  whole.noValidate = true
  const signature = openSignature(find('#ways'), about, changed)
  find('#name').addEventListener('input', takeInitials)
  mirrorFirst(steps)
  whole.addEventListener('input', changed)
  whole.addEventListener('change', changed)
  // after what takes back what was said at a field
  files = openFiles(whole, about, { changed, refuse: sayAt })

  const back = button('', () => show(beside(-1)), say(about, 'back'))
  const next = button('main', () => forward(), '')
  moves.append(back, next)
  const links = steps.map((step, i) => {
    const number = make('span', 'number')
    const link = button(
      'step-link',
      () => show(i),
      number,
      make('span', '', step.label),
      make('small', '', step.where),
    )
    list.append(make('li', '', link))
    return { link, number }
  })
  list.hidden = false
  count.hidden = false

  /** The next step, or the one before, that is asked for; where there is none, the one shown. */
  function beside(by: 1 | -1): number {
    const next = steps.findIndex(({ isAsked }, i) => isAsked && i > at)
    const before = steps.findLastIndex(({ isAsked }, i) => isAsked && i < at)
    const found = by === 1 ? next : before
    return found === -1 ? at : found
  }

  /** What depends on what is filled in comes and goes. */
  function askBy() {
    const asked = areAsked(about.fields, givenAt)
    for (const [position, isAsked] of asked.entries()) stage.hide(position, !isAsked)
    for (const [i, step] of steps.entries()) {
      step.isAsked = !step.positions.length || step.positions.some((each) => asked[each])
      const item = links[i]?.link.parentElement
      if (item) item.hidden = !step.isAsked
    }
  }

  function show(to: number, mayFocus = true) {
    at = Math.min(last, Math.max(0, to))
    furthest = Math.max(furthest, at)
    for (const [i, { element }] of steps.entries()) element.hidden = i !== at
    // what was said at first does not take the room of what is asked
    find('.panel').toggleAttribute('data-later', at > 0)
    back.disabled = at === 0
    next.hidden = at === last
    moves.hidden = last === 0
    const step = steps[at]
    changed()
    const first = step?.positions[0]
    if (first !== undefined) stage.reveal(first)
    if (mayFocus && step) {
      find('.panel').scrollTop = 0
      const control = step.element.querySelector<HTMLElement>(
        'input:not([type=hidden]):not([type=radio]):not([type=file]), select',
      )
      // the name is filled in already: the heading says what is next
      const target = step.kind === 'signature' || !control ? find('legend', step.element) : control
      target.focus({ preventScroll: true })
    }
  }

  /** After every change: what the fields on the pages show, what is done, and what comes next. */
  function changed() {
    askBy()
    const isCounted = ({ isAsked }: Step) => isAsked
    const step = steps[at]
    const number = steps.slice(0, at + 1).filter(isCounted).length
    count.textContent = say(about, 'step', { step: number, count: steps.filter(isCounted).length })
    for (const [i, step] of steps.entries()) {
      const isDone = i < furthest && !problemOf(step, signature)
      const link = links[i]
      if (link) {
        const its = steps.slice(0, i + 1).filter(isCounted).length
        link.number.textContent = isDone && i !== at ? '✓' : String(its)
        link.link.dataset.state = i === at ? 'current' : isDone ? 'done' : 'open'
        if (i === at) link.link.setAttribute('aria-current', 'step')
        else link.link.removeAttribute('aria-current')
      }
      const state = i === at ? 'current' : isDone ? 'done' : 'open'
      for (const position of step.positions) stage.fill(position, contentOf(step, position), state)
    }
    if (step) {
      const isSkipped = step.isOptional && !valueOf(step)
      const what = (steps[beside(1)]?.label ?? '').toLocaleLowerCase(document.documentElement.lang)
      next.textContent = isSkipped ? say(about, 'skip') : say(about, 'next', { what })
    }
    if (step?.element.querySelector('.at-field') && !problemOf(step, signature)) forget(step)
    if (at === last) showSummary()
    kept.save()
  }

  function contentOf(step: Step, position: number): HTMLElement {
    const { kind, label } = step
    if (kind === 'signature') {
      const path = signature.path()
      const name = find<HTMLInputElement>('#name').value
      const shown = make('span', 'hand', path ? drawing(path) : name)
      if (path) shown.append(make('span', 'hidden-text', `${label}: ${name}`))
      return shown
    }
    const value = valueAt(kind, position)
    const shown = make('span', kind === 'initials' ? 'hand' : '', value || label)
    if (value) shown.prepend(make('span', 'hidden-text', `${label}: `))
    return shown
  }

  function showSummary() {
    const rows = steps.slice(0, -1).flatMap((step) => {
      if (!step.isAsked) return []
      const path = step.kind === 'signature' ? signature.path() : ''
      const value =
        step.kind === 'signature' ? find<HTMLInputElement>('#name').value : valueOf(step)
      if (!value && !path) return []
      const shown = make('dd', '', value)
      if (path) shown.append(drawing(path))
      return [make('div', '', make('dt', '', step.label), shown)]
    })
    find('#summary').replaceChildren(...rows)
  }

  function forward() {
    const step = steps[at]
    if (step && !check(step, signature)) return
    show(beside(1))
  }

  whole.addEventListener('submit', (event) => {
    const { submitter } = event
    if (submitter instanceof HTMLButtonElement && submitter.value === 'language') return
    if (at < last) {
      event.preventDefault()
      forward()
      return
    }
    const wrong = steps.findIndex((step) => problemOf(step, signature))
    if (wrong === -1) return
    event.preventDefault()
    show(wrong)
    const step = steps[wrong]
    if (step) check(step, signature)
  })
  chooseLanguage(whole)
  const wrong = steps.findIndex(({ element }) => element.querySelector('[aria-invalid]'))
  show(wrong === -1 ? 0 : wrong, wrong !== -1)
  return (field) => show(steps.findIndex(({ positions }) => positions.includes(field)))
}

function stepOf(element: HTMLElement): Step {
  const { kind = '', fields = '', optional } = element.dataset
  find('legend', element).tabIndex = -1
  return {
    element,
    kind,
    label: find('legend h2', element).textContent?.trim() ?? '',
    where: element.querySelector('legend small')?.textContent?.trim() ?? '',
    positions: fields ? fields.split(',').map(Number) : [],
    isOptional: optional !== undefined,
    isAsked: true,
  }
}

function inputOf(position: number): HTMLInputElement | HTMLSelectElement | null {
  return document.querySelector(`#field-${position}`)
}

function valueOf({ kind, positions: [first = -1] }: Step): string {
  return valueAt(kind, first)
}

function valueAt(kind: string, position: number): string {
  if (kind === 'date') return about.day
  if (kind === 'email') return about.email
  if (kind === 'name') return find<HTMLInputElement>('#name').value.trim()
  const input = inputOf(position)
  if (kind === 'attachment') return (input && files?.nameAt(input)) ?? ''
  if (input instanceof HTMLInputElement && input.type === 'checkbox')
    return input.checked ? '✓' : ''
  return input?.value.trim() ?? ''
}

/** What is filled in at a field, as it is sent. */
function givenAt(position: number): string {
  const input = inputOf(position)
  if (input instanceof HTMLInputElement && input.type === 'checkbox')
    return input.checked ? 'yes' : ''
  return input?.value ?? ''
}

/** Initials of several pages are asked for once. */
function mirrorFirst(steps: Step[]) {
  for (const { positions } of steps) {
    const [first, ...others] = positions.map(inputOf)
    if (!first) continue
    for (const other of others) {
      const box = other?.closest<HTMLElement>('.asked')
      if (box) box.hidden = true
    }
    const copy = () => {
      for (const other of others) if (other) other.value = first.value
    }
    first.addEventListener('input', copy)
    copy()
  }
}

/** Initials follow the name until somebody writes others. */
function takeInitials() {
  const letters = find<HTMLInputElement>('#name').value.trim().split(/\s+/)
  const initials = letters
    .map((word) => Array.from(word)[0] ?? '')
    .join('')
    .toUpperCase()
    .slice(0, 10)
  for (const input of document.querySelectorAll<HTMLInputElement>('input[data-initials]')) {
    if (input.dataset.initials !== input.value) continue
    input.value = initials
    input.dataset.initials = initials
  }
}

type Problem = { input: HTMLElement; text: string }

/** Why a step is not done; undefined if it is. */
function problemOf(step: Step, signature: Signature): Problem | undefined {
  if (!step.isAsked) return undefined
  if (step.kind === 'signature') {
    const name = find<HTMLInputElement>('#name')
    if (!name.value.trim()) return { input: name, text: say(about, 'enter_name') }
    const text = signature.problem()
    return text ? { input: find('#ways'), text } : undefined
  }
  if (step.kind === 'check') {
    const agree = find<HTMLInputElement>('#agree')
    return agree.checked ? undefined : { input: agree, text: say(about, 'tick') }
  }
  const input = inputOf(step.positions[0] ?? -1)
  const value = valueOf(step)
  if (step.kind === 'number' && value && !/^[+-]?\d[\d\s'’.,]*$/.test(value) && input) {
    return { input, text: say(about, 'enter_number') }
  }
  const name = input ? files?.sendingAt(input) : undefined
  if (input && name !== undefined) return { input, text: say(about, 'sending', { name }) }
  if (!input || step.isOptional || value || step.kind === 'initials') return undefined
  return { input, text: say(about, step.kind === 'attachment' ? 'no_file' : 'required') }
}

function forget({ element }: Pick<Step, 'element'>) {
  for (const old of element.querySelectorAll('.wrong.at-field')) old.remove()
  for (const old of element.querySelectorAll('[aria-invalid]')) old.removeAttribute('aria-invalid')
}

/** Says at the step why it is not done. */
function check(step: Step, signature: Signature): boolean {
  forget(step)
  const problem = problemOf(step, signature)
  if (!problem) return true
  sayAt(problem.input, problem.text)
  return false
}

/** Says what is wrong at what is filled in, which has the focus then. */
function sayAt(input: HTMLElement, text: string) {
  const element = input.closest<HTMLElement>('fieldset')
  if (element) forget({ element })
  const said = make('p', 'wrong at-field', text)
  said.id = 'at-field'
  said.setAttribute('role', 'alert')
  input.setAttribute('aria-invalid', 'true')
  input.setAttribute('aria-describedby', said.id)
  const after = input.closest('label') ?? input
  after.after(said)
  input.focus()
}

function chooseLanguage(whole: HTMLFormElement) {
  const select = find<HTMLSelectElement>('#lang')
  const send = find<HTMLButtonElement>('#change-language')
  send.classList.add('hidden-text')
  send.tabIndex = -1
  select.addEventListener('change', () => whole.requestSubmit(send))
}
