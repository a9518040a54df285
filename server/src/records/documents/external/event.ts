import { cut } from '../../../kit/ground/cut.ts'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { JSONSchema } from '../../../kit/ground/json-schema.ts'
import { orNull } from '../../../kit/ground/json-schema.ts'
import { wholeWebAddress } from '../../../kit/ground/web-address.ts'
import { Failure, unavailable } from '../../../kit/ground/errors.ts'
import { checkBody } from '../../../kit/record/validate.ts'
import type { RecipientStatus } from '../../../model/documents/requests/states.ts'

const text = Type.Optional(orNull(Type.String({ maxLength: 2000 })))
const id = Type.Optional(orNull(Type.Integer({ minimum: 1, maximum: 2147483647 })))
// not checked: if the address is unusable, the submission is handled without it
const unchecked = Type.Optional(Type.Unknown())

const submitter = Type.Object({
  email: unchecked,
  name: unchecked,
  status: unchecked,
  decline_reason: unchecked,
  external_id: unchecked,
  metadata: unchecked,
})

const data = Type.Object({
  id,
  slug: text,
  status: text,
  email: text,
  name: text,
  decline_reason: text,
  external_id: text,
  metadata: unchecked,
  audit_log_url: text,
  combined_document_url: text,
  submission: Type.Optional(
    orNull(
      Type.Object({
        id,
        status: text,
        slug: unchecked,
        combined_document_url: unchecked,
        audit_log_url: unchecked,
      }),
    ),
  ),
  template: Type.Optional(orNull(Type.Object({ id, slug: unchecked }))),
  submitters: Type.Optional(orNull(Type.Array(submitter, { maxItems: 100 }))),
  documents: Type.Optional(orNull(Type.Array(Type.Object({ url: unchecked }), { maxItems: 100 }))),
})

/** The members of a DocuSeal event that are read; others are ignored. */
const externalEventSchema = Type.Object({
  event_type: Type.String({ minLength: 1, maxLength: 100 }),
  timestamp: Type.Optional(Type.String({ maxLength: 100 })),
  data,
})
export type ExternalEvent = Static<typeof externalEventSchema>

/** A body as an event of DocuSeal; 400 names every wrong field. */
export function checkedEvent(body: unknown): ExternalEvent {
  checkBody(externalEventSchema as unknown as JSONSchema, body)
  return body as ExternalEvent
}

/** The id of the submission that an event is about. */
export function submissionIn(event: ExternalEvent): number | null {
  return changeOf(event).submission
}

const submissionSchema = Type.Object({ id: Type.Integer(), archived_at: unchecked })

/** The answer of DocuSeal's own API about a submission, as the event that it would be; 503 if it is none. */
export function answeredEvent(answer: unknown, submission: number | null): ExternalEvent {
  try {
    checkBody(submissionSchema as unknown as JSONSchema, answer)
    const { id: answered, archived_at } = answer as Static<typeof submissionSchema>
    if (answered !== submission) throw noAnswer()
    const event = checkedEvent({ event_type: 'submission.read', data: answer })
    const { status } = event.data
    const ended = archived_at && status !== 'completed' ? 'archived' : status
    return { ...event, event_type: `submission.${ended ?? 'read'}` }
  } catch (error) {
    if (error instanceof Failure) throw noAnswer()
    throw error
  }
}

/** What DocuSeal gets where its API gave no usable answer, so that it sends the event again. */
function noAnswer(): Failure {
  return unavailable('DocuSeal’s API did not confirm the event; send it again', 60)
}

/** The same change without what is worth nothing unless DocuSeal's own API says it: that somebody has signed. */
export function unconfirmed(change: ExternalChange): ExternalChange {
  const submitters = change.submitters.map((each) =>
    each.status === 'signed' ? { ...each, status: 'sent' as const } : each,
  )
  return { ...change, submitters, isComplete: false, signed: null, audit: null }
}

/** A recipient of a submission, with the corresponding status here. */
export type Submitter = {
  email: string
  name: string
  status: RecipientStatus
  reason: string | null
}

/** The content of an event, whether it is about one submitter or the whole submission. */
export type ExternalChange = {
  submission: number | null
  /** the slug of the template, or of the submission if the template has none */
  slug: string | null
  template: number | null
  attach_id: string | null
  submitters: Submitter[]
  isComplete: boolean
  isDeclined: boolean
  ends: 'expired' | 'voided' | undefined
  /** addresses of the signed file and of its audit log */
  signed: string | null
  audit: string | null
}

/** Reads either kind of event: `form.*` is about one submitter, `submission.*` about all. */
export function changeOf({ event_type: type, data }: ExternalEvent): ExternalChange {
  const isForm = type.startsWith('form.')
  const submission = (isForm ? data.submission : data) ?? {}
  const { submitters: all, template, documents } = data
  const submitters: Static<typeof submitter>[] = isForm ? [data] : (all ?? [])
  const ids = [data, ...submitters].map(
    ({ metadata, external_id }) => attachIdIn(metadata) ?? external_id,
  )
  const slug = template?.slug ?? submission.slug
  return {
    submission: submission.id ?? null,
    slug: typeof slug === 'string' ? slug : null,
    template: template?.id ?? null,
    attach_id: ids.find((each) => typeof each === 'string') ?? null,
    submitters: submitters.flatMap(submitterOf),
    isComplete: type === 'submission.completed' || submission.status === 'completed',
    isDeclined: type === 'form.declined' || submission.status === 'declined',
    ends: ends.get(type),
    signed: addressIn(
      submission.combined_document_url ?? data.combined_document_url ?? documents?.[0]?.url,
    ),
    audit: addressIn(submission.audit_log_url ?? data.audit_log_url),
  }
}

const ends = new Map<string, 'expired' | 'voided'>([
  ['submission.expired', 'expired'],
  ['submission.archived', 'voided'],
])

const statuses = new Map<unknown, RecipientStatus>([
  ['completed', 'signed'],
  ['declined', 'declined'],
  ['opened', 'viewed'],
])

function submitterOf({
  email,
  name,
  status,
  decline_reason,
}: Static<typeof submitter>): Submitter[] {
  if (typeof email !== 'string' || !email.includes('@')) return []
  const shown = typeof name === 'string' && name.trim() ? name.trim() : email
  return [
    {
      email: cut(email, 320),
      name: cut(shown, 255),
      status: statuses.get(status) ?? 'sent',
      reason: typeof decline_reason === 'string' ? cut(decline_reason, 2000) : null,
    },
  ]
}

function attachIdIn(metadata: unknown): unknown {
  return typeof metadata === 'object' && metadata !== null && 'attach_id' in metadata
    ? metadata.attach_id
    : undefined
}

function addressIn(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > 2048) return null
  return wholeWebAddress(value) ? value : null
}
