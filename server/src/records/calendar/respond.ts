import type { Context } from '../../kit/ground/context.ts'
import { forbidden, notFound } from '../../kit/ground/errors.ts'
import type { Answer } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { Answering } from './answer.ts'
import { storeAnswer } from './answer.ts'
import type { Attendee } from '../../model/calendar/meeting.ts'
import { Meeting } from '../../model/calendar/meeting.ts'
import { checkReadable, readOne } from '../../kit/read/one.ts'

type Stored = Pick<Answering, 'attendees' | 'title' | 'created_by'> & { contacts: string[] }

/** Stores the caller's own response, as a user or a linked contact; 403 for one not invited. */
export async function respond(
  ctx: Context,
  id: string,
  response: Attendee['response'],
): Promise<Answer> {
  await checkReadable(ctx, Meeting, id)
  const meeting = await ctx.one<Stored>(sql`
    select t.attendees, t.title, t.created_by, (select coalesce(json_agg(c.id), '[]') from contacts c
      where c.organization_id = $organization and c.linked_user = ${ctx.actor.user_id}) as contacts
    from meetings t where ${mine(ctx)} and t.id = ${id} for update`)
  if (!meeting) throw notFound('Meeting')
  const { attendees, title, created_by, contacts } = meeting
  const isMe = (each: Attendee) =>
    (each.type === 'user' && each.id === ctx.actor.user_id) ||
    (each.type === 'contact' && contacts.includes(each.id ?? ''))
  if (!attendees.some(isMe)) throw forbidden('You are not invited to this meeting')
  await storeAnswer(ctx, { id, title, attendees, created_by }, isMe, response, {
    person: ctx.actor.full_name,
  })
  return readOne(ctx, Meeting, id)
}
