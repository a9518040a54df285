import type { OpenPdf } from '../documents/view/pdf.ts'
import type { About, Place } from './page.ts'
import { button, drawing, make, say } from './page.ts'

type Drawing = { openPdf(url: string): Promise<OpenPdf> }
type Sheet = {
  element: HTMLElement
  paper: HTMLElement
  isNear: boolean
  leaving?: AbortController
}
type Point = { x: number; y: number }

const around = 16
const widest = 820
/** As in the style of the page. */
const isPhone = matchMedia('(max-width: 760px)')
const steps = [1, 1.25, 1.5, 2, 3, 4]

/** The pages of the document, with the recipient's fields on them. */
export type Stage = {
  /** brings a field into sight; on phones as large as the window allows */
  reveal(field: number): void
  /** shows what is filled in at a field */
  fill(field: number, content: Node | string, state: 'open' | 'current' | 'done'): void
  /** hides a field that is not asked for, or shows it again */
  hide(field: number, isHidden: boolean): void
  zoomBy(by: 1 | -1): void
}

/** Draws the pages of a PDF in place of what stands there, as they come into sight. */
export function openStage(
  room: HTMLElement,
  about: About,
  on: { field(index: number): void; zoom(zoom: number): void },
): Stage {
  const all = make('div', 'pages')
  const buttons = about.fields.map((_, i) => button('place', () => on.field(i)))
  let sheets: Sheet[] = []
  let pdf: OpenPdf | undefined
  let zoom = 1
  let isOwnZoom = false
  let wanted: number | undefined

  const fit = () => Math.max(120, Math.min(widest, room.clientWidth - 2 * around)) * zoom
  const scaleOf = (page: number) => fit() / (pdf?.known(page).width ?? 1)

  function layOut() {
    for (const [i, { element, paper }] of sheets.entries()) {
      const { width, height } = pdf?.known(i + 1) ?? { width: 1, height: 1.414 }
      element.style.width = `${fit()}px`
      element.style.height = `${(fit() * height) / width}px`
      paper.style.setProperty('--total-scale-factor', String(scaleOf(i + 1)))
    }
    all.style.minWidth = `${fit() + 2 * around}px`
  }

  async function draw(page: number) {
    const sheet = sheets[page - 1]
    if (!sheet || !pdf) return
    sheet.leaving?.abort()
    const leaving = new AbortController()
    sheet.leaving = leaving
    try {
      await pdf.sizeOf(page)
      layOut()
      const drawn = await pdf.draw(page, scaleOf(page), leaving.signal)
      drawn.text.className = 'text'
      sheet.paper.replaceChildren(drawn.picture, drawn.text)
    } catch {
      if (!leaving.signal.aborted) {
        sheet.paper.replaceChildren(make('p', 'unseen', say(about, 'page_failed')))
      }
    }
  }

  let redrawing: ReturnType<typeof setTimeout> | undefined
  function zoomTo(next: number, at: Point = { x: room.clientWidth / 2, y: room.clientHeight / 2 }) {
    const to = Math.min(4, Math.max(1, next))
    const by = to / zoom
    if (by === 1) return
    const [left, top] = [(room.scrollLeft + at.x) * by - at.x, (room.scrollTop + at.y) * by - at.y]
    zoom = to
    layOut()
    room.scrollTo(left, top)
    on.zoom(zoom)
    clearTimeout(redrawing)
    redrawing = setTimeout(() => {
      for (const [i, { isNear }] of sheets.entries()) if (isNear) void draw(i + 1)
    }, 150)
  }
  const zoomByHand = (next: number, at?: Point) => {
    isOwnZoom = true
    zoomTo(next, at)
  }
  listenForPinches(room, () => zoom, zoomByHand)

  const near = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const i = sheets.findIndex(({ element }) => element === target)
        const sheet = sheets[i]
        if (!sheet) continue
        sheet.isNear = isIntersecting
        if (isIntersecting) void draw(i + 1)
        else {
          sheet.leaving?.abort()
          sheet.paper.replaceChildren()
        }
      }
    },
    { root: room, rootMargin: '100% 0px' },
  )

  const addSheet = (number: number, of: number): Sheet => {
    const paper = make('div', 'paper')
    const element = make('div', 'page', paper)
    element.setAttribute('role', 'group')
    element.setAttribute('aria-label', `${say(about, 'page', { page: number })} / ${of}`)
    for (const [i, place] of about.fields.entries()) {
      const button = buttons[i]
      if (place.page === number && button) element.append(placed(button, place))
    }
    for (const other of about.others) {
      if (other.page === number) element.append(placed(filled(other, about.drawn), other))
    }
    return { element, paper, isNear: false }
  }

  async function open({ file, drawing }: { file: string; drawing: string }) {
    const { openPdf } = (await import(/* @vite-ignore */ drawing)) as Drawing
    pdf = await openPdf(file)
    const { pages } = pdf
    sheets = Array.from({ length: pages }, (_, i) => addSheet(i + 1, pages))
    all.replaceChildren(...sheets.map(({ element }) => element))
    room.removeAttribute('aria-busy')
    layOut()
    for (const { element } of sheets) near.observe(element)
    if (wanted !== undefined) stage.reveal(wanted)
  }

  if (about.pdf) {
    sheets = [addSheet(1, 1)]
    all.append(...sheets.map(({ element }) => element))
    room.replaceChildren(all)
    room.setAttribute('aria-busy', 'true')
    layOut()
    new ResizeObserver(layOut).observe(room)
    const { pdf: source } = about
    // the first field can be filled in before
    const begin = () =>
      void open(source).catch(() => {
        room.removeAttribute('aria-busy')
        room.replaceChildren(make('p', 'unseen', say(about, 'page_failed')))
      })
    if (document.readyState === 'complete') begin()
    else addEventListener('load', begin, { once: true })
  }

  const stage: Stage = {
    reveal(field) {
      wanted = field
      const place = buttons[field]
      if (!place?.isConnected || !pdf) return
      const part = about.fields[field]?.width ?? 1
      if (!isOwnZoom && isPhone.matches) zoomTo(Math.min(2.5, 0.8 / part))
      const [its, rooms] = [place.getBoundingClientRect(), room.getBoundingClientRect()]
      room.scrollBy(
        its.left + its.width / 2 - rooms.left - rooms.width / 2,
        its.top + its.height / 2 - rooms.top - rooms.height * 0.4,
      )
    },
    fill(field, content, state) {
      const place = buttons[field]
      if (!place) return
      place.dataset.state = state
      place.replaceChildren(content)
    },
    hide(field, isHidden) {
      const place = buttons[field]
      if (place) place.hidden = isHidden
    },
    zoomBy(by) {
      const next =
        by === 1
          ? steps.find((each) => each > zoom + 0.01)
          : steps.findLast((each) => each < zoom - 0.01)
      if (next) zoomByHand(next)
    },
  }
  return stage
}

