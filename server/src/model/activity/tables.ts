import { past, rowIn, serviceTable, userIn } from '../../kit/record/service-table.ts'

/** The tables of the log. */
export const activityTables = [
  // it is not rewritten: its readers follow a merge
  serviceTable('events', {
    links: [
      past({ column: 'reference_id', module: 'module_id' }),
      past(rowIn('project_id', 'projects')),
      past(userIn('actor_id')),
      past({ column: 'raw_description', isJson: true }),
      past({ column: 'changes', isJson: true }),
      past({ column: 'data', isJson: true }),
    ],
  }),
]
