import { uuidv7obj, V7Generator } from 'uuidv7'
import { Uuid25 } from 'uuid25'
import { badField } from './errors.ts'
import { schema } from './json-schema.ts'

/** A new identifier: UUIDv7 as 25 base-36 characters, sortable by creation time (RFC 9562). */
export function newId(): string {
  return Uuid25.fromBytes(uuidv7obj().bytes).value
}

const backdating = new V7Generator()

/** A new identifier with an earlier time, for records that are stored after they happened. */
export function newIdAt(time: Date): string {
  return Uuid25.fromBytes(backdating.generateOrResetWithTs(+time).bytes).value
}

/** The lowest identifier of a millisecond: everything created from then on has a greater one. */
export function firstIdAt(time: Date): string {
  const bytes = new Uint8Array(16)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(+time) << 16n)
  bytes[6] = 0x70
  return Uuid25.fromBytes(bytes).value
}

/** Whether a text has the form of an identifier that the service makes. */
export function isId(text: string): boolean {
  return /^[0-9a-z]{25}$/.test(text)
}

/** When an identifier of this service was created; undefined for any other text. */
export function timeOf(id: string): Date | undefined {
  if (!isId(id)) return undefined
  try {
    const bytes = Uuid25.parseUuid25(id).toBytes()
    return new Date(Number(new DataView(bytes.buffer).getBigUint64(bytes.byteOffset) >> 16n))
  } catch {
    return undefined
  }
}

/**
 * The schema of an id in a query, as long as one in a path may be: one that no record has is unknown,
 * whatever it looks like.
 */
export function idInQuery(description?: string) {
  const words = description === undefined ? {} : { description }
  return schema<string>({ type: 'string', minLength: 1, maxLength: 500, ...words })
}

/** Ids that a query lists in one text, separated by commas, each once; 400 for too few or too many. */
export function idsListed(
  text: string,
  field: string,
  { least, most }: { least: 0 | 1; most: number },
): string[] {
  const ids = [...new Set(text.split(',').map((id) => id.trim()))].filter(Boolean)
  if (ids.length < least || ids.length > most) {
    throw badField(field, `must be ${least} to ${most} ids, separated by commas`)
  }
  return ids
}

/** Words that paths may have in place of an id, such as `bulk`; no record may have one of them as its id. */
const wordsOfPaths = [
  'bulk',
  'email',
  'groups',
  'import',
  'mark-all-read',
  'options',
  'source-ref',
  'track',
  'unread-count',
]

/**
 * The schema of an id that a body may supply itself, where the specification lets it. Dots alone are
 * not allowed: in a path they would lead to the parent. Words of paths are not allowed
 * either: they would lead there.
 */
export const suppliedId = schema<string>({
  type: 'string',
  minLength: 1,
  maxLength: 25,
  pattern: `^(?!(?:${wordsOfPaths.join('|')})$)\\.*[\\w~-][\\w.~-]*$`,
  description:
    'at most 25 letters, digits, _, ., ~ and -, not dots alone, and no word of a path such as groups',
})
