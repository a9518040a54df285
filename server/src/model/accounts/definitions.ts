import { Type } from 'typebox'
import { definitions } from '../money/money.ts'

const readable = 'as far as the caller may read them'
const here = `in \`currency_unit\` (other currencies are in \`totals_by_currency\`), ${readable}`

/** What each total of an account means, in one sentence for the API document. */
export const sentences = {
  total_revenue: `${definitions.total_revenue}, ${here}, unless an amount was set by hand.`,
  open_pipeline: `${definitions.open_pipeline}, ${here}.`,
  weighted_pipeline: `${definitions.weighted_pipeline}, ${here}.`,
  lost_value: `${definitions.lost_value}, ${here}.`,
  totals_by_currency: `The sums over the deals in each of their currencies, ${readable}.`,
  total_projects: `The number of the account's projects, ${readable}.`,
  completed_projects: `The number of the account's completed projects, ${readable}.`,
  total_deals: `The number of the account's deals, open, won and lost, ${readable}.`,
  completed_deals: `The number of the account's won deals, ${readable}.`,
}

const sum = (name: keyof typeof definitions) =>
  Type.Number({ description: `${definitions[name]} in the currency, ${readable}.` })

/** The sums over an account's deals in one currency. */
export const currencyTotals = {
  currency_unit: Type.String({ maxLength: 3 }),
  deals: Type.Integer({ description: `The number of deals in the currency, ${readable}.` }),
  total_revenue: sum('total_revenue'),
  open_pipeline: sum('open_pipeline'),
  weighted_pipeline: sum('weighted_pipeline'),
  lost_value: sum('lost_value'),
}
