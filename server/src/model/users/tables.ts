import { past, rowIn, serviceTable, userIn } from '../../kit/record/service-table.ts'

/** The tables of users: sessions, codes and settings. */
export const usersTables = [
  serviceTable('sessions', { links: [userIn()], ownedBy: 'user_id' }),
  serviceTable('browser_sessions', { links: [userIn()], ownedBy: 'user_id' }),
  serviceTable('one_time_codes', { links: [userIn()], ownedBy: 'user_id' }),
  serviceTable('recovery_codes', { links: [userIn()], ownedBy: 'user_id' }),
  serviceTable('sign_ins', { links: [userIn()], ownedBy: 'user_id' }),
  serviceTable('openid_subjects', { links: [userIn()], ownedBy: 'user_id' }),
  serviceTable('openid_providers', {
    links: [{ ...rowIn('new_users_role_id', 'roles'), onRemoval: 'clear' }],
  }),
  serviceTable('mailed_links', {
    links: [userIn(), rowIn('task_id', 'tasks')],
    ownedBy: 'user_id',
    isShortLived: true,
  }),
  serviceTable('openid_returns', { isShortLived: true }),
  serviceTable('idempotency_keys', { ownedBy: 'caller', isShortLived: true }),
  serviceTable('preferences', {
    links: [userIn(), past({ column: 'content', isJson: true })],
    ownedBy: 'user_id',
  }),
  serviceTable('user_images', { links: [userIn('id')], ownedBy: 'id' }),
  serviceTable('asked_jobs', { links: [userIn(), past({ column: 'data', isJson: true })] }),
]
