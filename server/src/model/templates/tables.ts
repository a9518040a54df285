import { past, rowIn, serviceTable, userIn } from '../../kit/record/service-table.ts'

/** The tables of templates. */
export const templatesTables = [
  // the plans that a template had, and its draft
  serviceTable('template_versions', {
    links: [
      rowIn('template_id', 'templates'),
      past({ column: 'template_config', isJson: true }),
      past({ column: 'roles', to: ['users'], isJson: true }),
      past(userIn('created_by')),
    ],
  }),
]
