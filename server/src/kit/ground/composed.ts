/**
 * A text in Unicode's composed form (NFC): `é` is one character or two, depending on the keyboard and the file system.
 * Names, tags and what is searched for are compared in this form; other texts are stored as they are sent.
 */
export function composed(text: string): string {
  // nothing below U+0300 is composed of anything
  return /[^\0-\u02ff]/.test(text) ? text.normalize('NFC') : text
}
