import { comments, files, own, records, related, timeline } from '../records/definition.ts'

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
      label: 'Timeline',
      icon: 'list-tree',
      load: () => import('./portfolio/portfolio.tsx'),
    },
    {
      name: 'load',
      label: 'Load',
      icon: 'users',
      isInternal: true,
      load: () => import('./load/load.tsx'),
    },
  ],
  head: () => import('./project-head.tsx'),
  canDuplicate: true,
  newForm: { needs: 'templates', load: () => import('../templates/new-project.tsx') },
  acts: [
    {
      label: 'Preview as customer',
      icon: 'eye',
      needs: [
        ['users', 'update'],
        ['roles', 'update'],
      ],
      load: () => import('./preview-portal.tsx'),
    },
    {
      label: 'Add from template',
      icon: 'list-tree',
      needs: [
        ['templates', 'read'],
        ['projects', 'update'],
        ['tasks', 'create'],
      ],
      load: () => import('../templates/add-template.tsx'),
    },
    {
      label: 'Save as template',
      icon: 'list-tree',
      needs: [['templates', 'create']],
      load: () => import('../templates/save-template.tsx'),
    },
  ],
  tabs: [
    own('plan', 'Plan', () => import('./plan.tsx'), { isWide: true }),
    own('timeline', 'Timeline', () => import('./timeline/timeline.tsx'), { isWide: true }),
    timeline,
    comments,
    related('tasks', 'project_id'),
    files,
  ],
  empty: 'A project takes a customer from the signature to success, in milestones and tasks.',
})
