import { sql } from '../../kit/ground/sql.ts'
import { record } from '../../kit/record/record.ts'
import type { Field } from '../../kit/record/record.ts'
import {
  boolean,
  defaulted,
  integer,
  key,
  object,
  optional,
  readOnly,
  reference,
  required,
  text,
  timestamp,
  worded,
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
    user_id: required(reference({ ...people, shows: null, by: { user_id: { column: 'id' } } })),
    notification_type: worded(defaulted(integer({ minimum: 1, maximum: 9 }), 9), () => types),
    title: defaulted(text(255), ''),
    description: optional(text()),
    notification_obj: defaulted(object(), {}),
    notify_time: setOnCreate(timestamp()),
    read: defaulted(boolean(), false),
    category: setOnCreate(text(60)),
    is_system: setOnCreate(boolean()),
    creation_time: readOnly(timestamp()),
    last_update_time: readOnly(timestamp()),
  },
)

/** May be left out of a body: `createNotification` derives it then. */
function setOnCreate<T>(field: Field<T>): Field<T, T, 'optional'> {
  return { ...field, access: 'optional' }
}
