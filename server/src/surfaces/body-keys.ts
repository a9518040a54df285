import { parse } from 'secure-json-parse'
import type { Failure } from '../kit/ground/errors.ts'
import { badRequest } from '../kit/ground/errors.ts'

/** The maximum number of keys of an object in a body. */
export const mostKeys = 2000

/**
 * The value of a JSON text; undefined if it is invalid, or has keys that would change an object's
 * prototype. 400 beyond `mostValues` values in all (0 is no limit) or 2,000 keys in an object.
 */
export function readJson(text: string, mostValues: number): unknown {
  checkBounds(text, mostValues)
  try {
    return parse(text, null, { protoAction: 'error', constructorAction: 'error' })
  } catch {
    return undefined
  }
}

/** 400 for values of a form that have more than `most` values inside together. */
export function checkInner(values: unknown, most: number): void {
  if (!most) return
  let left = most
  const open: unknown[] = [values]
  while (open.length) {
    const inner: unknown[] = Object.values(open.pop() as object)
    left -= inner.length
    if (left < 0) throw tooManyValues(most)
    for (const each of inner) if (typeof each === 'object' && each !== null) open.push(each)
  }
}

/**
 * Scans a text before it is parsed: each value takes memory and time, parsing 50,000 different keys
 * of one object takes 100 ms and each copy of them 50 ms; scanning a MiB takes one to four.
 */
function checkBounds(json: string, mostValues: number): void {
  // a value takes two characters at least, with the comma, and a key five
  if (json.length < Math.min(2 * mostValues || Infinity, 5 * mostKeys)) return
  let values = 0
  let isWide = false
  const keys: number[] = [0]
  let depth = 0
  for (let i = 0; i < json.length; i++) {
    const character = json.charCodeAt(i)
    if (character === quote) i = endOfText(json, i)
    else if (character === comma) values++
    else if (character === colon) {
      const count = (keys[depth] ?? 0) + 1
      keys[depth] = count
      isWide ||= count > mostKeys
    } else if (character === openObject || character === openList) {
      values++
      keys[++depth] = 0
    } else if (character === closeObject || character === closeList) depth = Math.max(0, depth - 1)
    if (mostValues && values > mostValues) throw tooManyValues(mostValues)
  }
  if (isWide) {
    const message = `Invalid request body: an object of more than ${mostKeys} keys`
    throw badRequest(message, undefined, 'too_many_values')
  }
}

/** The position of the closing quote of the text that begins at `start`. */
function endOfText(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); ; end = json.indexOf('"', end + 1)) {
    if (end < 0) return json.length
    let escapes = 0
    while (json.charCodeAt(end - 1 - escapes) === backslash) escapes++
    if (escapes % 2 === 0) return end
  }
}

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

function tooManyValues(most: number): Failure {
  const message = `Invalid request body: more than ${most} values`
  return badRequest(message, undefined, 'too_many_values')
}
