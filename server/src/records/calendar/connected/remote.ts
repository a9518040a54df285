import type { Context } from '../../../kit/ground/context.ts'
import { Failure } from '../../../kit/ground/errors.ts'
import type { OutboundAnswer, OutboundRequest } from '../../../kit/ground/services.ts'
import { OutboundError } from '../../../kit/ground/services.ts'
import type { Item, Part } from './event.ts'

/** What may be wrong with a connection, as screens say it. */
export const problems = [
  'credentials',
  'unreachable',
  'forbidden_address',
  'calendar_gone',
  'throttled',
  'too_large',
  'no_right',
  'unexpected',
] as const
export type Problem = (typeof problems)[number]

/** A refusal of the other side: a problem of the connection, or one that the synchronization itself settles. */
export class RemoteError extends Error {
  readonly what: Problem | 'token_lost' | 'conflict'
  /** seconds after which it may be tried again */
  readonly after: number | undefined

  constructor(what: RemoteError['what'], message: string, after?: number) {
    super(message)
    this.what = what
    this.after = after
  }
}

/** What is wrong with one entry, of an error that says nothing about the others; undefined for any other error. */
export function faultOf(error: unknown): string | undefined {
  if (error instanceof Failure && error.status < 500) {
    const { errors, message } = error
    return errors?.map((each) => `${each.field} ${each.message}`).join('; ') ?? message
  }
  const isOfValues = [RangeError, TypeError, SyntaxError].some((kind) => error instanceof kind)
  return isOfValues ? 'has a value that cannot be read' : undefined
}

/** An entry with what is read of it, or with its fault where that cannot be done; undefined where nothing is there. */
export async function readItem(
  item: Omit<Item, 'parts' | 'fault'>,
  read: () => Promise<(Pick<Item, 'parts'> & { uid?: string }) | undefined>,
): Promise<Item | undefined> {
  try {
    const found = await read()
    return found && { ...item, ...found }
  } catch (error) {
    const fault = faultOf(error)
    if (fault === undefined) throw error
    return { ...item, parts: [], fault }
  }
}

/** An entry that is there and can be read; throws for any other. */
export function present(item: Item | undefined): Item {
  if (!item) throw new RemoteError('conflict', 'The event was removed meanwhile')
  if (item.fault !== undefined) throw new RemoteError('unexpected', item.fault)
  return item
}

/** A calendar that a connection offers. */
export type RemoteCalendar = {
  id: string
  name: string
  is_writable: boolean
  /** the one that its person uses by default */
  is_main: boolean
  /** the mail address of its person, where the server says it */
  account?: string
}

/** What has changed in a calendar since a token; everything in it where `isWhole`. */
export type Changes = {
  changed: { href: string; etag: string | null }[]
  removed: string[]
  token: string | null
  isWhole: boolean
}

/** An entry that is to be written: `href` of one that is there; a new one is named by `name`, the same at every attempt. */
export type Writing = {
  name: string
  uid: string
  parts: Pick<Part, 'key' | 'event'>[]
  /** as it was read just before */
  before?: Item | undefined
  /** whether it is to get a video call, where the server makes them */
  wantsCall?: boolean
}

/** A server with calendars. Every method throws a `RemoteError`. */
export type Remote = {
  calendars(): Promise<RemoteCalendar[]>
  changes(calendar: string, token: string | null): Promise<Changes>
  /** the entries that are there, in any order; at most fifty at once */
  read(calendar: string, hrefs: string[]): Promise<Item[]>
  /** what an entry of this name is called there */
  nameOf(name: string): string
  /** stores an entry unless it was changed since `before`; answers what is there then */
  write(calendar: string, writing: Writing): Promise<Item>
  /** removes an entry, whoever has changed it since; one that is gone already is no error */
  remove(calendar: string, href: string): Promise<void>
}

/** The maximum number of entries in a calendar. */
export const mostEntries = 20_000

export function tooLarge(): RemoteError {
  return new RemoteError('too_large', `The calendar has more than ${mostEntries} entries`)
}

/** How much of a listing is kept until it is read, in characters of JSON. */
const mostGathered = 16 * 1024 * 1024

/** Entries that a listing has brought already, by their names, each until it is read; those above a size are not kept. */
export function gathering<Raw>() {
  const found = new Map<string, Raw>()
  let size = 0
  return {
    put(href: string, raw: Raw): void {
      size += JSON.stringify(raw).length
      if (size <= mostGathered) found.set(href, raw)
    },
    take(href: string): Raw | undefined {
      const raw = found.get(href)
      found.delete(href)
      return raw
    },
    takeAll(isWanted: (href: string) => boolean): Raw[] {
      const wanted = [...found].filter(([href]) => isWanted(href))
      for (const [href] of wanted) found.delete(href)
      return wanted.map(([, raw]) => raw)
    },
  }
}

/** One request, with what every server may refuse as a `RemoteError`. */
export async function asked(
  ctx: Context,
  request: OutboundRequest,
  expected: number[],
): Promise<OutboundAnswer> {
  const answer = await ctx.services.outbound.ask(request).catch((error: unknown) => {
    if (!(error instanceof OutboundError)) throw error
    const what = error.isForbidden ? 'forbidden_address' : 'unreachable'
    throw new RemoteError(error.isTooLarge ? 'too_large' : what, error.message)
  })
  const { status, headers } = answer
  if (expected.includes(status)) return answer
  const { host } = new URL(request.url)
  const message = `${host} answered ${request.method} with ${status}`
  if (status === 401) throw new RemoteError('credentials', message)
  if (status === 429 || status === 503) {
    throw new RemoteError('throttled', message, secondsOf(headers['retry-after']))
  }
  if (status === 412 || status === 409) throw new RemoteError('conflict', message)
  if (status === 404 || status === 410) throw new RemoteError('calendar_gone', message)
  if (status === 403) throw new RemoteError('no_right', message)
  if (status >= 500) throw new RemoteError('unreachable', message)
  throw new RemoteError('unexpected', message)
}

/** The seconds of a `Retry-After`, a number or a date; at most a day. */
function secondsOf(header: string | undefined): number | undefined {
  if (!header) return undefined
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.min(86_400, Math.max(1, Math.ceil(seconds))) : undefined
}
