import { decimalsOf } from './currency.ts'
import { openRowsOf } from '../../kit/record/readable.ts'

/**
 * The value of deals, defined only here. It is SQL over an alias of the deal and over `s`,
 * its stage, which is null if the stage no longer exists; every sum of money is computed from it.
 */
export function worthOf(deal: string) {
  /** `open`, `won` or `lost`; a deal without a stage is open */
  const category = `coalesce(s.category, 'open')`
  /** the expected amount of an open or lost deal */
  const expected = `coalesce(${deal}.expected_deal_value, ${deal}.revenue, 0)`
  /** the amount of a won deal */
  const brought = `coalesce(${deal}.revenue, ${deal}.expected_deal_value, 0)`
  return {
    category,
    value: `case when ${category} = 'won' then ${brought} else ${expected} end`,
    /** how likely the deal is to be won, from 0 to 1 */
    chance: `coalesce(s.probability, 0) / 100.0`,
  }
}

/** The currency of a deal's amounts: its own, else its account's, else the organization's. */
export function currencyOf(deal: string): string {
  return `coalesce(${deal}.currency_unit,
    (select a.currency_unit from ${openRowsOf('accounts')} a
      where a.organization_id = $organization and a.id = ${deal}.account_id),
    (select o.currency_unit from organizations o where o.organization_id = $organization))`
}

/**
 * The sum of an amount over the rows that meet a condition, all of them in the currency of the expression
 * `currency` and with its decimals; 0 without rows.
 */
export function sumOf(amount: string, only = 'true', currency = 'd.currency_unit'): string {
  const sum = `(sum(${amount}) filter (where ${only}))::numeric`
  return `coalesce(round(${sum}, ${decimalsOf(currency)}), 0)::float8`
}

/** The sums over rows `d` of deals with `category`, `value` and `chance`, as accounts name them. */
export const dealSums = {
  total_revenue: sumOf('d.value', `d.category = 'won'`),
  open_pipeline: sumOf('d.value', `d.category = 'open'`),
  weighted_pipeline: sumOf('d.value * d.chance', `d.category = 'open'`),
  lost_value: sumOf('d.value', `d.category = 'lost'`),
}

/** The meaning of each of these sums, for the API document. */
export const definitions = {
  total_revenue: 'The value of the won deals, each counted once, converted to a project or not',
  open_pipeline: 'The value of the open deals',
  weighted_pipeline: 'The value of the open deals, each times the probability of its stage',
  lost_value: 'The value of the lost deals',
}

/** The meaning of the value of a deal, for the API document. */
export const valueOfDeal =
  'The value of a won deal is its `revenue`, else its `expected_deal_value`; that of any other its ' +
  '`expected_deal_value`, else its `revenue`. Its currency is that of its account, else the ' +
  "organization's."
