import { rowIn, serviceTable, userIn } from '../../kit/record/service-table.ts'

/** The tables of tasks. */
export const tasksTables = [
  serviceTable('task_dependencies', {
    links: [rowIn('task_id', 'tasks'), rowIn('predecessor_id', 'tasks')],
  }),
  serviceTable('timers', { links: [userIn(), rowIn('task_id', 'tasks')], ownedBy: 'user_id' }),
]
