/** Line breaks and other control characters. */
const controls = /[\p{Cc}\p{Zl}\p{Zp}]+/gu
/** What changes the direction of the text behind it: embeddings, overrides and isolates. */
const directions = /[\u202a-\u202e\u2066-\u2069]/g

/**
 * A name or title as part of another text: in one line, and without characters that would change the direction of
 * what stands beside it. So the name of a person or an organization cannot add paragraphs to a mail or turn it round.
 */
export function oneLine(text: string): string {
  return text.replaceAll(directions, '').replaceAll(controls, ' ')
}

/** The same without blanks around it and with single ones within: for headers of mails, such as subjects and names. */
export function headerText(text: string): string {
  return oneLine(text).replaceAll(/\s+/g, ' ').trim()
}
