import { comments, own, records, timeline } from '../records/definition.ts'

export const surveys = records('surveys', {
  icon: 'smile',
  key: 's',
  table: ['name', 'status', 'account_id', 'response_count', 'view_count', 'end_date', 'tags'],
  head: () => import('./survey-head.tsx'),
  tabs: [
    own('results', 'Results', () => import('./results.tsx')),
    own('questions', 'Questions', () => import('./questions.tsx')),
    timeline,
    comments,
  ],
  sort: ['-creation_time'],
  newForm: { needs: 'surveys', load: () => import('./new-survey.tsx') },
  asksUses: true,
  empty: 'Surveys ask customers for feedback; their answers are collected here.',
})
