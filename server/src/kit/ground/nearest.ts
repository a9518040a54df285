import { closestMatch } from 'leven'

/** What to write instead of a name that is not known: the nearest of those that are, or all of them. */
export function hintFor(name: string, known: string[]): string {
  const near = closestMatch(name.slice(0, 100).toLowerCase(), known, {
    maxDistance: Math.max(2, Math.ceil(name.length / 3)),
  })
  if (near) return `did you mean ${near}?`
  return known.length ? `known are ${known.join(', ')}` : 'there are none here'
}
