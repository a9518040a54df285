/** The decimal separator. */
export const decimalSigns = ['decimal_point', 'decimal_comma'] as const
export type DecimalSign = (typeof decimalSigns)[number]

/** A text read as a number, as far as it is unambiguous. */
export type Reading = {
  /** its value with each separator; if the text is unambiguous, only one or both the same */
  by: { [sign in DecimalSign]?: number }
  /** the currency it names, as a code if there is one */
  currency?: string
  /** the same as it is written */
  sign?: string
  isPercent: boolean
}

/** Why a text with digits is no acceptable number. */
export type Refused = { refused: string }

/**
 * Reads a text as a number in the usual notations: `1.234,56`, `1'234.50`, `1 234,56`,
 * `(1,200)`, `12 %`, `€ 8.000,00`, `CHF 8'000.-`. Undefined if it is none. A text such as `8.000` may have
 * two values, and its column has to decide.
 */
export function readNumber(text: string): Reading | Refused | undefined {
  if (text.length > 60 || !/\d/.test(text)) return undefined
  let rest = text
    .replace(/[\u00a0\u2000-\u200a\u202f]/g, ' ')
    .replace(/[’‘ʼ′`´]/g, "'")
    .replace(/[−–—]/g, '-')
    .trim()
  let isNegative = false
  const inside = /^\((.*)\)$/.exec(rest)?.[1]
  if (inside !== undefined) {
    isNegative = true
    rest = inside.trim()
  }
  const signed = (found: RegExp) => {
    const cut = rest.replace(found, '')
    if (cut === rest) return
    if (rest.replace(cut, '').includes('-')) isNegative = !isNegative
    rest = cut.trim()
  }
  signed(/^[+-]\s*/)
  const { bare, currency, sign: mark } = withoutCurrency(rest)
  rest = bare
  signed(/^[+-]\s*/)
  // 8'000.- and 8.000,-- are whole amounts; accounting programs write the minus after the digits
  const whole = rest.replace(/([.,])\s?-{1,2}$/, '$10')
  if (whole === rest) signed(/\s*-$/)
  else rest = whole
  const isPercent = rest.endsWith('%')
  if (isPercent) rest = rest.slice(0, -1).trim()
  if (
    /^\d[\d.,' ]*\s?(k|m|b|t|tsd|mio|mrd|mln|mn|bn|mil|mill|million|millionen|thousand)\.?$/i.test(
      rest,
    )
  ) {
    return { refused: 'is abbreviated: write the number out' }
  }
  const values = valuesOf(rest)
  if (!values) return undefined
  const sign = isNegative ? -1 : 1
  const by = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, value === 0 ? 0 : sign * value]),
  )
  return { by, ...(currency ? { currency } : {}), ...(mark ? { sign: mark } : {}), isPercent }
}

/** The number with the separator of its column; undefined if the text is ambiguous and the column has none. */
export function valueBy({ by }: Reading, sign: DecimalSign | undefined): number | undefined {
  const { decimal_point: point, decimal_comma: comma } = by
  if (point === undefined || comma === undefined) return point ?? comma
  if (point === comma) return point
  return sign && by[sign]
}

/** What a value says about the separator of its column. */
export function decides({ by }: Reading): DecimalSign | 'both' | 'ambiguous' {
  const { decimal_point: point, decimal_comma: comma } = by
  if (point === undefined) return 'decimal_comma'
  if (comma === undefined) return 'decimal_point'
  return point === comma ? 'both' : 'ambiguous'
}

const symbols: { [symbol: string]: string } = {
  '€': 'EUR',
  '£': 'GBP',
  '¥': 'JPY',
  '₹': 'INR',
  '₽': 'RUB',
  '₺': 'TRY',
  '₴': 'UAH',
  '₩': 'KRW',
  $: 'USD',
  US$: 'USD',
  A$: 'AUD',
  C$: 'CAD',
  R$: 'BRL',
  'Fr.': 'CHF',
  Fr: 'CHF',
  SFr: 'CHF',
  'SFr.': 'CHF',
  Euro: 'EUR',
  zł: 'PLN',
  Kč: 'CZK',
  Ft: 'HUF',
  kr: 'kr',
  'kr.': 'kr',
}
const codes = new Set(Intl.supportedValuesOf('currency'))
/** Currencies of which several have the same sign. */
const alike: { [sign: string]: RegExp } = {
  $: /^(USD|CAD|AUD|NZD|SGD|HKD|MXN|TWD|CLP|COP|ARS)$/,
  kr: /^(SEK|NOK|DKK|ISK)$/,
  '¥': /^(JPY|CNY)$/,
}

/** Whether a text is the code or the sign of a currency. */
export function isCurrency(text: string): boolean {
  return codes.has(text) || Object.hasOwn(symbols, text)
}

/** The currency that an amount names, as its code or sign; undefined if it names none. */
export function currencyIn(text: string): string | undefined {
  const reading = readNumber(text)
  return reading && 'by' in reading ? (reading.sign ?? reading.currency) : undefined
}

/**
 * The code of a currency by a word, in any case, or a sign: one that several currencies have means the main one, if it
 * is one of them. Undefined for other words.
 */
export function currencyNamed(word: unknown, main: string): string | undefined {
  if (typeof word !== 'string' || !word.trim()) return undefined
  const text = word.trim()
  const sign = text === 'kr.' ? 'kr' : text
  if (Object.hasOwn(alike, sign) && alike[sign]?.test(main)) return main
  if (codes.has(text.toUpperCase())) return text.toUpperCase()
  return Object.hasOwn(symbols, text) ? symbols[text] : undefined
}

function withoutCurrency(text: string): { bare: string; currency?: string; sign?: string } {
  const word = /^([\p{L}$]{0,3}\p{Sc}|\p{L}{2,4}\.?)\s*(?=[\d(+-])/u.exec(text)
  const behind = /(?<=[\d.,\s)-])\s*(\p{Sc}|\p{L}{2,4}\.?)$/u.exec(text)
  for (const found of [word, behind]) {
    const name = found?.[1]
    if (!found || !name) continue
    const currency =
      symbols[name] ?? (codes.has(name.toUpperCase()) ? name.toUpperCase() : undefined)
    if (!currency) continue
    const bare = found === word ? text.slice(found[0].length) : text.slice(0, found.index)
    return { bare: bare.trim(), currency, sign: name }
  }
  return { bare: text }
}

/** The values of digits with separators between them; undefined if they are no number. */
function valuesOf(digits: string): Reading['by'] | undefined {
  if (/^\d{1,15}$/.test(digits))
    return { decimal_point: Number(digits), decimal_comma: Number(digits) }
  if (/^\d+(\.\d+)?e[+-]?\d{1,3}$/i.test(digits)) return { decimal_point: Number(digits) }
  if (!/^[\d.,' ]+$/.test(digits)) return undefined
  const by: Reading['by'] = {}
  const point = valueWith(digits, '.', ',')
  const comma = valueWith(digits, ',', '.')
  if (point !== undefined) by.decimal_point = point
  if (comma !== undefined) by.decimal_comma = comma
  return point === undefined && comma === undefined ? undefined : by
}

/** The value with `decimal` as the decimal separator and `group` optionally between thousands. */
function valueWith(digits: string, decimal: string, group: string): number | undefined {
  const parts = digits.split(decimal)
  const [whole = '', fraction = ''] = parts
  if (parts.length > 2 || (parts.length === 2 && !/^\d+$/.test(fraction))) return undefined
  const groups = [group, "'", ' '].filter((sign) => whole.includes(sign))
  const [sign] = groups
  if (groups.length > 1) return undefined
  if (sign === undefined)
    return /^\d*$/.test(whole) ? Number(`${whole || 0}.${fraction || 0}`) : undefined
  const runs = whole.split(sign)
  const isGrouped =
    /^\d{1,3}$/.test(runs[0] ?? '') && runs.slice(1).every((run) => /^\d{3}$/.test(run))
  const isIndian = /^\d{1,2}(,\d{2})+,\d{3}$/.test(whole)
  // in 0.125 the separator cannot be one of thousands
  if ((!isGrouped && !isIndian) || whole.startsWith('0')) return undefined
  return Number(`${runs.join('')}.${fraction || 0}`)
}
