import { comments, own, records, timeline } from '../records/definition.ts'

export const documents = records('documents', {
  icon: 'file-text',
  key: 'o',
  table: [
    'document_name',
    'document_status',
    'signature_recipients',
    'document_owner',
    'project_id',
    'last_update_time',
  ],
  head: () => import('./document-head.tsx'),
  tabs: [
    own('text', 'Document', () => import('./document-text.tsx')),
    own('signatures', 'Signatures', () => import('./signatures/signatures.tsx'), { isWide: true }),
    timeline,
    comments,
  ],
  sort: ['-last_update_time'],
  newForm: { needs: 'documents', load: () => import('./upload/upload-dialog.tsx') },
  besideList: () => import('./upload/drop-anywhere.tsx'),
  empty: 'Contracts, plans and minutes live here. Upload one, or drop files anywhere on this page.',
})
