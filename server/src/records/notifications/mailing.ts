import type { Context } from '../../kit/ground/context.ts'
import type { Job } from '../../kit/ground/job.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { letter } from '../mail/letter.ts'
import { mail } from '../mail/mail.ts'
import { notificationMailJob } from '../../kit/ground/event.ts'

type Told = {
  id: string
  title: string
  description: string | null
  user_id: string
  full_name: string
  email: string
}

const note = 'How you are told of what, by mail or not, is set in your notification preferences.'

/** Mails one notification to whoever wants it at once; it is marked as mailed with the same commit. */
export const mailNotification: Job<{ notification_id: string }> = {
  ...notificationMailJob,
  async run({ write }, { notification_id }) {
    await write(async (ctx) => {
      const [told] = await mark(ctx, sql`t.id = ${notification_id}`)
      if (!told) return
      const words = await letter({
        subject: `${told.title} · ${ctx.organization.name}`,
        paragraphs: [`Hello ${told.full_name},`, ...lines(told)],
        note,
      })
      mail(ctx, { to: { name: told.full_name, address: told.email }, ...words })
    })
  },
}

/**
 * Mails what has not been read or mailed of the last two days, one mail a user, to those who want
 * it daily. A batch of users; gives how many were mailed.
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
  const told = await mark(ctx, sql`t.user_id = any(${ids}) and ${waiting}`)
  const byUser = new Map<string, Told[]>()
  for (const each of told) byUser.set(each.user_id, [...(byUser.get(each.user_id) ?? []), each])
  for (const all of byUser.values()) {
    const { full_name, email } = all[0]!
    const words = await letter({
      subject: `${all.length} new in ${ctx.organization.name}`,
      paragraphs: [`Hello ${full_name},`, ...all.slice(0, mostLines).flatMap(lines), ...rest(all)],
      note,
    })
    mail(ctx, { to: { name: full_name, address: email }, ...words })
  }
  return users.length
}

const mostLines = 50

function rest({ length }: Told[]): string[] {
  return length > mostLines ? [`… and ${length - mostLines} more.`] : []
}

function lines({ title, description }: Told): string[] {
  return [description ? `${title}\n${description}` : title]
}

/** Marks notifications as mailed, and gives those of users who can be mailed. */
async function mark(ctx: Context, condition: ReturnType<typeof sql>): Promise<Told[]> {
  return ctx.all<Told>(sql`
    with marked as (update notifications t set mailed_at = ${ctx.now().toISOString()}
      where ${mine(ctx)} and t.mailed_at is null and ${condition}
      returning t.id, t.title, t.description, t.user_id)
    select m.*, u.full_name, u.email from marked m
    join users u on u.organization_id = ${ctx.organization.id} and u.id = m.user_id
      and u.is_active and u.deleted_at is null
    order by m.id`)
}
