/** Search and commands, by Ctrl+K. */
export function Palette() {
  return null
}
