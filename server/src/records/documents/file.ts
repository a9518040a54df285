import type { Context } from '../../kit/ground/context.ts'
import type { Upload } from '../../kit/ground/files.ts'
import { newId } from '../../kit/ground/ids.ts'
import type { Input } from '../../kit/ground/operation.ts'
import type { Body } from './input.ts'

/** What a document's upload may weigh. */
export const fileLimit = 50 * 1024 * 1024

/** Keeps the file of a request in the store, ahead of the transaction that names it. */
export async function storeFile(ctx: Context, { file }: Input): Promise<void> {
  if (!file) return
  const key = newKey(ctx)
  await ctx.files.put(key, file.path, typeOf(file))
  file.storedKey = key
}

/** A key of the organization's own for a new file. */
export function newKey(ctx: Context): string {
  return `documents/${ctx.organization.id}/${newId()}`
}

/** The columns of a kept file. */
export function fileColumns(ctx: Context, file: Upload): { [column: string]: unknown } {
  const file_type = typeOf(file)
  return {
    storage_type: ctx.files.kind,
    storage_key: file.storedKey,
    file_name: file.name,
    file_type,
    file_size: file.size,
    file_hash: file.hash,
    file_icon: iconOf(file_type),
    file_time: ctx.now().toISOString(),
  }
}

/** A body's fields without what is known of a file that is kept here. */
export function withoutFile(fields: Body): Body {
  const known = ['storage_type', 'file_name', 'file_type', 'file_size', 'file_icon']
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !known.includes(name)))
}

/** The media type by the first bytes, else by the name's ending, else as the caller says. */
export function typeOf({ head, name, type }: Pick<Upload, 'head' | 'name' | 'type'>): string {
  const ending = /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  const named = Object.hasOwn(byEnding, ending) ? byEnding[ending] : undefined
  const seen = signatures.find(([start]) => head.subarray(0, start.length).equals(start))?.[1]
  if (seen === 'application/zip' && named?.startsWith('application/vnd.')) return named
  if (seen === 'riff') return head.subarray(8, 12).toString() === 'WEBP' ? 'image/webp' : plain
  if (seen) return seen
  if (named) return named
  const given = type.toLowerCase().split(';')[0]!.trim()
  return /^[a-z]+\/[a-z0-9.+-]{1,100}$/.test(given) ? given : plain
}

/** The word of the picture that stands for a type. */
export function iconOf(type: string): string {
  const found = icons.find(([pattern]) => pattern.test(type))
  return found ? found[1] : 'file'
}

const plain = 'application/octet-stream'

const signatures: [start: Buffer, type: string][] = [
  [Buffer.from('%PDF-'), 'application/pdf'],
  [Buffer.from('89504e470d0a1a0a', 'hex'), 'image/png'],
  [Buffer.from('ffd8ff', 'hex'), 'image/jpeg'],
  [Buffer.from('GIF8'), 'image/gif'],
  [Buffer.from('RIFF'), 'riff'],
  [Buffer.from('504b0304', 'hex'), 'application/zip'],
]

const office = 'application/vnd.openxmlformats-officedocument.'
const byEnding: { [ending: string]: string } = {
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
