import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { before, describe, test } from 'node:test'
import { readArchive, writeArchive } from './archive.ts'

const open = { identities: [], passphrase: undefined }

async function partsIn(bytes: Buffer): Promise<Map<string, Buffer>> {
  const parts = new Map<string, Buffer>()
  // in small chunks, which begin and end anywhere
  const chunks = Array.from({ length: Math.ceil(bytes.length / 777) }, (_, at) =>
    bytes.subarray(at * 777, (at + 1) * 777),
  )
  for await (const part of readArchive(Readable.from(chunks), open)) {
    parts.set(part.name, part.bytes)
  }
  return parts
}

describe('an archive', () => {
  const contents = { random: randomBytes(700_000), zeros: Buffer.alloc(3_000_000) }
  let whole: Buffer

  before(async () => {
    const target = new PassThrough()
    const written = buffer(target)
    await writeArchive(target, { recipients: [], passphrase: undefined }, async (archive) => {
      for (const [name, bytes] of Object.entries(contents)) await archive.add(name, bytes)
    })
    whole = await written
  })

  test('is read as it was written', async () => {
    const parts = await partsIn(whole)
    for (const [name, bytes] of Object.entries(contents)) assert.ok(parts.get(name)?.equals(bytes))
  })

  test('that lacks any of its last bytes is refused', async () => {
    for (const missing of [1, 2, 3, 4, 5, 8, 12, 40]) {
      await assert.rejects(
        partsIn(whole.subarray(0, -missing)),
        /^Error: The backup is damaged, .* unexpected end/,
      )
    }
  })

  test('that something was appended to is refused', async () => {
    const longer = Buffer.concat([whole, Buffer.from('more\n')])
    await assert.rejects(partsIn(longer), /^Error: The backup is damaged/)
  })
})
