const listeners = new Set<(text: string) => void>()

/** Opens the palette, with a text in its field. */
export function openPalette(text = ''): void {
  for (const listener of listeners) listener(text)
}

/** Calls the listener when the palette should open. */
export function onOpenPalette(listener: (text: string) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
