import type { Context } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { turns } from '../../kit/ground/turns.ts'
import type { Voice } from '../../model/languages/language.ts'
import type { Brand } from './brand.ts'
import { brandOf } from './brand.ts'
import type { Letter } from './letter.ts'
import { letter } from './letter.ts'
import type { Mail } from './mail.ts'
import { mail } from './mail.ts'
import type { Reader } from './readers.ts'
import { voiceFor } from './readers.ts'

/** The options of a mail besides its content. */
type Enclosed = Pick<
  Mail,
  'kind' | 'calendar' | 'attachments' | 'unsubscribe' | 'isCounted' | 'replyTo' | 'needed'
> & {
  /** the sender, if not the caller; null for the organization itself */
  sender?: Sender | null
  /** when it is sent, if not once this write is committed */
  at?: Date
}

/** A person in whose name a mail is sent. */
export type Sender = { name: string; email: string | null }

/** Mails to hundreds of people, a few milliseconds each, let other requests run in between. */
const written = turns()

/**
 * Writes a mail in its reader's language and zone, with the organization's picture and colour, from
 * `<person> via <organization>`. It is sent once this write is committed, or `at` a later time.
 */
export async function post(
  ctx: Context,
  to: Reader,
  compose: (voice: Voice, brand: Brand) => Letter,
  { sender, at, ...enclosed }: Enclosed,
): Promise<void> {
  const brand = await brandOf(ctx)
  const person = sender === undefined ? await personOf(ctx, ctx.actor.user_id) : sender
  const voice = voiceFor(to, brand)
  const words = await letter(compose(voice, brand), voice, brand)
  await written(words.text.length + words.html.length)
  const answers = person?.email ?? brand.reply_to
  const { name = '', address } = to
  const message = {
    to: { name, address },
    from: person ? `${person.name} via ${brand.sender}` : brand.sender,
    ...(answers
      ? { replyTo: { name: person?.email ? person.name : brand.sender, address: answers } }
      : {}),
    ...words,
    ...enclosed,
  }
  mail(ctx, message, at)
}

const people = new WeakMap<Context, Map<string, Promise<Sender | null>>>()

/** A user as a sender; null for one who has left, and for no user. Looked up once per write. */
export async function personOf(ctx: Context, user_id: string | null): Promise<Sender | null> {
  if (user_id === null) return null
  const known = people.get(ctx) ?? new Map<string, Promise<Sender | null>>()
  people.set(ctx, known)
  const found = known.get(user_id) ?? loadPerson(ctx, user_id)
  known.set(user_id, found)
  return found
}

async function loadPerson(ctx: Context, user_id: string): Promise<Sender | null> {
  const found = await ctx.one<Sender>(sql`select t.full_name as name, t.email from users t
    where ${mine(ctx)} and t.id = ${user_id} and t.deleted_at is null`)
  return found ?? null
}
