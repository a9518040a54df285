import { queryClient } from '../data/query-client.ts'
import { comments, files, own, records, related, timeline } from '../records/definition.ts'
import { answers } from '../records/answers/tab.ts'
import { t } from '../locales/text.ts'

export const projects = records('projects', {
  icon: 'folder-kanban',
  key: 'r',
  only: { project_type: 'project' },
  table: [
    'project_name',
    'status',
    'project_score',
    'due_date',
    'project_owner',
    'account_id',
    'tasks_count',
    'tags',
  ],
  form: ['project_name', 'start_date', 'due_date', 'project_owner', 'account_id'],
  board: { by: 'status', card: ['due_date', 'account_id'] },
  layouts: [
    {
      name: 'timeline',
      label: t('Timeline'),
      icon: 'list-tree',
      load: () => import('./portfolio/portfolio.tsx'),
    },
    {
      name: 'load',
      label: t('Load [noun]'),
      icon: 'users',
      isInternal: true,
      load: () => import('./load/load.tsx'),
    },
  ],
  head: () => import('./project-head.tsx'),
  prefetch: (id) =>
    import('../data/project-plan.ts').then(({ projectPlanQuery }) =>
      queryClient.prefetchQuery(projectPlanQuery(id)),
    ),
  canDuplicate: true,
  newForm: { needs: 'templates', load: () => import('../templates/new-project.tsx') },
  acts: [
    {
      label: t('Preview as customer'),
      icon: 'eye',
      needs: [
        ['users', 'update'],
        ['roles', 'update'],
      ],
      load: () => import('./preview-portal.tsx'),
    },
    {
      label: t('Add from template'),
      icon: 'list-tree',
      needs: [
        ['templates', 'read'],
        ['projects', 'update'],
        ['tasks', 'create'],
      ],
      load: () => import('../templates/add-template.tsx'),
    },
    {
      label: t('Save as template'),
      icon: 'list-tree',
      needs: [['templates', 'create']],
      load: () => import('../templates/save-template.tsx'),
    },
  ],
  tabs: [
    own('plan', t('Plan'), () => import('./plan.tsx'), { isWide: true }),
    own('timeline', t('Timeline'), () => import('./timeline/timeline.tsx'), { isWide: true }),
    timeline,
    comments,
    related('tasks', 'project_id'),
    own('forms', t('Forms'), () => import('./forms.tsx')),
    answers,
    files,
  ],
  empty: t('A project takes a customer from the signature to success, in milestones and tasks.'),
})
