import type { Static } from 'typebox'
import type { signatureRequest } from '../requests/create.ts'
import type { Preparation } from '../requests/preparation.ts'
import { acts } from '../requests/request.ts'

/** The last moment of the last day on which it may be signed, in the organization's zone. */
export function latestExpiry(day: string): string {
  return `${day}T23:59:59`
}

/** What is prepared as a request that is sent: to these people, in turns where their numbers differ. */
export function requestOf(
  { fields, allow_delegation = false, check = null }: Preparation,
  recipients: Preparation['recipients'],
  { message, expires_at }: { message: string; expires_at: string | null },
): Static<typeof signatureRequest> {
  const turns = new Set(recipients.filter(acts).map(({ order }) => order))
  return {
    recipients: recipients.map((each) => ({
      name: each.name.trim() || null,
      email: each.email.trim(),
      role: each.role,
      order: each.order,
      ...(acts(each) ? { fields: fieldsOf(fields, each.key) } : {}),
    })),
    sequential: turns.size > 1,
    allow_delegation,
    check,
    message: message.trim() || null,
    expires_at,
  }
}

function fieldsOf(fields: Preparation['fields'], recipient: string) {
  const own = fields.filter((each) => each.recipient === recipient)
  const deciding = new Set(own.map(({ show_if }) => show_if?.field))
  return own.map(({ key, kind, label, options, show_if, prefill, ...place }) => ({
    kind,
    ...placeOf(place),
    label: label.trim() || null,
    ...(show_if ? { show_if } : {}),
    ...(deciding.has(key) ? { key } : {}),
    ...(prefill ? { prefill } : {}),
    ...(kind === 'choice' ? { options: chosenFrom(options) } : {}),
  }))
}

function placeOf({
  page,
  x,
  y,
  width,
  height,
  required,
}: Omit<Preparation['fields'][number], 'key' | 'kind' | 'label'>) {
  return { page, x, y, width, height, required }
}

function chosenFrom(options: string[] = []): string[] {
  return [...new Set(options.map((each) => each.trim()).filter(Boolean))]
}
