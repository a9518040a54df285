/** The bytes of a header that are read: the magic number and the descriptor of a frame, or all of a block's. */
const headBytes = { frame: 5, block: 3 }
const magic = 0xfd2fb528

/**
 * Passes on the bytes of zstd frames (RFC 8878, 3.1.1), and throws if they end within one, or if something else follows.
 * Node's compressor may end with an empty frame, and its decompressor accepts one that lacks its last bytes.
 */
export async function* wholeFrames(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let next: 'frame' | 'block' = 'frame'
  let head = Buffer.alloc(0)
  // bytes before the next header
  let skip = 0
  let checksumBytes = 0
  for await (const bytes of source) {
    for (let rest = bytes; rest.length;) {
      if (skip) {
        const skipped = Math.min(skip, rest.length)
        skip -= skipped
        rest = rest.subarray(skipped)
        continue
      }
      const missing = headBytes[next] - head.length
      head = Buffer.concat([head, rest.subarray(0, missing)])
      rest = rest.subarray(missing)
      if (head.length < headBytes[next]) break
      if (next === 'frame') {
        if (head.readUInt32LE() !== magic) throw new Error('a zstd frame should begin here')
        const descriptor = head.readUInt8(4)
        skip = fieldBytes(descriptor)
        checksumBytes = descriptor & 4 ? 4 : 0
        next = 'block'
      } else {
        const block = head.readUIntLE(0, 3)
        const isLast = (block & 1) === 1
        // a block of one repeated byte has only that byte
        const isRepeated = ((block >> 1) & 3) === 1
        skip = (isRepeated ? 1 : block >> 3) + (isLast ? checksumBytes : 0)
        if (isLast) next = 'frame'
      }
      head = Buffer.alloc(0)
    }
    yield bytes
  }
  if (next === 'block' || head.length || skip) throw new Error('unexpected end of a zstd frame')
}

/** The bytes of a frame's header after its descriptor: window, dictionary and size of the content. */
function fieldBytes(descriptor: number): number {
  const isSingleSegment = (descriptor & 32) !== 0
  const dictionary = [0, 1, 2, 4][descriptor & 3] ?? 0
  const size = [isSingleSegment ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0
  return (isSingleSegment ? 0 : 1) + dictionary + size
}
