import { uuidv7obj } from 'uuidv7'
import { Uuid25 } from 'uuid25'

/** A new identifier: UUIDv7 as 25 base-36 characters, sortable by creation time (RFC 9562). */
export function newId(): string {
  return Uuid25.fromBytes(uuidv7obj().bytes).value
}

/** Below every identifier made at that time or later, above every earlier one. */
export function idAt(time: Date): string {
  const bytes = new Uint8Array(16)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(+time) << 16n)
  return Uuid25.fromBytes(bytes).value
}

/** What an identifier may look like; anything else in a path is simply not found. */
export const idPattern = '^[0-9a-z]{1,25}$'
