import type { Context } from '../../kit/ground/context.ts'
import { forbidden, notFound } from '../../kit/ground/errors.ts'
import type { Answer } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { announce } from '../../kit/write/announce.ts'
import type { Attendee } from './meeting.ts'
import { Meeting } from './meeting.ts'
import { checkReadable, readOne } from '../../kit/read/one.ts'

/** Stores the caller's own response, as a user or a linked contact; 403 for one not invited. */
export async function respond(
  ctx: Context,
  id: string,
  response: Attendee['response'],
): Promise<Answer> {
  await checkReadable(ctx, Meeting, id)
  const meeting = await ctx.one<{ attendees: Attendee[]; title: string; contacts: string[] }>(sql`
    select t.attendees, t.title, (select coalesce(json_agg(c.id), '[]') from contacts c
      where c.organization_id = t.organization_id and c.linked_user = ${ctx.actor.user_id}) as contacts
    from meetings t where ${mine(ctx)} and t.id = ${id} for update`)
  if (!meeting) throw notFound('Meeting')
  const { attendees, title, contacts } = meeting
  const isMe = (each: Attendee) =>
    (each.type === 'user' && each.id === ctx.actor.user_id) ||
    (each.type === 'contact' && contacts.includes(each.id ?? ''))
  const me = attendees.find(isMe)
  if (!me) throw forbidden('You are not invited to this meeting')
  if (me.response !== response) {
    const next = attendees.map((each) => (isMe(each) ? { ...each, response } : each))
    await ctx.run(sql`update meetings t set attendees = ${JSON.stringify(next)}::jsonb,
        version = version + 1, last_update_time = ${ctx.now().toISOString()}
      where ${mine(ctx)} and t.id = ${id}`)
    await announce(ctx, Meeting, 'answered', {
      id,
      title: 'Invitation answered',
      action: 'updated',
      name: title,
      changes: [{ field: 'response', from: me.response, to: response }],
    })
  }
  return readOne(ctx, Meeting, id)
}
