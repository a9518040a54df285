import { comments, own, records, timeline } from '../records/definition.ts'
import { t } from '../locales/text.ts'

export const meetings = {
  ...records('calendar', {
    icon: 'calendar',
    key: 'm',
    table: ['title', 'start', 'end', 'location', 'project', 'created_by'],
    form: [
      'title',
      'start',
      'end',
      'location',
      'link',
      'is_video_conference',
      'project',
      'push_to_calendar_a',
      'push_to_calendar_b',
    ],
    newForm: { needs: 'calendar', load: () => import('./new-meeting.tsx') },
    head: () => import('./meeting-head.tsx'),
    tabs: [
      own('people', t('People'), () => import('./attendees.tsx')),
      own('transcript', t('Transcript'), () => import('./transcript.tsx'), { isForTeam: true }),
      own('insight', t('Insight'), () => import('./insight.tsx'), {
        isWide: true,
        isForTeam: true,
      }),
      timeline,
      comments,
    ],
    sort: ['-start'],
    empty: t('Meetings with colleagues and customers, with attendees and insights.'),
  }),
  // the addresses of the calendar belong to the server, which answers there with feeds
  address: '/meetings' as const,
}
