/** Where copied questions are remembered in this browser. */
export const copiedKey = 'copied-questions'

/** Forgets them, as at a sign-out: others may use this browser. */
export function forgetCopied(): void {
  localStorage.removeItem(copiedKey)
}
