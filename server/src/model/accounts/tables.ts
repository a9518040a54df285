import { rowIn, serviceTable } from '../../kit/record/service-table.ts'

/** The tables of accounts. */
export const accountsTables = [
  serviceTable('account_health_days', { links: [rowIn('account_id', 'accounts')] }),
]
