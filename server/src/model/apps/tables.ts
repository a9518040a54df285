import { sql } from '../../kit/ground/sql.ts'
import { rowIn, serviceTable, userIn } from '../../kit/record/service-table.ts'

/** The tables of apps. */
export const appsTables = [
  serviceTable('apps', { links: [userIn('created_by')] }),
  // their tokens, subscriptions and deliveries are deleted with them
  serviceTable('grants', {
    links: [userIn()],
    ownedBy: 'user_id',
    handOver: [
      {
        kind: 'connections',
        column: 'user_id',
        title: `(select a.name from apps a
          where a.organization_id = $organization and a.id = t.app_id)`,
        where: sql`t.revoked_at is null`,
      },
    ],
  }),
  // its conditions refer to records, as those of a saved filter
  serviceTable('subscriptions', {
    links: [userIn(), rowIn('project_id', 'projects'), { column: 'conditions', isJson: true }],
    handOver: [{ kind: 'subscriptions', column: 'user_id', title: 't.url' }],
  }),
  serviceTable('webhook_inspectors', { links: [userIn()], ownedBy: 'user_id' }),
  serviceTable('access_tokens', { links: [userIn()], ownedBy: 'user_id' }),
]
