/** A text as it begins a heading or a label: its first letter is a capital. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
