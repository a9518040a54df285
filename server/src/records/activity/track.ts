import { cut } from '../../kit/ground/cut.ts'
import type { Context } from '../../kit/ground/context.ts'
import { badRequest, Failure } from '../../kit/ground/errors.ts'
import { schema } from '../../kit/ground/json-schema.ts'
import type { Answer } from '../../kit/ground/operation.ts'
import { scope } from '../../kit/record/scope.ts'
import { sql } from '../../kit/ground/sql.ts'
import { Contact } from '../../model/contacts/contact.ts'
import { recordActivity } from '../health/activity.ts'
import { labelOf } from '../field-config/labels.ts'
import { engagement, writtenByCaller } from './entry.ts'
import { columnsOf, writtenEntry } from './log.ts'
import type { Subject } from './subject.ts'
import { subjectProperties, writableSubject } from './subject.ts'

type EngagementEvent = {
  is_encrypted?: boolean
  user_obj?: { [key: string]: unknown } | null
  recipient_email?: string | null
  module_id?: number | string | null
  module_name?: number | string | null
  reference_id?: string | null
  [key: string]: unknown
}

/** An engagement event, such as an e-mail opened; its other members are up to the sender. */
export const trackBody = schema<EngagementEvent>({
  title: 'EngagementEvent',
  type: 'object',
  additionalProperties: true,
  properties: {
    is_encrypted: { type: 'boolean' },
    user_obj: {
      type: ['object', 'null'],
      additionalProperties: true,
      properties: { email: { type: ['string', 'null'], maxLength: 10_000 } },
    },
    recipient_email: { type: ['string', 'null'], maxLength: 10_000 },
    ...subjectProperties,
  },
})

/** The largest event, in bytes of JSON: it is stored twice, as it was sent and in the log. */
const mostBytes = 64 * 1024

/** Stores an engagement event exactly as it was sent, as an entry about its record or contact. */
export async function trackEvent(ctx: Context, body: EngagementEvent): Promise<Answer> {
  if (!Object.keys(body).length) throw badRequest('The body must hold the event')
  const bytes = Buffer.byteLength(JSON.stringify(body))
  if (bytes > mostBytes) {
    throw new Failure(
      413,
      'too_large',
      `The event has ${bytes} bytes; at most ${mostBytes} are stored`,
    )
  }
  const subject = (await writableSubject(ctx, body)) ?? (await contactOf(ctx, body))
  const title = titleOf(body)
  const who = whoOf(body)
  // not announced: the sender wrote it, and it is no event of a record
  const id = ctx.emit({
    type: engagement,
    title,
    ...columnsOf(subject),
    raw_description: writtenByCaller(body),
    description: who ? `${title}: ${who}` : title,
  })
  recordActivity(ctx, {
    kind: 'mail',
    source_id: id,
    module_id: subject?.number ?? null,
    reference_id: subject?.id ?? null,
    at: ctx.now().toISOString(),
    emails: emails(body),
  })
  return writtenEntry(ctx, id)
}

/** The visible contact with an e-mail address of the event, if that is in plain text. */
async function contactOf(ctx: Context, body: EngagementEvent): Promise<Subject | undefined> {
  const [email] = emails(body)
  if (!email) return undefined
  const found = await ctx.one<{ id: string }>(sql`select t.id from contacts t
    where ${scope(ctx, Contact, 'read')} and t.primary_email_key = lower(${email}::text)
    order by t.id limit 1`)
  return found && { module: 'contacts', number: Contact.number ?? undefined, id: found.id }
}

function titleOf(body: EngagementEvent): string {
  const { title, event, event_name, event_type, type, action, name } = body
  const word = [title, event, event_name, event_type, type, action, name].find(isWord)
  return word ? cut(labelOf(word), 255) : 'Engagement tracked'
}

function whoOf(body: EngagementEvent): string | undefined {
  const { full_name, name } = body.user_obj ?? {}
  return [full_name, name, ...emails(body)].find(isWord)?.slice(0, 255).toWellFormed()
}

/** The e-mail addresses of the event; none if its sender encrypted them. */
function emails({ is_encrypted, user_obj, recipient_email }: EngagementEvent): string[] {
  return is_encrypted ? [] : [recipient_email, user_obj?.email].filter(isWord)
}

function isWord(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}
