/**
 * Parses a number by the separators of the locale: `1.234,5` is 1234.5 in German. A text
 * that is no number is undefined, an empty one null.
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

/** A number for a text field: with all its digits, without grouping. */
export function formatPlain(value: number, locale?: string): string {
  return new Intl.NumberFormat(locale, { useGrouping: false, maximumFractionDigits: 15 }).format(
    value,
  )
}
