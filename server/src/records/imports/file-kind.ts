import { badField } from '../../kit/ground/errors.ts'
import { typeByBytes } from '../../files/media-type.ts'
import type { ImportModule } from '../../model/imports/import.ts'
import type { Reading } from '../../model/sheets/rows.ts'

/** What a file is by its first bytes; 400 for what is no text of a table: read as one, a PDF would become columns without a meaning. */
export function kindOf(
  field: 'file' | 'csv',
  head: Buffer,
  name = '',
): NonNullable<Reading['type']> {
  if (head.subarray(0, 4).equals(zipped)) {
    const other = otherPackage(head)
    if (!other) return 'xlsx'
    throw badField(field, `is ${other}: save it as .xlsx or CSV`)
  }
  if (head.subarray(0, 4).equals(oldOffice)) {
    const wide = Buffer.from('EncryptedPackage', 'utf16le')
    const kind = head.includes(wide)
      ? 'is an Excel file with a password: remove the password, or save it'
      : /\.xls[xm]$/i.test(name)
        ? 'is an old Excel file (.xls), or one with a password: save it'
        : 'is an old Excel file (.xls): save it'
    throw badField(field, `${kind} as .xlsx or CSV`)
  }
  // UTF-16 without its zeros, and without a byte-order mark
  const start = head
    .subarray(0, 400)
    .toString('latin1')
    .replace(/^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '')
    .replaceAll('\0', '')
    .trimStart()
  if (/^BEGIN:VCARD\b/i.test(start)) return 'vcard'
  if (/^BEGIN:VCALENDAR\b/i.test(start)) return 'icalendar'
  const type = textKind(start) ?? typeByBytes(head)
  if (type) throw badField(field, `is ${type}, not a table: save it as CSV, TSV or .xlsx`)
  return 'csv'
}

/** 400 for people or meetings that were to become something else. */
export function checkKind(kind: Reading['type'], module: ImportModule) {
  const [its, words] =
    kind === 'vcard' ? ['contacts', 'a vCard file'] : ['meetings', 'an iCalendar file']
  if ((kind !== 'vcard' && kind !== 'icalendar') || its === module) return
  throw badField('module', `must be ${its}: the file is ${words}`)
}

function textKind(start: string): string | undefined {
  if (/^<(!doctype|html|\?xml|svg|table)\b/i.test(start)) return 'HTML or XML'
  return /^(\{\s*("|\})|\[\s*[[{"\]])/.test(start) ? 'JSON' : undefined
}

/** Other files of offices, which are zip files too. */
function otherPackage(head: Buffer): string | undefined {
  const start = head.toString('latin1')
  if (start.includes('application/vnd.oasis.opendocument')) return 'an OpenDocument file (.ods)'
  if (/word\/document\.xml/.test(start)) return 'a Word document'
  if (/ppt\/presentation\.xml/.test(start)) return 'a PowerPoint file'
  return /xl\/workbook\.bin/.test(start) ? 'a binary Excel file (.xlsb)' : undefined
}

const zipped = Buffer.from([0x50, 0x4b, 0x03, 0x04])
const oldOffice = Buffer.from([0xd0, 0xcf, 0x11, 0xe0])
