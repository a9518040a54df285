import { past, serviceTable, userIn } from '../../kit/record/service-table.ts'

/** The tables of hand-overs. */
export const handOverTables = [
  serviceTable('hand_overs', {
    links: [past(userIn('from_id')), past(userIn('to_id')), userIn('created_by')],
  }),
  serviceTable('hand_over_moves', { links: [past({ column: 'record_id' })] }),
]
