import EmailReplyParser from 'email-reply-parser'
import type { Email } from 'postal-mime'
import PostalMime, { addressParser } from 'postal-mime'
import sanitizeHtml from 'sanitize-html'
import { withReadableDomain } from '../../kit/ground/email-address.ts'
import { textOf } from '../../kit/ground/html.ts'
import { catalogues, languages } from '../../model/languages/language.ts'
import { Failure } from '../../kit/ground/errors.ts'
import type { Header, MailResults } from './authentication.ts'
import { resultsIn } from './authentication.ts'

/** The parts of a received mail that a reply needs. */
export type Inbound = {
  /** the address of `From`, in lower case; empty unless there is one `From` with one address */
  from: string
  /** what the mail server in front has found out, by the results that it has added itself */
  results: MailResults
  message_id: string | null
  /** what its author wrote, without quoted text; may be empty */
  text: string
  /** an automatic mail: out of office, a bounce, a mailing list */
  isAutomatic: boolean
}

/** The maximum length of a comment; longer text is cut. */
const mostText = 10_000

/** The bytes of a mail, and the names under which the mail server in front may sign its results. */
export type Received = { bytes: Uint8Array; servers: string[] }

/**
 * Parses a mail of at most some megabytes: parts, character sets, and quoted text. 400 for one that cannot be read,
 * however often it is sent.
 */
export async function readInbound(received: Received): Promise<Inbound> {
  const { mail, ...head } = await readMail(received)
  const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value ?? ''
  const written = mail.text?.trim() ? mail.text : textFromHtml(mail.html ?? '')
  return {
    ...head,
    text: ownWords(written.replaceAll('\0', '')),
    isAutomatic:
      !/^(no)?$/i.test(header('auto-submitted').trim()) ||
      /^(bulk|list|junk|auto_reply)$/i.test(header('precedence').trim()) ||
      /^multipart\/report/i.test(header('content-type')) ||
      header('x-autoreply') !== '' ||
      header('x-autorespond') !== '' ||
      header('list-id') !== '',
  }
}

/** A mail, and who it is from. 400 for one that cannot be read. */
export async function readMail({
  bytes,
  servers,
}: Received): Promise<Pick<Inbound, 'from' | 'results' | 'message_id'> & { mail: Email }> {
  const limits = { maxNestingDepth: 20, maxHeadersSize: 256 * 1024 }
  const mail = await PostalMime.parse(bytes, limits).catch((error: unknown) => {
    throw new Failure(400, 'invalid_mail', `This is no mail that can be read: ${String(error)}`)
  })
  return {
    mail,
    from: senderOf(mail.headers),
    results: resultsIn(mail.headers, servers),
    message_id: mail.messageId ?? null,
  }
}

/** The only address of the only `From`: of several, programs disagree about whom they show (RFC 5322, 3.6). */
function senderOf(headers: Header[]): string {
  const [from, ...others] = headers.filter(({ key }) => key === 'from')
  if (!from || others.length) return ''
  const [sender, ...more] = addressParser(from.value)
  if (more.length || !sender?.address) return ''
  return withReadableDomain(sender.address.trim().toLowerCase())
}

/** The text above the reply marker, without quoted text. */
function ownWords(written: string): string {
  // finding quoted text takes quadratic time: 0.3 s for this length
  const text = written.slice(0, 4 * mostText).replaceAll(/\r\n?/g, '\n')
  const rulers = languages.map((language) => catalogues[language]['mail.reply_above'])
  const ruler = text.split('\n').findIndex((line) => rulers.some((each) => line.includes(each)))
  const above = ruler < 0 ? text : withoutAttribution(text.split('\n').slice(0, ruler))
  return new EmailReplyParser().parseReply(above).trim().slice(0, mostText)
}

/** The lines without the last ones, if they introduce a quotation ("On … wrote:"). */
function withoutAttribution(lines: string[]): string {
  const isQuoted = (line = '') => /^\s*>?\s*$/.test(line)
  let end = lines.length
  while (end && isQuoted(lines[end - 1])) end--
  // in each language it ends with a colon, names an address or a time, and may take two lines
  for (const many of [1, 2]) {
    const last = lines
      .slice(Math.max(0, end - many), end)
      .join(' ')
      .trim()
    if (last.endsWith(':') && /@|\d{1,2}[:.h]\d\d|\d{4}/.test(last)) {
      end = Math.max(0, end - many)
      break
    }
  }
  return lines.slice(0, end).join('\n')
}

/** The text of a mail that only has HTML, without quoted text. */
export function textFromHtml(html: string): string {
  const safe = sanitizeHtml(html.slice(0, 100 * mostText), {
    allowedTags: ['p', 'div', 'br', 'li', 'tr'],
    allowedAttributes: {},
    nonTextTags: ['style', 'script', 'title', 'textarea', 'option', 'blockquote'],
    nestingLimit: 50,
  })
  return textOf(safe).replaceAll(/\n{3,}/g, '\n\n')
}
