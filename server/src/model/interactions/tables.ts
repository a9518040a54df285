import { rowIn, serviceTable, userIn } from '../../kit/record/service-table.ts'

/** The tables of conversations. */
export const interactionsTables = [
  serviceTable('interaction_reactions', {
    links: [userIn(), rowIn('interaction_id', 'interactions')],
  }),
  serviceTable('interaction_reads', { links: [userIn(), rowIn('interaction_id', 'interactions')] }),
  serviceTable('interaction_attachments', {
    links: [rowIn('interaction_id', 'interactions'), rowIn('document_id', 'documents')],
  }),
  serviceTable('reply_addresses', {
    links: [userIn(), rowIn('interaction_id', 'interactions')],
    ownedBy: 'user_id',
  }),
  serviceTable('milestone_ratings', {
    links: [userIn(), rowIn('milestone_id', 'milestones')],
    ownedBy: 'user_id',
  }),
]
