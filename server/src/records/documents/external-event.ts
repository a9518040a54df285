import type { Body } from './input.ts'
import type { RecipientStatus } from './states.ts'
import type { JSONSchema } from '../../kit/ground/json-schema.ts'

const word = { type: ['string', 'null'], maxLength: 2000 }
const number = { type: ['integer', 'null'], minimum: 1, maximum: 2147483647 }

/** What is read of an event of DocuSeal; it says a good deal more. */
export const externalEventSchema: JSONSchema = {
  type: 'object',
  properties: {
    event_type: { type: 'string', minLength: 1, maxLength: 100 },
    timestamp: { type: 'string', maxLength: 100 },
    data: {
      type: 'object',
      properties: {
        id: number,
        slug: word,
        status: word,
        email: word,
        name: word,
        decline_reason: word,
        external_id: word,
        audit_log_url: word,
        combined_document_url: word,
        submission: { type: ['object', 'null'], properties: { id: number, status: word } },
        template: { type: ['object', 'null'], properties: { id: number } },
        submitters: { type: ['array', 'null'], maxItems: 100, items: { type: 'object' } },
        documents: { type: ['array', 'null'], maxItems: 100, items: { type: 'object' } },
      },
    },
  },
  required: ['event_type', 'data'],
}

/** Somebody of a submission, in our own words. */
export type Submitter = {
  email: string
  name: string
  status: RecipientStatus
  reason: string | null
}

/** What an event says, whether it is about one submitter or about the whole submission. */
export type ExternalChange = {
  submission: number | null
  slug: string | null
  template: Body
  attach_id: string | null
  submitters: Submitter[]
  isComplete: boolean
  isDeclined: boolean
  ends: 'expired' | 'voided' | undefined
  signed: string | null
  audit: string | null
}

/** Reads what both kinds of events say. */
export function changeOf(type: string, data: Body): ExternalChange {
  const isForm = type.startsWith('form.')
  const submission = (isForm ? data.submission : data) ?? {}
  const given: Body[] = isForm ? [data] : (data.submitters ?? [])
  const named = [data, ...given].map((each) => each.metadata?.attach_id ?? each.external_id)
  return {
    submission: submission.id ?? null,
    slug: submission.slug ?? null,
    template: data.template ?? {},
    attach_id: named.find((each) => typeof each === 'string') ?? null,
    submitters: given.flatMap(submitterOf),
    isComplete: type === 'submission.completed' || submission.status === 'completed',
    isDeclined: type === 'form.declined' || submission.status === 'declined',
    ends: { 'submission.expired': 'expired', 'submission.archived': 'voided' }[
      type
    ] as ExternalChange['ends'],
    signed: webAddress(
      submission.combined_document_url ?? data.combined_document_url ?? data.documents?.[0]?.url,
    ),
    audit: webAddress(submission.audit_log_url ?? data.audit_log_url),
  }
}

function submitterOf({ email, name, status, decline_reason }: Body): Submitter[] {
  if (typeof email !== 'string' || !email.includes('@')) return []
  const known: { [status: string]: RecipientStatus } = {
    completed: 'signed',
    declined: 'declined',
    opened: 'viewed',
  }
  const shown = typeof name === 'string' && name.trim() ? name.trim() : email
  return [
    {
      email: email.slice(0, 320),
      name: shown.slice(0, 255),
      status: known[String(status)] ?? 'sent',
      reason: typeof decline_reason === 'string' ? decline_reason.slice(0, 2000) : null,
    },
  ]
}

function webAddress(given: unknown): string | null {
  if (typeof given !== 'string' || given.length > 2048 || !URL.canParse(given)) return null
  return /^https?:$/.test(new URL(given).protocol) ? given : null
}
