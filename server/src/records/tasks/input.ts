import type { Context } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { optionSets } from '../field-config/options.ts'
import type { Status } from '../statuses/status.ts'
import { statusFor, statusNamed, statusSchema } from '../statuses/status.ts'
import { withIds } from '../users/person.ts'
import type { JSONSchema } from '../../kit/ground/json-schema.ts'

export type Body = { [field: string]: any } // oxlint-disable-line typescript/no-explicit-any

/** What a task's body may say beside the record's own fields. */
export const extraProperties: { [name: string]: JSONSchema } = {
  status: statusSchema,
  is_completed: { type: 'boolean' },
  priority: {
    anyOf: [{ type: ['string', 'null'], maxLength: 100 }, { type: 'object' }],
    description: 'a priority by its value, such as high',
  },
  users: {
    type: 'array',
    maxItems: 500,
    items: { anyOf: [{ type: 'string', minLength: 1, maxLength: 25 }, { type: 'object' }] },
  },
  recurrence_pattern: {
    anyOf: [{ type: ['string', 'null'], maxLength: 500 }, { type: 'object' }],
    description: 'an RRULE, or an object with frequency, interval, by_weekday, …; null ends it',
  },
  // null is what a task without a series shows, and says nothing
  recurrence_status: {
    type: ['string', 'null'],
    enum: ['active', 'paused', 'completed', 'cancelled', null],
  },
}

/**
 * The columns behind `status` and `is_completed`, which always agree. Of the two, one that is as the
 * task has it says nothing: whoever sends a whole task back has changed the other.
 */
export async function statusColumns(
  ctx: Context,
  { status, is_completed }: Body,
  old?: { status: Status | null; is_completed: boolean },
): Promise<{ columns: { [column: string]: unknown }; status: Status | undefined }> {
  let next = status ? await statusNamed(ctx, 'tasks', status) : undefined
  if (old && next?.id === old.status?.id) next = undefined
  const isDone = next ? next.category === 'completed' : undefined
  if (next && (is_completed ?? isDone) !== isDone && is_completed !== old?.is_completed) {
    throw badField('is_completed', `does not agree with the status ${next.status_key}`)
  }
  if (!next && is_completed !== undefined && is_completed !== (old?.is_completed ?? false)) {
    next = await statusFor(ctx, 'tasks', is_completed ? 'completed' : 'in_progress')
  }
  if (!next && !old) next = await statusFor(ctx, 'tasks', 'not_started')
  if (!next || next.id === old?.status?.id) return { columns: {}, status: undefined }
  const completed = next.category === 'completed'
  return {
    status: next,
    columns: {
      status_id: next.id,
      is_completed: completed,
      completed_at: completed ? ctx.now().toISOString() : null,
    },
  }
}

/** The value of a priority that a body names; any short word is taken, as for other option sets. */
export async function priorityOf(ctx: Context, given: unknown): Promise<string | null> {
  if (given === null) return null
  const named = given as Body
  const word = typeof given === 'string' ? given : (named.value ?? named.label ?? named.name)
  if (typeof word !== 'string' || !word.trim()) {
    throw badField('priority', 'must be a priority, such as high')
  }
  const { priorities = [] } = await optionSets(ctx, 'tasks')
  const folded = word.trim().toLowerCase()
  const known = priorities.find(
    ({ value, label }) => value.toLowerCase() === folded || label.toLowerCase() === folded,
  )
  return known?.value ?? word.trim().slice(0, 100)
}

/** The ids of people that a body names; 400 for somebody who is not there. */
export async function peopleOf(ctx: Context, given: unknown[], field: string): Promise<string[]> {
  const ids = (await withIds(ctx, given)).map((each) =>
    typeof each === 'string' ? each : ((each as Body).user_id ?? (each as Body).id),
  )
  const known = await ctx.all<{ id: string }>(sql`
    select t.id from users t where ${mine(ctx)} and t.deleted_at is null
      and t.id = any(${ids.filter((id) => typeof id === 'string')}::varchar[])`)
  const missing = ids.findIndex((id) => !known.some((each) => each.id === id))
  if (missing >= 0) throw badField(`${field}.${missing}`, 'no such user')
  return [...new Set(ids as string[])]
}

/** An owner given by name alone, as the specification's own example does; others as they are. */
export async function ownerOf(ctx: Context, given: unknown): Promise<unknown> {
  if (typeof given !== 'object' || given === null) return given
  const { name, full_name, user_id, id, profile_id, email } = given as Body
  const word = name ?? full_name
  if (user_id ?? id ?? profile_id ?? email ?? typeof word !== 'string') return given
  if (!String(word).trim()) return null
  const found = await ctx.one<{ id: string }>(sql`
    select t.id from users t where ${mine(ctx)} and t.deleted_at is null
      and lower(t.full_name) = ${String(word).trim().toLowerCase()} order by t.id limit 1`)
  if (!found) throw badField('owner', `nobody is called ${String(word)}`)
  return found.id
}
