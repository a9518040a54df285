import type { Upload } from '../kit/ground/files.ts'

/** The media type by the first bytes, else by the name's extension, else as the caller states. */
export function typeOf({ head, name, type }: Pick<Upload, 'head' | 'name' | 'type'>): string {
  const extension = /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  const named = Object.hasOwn(byExtension, extension) ? byExtension[extension] : undefined
  const detected = typeByBytes(head)
  if (detected === 'application/zip' && named?.startsWith('application/vnd.')) return named
  if (detected === 'riff') return head.subarray(8, 12).toString() === 'WEBP' ? 'image/webp' : plain
  if (detected) return detected
  if (named) return named
  const [stated = ''] = type.toLowerCase().split(';')
  return /^[a-z]+\/[a-z0-9.+-]{1,100}$/.test(stated.trim()) ? stated.trim() : plain
}

/** The media type that the first bytes of a file tell, `riff` for a container of several; undefined for others. */
export function typeByBytes(head: Buffer): string | undefined {
  return magicNumbers.find(([start]) => head.subarray(0, start.length).equals(start))?.[1]
}

/** The name of the icon for a media type. */
export function iconOf(type: string): string {
  const found = icons.find(([pattern]) => pattern.test(type))
  return found ? found[1] : 'file'
}

const plain = 'application/octet-stream'

const magicNumbers: [start: Buffer, type: string][] = [
  [Buffer.from('%PDF-'), 'application/pdf'],
  [Buffer.from('89504e470d0a1a0a', 'hex'), 'image/png'],
  [Buffer.from('ffd8ff', 'hex'), 'image/jpeg'],
  [Buffer.from('GIF8'), 'image/gif'],
  [Buffer.from('RIFF'), 'riff'],
  [Buffer.from('504b0304', 'hex'), 'application/zip'],
  [Buffer.from('1f8b08', 'hex'), 'application/gzip'],
]

const office = 'application/vnd.openxmlformats-officedocument.'
const byExtension: { [extension: string]: string } = {
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  html: 'text/html',
  htm: 'text/html',
  json: 'application/json',
  xml: 'application/xml',
  zip: 'application/zip',
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
  docx: `${office}wordprocessingml.document`,
  xlsx: `${office}spreadsheetml.sheet`,
  pptx: `${office}presentationml.presentation`,
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  mp3: 'audio/mpeg',
}

const icons: [pattern: RegExp, icon: string][] = [
  [/^application\/pdf$/, 'pdf'],
  [/^image\//, 'image'],
  [/^video\//, 'video'],
  [/^audio\//, 'audio'],
  [/csv|excel|spreadsheet/, 'spreadsheet'],
  [/powerpoint|presentation/, 'presentation'],
  [/msword|wordprocessing|opendocument\.text/, 'word'],
  [/zip|compressed/, 'archive'],
  [/^text\/|json|xml/, 'text'],
]
