import { comments, files, records, related, timeline } from '../records/definition.ts'
import { answers } from '../records/answers/tab.ts'
import { t } from '../locales/text.ts'

export const contacts = records('contacts', {
  icon: 'user',
  key: 'p',
  table: [
    'full_name',
    'primary_email',
    'company',
    'job_title',
    'contact_owner',
    'lead_status',
    'lead_score',
    'tags',
  ],
  form: ['full_name', 'primary_email', 'company', 'job_title', 'phone'],
  now: () => import('../records/page/open-work.tsx'),
  beside: () => import('../records/page/next-meeting.tsx'),
  prefetch: (id, screens) =>
    import('../records/page/open-work.tsx').then(({ prefetch }) => prefetch(id, screens)),
  tabs: [timeline, comments, related('deals', 'customer'), answers, files],
  sort: ['full_name'],
  empty: t('Contacts are the people at the companies that you work with.'),
})
