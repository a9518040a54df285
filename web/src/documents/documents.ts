import { comments, own, records, timeline } from '../records/definition.ts'
import { isOfFolder } from './folders/folder.ts'
import { t } from '../locales/text.ts'

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
    own('text', t('Document'), () => import('./document-text.tsx')),
    own('signatures', t('Signatures'), () => import('./signatures/signatures.tsx'), {
      isWide: true,
    }),
    timeline,
    comments,
  ],
  acts: [
    {
      label: t('Send to many…'),
      icon: 'send',
      needs: [
        ['documents', 'create'],
        ['documents', 'update'],
      ],
      load: () => import('./many/send-act.tsx'),
    },
    {
      label: t('Send together with others…'),
      icon: 'files',
      needs: [
        ['documents', 'create'],
        ['documents', 'update'],
      ],
      load: () => import('./together/together-dialog.tsx'),
    },
  ],
  sort: ['-last_update_time'],
  views: ({ email }) => {
    const isOpen = { field: 'signature_status', operator: 'in', value: ['pending', 'partial'] }
    const me = { field: 'waits_for', value: email.toLowerCase() }
    return [
      {
        label: t('Waiting for others'),
        conditions: [isOpen, { ...me, operator: 'not_contains' }],
      },
      { label: t('Waiting for me'), conditions: [{ ...me, operator: 'contains' }] },
      {
        label: t('Signed'),
        conditions: [{ field: 'signature_status', operator: 'eq', value: 'signed' }],
      },
      {
        label: t('Reusable'),
        conditions: [{ field: 'is_reusable', operator: 'eq', value: true }],
      },
    ]
  },
  newForm: { needs: 'documents', load: () => import('./upload/upload-dialog.tsx') },
  besideList: () => import('./upload/drop-anywhere.tsx'),
  besideRows: { load: () => import('./folders/folders.tsx'), sets: isOfFolder },
  empty: t(
    'Contracts, plans and minutes live here. Upload one, or drop files anywhere on this page.',
  ),
})
