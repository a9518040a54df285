import { closestMatch } from 'leven'

/** What an error says of an unknown name: the nearest known one, else all of them. */
export function hintFor(name: string, known: readonly string[]): string {
  const near = closestMatch(name.slice(0, 100).toLowerCase(), [...known], {
    maxDistance: Math.max(2, Math.ceil(name.length / 3)),
  })
  if (near) return `did you mean ${near}?`
  return known.length ? `known are ${known.join(', ')}` : 'there are none here'
}
