import type { Figure, FigureGroup, Unit } from '../../data/figures.ts'
import type { Module } from '../../data/modules.ts'
import { fieldOf } from '../../data/modules.ts'
import type { Format } from '../../records/field/format.ts'
import { day, hours, money, number, percent, shortDay } from '../../records/field/format.ts'
import { kinds, measureIn } from './question.ts'
import { t } from '../../locales/text.ts'

/** A group in words: the days of its unit, yes or no, or what the list says. */
export function groupWords(
  { value, label }: Pick<FigureGroup, 'value' | 'label'>,
  unit: Unit | undefined,
  format: Format,
  width?: number,
): string {
  if (value === null) return t('Empty')
  if (width) {
    const first = Number(value)
    return t('{from} to {to}', {
      from: number(first, format),
      to: number(Number((first + width).toPrecision(15)), format),
    })
  }
  if (typeof value === 'boolean') return value ? t('Yes') : t('No')
  return unit ? unitWords(value, unit, format) : (label ?? value)
}

/** A length of time, by its first day. */
function unitWords(first: string, unit: Unit, format: Format): string {
  const [year = '', month = ''] = first.split('-')
  if (unit === 'year') return year
  if (unit === 'quarter') {
    return t('Q{quarter} {year}', { quarter: String(Math.ceil(Number(month) / 3)), year })
  }
  if (unit === 'month') {
    const date = new Date(`${first}T12:00:00Z`)
    const look = { month: 'short', year: 'numeric', timeZone: 'UTC' } as const
    return date.toLocaleDateString(format.locale, look)
  }
  return unit === 'week' ? t('from {day}', { day: shortDay(first, format) }) : day(first, format)
}

/** The first day of the next length of time. */
export function nextOf(first: string, unit: Unit): string {
  const date = new Date(`${first}T12:00:00Z`)
  if (unit === 'day' || unit === 'week')
    date.setUTCDate(date.getUTCDate() + (unit === 'day' ? 1 : 7))
  else date.setUTCMonth(date.getUTCMonth() + { month: 1, quarter: 3, year: 12 }[unit])
  return date.toISOString().slice(0, 10)
}

/** A measure in words: "Sum: Deal value". */
export function measureWords(module: Module, measure: string): string {
  const { kind, field } = measureIn(measure)
  const word = kinds.find(({ value }) => value === kind)?.label ?? kind
  if (!field) return word
  return t('{measure}: {field}', { measure: word, field: fieldOf(module, field)?.label ?? field })
}

/** A figure as people read it. */
export function figureWords(
  figure: Pick<Figure, 'measure' | 'currency_unit' | 'value'> | undefined,
  module: Module,
  format: Format,
): string {
  if (!figure || figure.value === null) return '–'
  const { measure, currency_unit, value } = figure
  const { kind, field } = measureIn(measure)
  if (kind === 'share') return percent(Math.round(value * 10) / 10, format)
  if (kind === 'count' || kind === 'distinct') return number(value, format)
  const rounded = Math.round(value * 100) / 100
  if (currency_unit) return money(rounded, currency_unit, format)
  if (fieldOf(module, field)?.look === 'duration') return hours(value, format)
  return number(rounded, format)
}
