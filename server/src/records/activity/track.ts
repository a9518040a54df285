import type { Context } from '../../kit/ground/context.ts'
import { badRequest } from '../../kit/ground/errors.ts'
import type { Input, Operation } from '../../kit/ground/operation.ts'
import { scope } from '../../kit/record/scope.ts'
import { sql } from '../../kit/ground/sql.ts'
import { Contact } from '../contacts/contact.ts'
import { labelOf } from '../field-config/built-in.ts'
import { engagement, entrySchema } from './entry.ts'
import { columnsOf, subjectProperties, writtenEntry } from './log.ts'
import type { Subject } from './subject.ts'
import { writableSubject } from './subject.ts'

type Tracked = {
  is_encrypted?: boolean
  user_obj?: { [key: string]: unknown } | null
  recipient_email?: string | null
  [key: string]: unknown
}

/** Takes an engagement event, such as an e-mail opened, and keeps it exactly as it was sent. */
export const track: Operation = {
  name: 'track_activity',
  summary: 'Record an engagement event, stored as sent',
  description:
    'With `is_encrypted` true, `user_obj.email` and `recipient_email` are opaque: kept as they are, ' +
    'not compared with anything and in no sentence. Otherwise the event is put on the contact who ' +
    'has that e-mail, unless it names a record itself.',
  can: { module: 'activity', action: 'create' },
  writes: true,
  input: {
    body: {
      title: 'EngagementEvent',
      type: 'object',
      properties: {
        is_encrypted: { type: 'boolean' },
        user_obj: {
          type: ['object', 'null'],
          properties: { email: { type: ['string', 'null'], maxLength: 10_000 } },
        },
        recipient_email: { type: ['string', 'null'], maxLength: 10_000 },
        ...subjectProperties,
      },
    },
  },
  output: entrySchema,
  async run(ctx: Context, { body }: Input) {
    if (!Object.keys(body).length) throw badRequest('The body must hold the event')
    const subject = (await writableSubject(ctx, body)) ?? (await contactOf(ctx, body))
    const title = titleOf(body)
    const who = whoOf(body)
    const id = ctx.emit({
      type: engagement,
      title,
      ...columnsOf(subject),
      raw_description: body,
      description: who ? `${title}: ${who}` : title,
    })
    return writtenEntry(ctx, id)
  },
}

/** The contact, among those that the caller sees, whose e-mail the event gives in the clear. */
async function contactOf(ctx: Context, body: Tracked): Promise<Subject | undefined> {
  const [email] = emails(body)
  if (!email) return undefined
  const found = await ctx.one<{ id: string }>(sql`select t.id from contacts t
    where ${scope(ctx, Contact, 'read')} and t.primary_email_key = lower(${email}::text)
    order by t.id limit 1`)
  return found && { module: 'contacts', number: Contact.number ?? undefined, id: found.id }
}

function titleOf(body: Tracked): string {
  const { title, event, event_name, event_type, type, action, name } = body
  const said = [title, event, event_name, event_type, type, action, name].find(isWord)
  return said ? labelOf(said).slice(0, 255).toWellFormed() : 'Engagement tracked'
}

function whoOf(body: Tracked): string | undefined {
  const { full_name, name } = body.user_obj ?? {}
  return [full_name, name, ...emails(body)].find(isWord)?.slice(0, 255).toWellFormed()
}

/** The e-mails that may be read: none of an event whose sender encrypted them. */
function emails({ is_encrypted, user_obj, recipient_email }: Tracked): string[] {
  return is_encrypted ? [] : [recipient_email, user_obj?.email].filter(isWord)
}

function isWord(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}
