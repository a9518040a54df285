import { past, serviceTable, userIn } from '../../kit/record/service-table.ts'

/** The tables of bulk writes. */
export const bulkTables = [
  // the former values, for the undo
  serviceTable('bulk_writes', { links: [past(userIn('created_by'))] }),
  serviceTable('bulk_write_records', {
    links: [past({ column: 'record_id' }), past({ column: 'before', isJson: true })],
  }),
]
