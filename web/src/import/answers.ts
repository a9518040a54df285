import type { Import } from '../data/imports.ts'
import { t } from '../locales/text.ts'

/** The answers that a person gives to an import's questions, as its options. */
export type Answers = Partial<
  Pick<Import['options'], 'values' | 'new_options' | 'currencies' | 'answers'>
>

/** The options where a value becomes one of the choices, or nothing. */
export function chosenValue(
  { options }: Import,
  column: string,
  value: string,
  becomes: string | null,
): Answers {
  const added = options.new_options?.[column] ?? []
  return {
    values: {
      ...options.values,
      [column]: { ...options.values?.[column], [value]: becomes },
    },
    new_options: { ...options.new_options, [column]: added.filter((each) => each !== value) },
  }
}

/** The options where a value becomes a new option of its field. */
export function addedOption({ options }: Import, column: string, value: string): Answers {
  const { [value]: _chosen, ...others } = options.values?.[column] ?? {}
  const added = options.new_options?.[column] ?? []
  return {
    values: { ...options.values, [column]: others },
    new_options: { ...options.new_options, [column]: [...new Set([...added, value])] },
  }
}

/** What is suggested for the values without a choice, beside what was chosen: by column. */
export function suggestedValues({ value_report, options }: Import) {
  const columns = value_report.flatMap(({ column, values }) => {
    const open = values.flatMap(({ value, suggestion, needs_choice }) =>
      needs_choice && suggestion !== null ? [[value, suggestion] as const] : [],
    )
    if (!open.length) return []
    return [[column, { ...options.values?.[column], ...Object.fromEntries(open) }] as const]
  })
  return Object.fromEntries(columns)
}

/** What the import still asks, in words: without an answer these rows or cells are reported. */
export function openQuestions({ value_report, currency_report, questions, options }: Import) {
  const values = value_report.flatMap(({ values: all }) => all.filter((each) => each.needs_choice))
  const currencies = currency_report.filter(({ needs_choice }) => needs_choice)
  const rows = questions.filter(({ line }) => options.answers?.[line] === undefined)
  return [
    values.length ? t('{count} value | {count} values', { count: values.length }) : null,
    currencies.length
      ? t('{count} currency | {count} currencies', { count: currencies.length })
      : null,
    rows.length ? t('{count} row | {count} rows', { count: rows.length }) : null,
  ].filter((each) => each !== null)
}
