/** The possible delimiters, by name. */
export const delimiters = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' } as const

const sampled = 30

/**
 * The delimiter of a text: the one named by a first line such as `sep=;`, else the
 * usual one that most lines have equally often, or of several the most frequent.
 */
export function guessDelimiter(start: string): string {
  const named = /^\ufeff?sep=(.)(\r\n|\n|\r|$)/i.exec(start)?.[1]
  if (named) return named
  const lines = linesWithoutQuotes(start)
  let best = { sign: ',', agreeing: 0, count: 0 }
  for (const sign of Object.values(delimiters)) {
    const counts = lines.map((line) => line.split(sign).length - 1)
    const usual = mostFrequent(counts.filter((count) => count > 0))
    if (!usual) continue
    const agreeing = counts.filter((count) => count === usual).length
    const isMore = agreeing > best.agreeing || (agreeing === best.agreeing && usual > best.count)
    if (isMore) best = { sign, agreeing, count: usual }
  }
  return best.sign
}

/** The first non-empty lines, without quoted text; the last one is left out because it may be cut. */
function linesWithoutQuotes(start: string): string[] {
  const bare = start.replace(/"[^"]*("|$)/g, '')
  const lines = bare.split(/\r\n|\n|\r/)
  const whole = lines.length > 1 ? lines.slice(0, -1) : lines
  return whole.filter((line) => line.trim()).slice(0, sampled)
}

function mostFrequent(counts: number[]): number | undefined {
  const times = new Map<number, number>()
  for (const count of counts) times.set(count, (times.get(count) ?? 0) + 1)
  return [...times].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0]?.[0]
}
