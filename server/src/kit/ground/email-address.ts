import { domainToASCII, domainToUnicode } from 'node:url'
import { composed } from './composed.ts'

/**
 * Whether a text is an e-mail address: of RFC 5321 without quotes, or of RFC 6531, whose domain and local part
 * may have letters and digits of all scripts. A domain must be written as its punycode reads back, so that no
 * full-width or invisible character makes it look like another one.
 */
export function isEmailAddress(text: string): boolean {
  if (text.length > longest || hasEncodedWord(text)) return false
  const at = text.lastIndexOf('@')
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)]
  if (at < 0 || !localPart.test(local)) return false
  const ascii = isAscii(domain) ? domain : domainToASCII(domain)
  if (!hostName.test(ascii)) return false
  return ascii === domain || domainToUnicode(ascii) === composed(domain.toLowerCase())
}

/** The maximum length of an address in characters: 64, an @ and 255. */
const longest = 320

const localPart =
  /^[\w!#$%&'*+/=?^`{|}~\p{L}\p{M}\p{N}-]+(\.[\w!#$%&'*+/=?^`{|}~\p{L}\p{M}\p{N}-]+)*$/u
const hostName = /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]*[a-z0-9])?$/i

/**
 * An e-mail address with an international domain in letters, as people write and read it; browsers send such a
 * domain as punycode. Other addresses as they are.
 */
export function withReadableDomain(address: string): string {
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  if (at < 0 || !/(^|\.)xn--/i.test(domain)) return address
  // empty for what is no punycode
  const readable = domainToUnicode(domain)
  return readable ? `${address.slice(0, at)}@${readable}` : address
}

function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text)
}

/**
 * Whether a text that is otherwise an e-mail address would be read as another one: mail programs decode an
 * encoded word (RFC 2047), such as `=?utf-8?q?a?=`, and may decode into anything.
 */
export function hasEncodedWord(text: string): boolean {
  return text.includes('=?')
}
