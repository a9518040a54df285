/** The whole body of an answer; what `refusal` makes is thrown once it has more than `most` bytes. */
export async function boundedBody(
  body: AsyncIterable<Uint8Array> | null,
  most: number,
  refusal: () => Error,
): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (bytes > most) throw refusal()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
