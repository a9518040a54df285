import { past, rowIn, serviceTable } from '../../kit/record/service-table.ts'

/** The tables of imports. */
export const importsTables = [
  // what an import did to which row, for its undo
  serviceTable('import_records', {
    links: [
      past(rowIn('record_id', 'companies', 'contacts')),
      past({ column: 'before', isJson: true }),
    ],
  }),
  serviceTable('import_errors', { links: [past(rowIn('record_id', 'companies', 'contacts'))] }),
  serviceTable('import_batches', { links: [past(rowIn('import_id', 'imports'))] }),
]
