import { past, serviceTable } from '../../kit/record/service-table.ts'

/** The tables of every record, written with its own rows. */
export const searchTables = [
  serviceTable('unique_values', { links: [past({ column: 'record_id' })] }),
  serviceTable('search_entries', { links: [past({ column: 'id' })], isDerived: true }),
  serviceTable('search_words', { isDerived: true }),
  serviceTable('filter_entries', { links: [past({ column: 'id' })], isDerived: true }),
]
