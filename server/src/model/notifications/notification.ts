import { sql } from '../../kit/ground/sql.ts'
import { record } from '../../kit/record/record.ts'
import {
  boolean,
  integer,
  key,
  object,
  reference,
  stamp,
  text,
  timestamp,
} from '../../kit/record/fields.ts'
import { people } from '../people/person.ts'
import { ownNotifications } from './visible.ts'

const types = [
  'mention',
  'assignment',
  'due',
  'overdue',
  'comment',
  'signature',
  'survey response',
  'meeting',
  'system',
].map((label, i) => ({ value: i + 1, label }))

/** A notification of a user (specification 2.3), visible only to that user, as long as its subject is. */
export const Notification = record(
  {
    module: 'notifications',
    word: 'notification',
    title: 'title',
    rights: {
      decide: ownNotifications,
      // it is read, not deleted
      can: (_ctx, action, allowed) => (action === 'update' ? allowed : sql`false`),
    },
    life: {
      handOver: null,
      // a notification keeps the id of a merged record, which redirects to the one that it became
      loose: [{ column: 'notification_obj', isJson: true, isHistory: true }],
    },
    find: {
      // its lists are of one person, whose alone they are
      terms: false,
    },
    events: {
      isLogged: false,
    },
  },
  {
    notification_id: key(),
    user_id: reference(
      { ...people, shows: null, by: { user_id: { column: 'id' } } },
      { required: true },
    ),
    notification_type: integer({
      default: 9,
      schema: { minimum: 1, maximum: 9 },
      choices: () => types,
    }),
    title: text(255, { default: '' }),
    description: text(),
    notification_obj: object({ default: {} }),
    notify_time: timestamp({ nullable: false }),
    read: boolean({ default: false }),
    category: text(60, { nullable: false }),
    is_system: boolean({ nullable: false }),
    creation_time: stamp(),
    last_update_time: stamp(),
  },
)
