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
  views: () => {
    const isA = (value: string) => [{ field: 'item_type', operator: 'eq', value }]
    return [
      { label: t('Forms'), conditions: isA('form') },
      { label: t('Templates'), conditions: isA('survey_template') },
    ]
  },
  sort: ['-creation_time'],
  newForm: { needs: 'surveys', load: () => import('./new-survey.tsx') },
  asksUses: true,
  canDuplicate: true,
  acts: [
    {
      label: t('Save as template'),
      icon: 'star',
      needs: [['surveys', 'create']],
      load: () => import('./save-template.tsx'),
    },
  ],
  empty: t('Surveys ask customers for feedback; their answers are collected here.'),
})
