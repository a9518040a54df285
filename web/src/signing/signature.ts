import { handCount, written } from './hands.ts'
import type { About } from './page.ts'
import { button, drawing, find, make, say } from './page.ts'
import { tracedPicture } from './picture.ts'

type Way = 'draw' | 'type' | 'upload'
const longest = 19_000

/** How the signature is made: drawn, typed, or from a picture. */
export type Signature = {
  /** the path data; empty if the name is written as it is */
  path(): string
  /** why it cannot be used yet */
  problem(): string | undefined
}

/** Fills the box of the signature: three ways, each of which keeps what it has. `onChange` after every change. */
export function openSignature(box: HTMLElement, about: About, onChange: () => void): Signature {
  const stored = find<HTMLInputElement>('#signature')
  const way = find<HTMLInputElement>('#way')
  const name = find<HTMLInputElement>('#name')
  const paths: { [way in Way]: string } = { draw: '', type: '', upload: '' }
  let hand = 0

  const ways: Way[] = ['draw', 'type', 'upload']
  const panels = { draw: make('div', 'pad'), type: make('div', 'hands'), upload: make('div', '') }
  const radios = ways.map((each) =>
    radio('signature-way', say(about, `way_${each}`), () => {
      go(each)
      onChange()
    }),
  )
  const choice = make('div', 'ways', ...radios.map(({ label }) => label))
  choice.setAttribute('role', 'radiogroup')
  choice.setAttribute('aria-label', say(about, 'how'))
  box.replaceChildren(choice, ...ways.map((each) => panels[each]))
  box.hidden = false

  const now = () => way.value as Way
  const take = () => {
    stored.value = paths[now()]
  }
  function changed() {
    take()
    onChange()
  }
  function go(to: Way) {
    way.value = to
    for (const [i, each] of ways.entries()) {
      panels[each].hidden = each !== to
      const input = radios[i]?.input
      if (input) input.checked = each === to
    }
    if (to === 'type') showHands()
    take()
  }

  const pad = openPad(panels.draw, about, (path) => {
    paths.draw = path
    changed()
  })

  function showHands() {
    const typed = Array.from({ length: handCount }, (_, i) => written(name.value, i))
    const options = typed.flatMap((path, i) => (path ? [{ path, i }] : []))
    paths.type = typed[hand] ?? ''
    if (!options.length) {
      panels.type.replaceChildren(make('p', 'as-typed', name.value || '…'))
      return
    }
    const choices = options.map(({ path, i }) => {
      const said = say(about, 'hand', { number: i + 1 })
      const { label, input } = radio('signature-hand', drawing(path), () => {
        hand = i
        paths.type = path
        changed()
      })
      input.setAttribute('aria-label', said)
      input.checked = i === hand
      return label
    })
    panels.type.replaceChildren(...choices)
  }

  const said = make('p', 'wrong')
  said.setAttribute('role', 'alert')
  said.hidden = true
  const file = make('input', '')
  Object.assign(file, { type: 'file', accept: 'image/*', id: 'signature-file' })
  const label = make('label', '', say(about, 'picture'))
  label.htmlFor = file.id
  const seen = make('div', 'paper-box')
  seen.hidden = true
  panels.upload.append(label, file, seen, said)
  const show = (path: string) => {
    paths.upload = path
    seen.replaceChildren(drawing(path))
    seen.hidden = !path
  }
  const trace = async (picture: File) => {
    const path = await tracedPicture(picture).catch(() => undefined)
    // another one was chosen meanwhile
    if (file.files?.[0] !== picture) return
    show(path ?? '')
    said.textContent = path ? '' : say(about, 'picture_bad')
    said.hidden = Boolean(path)
    changed()
  }
  file.addEventListener('change', () => {
    const picture = file.files?.[0]
    if (picture) void trace(picture)
  })

  name.addEventListener('input', () => {
    if (now() === 'type') showHands()
    changed()
  })
  const kept: Way = ways.find((each) => each === way.value) ?? usual()
  if (stored.value && kept === 'type') {
    const found = Array.from({ length: handCount }, (_, i) => written(name.value, i))
    hand = Math.max(0, found.indexOf(stored.value))
  } else if (stored.value) paths[kept] = stored.value
  pad.set(paths.draw)
  show(paths.upload)
  go(kept)
  return {
    path: () => paths[now()],
    problem: () => (now() === 'type' || paths[now()] ? undefined : say(about, `${now()}_first`)),
  }
}

/** Typed where nothing can be pointed with. */
function usual(): Way {
  return matchMedia('(any-pointer: fine), (any-pointer: coarse)').matches ? 'draw' : 'type'
}

function radio(name: string, inside: Node | string, run: () => void) {
  const input = make('input', '')
  Object.assign(input, { type: 'radio', name })
  // it is no part of what is sent, and the Enter key goes on from it as from other fields
  input.setAttribute('form', 'none')
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    find<HTMLFormElement>('#sign').requestSubmit()
  })
  input.addEventListener('change', run)
  return { input, label: make('label', 'way', input, inside) }
}

/** A box to draw in: strokes as path data. */
function openPad(panel: HTMLElement, about: About, onChange: (path: string) => void) {
  const svg = drawing('')
  svg.removeAttribute('aria-hidden')
  svg.setAttribute('role', 'img')
  svg.setAttribute('aria-label', say(about, 'pad'))
  const line = find<SVGPathElement>('path', svg)
  let path = ''
  const set = (next: string) => {
    path = next
    line.setAttribute('d', path)
    for (const each of [undo, clear]) each.disabled = !path
  }
  const change = (next: string) => {
    set(next)
    onChange(path)
  }
  const undo = button(
    'link',
    () => change(path.slice(0, Math.max(0, path.lastIndexOf('M')))),
    say(about, 'undo'),
  )
  const clear = button('link', () => change(''), say(about, 'clear'))
  const at = (event: PointerEvent) => {
    const { left, top, width, height } = svg.getBoundingClientRect()
    const x = Math.round(Math.min(600, Math.max(0, ((event.clientX - left) / width) * 600)))
    const y = Math.round(Math.min(200, Math.max(0, ((event.clientY - top) / height) * 200)))
    return `${x} ${y}`
  }
  let down: number | undefined
  svg.addEventListener('pointerdown', (event) => {
    if (down !== undefined || path.length > longest) return
    down = event.pointerId
    svg.setPointerCapture(down)
    // a point is a line of no length
    set(`${path}M${at(event)}L${at(event)}`)
  })
  svg.addEventListener('pointermove', (event) => {
    if (event.pointerId !== down || path.length > longest) return
    const step = `L${at(event)}`
    if (!path.endsWith(step)) set(path + step)
  })
  for (const end of ['pointerup', 'pointercancel'] as const) {
    svg.addEventListener(end, (event) => {
      if (event.pointerId !== down) return
      down = undefined
      onChange(path)
    })
  }
  panel.append(make('div', 'paper-box', svg), make('div', 'pad-acts', undo, clear))
  set('')
  return { set }
}
