/**
 * A number as people type it, by the separators of their locale: `1.234,5` is 1234.5 in German. A text
 * that is no number gives undefined, an empty one null.
 */
export function parseNumber(text: string, locale?: string): number | null | undefined {
  const trimmed = text.trim()
  if (!trimmed) return null
  const parts = new Intl.NumberFormat(locale).formatToParts(-12345.6)
  const part = (type: string) => parts.find((each) => each.type === type)?.value
  const [group, decimal] = [part('group') ?? '', part('decimal') ?? '.']
  const plain = trimmed
    .replaceAll(/[\s\u00a0\u202f'’]/g, '')
    .replaceAll(group.trim() || ' ', '')
    .replace(decimal, '.')
    .replace('−', '-')
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : undefined
}

/** A number as it stands in a field: all of its digits, without grouping. */
export function formatPlain(value: number, locale?: string): string {
  return new Intl.NumberFormat(locale, { useGrouping: false, maximumFractionDigits: 15 }).format(
    value,
  )
}