/** An element at its place on a page. */
function placed(element: HTMLElement, { x, y, width, height }: Place): HTMLElement {
  Object.assign(element.style, {
    left: `${x * 100}%`,
    top: `${y * 100}%`,
    width: `${width * 100}%`,
    height: `${height * 100}%`,
  })
  return element
}

/** What somebody else has filled in. */
function filled(
  { kind, value, name, drawn }: About['others'][number],
  paths: About['drawn'],
): HTMLElement {
  const path = drawn === null ? undefined : paths[drawn]
  const isHand = kind === 'signature' || kind === 'initials'
  const shown = path ? drawing(path) : kind === 'checkbox' ? '✓' : value
  const words = make('span', isHand ? 'hand' : '', shown)
  words.prepend(make('span', 'hidden-text', path ? `${name}: ${value}` : `${name}: `))
  return make('div', 'place theirs', words)
}

/** Two fingers, or the wheel with Ctrl, which is what a pinch on a touchpad says; a double tap zooms in and out. */
function listenForPinches(
  room: HTMLElement,
  zoomNow: () => number,
  zoomTo: (zoom: number, at: Point) => void,
) {
  const within = ({ clientX, clientY }: { clientX: number; clientY: number }): Point => {
    const { left, top } = room.getBoundingClientRect()
    return { x: clientX - left, y: clientY - top }
  }
  let begun: { apart: number; zoom: number } | undefined
  const fingers = ({ touches }: TouchEvent) => {
    const [one, other] = [touches[0], touches[1]]
    if (!one || !other) return undefined
    const [a, b] = [within(one), within(other)]
    return {
      apart: Math.hypot(a.x - b.x, a.y - b.y),
      at: { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 },
    }
  }
  room.addEventListener('touchstart', (event) => {
    const two = fingers(event)
    begun = two && { apart: two.apart || 1, zoom: zoomNow() }
  })
  const move = (event: TouchEvent) => {
    const two = fingers(event)
    if (!two || !begun) return
    event.preventDefault()
    zoomTo((begun.zoom * two.apart) / begun.apart, two.at)
  }
  room.addEventListener('touchmove', move, { passive: false })
  const turn = (event: WheelEvent) => {
    if (!event.ctrlKey) return
    event.preventDefault()
    zoomTo(zoomNow() * Math.exp(-event.deltaY / 200), within(event))
  }
  room.addEventListener('wheel', turn, { passive: false })
  room.addEventListener('dblclick', (event) => {
    if (!(event.target as Element).closest('.place')) zoomTo(zoomNow() > 1 ? 1 : 2, within(event))
  })
}
