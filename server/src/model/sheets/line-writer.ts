import { writeSync } from 'node:fs'
import { badField } from '../../kit/ground/errors.ts'

/** The number of characters that are written at once. */
const atOnce = 64 * 1024

/**
 * Writes values as lines of JSON to an open file, as an import reads them: `add` takes the JSON of one, `end` writes the
 * rest. 400 for more than `most` bytes of what `what` names.
 */
export function lineWriter(out: number, most: number, what: string) {
  let written = 0
  let pending = ''
  const end = () => {
    written += writeSync(out, pending)
    pending = ''
    if (written > most) {
      throw badField('file', `has more than ${most / 1024 / 1024} MiB of ${what}: split it`)
    }
  }
  const add = (json: string) => {
    pending += `${json.replace(/[\u2028\u2029]/g, escaped)}\n`
    if (pending.length > atOnce) end()
  }
  return { add, end }
}

/** Some line readers treat these two as line ends; in JSON they only occur inside texts. */
function escaped(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16)}`
}
