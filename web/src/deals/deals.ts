import { comments, files, records, related, timeline } from '../records/definition.ts'
import { t } from '../locales/text.ts'

export const deals = records('deals', {
  icon: 'handshake',
  key: 'd',
  only: { project_type: 'deal' },
  table: [
    'project_name',
    'stage_id',
    'expected_deal_value',
    'forecasted_date',
    'project_owner',
    'account_id',
    'tags',
  ],
  form: ['project_name', 'expected_deal_value', 'forecasted_date', 'project_owner', 'account_id'],
  board: {
    by: 'stage_id',
    sum: 'expected_deal_value',
    card: ['expected_deal_value', 'forecasted_date'],
    asksReason: true,
  },
  as: 'board',
  head: () => import('./deal-head.tsx'),
  now: () => import('./next-step.tsx'),
  beside: () => import('../records/people/people.tsx'),
  prefetch: (id) => import('./next-step.tsx').then(({ prefetch }) => prefetch(id)),
  canDuplicate: true,
  tabs: [timeline, comments, related('tasks', 'project_id'), files],
  empty: t('A deal is a sale in progress: its expected value and date.'),
})
