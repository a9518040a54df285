import { createHash } from 'node:crypto'
import type { Context } from '../../../kit/ground/context.ts'
import type { OutboundAnswer } from '../../../kit/ground/services.ts'
import type { Item } from './event.ts'
import { clipped, readIcs, writeIcs } from './icalendar.ts'
import type { Changes, Remote, RemoteCalendar } from './remote.ts'
import { asked, mostEntries, readItem, RemoteError, tooLarge } from './remote.ts'
import type { Element } from './xml.ts'
import { find, readXml, textAt, xmlText } from './xml.ts'

/** How a person is known at a CalDAV server. */
export type CaldavAccess = { address: string; account: string; password: string }

/** How many collections of calendars are looked into, and how many answers a list of changes may have. */
const mostHomes = 10
const mostRounds = 200

const names = 'xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"'

/** A CalDAV server (RFC 4791), read by collection synchronization (RFC 6578) where it has it. */
export function caldav(ctx: Context, { address, account, password }: CaldavAccess): Remote {
  const authorization = `Basic ${Buffer.from(`${account}:${password}`).toString('base64')}`
  const usual = ctx.organization.timezone
  const wellKnown = new URL('/.well-known/caldav', address).href

  /** One request; redirects, of which a first look has some, are followed as far as `within` allows. */
  async function dav(
    method: string,
    url: string,
    {
      body,
      expected = [207],
      headers = {},
    }: { body?: string; expected?: number[]; headers?: { [name: string]: string } } = {},
  ): Promise<OutboundAnswer & { url: string }> {
    let at = url
    for (let hops = 0; hops < 4; hops++) {
      const type = method === 'PUT' ? 'text/calendar' : 'application/xml'
      const request = {
        url: at,
        method,
        headers: {
          authorization,
          ...(body === undefined ? {} : { 'content-type': `${type}; charset=utf-8` }),
          ...headers,
        },
        ...(body === undefined ? {} : { body }),
      }
      const moves = [301, 302, 307, 308]
      const answer = await asked(ctx, request, [...expected, ...moves])
      if (!moves.includes(answer.status)) return { ...answer, url: at }
      at = within(address, at, answer.headers.location ?? '', at === wellKnown)
    }
    throw new RemoteError('unexpected', 'The server redirects too often')
  }

  async function propfind(url: string, depth: '0' | '1', properties: string, more: number[] = []) {
    const body = `<?xml version="1.0"?><D:propfind ${names}><D:prop>${properties}</D:prop></D:propfind>`
    const answer = await dav('PROPFIND', url, {
      body,
      headers: { depth },
      expected: [207, ...more],
    })
    return { ...answer, found: answer.status === 207 ? responsesOf(answer.text) : [] }
  }

  /** Where the calendars of the person are: the address itself may be a calendar, their home or only the server. */
  async function homes(): Promise<string[]> {
    const asks = '<D:current-user-principal/><C:calendar-home-set/><D:resourcetype/>'
    for (const start of [address, wellKnown]) {
      const { found, url } = await propfind(start, '0', asks, [403, 404, 405, 410]).catch(
        (error: unknown) => {
          // a page for people, which leads elsewhere
          const isElsewhere = error instanceof RemoteError && error.what === 'forbidden_address'
          if (!isElsewhere || start === wellKnown) throw error
          return { found: [], url: start }
        },
      )
      const [first] = found
      if (!first) continue
      if (isCalendar(first)) return [url]
      const home = hrefsAt(first, 'calendar-home-set')
      if (home.length) return home.map((href) => within(address, url, href))
      const [principal] = hrefsAt(first, 'current-user-principal')
      if (principal === undefined) continue
      const person = within(address, url, principal)
      const { found: own } = await propfind(person, '0', '<C:calendar-home-set/>')
      const set = own.flatMap((each) => hrefsAt(each, 'calendar-home-set'))
      if (set.length) return set.map((href) => within(address, person, href))
    }
    throw new RemoteError('calendar_gone', 'There is no calendar at this address')
  }

  const remote: Remote = {
    async calendars() {
      const calendars: RemoteCalendar[] = []
      const asks = `<D:displayname/><D:resourcetype/><D:current-user-privilege-set/>
        <C:supported-calendar-component-set/>`
      for (const home of [...new Set(await homes())].slice(0, mostHomes)) {
        const { found, url } = await propfind(home, '1', asks)
        for (const each of found) {
          if (!isCalendar(each) || !takesEvents(each)) continue
          const id = within(address, url, each.href)
          const rights = find(each.prop, 'current-user-privilege-set', 'privilege')
          const may = rights.flatMap(({ inside }) => inside.map(({ name }) => name))
          calendars.push({
            id,
            name: clipped(textAt(each.prop, 'displayname') || decoded(lastPart(id)), 255) ?? id,
            is_writable: !may.length || may.some((right) => writing.has(right)),
            is_main: false,
          })
        }
      }
      const writable = calendars.filter(({ is_writable }) => is_writable)
      if (writable.length === 1 && writable[0]) writable[0].is_main = true
      return calendars.slice(0, 200)
    },

    async changes(calendar, token) {
      const changed: Changes['changed'] = []
      const removed: string[] = []
      let next = token
      for (let rounds = 1; ; rounds++) {
        const body = `<?xml version="1.0"?><D:sync-collection ${names}>
          <D:sync-token>${xmlText(next ?? '')}</D:sync-token><D:sync-level>1</D:sync-level>
          <D:prop><D:getetag/></D:prop></D:sync-collection>`
        const answer = await dav('REPORT', calendar, {
          body,
          headers: { depth: '0' },
          expected: [207, 400, 403, 405, 409, 412, 415, 501],
        })
        if (answer.status !== 207) {
          if (/valid-sync-token/i.test(answer.text) || (token && answer.status !== 403)) {
            throw new RemoteError('token_lost', 'The server no longer knows the token')
          }
          return listed(calendar)
        }
        const root = readXml(answer.text)
        let isCut = false
        for (const each of responses(root)) {
          const href = entryOf(calendar, each.href)
          if (href === undefined) {
            // the collection itself: there is more than fits into one answer
            isCut ||= / 507 /.test(each.status)
          } else if (/ 404 /.test(each.status)) removed.push(href)
          else changed.push({ href, etag: textAt(each.prop, 'getetag') || null })
        }
        const last = textAt(root, 'multistatus', 'sync-token')
        if (changed.length + removed.length > mostEntries || rounds > mostRounds) throw tooLarge()
        if (isCut && last && last !== next) {
          next = last
          continue
        }
        return { changed, removed, token: last || null, isWhole: token === null }
      }
    },

    async read(calendar, hrefs) {
      if (!hrefs.length) return []
      const wanted = hrefs.map((href) => `<D:href>${xmlText(pathOf(calendar, href))}</D:href>`)
      const body = `<?xml version="1.0"?><C:calendar-multiget ${names}>
        <D:prop><D:getetag/><C:calendar-data/></D:prop>${wanted.join('')}</C:calendar-multiget>`
      const answer = await dav('REPORT', calendar, { body, headers: { depth: '1' } })
      const items: Item[] = []
      for (const each of responsesOf(answer.text)) {
        const href = entryOf(calendar, each.href)
        const text = find(each.prop, 'calendar-data')[0]?.text
        const item = href && text && (await itemOf(href, textAt(each.prop, 'getetag'), text))
        if (item) items.push(item)
      }
      return items
    },

    nameOf: (name) => `${name}.ics`,

    async write(calendar, { name, uid, parts, before }) {
      const href = before?.href ?? remote.nameOf(name)
      const was = before && { text: before.raw as string, parts: before.parts }
      const text = writeIcs({ uid, parts, now: ctx.now() }, was)
      const condition: { [name: string]: string } = before
        ? { 'if-match': before.etag }
        : { 'if-none-match': '*' }
      const { headers } = await dav('PUT', new URL(pathOf(calendar, href), calendar).href, {
        body: text,
        headers: condition,
        expected: [200, 201, 204],
      })
      const etag = headers.etag && !headers.etag.startsWith('W/') ? headers.etag : undefined
      const item = etag
        ? await itemOf(href, etag, text)
        : (await remote.read(calendar, [href])).find((each) => each.href === href)
      if (!item) throw new RemoteError('unexpected', 'The server did not store the event')
      return item
    },

    async remove(calendar, href) {
      await dav('DELETE', new URL(pathOf(calendar, href), calendar).href, {
        expected: [200, 204, 404, 410],
      })
    },
  }
  return remote

  /** Everything in a calendar by its properties, for servers without collection synchronization. */
  async function listed(calendar: string): Promise<Changes> {
    const { found } = await propfind(calendar, '1', '<D:getetag/>')
    const changed = found.flatMap((each) => {
      const href = entryOf(calendar, each.href)
      return href === undefined ? [] : [{ href, etag: textAt(each.prop, 'getetag') || null }]
    })
    if (changed.length > mostEntries) throw tooLarge()
    return { changed, removed: [], token: null, isWhole: true }
  }

  function itemOf(href: string, etag: string, text: string): Promise<Item | undefined> {
    // a server without ETags is compared by content
    const item = { href, etag: etag || hashOf(text), uid: '', raw: text }
    return readItem(item, () => readIcs(text, usual))
  }
}

