import { t } from '../locales/text.ts'

/** Whether the keyboard has Command instead of Control. */
export const isMac =
  typeof navigator !== 'undefined' && /mac|iphone|ipad/i.test(navigator.platform ?? '')

const everywhere = {
  Enter: '↵',
  Escape: t('Esc'),
  Space: t('Space [key]'),
  Delete: t('Delete [key]'),
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
}
const onMac: Record<string, string> = {
  ...everywhere,
  Mod: '⌘',
  Ctrl: '⌃',
  Alt: '⌥',
  Shift: '⇧',
  Backspace: '⌫',
}
const elsewhere: Record<string, string> = { ...everywhere, Mod: t('Ctrl'), Shift: t('Shift [key]') }

/**
 * The keys of a shortcut for display: `Mod+K` is ⌘ K on a Mac and Ctrl K elsewhere; keys
 * pressed one after another are separated by spaces, as in `g h`.
 */
export function keysOf(shortcut: string, mac: boolean = isMac): string[] {
  const names = mac ? onMac : elsewhere
  return shortcut
    .split(' ')
    .flatMap((chord) => (chord === '+' ? ['+'] : chord.split('+')))
    .filter(Boolean)
    .map((key) => names[key] ?? (/^[a-z]$/.test(key) ? key.toUpperCase() : key))
}

/** The same for `aria-keyshortcuts`: `Mod+K` is `Meta+K` or `Control+K`. */
export function ariaKeys(shortcut: string, mac: boolean = isMac): string {
  return shortcut.replaceAll('Mod', mac ? 'Meta' : 'Control').replaceAll('Ctrl', 'Control')
}
