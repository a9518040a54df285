import { cloneElement, useEffect, useRef, type ReactElement } from 'react'
import { keysOf } from './keys.ts'
import css from './tooltip.module.css'

/** The preferred side of a tooltip. */
export type TipSide = 'top' | 'bottom' | 'left' | 'right'

/**
 * The attributes that give an element a tooltip. One `TooltipHost` renders all tooltips, so that a table
 * with a hundred of them has no more elements and listeners than one without.
 */
export function tip(text: string, { shortcut, side }: { shortcut?: string; side?: TipSide } = {}) {
  return { 'data-tip': text, 'data-tip-keys': shortcut, 'data-tip-side': side }
}

/**
 * Shows a text while the pointer rests on an element or it has the keyboard focus. It only adds to what
 * the element says: the element's name must not depend on it.
 */
export function Tooltip({
  content,
  shortcut,
  side,
  children,
}: {
  content: string
  shortcut?: string
  side?: TipSide
  children: ReactElement
}) {
  return cloneElement(children, tip(content, { shortcut, side }))
}

/** Renders the tooltips of the page, in `UiProvider`. */
export function TooltipHost() {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => (ref.current ? watch(ref.current) : undefined), [])
  return <div ref={ref} className={css.tip} popover="manual" aria-hidden="true" />
}

/** The delay before a tooltip appears; after one has just been shown, the next appears at once. */
const restMs = 450
const gap = 6

function watch(host: HTMLDivElement): () => void {
  let anchor: HTMLElement | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let hiddenAt = 0
  const hide = () => {
    clearTimeout(timer)
    anchor = undefined
    if (host.matches(':popover-open')) {
      hiddenAt = performance.now()
      host.hidePopover()
    }
  }
  const show = () => {
    if (!anchor?.isConnected || !anchor.dataset.tip) return
    host.textContent = anchor.dataset.tip
    if (anchor.dataset.tipKeys) {
      const keys = document.createElement('span')
      if (css.keys) keys.className = css.keys
      keys.textContent = keysOf(anchor.dataset.tipKeys).join(' ')
      host.append(keys)
    }
    host.showPopover()
    place(host, anchor)
  }
  const over = (event: Event, wait: number) => {
    const found =
      event.target instanceof Element
        ? event.target.closest<HTMLElement>('[data-tip]:not([data-popup-open])')
        : null
    if (found === anchor) return
    hide()
    if (!found) return
    anchor = found
    timer = setTimeout(show, performance.now() - hiddenAt < 300 ? 0 : wait)
  }
  const stopping = new AbortController()
  const options = { signal: stopping.signal, capture: true, passive: true }
  const on = (name: string, listener: (event: Event) => void) =>
    document.addEventListener(name, listener, options)
  on('pointerover', (event) => {
    if (event instanceof PointerEvent && event.pointerType !== 'touch') over(event, restMs)
  })
  on('focusin', (event) => {
    if (event.target instanceof Element && event.target.matches(':focus-visible')) over(event, 0)
  })
  for (const name of ['focusout', 'pointerdown']) on(name, hide)
  on('scroll', () => {
    // one that has not appeared yet will appear at the right place
    if (host.matches(':popover-open')) hide()
  })
  on('keydown', (event) => {
    if (event instanceof KeyboardEvent && event.key === 'Escape') hide()
  })
  return () => {
    stopping.abort()
    hide()
  }
}

function place(host: HTMLElement, anchor: HTMLElement) {
  const at = anchor.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = host
  const { clientWidth, clientHeight } = document.documentElement
  const wanted = anchor.dataset.tipSide ?? 'bottom'
  const isBeside = wanted === 'left' || wanted === 'right'
  let left = at.left + at.width / 2 - width / 2
  let top = at.top + at.height / 2 - height / 2
  if (isBeside) {
    const isRight =
      wanted === 'right' ? at.right + gap + width < clientWidth : at.left < width + gap
    left = isRight ? at.right + gap : at.left - gap - width
  } else {
    const isBelow =
      wanted === 'bottom' ? at.bottom + gap + height < clientHeight : at.top < height + gap
    top = isBelow ? at.bottom + gap : at.top - gap - height
  }
  host.style.left = `${Math.round(Math.max(8, Math.min(left, clientWidth - width - 8)))}px`
  host.style.top = `${Math.round(Math.max(8, Math.min(top, clientHeight - height - 8)))}px`
}