const writing = new Set(['write', 'write-content', 'bind', 'all'])

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

type Response = { href: string; status: string; prop: Element }

function responsesOf(text: string): Response[] {
  return responses(readXml(text))
}

/** The parts of a multistatus answer, each with the properties that were found. */
function responses(root: Element): Response[] {
  return find(root, 'multistatus', 'response').map((each) => {
    const found = find(each, 'propstat').find((part) => / 200 /.test(textAt(part, 'status')))
    return {
      href: textAt(each, 'href'),
      status: ` ${textAt(each, 'status')} `,
      prop: (found && find(found, 'prop')[0]) ?? {
        name: 'prop',
        attributes: {},
        text: '',
        inside: [],
      },
    }
  })
}

function hrefsAt({ prop }: Response, name: string): string[] {
  return find(prop, name, 'href').map(({ text }) => text.trim())
}

function isCalendar({ prop }: Response): boolean {
  return find(prop, 'resourcetype', 'calendar').length > 0
}

/** Whether events are among what it takes, which servers that do not say it do. */
function takesEvents({ prop }: Response): boolean {
  const kinds = find(prop, 'supported-calendar-component-set', 'comp')
  return !kinds.length || kinds.some(({ attributes }) => /^VEVENT$/i.test(attributes.name ?? ''))
}

