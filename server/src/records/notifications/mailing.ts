import type { Context, Query } from '../../kit/ground/context.ts'
import type { Job } from '../../kit/ground/job.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { letter } from '../mail/letter.ts'
import { mail } from '../mail/mail.ts'
import { notificationMailJob } from '../../kit/ground/event.ts'

/** A notification to be mailed, and its recipient. */
type Pending = {
  id: string
  title: string
  description: string | null
  user_id: string
  full_name: string
  email: string
}

const note = 'Your notification preferences decide which notifications are mailed to you.'

/** Mails one notification at once; it is marked as mailed in the same transaction. */
export const mailNotification: Job<{ notification_id: string }> = {
  ...notificationMailJob,
  async run({ write }, { notification_id }) {
    await write(async (ctx) => {
      const [pending] = await markMailed(ctx, sql`t.id = ${notification_id}`)
      if (!pending) return
      const text = await letter({
        subject: `${pending.title} · ${ctx.organization.name}`,
        paragraphs: [`Hello ${pending.full_name},`, ...lines(pending)],
        note,
      })
      mail(ctx, { to: { name: pending.full_name, address: pending.email }, ...text })
    })
  },
}

/**
 * Mails the unread notifications of the last two days that have not been mailed, one mail a user, to
 * users with the daily digest. A batch of at most 200 users; returns how many.
 */
export async function mailDigests(ctx: Context): Promise<number> {
  const since = new Date(+ctx.now() - 2 * 86_400_000).toISOString()
  const waiting = sql`not t.read and t.creation_time > ${since}
    and exists (select from notification_preferences p where p.organization_id = t.organization_id
      and p.user_id = t.user_id and p.category = t.category and p.email = 'daily')`
  const users = await ctx.all<{ user_id: string }>(sql`
    select distinct t.user_id from notifications t
    where ${mine(ctx)} and t.mailed_at is null and ${waiting} order by 1 limit 200`)
  if (!users.length) return 0
  const ids = users.map(({ user_id }) => user_id)
  const pending = await markMailed(ctx, sql`t.user_id = any(${ids}) and ${waiting}`)
  for (const all of Map.groupBy(pending, ({ user_id }) => user_id).values()) {
    const [first] = all
    if (!first) continue
    const { full_name, email } = first
    const text = await letter({
      subject: `${all.length} new in ${ctx.organization.name}`,
      paragraphs: [`Hello ${full_name},`, ...all.slice(0, mostLines).flatMap(lines), ...rest(all)],
      note,
    })
    mail(ctx, { to: { name: full_name, address: email }, ...text })
  }
  return users.length
}

const mostLines = 50

function rest({ length }: Pending[]): string[] {
  return length > mostLines ? [`… and ${length - mostLines} more.`] : []
}

function lines({ title, description }: Pending): string[] {
  return [description ? `${title}\n${description}` : title]
}

/** Marks notifications as mailed, and returns those of active users. */
async function markMailed(ctx: Context, condition: Query): Promise<Pending[]> {
  return ctx.all<Pending>(sql`
    with marked as (update notifications t set mailed_at = ${ctx.now().toISOString()}
      where ${mine(ctx)} and t.mailed_at is null and ${condition}
      returning t.id, t.title, t.description, t.user_id)
    select m.*, u.full_name, u.email from marked m
    join users u on u.organization_id = ${ctx.organization.id} and u.id = m.user_id
      and u.is_active and u.deleted_at is null
    order by m.id`)
}
