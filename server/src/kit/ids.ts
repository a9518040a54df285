import { uuidv7obj } from 'uuidv7'
import { Uuid25 } from 'uuid25'

/** A new identifier: UUIDv7 as 25 base-36 characters, sortable by creation time (RFC 9562). */
export function newId(): string {
  return Uuid25.fromBytes(uuidv7obj().bytes).value
}
