import type { Clause, Condition } from '../../data/list.ts'
import type { Field, Module } from '../../data/modules.ts'
import { fieldOf } from '../../data/modules.ts'
import { t } from '../../locales/text.ts'

/** The labels of operators. */
export const operatorWords: { [operator: string]: string } = {
  eq: t('is'),
  neq: t('is not'),
  in: t('is any of'),
  not_in: t('is none of'),
  gt: t('is more than'),
  gte: t('is at least'),
  lt: t('is less than'),
  lte: t('is at most'),
  between: t('is between'),
  contains: t('contains'),
  not_contains: t('does not contain'),
  starts_with: t('begins with'),
  ends_with: t('ends with'),
  is_empty: t('is empty'),
  is_not_empty: t('is not empty'),
  contains_any: t('has any of'),
  contains_all: t('has all of'),
  contains_none: t('has none of'),
  today: t('is today'),
  yesterday: t('is yesterday'),
  tomorrow: t('is tomorrow'),
  past: t('is in the past'),
  future: t('is in the future'),
  current_week: t('is this week'),
  next_week: t('is next week'),
  last_week: t('is last week'),
  current_month: t('is this month'),
  next_month: t('is next month'),
  last_month: t('is last month'),
  current_quarter: t('is this quarter'),
  current_year: t('is this year'),
  last_x_days: t('is in the last days:'),
  next_x_days: t('is in the next days:'),
}

const dateWords: { [operator: string]: string } = {
  gt: t('is after'),
  gte: t('is on or after'),
  lt: t('is before'),
  lte: t('is on or before'),
}

/** The label of an operator for a field. */
export function wordsOf(operator: string, field: Field | undefined): string {
  const isDate = field?.type === 'date' || field?.type === 'datetime'
  return (isDate ? dateWords[operator] : undefined) ?? operatorWords[operator] ?? operator
}

/** Operators that need no value. */
export function needsValue(operator: string): boolean {
  return (
    !['is_empty', 'is_not_empty', 'today', 'yesterday', 'tomorrow', 'past', 'future'].includes(
      operator,
    ) && !/^(current|next|last)_(week|month|quarter|year)$/.test(operator)
  )
}

/** Operators that take several values. */
export function takesMany(operator: string): boolean {
  return ['in', 'not_in', 'contains_any', 'contains_all', 'contains_none'].includes(operator)
}

/** The default operator of a new condition on a field. */
export function firstOperator(field: Field): string {
  const wanted =
    field.look === 'tags' || field.type === 'list'
      ? ['contains_any', 'contains']
      : field.options.length || field.type === 'user' || field.type === 'reference'
        ? ['in', 'eq']
        : field.type === 'text' ||
            field.type === 'long_text' ||
            field.type === 'email' ||
            field.type === 'url'
          ? ['contains', 'eq']
          : field.type === 'date' || field.type === 'datetime'
            ? ['last_x_days', 'gte']
            : ['eq']
  return wanted.find((each) => field.operators.includes(each)) ?? field.operators[0] ?? 'eq'
}

/** Whether a condition is complete, so that the server accepts it. */
export function isComplete({ operator, value }: Condition): boolean {
  if (!needsValue(operator)) return true
  if (operator === 'between')
    return (
      Array.isArray(value) &&
      value.length === 2 &&
      value.every((each: unknown) => each !== null && each !== '')
    )
  if (Array.isArray(value)) return value.length > 0
  return value !== undefined && value !== null && value !== ''
}

/** A whole clause in a few words, as for the chip of a group. */
export function summaryOf(module: Module, clause: Clause): string {
  if ('field' in clause) {
    const field = fieldOf(module, clause.field)
    return `${field?.label ?? clause.field} ${wordsOf(clause.operator, field)}`
  }
  if ('not' in clause) return t('Not: {condition}', { condition: summaryOf(module, clause.not) })
  const all = 'and' in clause ? clause.and : clause.or
  const count = all.length
  return 'and' in clause
    ? t('All of {count} condition | All of {count} conditions', { count })
    : t('Any of {count} condition | Any of {count} conditions', { count })
}
