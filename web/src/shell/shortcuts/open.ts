import { t } from '../../locales/text.ts'

/** The group of the keys that every page has. */
export const everywhere = t('Everywhere')

const listeners = new Set<() => void>()

/** Shows all keys. */
export function openShortcutHelp(): void {
  for (const listener of listeners) listener()
}

/** Calls the listener when the list of keys should open. */
export function onOpenShortcutHelp(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
