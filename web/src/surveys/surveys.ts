import { comments, own, records, timeline } from '../records/definition.ts'
import { t } from '../locales/text.ts'

export const surveys = records('surveys', {
  icon: 'smile',
  key: 's',
  table: ['name', 'status', 'account_id', 'response_count', 'view_count', 'end_date', 'tags'],
  head: () => import('./survey-head.tsx'),
  tabs: [
    own('results', t('Results'), () => import('./results.tsx')),
    own('responses', t('Answers'), () => import('./results/answers.tsx'), {
      isForTeam: true,
      isWide: true,
    }),
    own('share', t('Share'), () => import('./share/share.tsx'), { isForTeam: true }),
    own('automations', t('Automations'), () => import('./automations/automations.tsx'), {
      isForTeam: true,
    }),
    own('questions', t('Questions'), () => import('./questions.tsx')),
    timeline,
    comments,
  ],
  sort: ['-creation_time'],
  newForm: { needs: 'surveys', load: () => import('./new-survey.tsx') },
  asksUses: true,
  empty: t('Surveys ask customers for feedback; their answers are collected here.'),
})
