import { comments, own, records, timeline } from '../records/definition.ts'

export const documents = records('documents', {
  icon: 'file-text',
  key: 'o',
  table: [
    'document_name',
    'document_status',
    'signature_status',
    'document_owner',
    'project_id',
    'last_update_time',
  ],
  head: () => import('./document-head.tsx'),
  tabs: [own('text', 'Document', () => import('./document-text.tsx')), timeline, comments],
  sort: ['-last_update_time'],
  isMadeElsewhere: true,
  empty: 'All files and texts of records are here: attach one to a company, deal or project.',
})
