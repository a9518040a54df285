import { comments, files, own, records, timeline } from '../records/definition.ts'
import { t } from '../locales/text.ts'

export const tasks = records('tasks', {
  icon: 'square-check',
  key: 't',
  head: () => import('./task-head.tsx'),
  now: () => import('./task-now.tsx'),
  tick: 'is_completed',
  // a phone shows the first two after the title
  table: ['title', 'status', 'due_date', 'priority', 'owner', 'project_id'],
  form: ['title', 'due_date', 'priority', 'project_id'],
  board: { by: 'status', card: ['due_date', 'priority'] },
  tabs: [
    own('form', t('Form'), () => import('./form/task-form.tsx'), {
      isInPanel: true,
      isOf: ({ form_structure }) =>
        ((form_structure as { pages?: { fields?: unknown[] }[] } | null)?.pages ?? []).some(
          ({ fields }) => fields?.length,
        ),
    }),
    timeline,
    comments,
    own('time', t('Time'), () => import('./task-time.tsx'), { isForTeam: true, isInPanel: true }),
    files,
  ],
  // open tasks come first
  sort: ['is_completed', 'due_date'],
  empty: t('A task is one thing that somebody does by a day.'),
})
