import { rowIn, serviceTable, userIn } from '../../kit/record/service-table.ts'

/** The tables of notifications. */
export const notificationsTables = [
  serviceTable('notification_preferences', { links: [userIn()], ownedBy: 'user_id' }),
  serviceTable('dashboard_mails', {
    links: [userIn(), rowIn('dashboard_id', 'dashboards')],
    ownedBy: 'user_id',
  }),
  serviceTable('report_mails', {
    links: [userIn(), rowIn('filter_id', 'filters')],
    ownedBy: 'user_id',
  }),
  serviceTable('portal_overviews', { links: [userIn()], ownedBy: 'user_id' }),
]
