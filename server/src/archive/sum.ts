import { createHash } from 'node:crypto'

const modulus = 2n ** 256n

/** The number of rows and the sum of their hashes, which does not depend on their order. */
export class Sum {
  rows = 0
  hashes = 0n

  add(text: string) {
    this.rows++
    const hash = createHash('sha256').update(text).digest('hex')
    this.hashes = (this.hashes + BigInt(`0x${hash}`)) % modulus
  }

  toString(): string {
    return `${this.rows} ${this.hashes.toString(16)}`
  }
}
