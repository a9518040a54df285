import { Type } from 'typebox'
import type { Static } from 'typebox'
import { enumeration, extend, openObject, orNull, schema } from '../../kit/ground/json-schema.ts'
import { createSchema, updateSchema } from '../../kit/record/schema.ts'
import { statusSchema } from '../../model/statuses/status.ts'
import { recurrenceStatuses } from '../../model/recurrence/recurrence.ts'
import { Task } from '../../model/tasks/task.ts'

type Named = { [key: string]: unknown }

/** Properties of a task's body besides the record's own fields. */
export const extraProperties = {
  status: Type.Optional(statusSchema),
  is_completed: Type.Optional(Type.Boolean()),
  priority: Type.Optional(
    schema<string | null | Named>({
      anyOf: [{ type: ['string', 'null'], maxLength: 100 }, openObject],
      description: 'a priority by its value, such as high',
    }),
  ),
  users: Type.Optional(
    Type.Array(
      schema<string | Named>({
        anyOf: [{ type: 'string', minLength: 1, maxLength: 320 }, openObject],
      }),
      { maxItems: 500, description: 'each identifies the record by its user_id or email' },
    ),
  ),
  recurrence_pattern: Type.Optional(
    schema<string | null | Named>({
      anyOf: [{ type: ['string', 'null'], maxLength: 500 }, openObject],
      description: 'an RRULE, or an object with frequency, interval, by_weekday, …; null ends it',
    }),
  ),
  // reads of a task without a series have null here; sent back, it changes nothing
  recurrence_status: Type.Optional(
    orNull(enumeration(recurrenceStatuses, { title: 'RecurrenceStatus' })),
  ),
}

/** Whether a task recurs follows from its pattern; a body may contain it in addition. */
export function withoutRecurring<B extends { recurrence_pattern?: unknown }>(body: B): B {
  const { is_recurring, ...rest } = body as B & { is_recurring?: unknown }
  const { recurrence_pattern } = body
  if (is_recurring === undefined || recurrence_pattern === undefined) return body
  return is_recurring === Boolean(recurrence_pattern) ? (rest as unknown as B) : body
}

/** The body that creates a task. */
export const createBody = extend(createSchema(Task), extraProperties)
export type NewTask = Static<typeof createBody>

/** The body that changes a task. */
export const updateBody = extend(updateSchema(Task), extraProperties)
export type TaskChanges = Static<typeof updateBody>
