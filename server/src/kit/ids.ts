import { uuidv7obj } from 'uuidv7'
import { Uuid25 } from 'uuid25'

/** A new identifier: UUIDv7 as 25 base-36 characters, sortable by creation time (RFC 9562). */
export function newId(): string {
  return Uuid25.fromBytes(uuidv7obj().bytes).value
}

/** The schema of an id that a body may bring itself, where the specification lets it. */
export const givenId = {
  type: 'string',
  minLength: 1,
  maxLength: 25,
  pattern: '^[\\w.~-]+$',
  description: 'at most 25 letters, digits, _, ., ~ and -',
}
