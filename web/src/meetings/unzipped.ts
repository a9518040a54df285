/** The largest file, and the largest part of one, that is read: a transcript of three hours has some hundred kilobytes. */
const most = 20 * 1024 * 1024

/** The text of a part of a ZIP file (APPNOTE 6.3, without encryption and ZIP64); undefined where there is none. */
export async function unzipped(file: Blob, wanted: string): Promise<string | undefined> {
  if (file.size > most) return undefined
  const bytes = await file.arrayBuffer()
  const view = new DataView(bytes)
  const number = (at: number) => (at + 4 <= bytes.byteLength ? view.getUint32(at, true) : 0)
  const short = (at: number) => (at + 2 <= bytes.byteLength ? view.getUint16(at, true) : 0)
  // the end of the directory, behind which a comment may stand
  let end = bytes.byteLength - 22
  while (end >= 0 && number(end) !== 0x06054b50) end--
  if (end < 0) return undefined
  let at = number(end + 16)
  for (let left = short(end + 10); left > 0 && number(at) === 0x02014b50; left--) {
    const name = new TextDecoder().decode(
      new Uint8Array(bytes).slice(at + 46, at + 46 + short(at + 28)),
    )
    if (name === wanted) {
      const from = number(at + 42)
      const start = from + 30 + short(from + 26) + short(from + 28)
      const part = file.slice(start, start + number(at + 20))
      const isPacked = short(at + 10) === 8
      return inflated(
        isPacked
          ? part.stream().pipeThrough(new DecompressionStream('deflate-raw'))
          : part.stream(),
      )
    }
    at += 46 + short(at + 28) + short(at + 30) + short(at + 32)
  }
  return undefined
}

/** The text of a stream; undefined where it is none, or larger than what is read. */
async function inflated(stream: ReadableStream<Uint8Array>): Promise<string | undefined> {
  const decoder = new TextDecoder()
  let text = ''
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return text + decoder.decode()
      text += decoder.decode(value, { stream: true })
      if (text.length > most) return undefined
    }
  } catch {
    return undefined
  }
}
