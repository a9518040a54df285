import type { Counted, CountedSide } from '../../data/counted.ts'
import type { Format } from '../../records/field/format.ts'
import { money, number, percent } from '../../records/field/format.ts'
import { signed } from '../../data/health-words.ts'
import { groupWords } from './words.ts'
import { t } from '../../locales/text.ts'

type Column = Counted['columns'][number]

export const sideWords: { [side in CountedSide]: string } = {
  month: t('Month'),
  template: t('Template'),
  owner: t('Owner'),
  segment: t('Segment'),
  account: t('Account'),
  survey: t('Survey'),
  stage: t('Stage'),
  milestone: t('Milestone'),
}

const columnNames: { [key: string]: string } = {
  projects: t('Projects'),
  median: t('Median'),
  average: t('Average'),
  p85: t('85 % within'),
  planned: t('Planned'),
  slip: t('Slip'),
  deals: t('Deals'),
  conversion: t('Share of the first'),
  step_conversion: t('Share of the stage before'),
  median_days: t('Median stay'),
  p85_days: t('85 % left within'),
  standing: t('There now'),
  lost: t('Lost from there'),
  expected: t('Expected deals'),
  expected_value: t('Expected value'),
  forecast: t('Forecast'),
  won: t('Won'),
  won_value: t('Won value'),
  difference: t('Difference'),
  nps: t('Score'),
  promoters: t('Promoters'),
  passives: t('Passives'),
  detractors: t('Detractors'),
  answers: t('Answers'),
  healthy: t('Healthy'),
  at_risk: t('At risk'),
  critical: t('Critical'),
  accounts: t('Accounts'),
}

/** The name of a column: that of a stage, or what is measured. */
export function columnWords({ key, label }: Column): string {
  return label ?? columnNames[key] ?? key
}

/** A value of a column as people read it. */
export function valueWords(
  { key, unit }: Column,
  value: number | null | undefined,
  currency: string | null,
  format: Format,
): string {
  if (value === null || value === undefined) return '–'
  if (unit === 'percent') return percent(value, format)
  if (unit === 'amount') return money(value, currency ?? format.currency, format)
  if (key === 'nps') return signed(value)
  if (unit === 'days' || unit === 'working_days')
    return t('{number} day | {number} days', { number: number(value, format), count: value })
  return number(value, format)
}

/** A row in words: a month, a name, or that there is none. */
export function rowWords(
  { key, label }: Pick<Counted['rows'][number], 'key' | 'label'>,
  by: CountedSide,
  format: Format,
): string {
  return groupWords({ value: key, label }, by === 'month' ? 'month' : undefined, format)
}
