import type { Context } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import type { Voice } from '../languages/language.ts'
import type { Brand } from './brand.ts'
import { brandOf } from './brand.ts'
import type { Letter } from './letter.ts'
import { letter } from './letter.ts'
import type { Mail } from './mail.ts'
import { mail } from './mail.ts'
import type { Reader } from './readers.ts'
import { voiceFor } from './readers.ts'

/** What a mail brings beside its content. */
type Enclosed = Pick<
  Mail,
  'calendar' | 'attachments' | 'unsubscribe' | 'isCounted' | 'isAccount' | 'replyTo'
> & {
  /** who writes, where that is not the caller; null for the organization itself */
  sender?: Sender | null
}

/** A person in whose name a mail is sent. */
export type Sender = { name: string; email: string | null }

/**
 * Writes a mail in its reader's language and zone, with the organization's picture and colour, from
 * `<person> via <organization>`. It is sent once this write is committed.
 */
export async function post(
  ctx: Context,
  to: Reader,
  compose: (voice: Voice, brand: Brand) => Letter,
  { sender, ...enclosed }: Enclosed = {},
): Promise<void> {
  const brand = await brandOf(ctx)
  const person = sender === undefined ? await callerOf(ctx) : sender
  const voice = voiceFor(to, brand)
  const words = await letter(compose(voice, brand), voice, brand)
  const answers = person?.email ?? brand.reply_to
  const { name = '', address } = to
  mail(ctx, {
    to: { name, address },
    from: person ? `${person.name} via ${brand.sender}` : brand.sender,
    ...(answers
      ? { replyTo: { name: person?.email ? person.name : brand.sender, address: answers } }
      : {}),
    ...words,
    ...enclosed,
  })
}

const callers = new WeakMap<Context, Promise<Sender | null>>()

/** The user who acts; null for jobs. Looked up once for a write. */
function callerOf(ctx: Context): Promise<Sender | null> {
  const found = callers.get(ctx) ?? loadCaller(ctx)
  callers.set(ctx, found)
  return found
}

async function loadCaller(ctx: Context): Promise<Sender | null> {
  const { user_id } = ctx.actor
  return user_id === null ? null : personOf(ctx, user_id)
}

/** A user as a sender; null for one who is gone. */
export async function personOf(ctx: Context, user_id: string): Promise<Sender | null> {
  const found = await ctx.one<Sender>(sql`select t.full_name as name, t.email from users t
    where ${mine(ctx)} and t.id = ${user_id} and t.deleted_at is null`)
  return found ?? null
}
