import { t } from '../locales/text.ts'

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
  const [whole = '', ...decimals] = trimmed.replaceAll(/[\s\u00a0\u202f'’]/g, '').split(decimal)
  const groups = group.trim() ? whole.split(group) : [whole]
  // a separator elsewhere is more likely the decimal one of another locale: 12,5 is not 125
  const isGrouped = groups.slice(1, -1).every((each) => /^\d{2,3}$/.test(each))
  if (groups.length > 1 && !(isGrouped && /^\d{3}$/.test(groups.at(-1) ?? ''))) return undefined
  const plain = [groups.join(''), ...decimals].join('.').replace('−', '-')
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : undefined
}

/** A number for a text field: with all its digits, without grouping. */
export function formatPlain(value: number, locale?: string): string {
  return new Intl.NumberFormat(locale, { useGrouping: false, maximumFractionDigits: 15 }).format(
    value,
  )
}

type Range = {
  min?: number | undefined
  max?: number | undefined
  integer?: boolean
  locale?: string | undefined
}

/** What may be typed: "Type a whole number from 0 to 100". */
export function numberHint({ min, max, integer = false, locale }: Range): string {
  const words = (value: number) => value.toLocaleString(locale)
  if (min !== undefined && max !== undefined) {
    const range = { min: words(min), max: words(max) }
    return integer
      ? t('Type a whole number from {min} to {max}', range)
      : t('Type a number from {min} to {max}', range)
  }
  if (min !== undefined) {
    return integer
      ? t('Type a whole number of at least {min}', { min: words(min) })
      : t('Type a number of at least {min}', { min: words(min) })
  }
  if (max !== undefined) {
    return integer
      ? t('Type a whole number of at most {max}', { max: words(max) })
      : t('Type a number of at most {max}', { max: words(max) })
  }
  return integer
    ? t('Type a whole number, such as {example}', { example: words(1234) })
    : t('Type a number, such as {example}', { example: words(1234.5) })
}