/** The name of an entry within its calendar; undefined for the calendar itself, and for anything elsewhere. */
function entryOf(calendar: string, href: string): string | undefined {
  const base = new URL(calendar).pathname
  const path = URL.canParse(href, calendar) ? new URL(href, calendar).pathname : ''
  const [within_, whole] = [decoded(base), decoded(path)]
  if (!whole.startsWith(within_)) return undefined
  const name = whole.slice(within_.length).replace(/^\//, '')
  return name && !name.includes('/') ? name : undefined
}

function pathOf(calendar: string, name: string): string {
  return `${new URL(calendar).pathname.replace(/\/$/, '')}/${encodeURIComponent(name)}`
}

function lastPart(url: string): string {
  return new URL(url).pathname.split('/').filter(Boolean).at(-1) ?? url
}

/** Domains whose servers send each person to another of their hosts. */
const providers = ['icloud.com']

/**
 * An address that the server names, where credentials go too: of the host that the person gave, of one below it, or of
 * the host that names it; of any other only where the well-known address of the host leads there (RFC 6764). Never
 * without encryption where that has it.
 */
export function within(address: string, at: string, href: string, isWellKnown = false): string {
  if (!URL.canParse(href, at)) throw new RemoteError('unexpected', 'The server names no address')
  const [own, from, next] = [new URL(address), new URL(at), new URL(href, at)]
  const { hostname } = next
  const isBelow = (domain: string) => hostname.endsWith(`.${domain}`)
  const isNear =
    hostname === own.hostname ||
    hostname === from.hostname ||
    (own.hostname.includes('.') && isBelow(own.hostname)) ||
    providers.some((domain) => own.hostname.endsWith(`.${domain}`) && isBelow(domain)) ||
    (isWellKnown && next.protocol === 'https:')
  const isSafe =
    next.protocol === 'https:' || (own.protocol === from.protocol && next.protocol === own.protocol)
  if (isNear && isSafe) return next.href
  throw new RemoteError('forbidden_address', 'The server leads to another one')
}

/** A part of an address without its escapes; as it stands where they are none. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
