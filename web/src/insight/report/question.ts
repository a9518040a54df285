import type { Measured, Unit } from '../../data/figures.ts'
import type { Clause } from '../../data/list.ts'
import type { Field, Module } from '../../data/modules.ts'
import type { View } from '../../data/views.ts'
import type { Question } from './address.ts'
import { linkedField } from '../../records/filters/linked-fields.ts'
import { t } from '../../locales/text.ts'

/** How a report is drawn. */
export type Chart = 'bars' | 'lines' | 'ring' | 'funnel' | 'table'

export const units: { value: Unit; label: string }[] = [
  { value: 'day', label: t('Day') },
  { value: 'week', label: t('Week') },
  { value: 'month', label: t('Month') },
  { value: 'quarter', label: t('Quarter') },
  { value: 'year', label: t('Year') },
]

export const charts: {
  value: Chart
  label: string
  icon: 'chart' | 'chart-line' | 'circle-dot' | 'filter' | 'table'
}[] = [
  { value: 'bars', label: t('Bars'), icon: 'chart' },
  { value: 'lines', label: t('Lines [chart]'), icon: 'chart-line' },
  { value: 'ring', label: t('Ring'), icon: 'circle-dot' },
  { value: 'funnel', label: t('Funnel'), icon: 'filter' },
  { value: 'table', label: t('Pivot table'), icon: 'table' },
]

/** What can be measured; the last four of a field. */
export const kinds = [
  { value: 'count', label: t('Number of records') },
  { value: 'share', label: t('Share [part]') },
  { value: 'sum', label: t('Sum') },
  { value: 'average', label: t('Average') },
  { value: 'median', label: t('Median') },
  { value: 'distinct', label: t('Different values') },
]

/** Whether a field is a day or an instant. */
export function isTime(field: Field | undefined): boolean {
  return field?.type === 'date' || field?.type === 'datetime'
}

/** The fields by which records of a module can be grouped; numbers are divided into ranges. */
export function groupable(module: Module): Field[] {
  return module.fields.filter(
    (field) =>
      field.is_groupable || isRanged(field) || (isTime(field) && field.operators.length > 0),
  )
}

/** Whether a field is a number, which is grouped by ranges. */
export function isRanged(field: Field | undefined): boolean {
  return field !== undefined && field.is_summable && field.is_filterable && !field.is_groupable
}

/** The size of the ranges of a question, if it names one. */
export function widthOf({ width }: Question): number {
  const named = Number(width)
  return named > 0 && named <= 1e15 ? named : 100
}

/** A module with the fields of the records that it leads to, by which it can be grouped: "Account: Segment". */
export function withLinked(module: Module, targets: Module[]): Module {
  const linked = module.fields.flatMap((link) => {
    const target = targets.find((each) => each.module === link.reference?.module)
    if (!target) return []
    return groupable(target)
      .filter((field) => !isRanged(field) && !field.is_custom && field.name !== target.key)
      .map((field): Field => ({
        ...linkedField(link, field),
        // it is not the record's own, such as its owner
        look: null,
        is_filterable: false,
        is_summable: false,
      }))
  })
  return { ...module, fields: [...module.fields, ...linked] }
}

/** The fields of which a measure can be taken. */
export function measurable(module: Module, kind: string): Field[] {
  return module.fields.filter((field) =>
    kind === 'distinct'
      ? field.is_filterable && !['json', 'list', 'id'].includes(field.type)
      : field.is_summable,
  )
}

/** A measure in its parts. */
export function measureIn(text: string): { kind: string; field: string } {
  const [kind = '', ...field] = text.split(':')
  return { kind, field: field.join(':') }
}

/** The measures of a question; the number of records where none is named. */
export function measuresOf({ show }: Question): string[] {
  const named = (show ?? '').split(',').filter(Boolean)
  return named.length ? named.slice(0, 3) : ['count']
}

/** The question to the server; undefined while a part of it is missing. */
export function askedOf(module: Module, question: Question): Measured | undefined {
  const field = (name: string | undefined) => groupable(module).find((each) => each.name === name)
  const [by, second] = [field(question.by), field(question.then)]
  const then = isRanged(second) ? undefined : second
  if (!by) return undefined
  const unitOf = (text: string | undefined) =>
    units.find(({ value }) => value === text)?.value ?? 'month'
  // a field of a measure may be gone since the address was shared
  const known = measuresOf(question).filter((measure) => {
    const { kind, field: of } = measureIn(measure)
    if (!of) return kind === 'count' || kind === 'share'
    return kind !== 'count' && measurable(module, kind).some(({ name }) => name === of)
  })
  return {
    by: by.name,
    ...(isTime(by) ? { unit: unitOf(question.unit) } : {}),
    ...(isRanged(by) ? { width: widthOf(question) } : {}),
    ...(then && then !== by ? { then: then.name } : {}),
    ...(then && then !== by && isTime(then) ? { then_unit: unitOf(question.then_unit) } : {}),
    measures: known.length ? known.join(',') : 'count',
  }
}

/** What a saved report stores of a question, beside its conditions: what is asked of the server, and how it is drawn. */
export function reportOf(module: Module, question: Question) {
  const { by, unit, width, then, then_unit, measures } = askedOf(module, question) ?? {}
  return {
    by: by ?? question.by ?? '',
    unit: unit ?? null,
    width: width ?? null,
    then: then ?? null,
    then_unit: then_unit ?? null,
    measures: measures ?? 'count',
    chart: chartOf(question),
    currency_unit: question.in ?? null,
  }
}

/** The question of a saved report. */
export function searchOf({ filter_id, module, conditions, report }: View): Question {
  const { by, unit, width, then, then_unit, measures, chart, currency_unit } = report ?? {}
  const all = {
    of: module,
    f: conditions.length ? (conditions as Clause[]) : undefined,
    by,
    unit,
    width: width ? String(width) : undefined,
    then,
    then_unit,
    show: measures,
    as: chart,
    in: currency_unit,
    report: filter_id,
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value)) as Question
}

/** How a question is drawn. */
export function chartOf({ as }: Question): Chart {
  return charts.find(({ value }) => value === as)?.value ?? 'bars'
}
