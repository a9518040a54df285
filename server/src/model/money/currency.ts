/** The currencies whose amounts do not have two decimals, by how many these have: none of the yen, three of the dinar. */
const decimals = Map.groupBy(Intl.supportedValuesOf('currency'), (currency) => {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  return format.resolvedOptions().maximumFractionDigits ?? 2
})
decimals.delete(2)

/** An amount rounded to the decimals of its currency; 2 where the code is not known. */
export function roundedAmount(amount: number, currency: string): number {
  const [count = 2] = [...decimals].find(([, codes]) => codes.includes(currency)) ?? []
  return Math.round(amount * 10 ** count) / 10 ** count
}

/** The number of decimals of a currency, as SQL over an expression with its code; 2 where the code is not known. */
export function decimalsOf(currency: string): string {
  const others = [...decimals].map(
    ([count, codes]) => `when ${currency} in ('${codes.join("', '")}') then ${count}`,
  )
  return `case ${others.join(' ')} else 2 end`
}

/** An amount with its currency, such as `USD 1,234.50` or `JPY 1,235`, as SQL over expressions of both. */
export function formattedAmount(amount: string, currency: string): string {
  // as many zeros behind the point as the currency has decimals, and without any no point
  const form = `'999,999,999,999,990' || rtrim(left('.0000', 1 + ${decimalsOf('m.currency')}), '.')`
  return `(select m.currency || ' ' || case when abs(m.amount) < 1e15
      then trim(to_char(m.amount, ${form})) else m.amount::text end
    from (select ${amount} as amount, ${currency} as currency offset 0) m)`
}
