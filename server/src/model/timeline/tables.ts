import { past, rowIn, serviceTable } from '../../kit/record/service-table.ts'

/** The tables of timelines. */
export const timelineTables = [
  serviceTable('record_activity', {
    links: [
      // readers of a timeline follow a merge
      past({ column: 'subject_id', module: 'subject_module', onRemoval: 'remove' }),
      { ...rowIn('contact_id', 'contacts'), onRemoval: 'clear' },
      { column: 'reference_id', module: 'module_id' },
      // the response, signer or comment that is the activity
      past({ column: 'source_id' }),
    ],
  }),
]
