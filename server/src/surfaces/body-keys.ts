import { badRequest } from '../kit/ground/errors.ts'

/** An object in a body has at most so many keys. */
export const mostKeys = 2000

const [quote, backslash, colon] = [0x22, 0x5c, 0x3a]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * 400 for JSON with an object of more than 2,000 keys. It is seen before it is parsed: parsing 50,000
 * different keys takes 100 ms, each copy of them 50 ms, and looking at a MiB one or two.
 */
export function checkKeys(json: Uint8Array): void {
  // a key takes five bytes at least
  if (json.length < 5 * mostKeys) return
  const keys: number[] = [0]
  let depth = 0
  for (let i = 0; i < json.length; i++) {
    const byte = json[i]
    if (byte === quote) {
      for (i++; i < json.length && json[i] !== quote; i++) if (json[i] === backslash) i++
    } else if (byte === colon) {
      const count = (keys[depth] ?? 0) + 1
      keys[depth] = count
      if (count > mostKeys) throw tooMany()
    } else if (byte === openObject || byte === openList) keys[++depth] = 0
    else if (byte === closeObject || byte === closeList) depth = Math.max(0, depth - 1)
  }
}

function tooMany() {
  const message = `Invalid request body: an object of more than ${mostKeys} keys`
  return badRequest(message, undefined, 'too_many_values')
}
