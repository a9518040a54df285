import { withReadableDomain } from '../../kit/ground/email-address.ts'

/** A header of a mail, its name in lower case. */
export type Header = { key: string; value: string }

/** What a mail server has found out about the sender; undefined where it says nothing. */
export type MailResults = { dmarc?: string; dmarcDomain?: string; spf?: string }

/**
 * The results in the first `Authentication-Results` that one of these servers has added (RFC 8601): others are of servers
 * on the way, or forged. The server in front removes those that come in under its own name.
 */
export function resultsIn(headers: Header[], servers: string[]): MailResults {
  const own = headers.find(
    ({ key, value }) => key === 'authentication-results' && servers.includes(serverOf(value)),
  )
  if (!own) return {}
  const [, ...parts] = withoutComments(own.value).split(';')
  const result = (method: string) =>
    parts.find((part) => new RegExp(`^\\s*${method}\\s*(/\\s*1\\s*)?=`, 'i').test(part))
  const word = (part: string | undefined) => /=\s*([a-z]+)/i.exec(part ?? '')?.[1]?.toLowerCase()
  const dmarc = word(result('dmarc'))
  const spf = word(result('spf'))
  const domain = /\bheader\.from\s*=\s*"?([^\s;"]+)/i.exec(result('dmarc') ?? '')?.[1]
  return {
    ...(dmarc ? { dmarc } : {}),
    ...(domain ? { dmarcDomain: domain.toLowerCase() } : {}),
    ...(spf ? { spf } : {}),
  }
}

/**
 * Whether a sender is who `From` says: by DMARC where the server in front gives its result, else by the envelope, which
 * must have the same address, unless SPF failed for it.
 */
export function isVouchedFor(
  from: string,
  envelopeFrom: string,
  { dmarc, dmarcDomain, spf }: MailResults,
): boolean {
  const domain = from.slice(from.lastIndexOf('@') + 1)
  if (dmarc === 'pass') {
    return dmarcDomain === undefined || withReadableDomain(`x@${dmarcDomain}`) === `x@${domain}`
  }
  if (dmarc === 'fail' || spf === 'fail') return false
  return withReadableDomain(envelopeFrom.trim().toLowerCase()) === from
}

function serverOf(value: string): string {
  return (/^\s*([^\s;]+)/.exec(withoutComments(value))?.[1] ?? '').toLowerCase()
}

function withoutComments(value: string): string {
  return value.replaceAll(/\([^()]*\)/g, ' ')
}
