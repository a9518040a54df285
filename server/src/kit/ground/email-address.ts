/**
 * Whether a text that is otherwise an e-mail address would be read as another one: mail programs decode an
 * encoded word (RFC 2047), such as `=?utf-8?q?a?=`, and may decode into anything.
 */
export function hasEncodedWord(text: string): boolean {
  return text.includes('=?')
}
