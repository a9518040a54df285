import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { Context } from '../../../kit/ground/context.ts'
import { badField, conflict, notFound, renamed } from '../../../kit/ground/errors.ts'
import { openObject, orNull, schema } from '../../../kit/ground/json-schema.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { checkReadable } from '../../../kit/read/one.ts'
import { announce } from '../../../kit/write/announce.ts'
import { MeetingInsight } from '../../../model/calendar/insight.ts'
import { Meeting } from '../../../model/calendar/meeting.ts'
import type { Done } from '../../bulk/change.ts'
import { storeWrite } from '../../bulk/change.ts'
import { createTask } from '../../tasks/create.ts'
import { peopleOfMeeting, personNamed } from './people.ts'
import type { StoredItem } from './transcript.ts'
import { storedTranscript } from './transcript.ts'

/** Which suggested items become tasks, each with what differs from the suggestion. */
export const acceptBody = Type.Object({
  items: Type.Array(
    Type.Object({
      item_id: Type.String({ minLength: 1, maxLength: 25, description: 'of the suggestion' }),
      title: Type.Optional(
        Type.String({
          pattern: '\\S',
          maxLength: 255,
          description: 'in place of the suggested one',
        }),
      ),
      owner: Type.Optional(
        schema<string | null | { [key: string]: unknown }>({
          anyOf: [{ type: ['string', 'null'], maxLength: 320 }, openObject],
          description: 'a user by id or e-mail; null for nobody, absent for the suggested one',
        }),
      ),
      due_date: Type.Optional(
        orNull(
          schema<string>({
            type: 'string',
            format: 'date',
            description: 'null for none, absent for the suggested one',
          }),
        ),
      ),
      is_shared: Type.Optional(
        Type.Boolean({ description: 'whether the customer sees the task; as usual if absent' }),
      ),
    }),
    { minItems: 1, maxItems: 100, description: 'those that become tasks' },
  ),
  project_id: Type.Optional(
    orNull(
      Type.String({
        minLength: 1,
        maxLength: 25,
        description: 'the project of the tasks; that of the meeting if absent',
      }),
    ),
  ),
})

export const accepted = Type.Object(
  {
    act_id: Type.String({
      description: 'for the undo of all of it: `POST /api/bulk/{act_id}/undo/`',
    }),
    tasks: Type.Array(
      Type.Object(
        { item_id: Type.String({ description: 'of the suggestion' }), task_id: Type.String() },
        { title: 'AcceptedItem' },
      ),
      { description: 'what was made, in the order of the request' },
    ),
  },
  { title: 'AcceptedItems' },
)

/**
 * Makes tasks of suggested items, all or none, in one act that can be undone. 400 naming an item that is not of this
 * insight, 409 for one that is a task already.
 */
export async function acceptItems(
  ctx: Context,
  insight_id: string,
  { items, project_id }: Static<typeof acceptBody>,
): Promise<Static<typeof accepted>> {
  await checkReadable(ctx, MeetingInsight, insight_id)
  const found = await ctx.one<{
    calendar_id: string
    project_id: string | null
    milestone_id: string | null
    title: string
  }>(sql`
    select m.id as calendar_id, m.project_id, m.milestone_id, m.title from meeting_insights t
    join meetings m on m.organization_id = $organization and m.id = t.calendar_id
    where ${mine(ctx)} and t.id = ${insight_id} for update of t`)
  const stored = found && (await storedTranscript(ctx, found.calendar_id))
  if (!found || stored?.insight_id !== insight_id) throw notFound('Transcript')
  const find = personNamed(await peopleOfMeeting(ctx, found.calendar_id))
  const there = await stillThere(ctx, stored.items)
  const isOfMeeting = project_id === undefined || project_id === found.project_id
  const place = {
    project_id: project_id === undefined ? found.project_id : project_id,
    ...(isOfMeeting && found.milestone_id ? { milestone_id: found.milestone_id } : {}),
  }
  const done: Done[] = []
  const tasks: Static<typeof accepted>['tasks'] = []
  for (const [n, { item_id, title, owner, due_date, is_shared }] of items.entries()) {
    const item = stored.items.find((each) => each.item_id === item_id)
    if (!item) throw badField(`items.${n}.item_id`, 'no such suggestion')
    if (item.task_id !== null && there.has(item.task_id)) {
      throw conflict('A task was made of this already', 'already_accepted')
    }
    const suggested = item.owner === null ? null : (find(item.owner)?.user_id ?? null)
    const task = {
      title: title ?? item.title,
      owner: owner === undefined ? suggested : namedOwner(owner),
      due_date: due_date === undefined ? item.due_date : due_date,
      calendar_id: found.calendar_id,
      meeting_summary_id: insight_id,
      ...place,
      ...(is_shared === undefined ? {} : { is_shared }),
    }
    const { id, version } = await createTask(ctx, task).catch((error: unknown) => {
      throw renamed(error, (field) => (field in place ? field : `items.${n}.${field}`))
    })
    item.task_id = id
    there.add(id)
    done.push({ record_id: id, version, before: null })
    tasks.push({ item_id, task_id: id })
  }
  await ctx.run(sql`update meeting_transcripts t set items = ${JSON.stringify(stored.items)}::jsonb
    where ${mine(ctx)} and t.calendar_id = ${found.calendar_id}`)
  // an undo of what was restored removes it, unless it was changed since
  const act_id = await storeWrite(ctx, { list: 'tasks', action: 'restore', field: 'items' }, done)
  await announce(ctx, Meeting, 'accepted', {
    id: found.calendar_id,
    title: 'Tasks made of what was said',
    action: 'updated',
    name: found.title,
    project_id: found.project_id,
    changes: [{ field: 'tasks_made', from: null, to: tasks.length }],
  })
  return { act_id, tasks }
}

/** A suggested owner who is no user is nobody. */
function namedOwner(owner: string | null | { [key: string]: unknown }) {
  return owner !== null && typeof owner === 'object' && owner.user_id === null ? null : owner
}

/** The tasks of items that are not deleted. */
async function stillThere(ctx: Context, items: StoredItem[]): Promise<Set<string>> {
  const ids = items.flatMap(({ task_id }) => task_id ?? [])
  if (!ids.length) return new Set()
  const found = await ctx.all<{ id: string }>(sql`select t.id from tasks t
    where ${mine(ctx)} and t.id = any(${ids}::varchar[]) and t.deleted_at is null`)
  return new Set(found.map(({ id }) => id))
}
