import { past, rowIn, serviceTable, userIn } from '../../kit/record/service-table.ts'

/** The tables of projects. */
export const projectsTables = [
  serviceTable('project_members', { links: [userIn(), rowIn('project_id', 'projects')] }),
  serviceTable('stage_changes', {
    links: [userIn('changed_by'), rowIn('project_id', 'projects')],
  }),
  serviceTable('plan_baselines', {
    links: [
      rowIn('project_id', 'projects'),
      past({ column: 'dates', isJson: true }),
      past(userIn('created_by')),
    ],
  }),
]
