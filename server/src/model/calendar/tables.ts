import { rowIn, serviceTable, userIn } from '../../kit/record/service-table.ts'

/** The tables of meetings. */
export const calendarTables = [
  serviceTable('meeting_contacts', { links: [rowIn('calendar_id', 'meetings')] }),
  serviceTable('meeting_addresses', { links: [rowIn('calendar_id', 'meetings')] }),
  serviceTable('meeting_answers', { links: [rowIn('calendar_id', 'meetings')] }),
  serviceTable('meeting_transcripts', {
    links: [
      rowIn('calendar_id', 'meetings'),
      rowIn('insight_id', 'meeting_insights'),
      { column: 'items', to: ['tasks'], isJson: true },
      userIn('added_by'),
    ],
  }),
  serviceTable('calendar_connections', { links: [userIn()], ownedBy: 'user_id' }),
  serviceTable('calendar_copies', { links: [rowIn('calendar_id', 'meetings')] }),
  serviceTable('calendar_feeds', { links: [userIn('id')], ownedBy: 'id' }),
]
