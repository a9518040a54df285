import { comments, files, records, related, timeline } from '../records/definition.ts'
import { answers } from '../records/answers/tab.ts'
import { t } from '../locales/text.ts'

export const companies = records('companies', {
  icon: 'building',
  key: 'c',
  table: [
    'company_name',
    'domain',
    'industry',
    'company_type',
    'company_owner',
    'estimated_arr',
    'tags',
  ],
  form: ['company_name', 'domain', 'industry', 'company_owner'],
  now: () => import('../records/page/open-work.tsx'),
  beside: () => import('./company-beside.tsx'),
  prefetch: (id, screens) =>
    import('../records/page/open-work.tsx').then(({ prefetch }) => prefetch(id, screens)),
  tabs: [
    timeline,
    comments,
    related('contacts', 'company'),
    related('deals', 'company_id'),
    related('projects', 'company_id'),
    answers,
    files,
  ],
  sort: ['company_name'],
  empty: t('Companies are the organizations that you sell to and work with.'),
})
