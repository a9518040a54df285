import { past, rowIn, serviceTable, userIn } from '../../kit/record/service-table.ts'

/** The tables of merges. */
export const mergingTables = [
  // the merges themselves, and the redirects of merged records
  serviceTable('merges', {
    links: [
      past(rowIn('primary_id', 'companies', 'contacts')),
      past({ ...rowIn('merged_ids', 'companies', 'contacts'), isJson: true }),
      past({ column: 'changed', isJson: true }),
      past(userIn('created_by')),
    ],
  }),
  serviceTable('merged_records', {
    links: [
      past(rowIn('id', 'companies', 'contacts')),
      past(rowIn('primary_id', 'companies', 'contacts')),
    ],
  }),
  serviceTable('merge_moves', {
    links: [past({ column: 'record_id' }), past(rowIn('from_id', 'companies', 'contacts'))],
  }),
]
