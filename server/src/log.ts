import type { DestinationStream, Logger } from 'pino'
import { pino } from 'pino'

/**
 * The log: JSON lines on standard output. Values under secret names, tokens,
 * credentials in URLs and query strings are always removed.
 */
export function makeLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: {
      level: (label: string) => ({ level: label }),
      log: (fields: object) => redacted(fields, 0) as { [name: string]: unknown },
    },
    hooks: {
      logMethod(this: Logger, args: unknown[], method: (...args: unknown[]) => void) {
        const [first] = args
        // an error alone would put its message into the line unchanged
        const written =
          first instanceof Error ? [{ err: first }, first.message, ...args.slice(1)] : args
        method.apply(
          this,
          written.map((each) => (typeof each === 'string' ? scrub(each) : each)),
        )
      },
    },
  }
  return destination ? pino(options, destination) : pino(options)
}

/** A text without secrets: tokens, credentials in URLs, query strings. */
function scrub(text: string): string {
  return text
    .replace(/[\w.-]+/g, withoutToken)
    .replace(/\b(whsec|prt|pfk|psk|pat)_[\w+/=-]{8,}/g, hidden)
    .replace(/\b(Bearer|Basic) +[\w.~+/=-]+/gi, `$1 ${hidden}`)
    .replace(/(?<![a-z0-9+.-])([a-z0-9+.-]+:\/\/)[^\s/@]*@/gi, `$1${hidden}@`)
    .replace(/[^\s"']+/g, withoutQuery)
}

/** A word without the JSON Web Token in it, which is looked for once: words may be long. */
function withoutToken(word: string): string {
  const start = word.search(/\beyJ[\w-]/)
  return start >= 0 && word.includes('.', start) ? word.slice(0, start) + hidden : word
}

/** A path or address without its query string; other words as they are. */
function withoutQuery(word: string): string {
  const path = word.indexOf('/')
  const query = path < 0 ? -1 : word.indexOf('?', path)
  return query < 0 ? word : word.slice(0, query)
}

const hidden = '[redacted]'
const secretName =
  /pass(word|wd)?$|secret|token|authorization|cookie|signature|api_?key|function_?s?[_-]?key|^code$|^key$|_hash$|jwk$/i

function redacted(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return scrub(value)
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Error) return describe(value, depth)
  if (value instanceof Date || depth > 6) return String(value)
  if (ArrayBuffer.isView(value)) return '[bytes]'
  if (Array.isArray(value))
    return value.slice(0, 100).map((each: unknown) => redacted(each, depth + 1))
  const copy: { [name: string]: unknown } = {}
  for (const [name, inner] of Object.entries(value as { [name: string]: unknown })) {
    copy[name] = secretName.test(name) && inner !== null ? hidden : redacted(inner, depth + 1)
  }
  return copy
}

/** The parts of an error that cannot contain a row's values, as PostgreSQL's `detail` and `where` do. */
function describe(error: Error, depth: number): object {
  const { name, message, stack, cause } = error
  const { code, table, constraint, routine } = error as Error & { [name: string]: unknown }
  const known = { type: name, message: scrub(message), code, table, constraint, routine }
  const because = cause === undefined ? {} : { cause: redacted(cause, depth + 1) }
  return { ...known, stack: scrub(stack ?? ''), ...because }
}
