import { inflateSync } from 'node:zlib'
import type { Received } from './mailbox.ts'

/** A text that somebody received, and its place in the message. */
export type Part = { place: string; text: string }

/**
 * Every text of a mail: addresses, headers, both bodies with and without their tags and entities, and
 * each attachment with its name; of PDF files what is compressed in them, too.
 */
export function partsOf(mail: Received): Part[] {
  const { subject = '', from, replyTo, text = '', html = '', headers, attachments } = mail
  const parts = [
    { place: 'subject', text: subject },
    { place: 'addresses', text: JSON.stringify([from, replyTo]) },
    { place: 'headers', text: headers.map(({ key, value }) => `${key}: ${value}`).join('\n') },
    { place: 'text', text },
    { place: 'html', text: html },
    { place: 'html', text: plain(html) },
  ]
  for (const { filename, content } of attachments) {
    const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.from(content as never)
    parts.push({ place: 'attachment', text: filename ?? '' })
    for (const each of [bytes, ...streamsOf(bytes)]) {
      // lines of iCalendar are folded at 75 bytes
      parts.push({ place: 'attachment', text: each.toString('utf8').replaceAll(/\r?\n[ \t]/g, '') })
      parts.push({ place: 'attachment', text: each.toString('utf16le') })
    }
  }
  return parts
}

/** The matches of a pattern, with the surrounding text. */
export function foundIn(parts: Part[], pattern: RegExp): string[] {
  return parts.flatMap(({ place, text }) => {
    const at = text.search(pattern)
    return at < 0 ? [] : [`${place}: …${text.slice(Math.max(0, at - 60), at + 60)}…`]
  })
}

function plain(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll(/&#x([0-9a-f]+);/gi, (_, code: string) => String.fromCodePoint(parseInt(code, 16)))
}

/** What the compressed streams of a PDF hold, embedded files among them. */
function streamsOf(bytes: Buffer): Buffer[] {
  const found: Buffer[] = []
  let at = bytes.indexOf('stream')
  while (at >= 0) {
    const start = bytes[at + 6] === 13 ? at + 8 : at + 7
    const end = bytes.indexOf('endstream', start)
    if (end < 0) break
    try {
      found.push(inflateSync(bytes.subarray(start, end)))
    } catch {
      // not compressed, or a picture
    }
    at = bytes.indexOf('stream', end + 9)
  }
  return found
}
