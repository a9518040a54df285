import { useLayoutEffect, useRef } from 'react'
import { isTyping } from '../ui/typing.ts'

/**
 * What a key does; `group` and `label` are shown in the list of all keys. Without `run` it is only listed: a part of
 * the page handles it while it has the focus.
 */
export type Shortcut = { keys: string; label: string; group: string; run?: () => void }

const active = new Set<{ current: Shortcut[] }>()
let isOn = true

/** Switches keys without modifiers on or off, as a person prefers (WCAG 2.1.4). */
export function setSingleKeys(on: boolean): void {
  isOn = on
}

/** The keys that do something on this page now. */
export function activeShortcuts(): Shortcut[] {
  return [...active].flatMap(({ current }) => current)
}

/**
 * Keys of a screen: `j`, `Shift+x`, `Mod+K`, or two in a row as `g h`. Except those with `Mod`, they do nothing while a field has
 * the focus; if two screens use the same key, the later one handles it.
 */
export function useShortcuts(shortcuts: Shortcut[]): void {
  const latest = useRef(shortcuts)
  useLayoutEffect(() => {
    latest.current = shortcuts
  })
  useLayoutEffect(() => {
    active.add(latest)
    return () => void active.delete(latest)
  }, [])
}

let prefix: { key: string; until: number } | undefined

addEventListener('keydown', (event) => {
  if (event.defaultPrevented || event.isComposing) return
  const pressed = nameOf(event)
  if (!pressed) return
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey
  if (isPlain && (!isOn || isTyping(event.target) || isInPopup(event.target))) return
  const now = performance.now()
  const both = prefix && prefix.until > now ? `${prefix.key} ${pressed}` : undefined
  prefix = undefined
  const all = activeShortcuts().filter(runs).toReversed()
  const found = all.find(({ keys }) => keys === both) ?? all.find(({ keys }) => keys === pressed)
  if (found) {
    event.preventDefault()
    found.run()
  } else if (isPlain && all.some(({ keys }) => keys.startsWith(`${pressed} `))) {
    prefix = { key: pressed, until: now + 1200 }
  }
})

function runs(shortcut: Shortcut): shortcut is Shortcut & { run: () => void } {
  return shortcut.run !== undefined
}

function nameOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string | undefined {
  if (['Control', 'Meta', 'Alt', 'Shift'].includes(key)) return undefined
  const isLetter = key.length === 1 && key.toLowerCase() !== key.toUpperCase()
  const name =
    key === ' ' ? 'Space' : ctrlKey || metaKey ? upper(key) : isLetter ? key.toLowerCase() : key
  const shift = shiftKey && (isLetter || key.length > 1) ? 'Shift+' : ''
  return `${ctrlKey || metaKey ? 'Mod+' : ''}${altKey ? 'Alt+' : ''}${shift}${name}`
}

function upper(key: string): string {
  return key.length === 1 ? key.toUpperCase() : key
}

/** Menus and dialogs have keys of their own. */
function isInPopup(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('[role="menu"],[role="dialog"],[role="listbox"]') !== null
  )
}
