import { sql } from '../../kit/ground/sql.ts'
import { rowIn, serviceTable, userIn } from '../../kit/record/service-table.ts'

/** The tables of documents. */
export const documentsTables = [
  serviceTable('document_days', { links: [rowIn('document_id', 'documents')] }),
  serviceTable('document_images', {
    links: [rowIn('chain_id', 'documents'), userIn('created_by')],
  }),
  serviceTable('document_favourites', {
    links: [userIn(), rowIn('document_id', 'documents')],
    ownedBy: 'user_id',
  }),
  serviceTable('signing_certificates', {}),
  serviceTable('signing_settings', {}),
  serviceTable('signature_preparations', {
    links: [rowIn('document_id', 'documents'), userIn('updated_by')],
  }),
  serviceTable('signature_batches', {
    links: [rowIn('document_id', 'documents'), userIn('created_by')],
  }),
  serviceTable('signature_batch_lines', { links: [rowIn('document_id', 'documents')] }),
  serviceTable('signature_files', {}),
  serviceTable('signature_requests', {
    links: [userIn('created_by'), rowIn('document_id', 'documents')],
    handOver: [
      {
        kind: 'signature_requests',
        column: 'created_by',
        title: `(select d.document_name from documents d
          where d.organization_id = $organization and d.id = t.document_id)`,
        where: sql`t.status = 'open'`,
      },
    ],
  }),
]
