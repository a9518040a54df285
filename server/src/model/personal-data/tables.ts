import { past, rowIn, serviceTable, userIn } from '../../kit/record/service-table.ts'

/** The tables of requests about people, who may have been deleted. */
export const personalDataTables = [
  // they contain only ids
  serviceTable('personal_data_requests', {
    links: [
      past(userIn('created_by')),
      past({ ...userIn('user_ids'), isJson: true }),
      past({ ...rowIn('contact_ids', 'contacts'), isJson: true }),
    ],
    isImpersonal: true,
  }),
]
