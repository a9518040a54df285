import { closestMatch } from 'leven'
import type { FieldError } from './errors.ts'
import { isObject } from './object.ts'

/** A hint for an unknown name: the most similar known name, or all of them. */
export function hintFor(name: string, known: readonly string[]): string {
  const near = nearest(name, known)
  if (near) return `did you mean ${near}?`
  return known.length ? `known are ${known.join(', ')}` : 'there are none here'
}

/** The known name that a misspelled one probably means; undefined if none is similar. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  return closestMatch(name.slice(0, 100).toLowerCase(), [...known], {
    maxDistance: Math.max(2, Math.ceil(Math.min(name.length, 100) / 3)),
  })
}

/** The errors of the unknown keys of an object at the path `at`, each with a suggestion. */
export function unknownKeys(value: unknown, known: string[], at: string): FieldError[] {
  if (!isObject(value)) return []
  return Object.keys(value)
    .filter((name) => !known.includes(name))
    .map((name) => ({
      field: at ? `${at}.${name}` : name,
      message: `is not known here; ${hintFor(name, known)}`,
    }))
}
