/** Whether every typed word is the beginning of a word in a text, ignoring case and accents. */
export function matches(text: string, typed: string): boolean {
  const words = folded(text).split(/[^\p{L}\p{N}]+/u)
  return folded(typed)
    .split(/\s+/)
    .filter(Boolean)
    .every((part) => words.some((word) => word.startsWith(part)))
}

function folded(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}
