import { comments, files, records, related, timeline } from '../records/definition.ts'
import { answers } from '../records/answers/tab.ts'
import { t } from '../locales/text.ts'

export const accounts = records('accounts', {
  icon: 'users',
  key: 'a',
  table: [
    'account_name',
    'account_owner',
    'health_score',
    'total_revenue',
    'open_pipeline',
    'segment',
    'tags',
  ],
  head: () => import('./account-head.tsx'),
  now: () => import('./account-now.tsx'),
  beside: () => import('./account-beside.tsx'),
  prefetch: (id, screens) =>
    import('./account-now.tsx').then(({ prefetch }) => prefetch(id, screens)),
  tabs: [
    timeline,
    comments,
    related('projects', 'account_id'),
    related('deals', 'account_id'),
    answers,
    files,
  ],
  sort: ['account_name'],
  empty: t('An account is a customer: its companies, deals and projects in one place.'),
})
