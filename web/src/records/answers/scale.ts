/** All numbers that may answer a question on a scale, lowest first; undefined for other types. */
export function scaleOf(type: string, { maxRating }: { maxRating?: number | undefined } = {}) {
  const from = (first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, i) => first + i)
  switch (type) {
    case 'nps':
      return from(0, 10)
    case 'ratings':
    case 'csat':
      return from(1, maxRating ?? 5)
    case 'ces':
      return from(1, maxRating ?? 7)
    default:
      return undefined
  }
}
