import type { Context } from '../../kit/ground/context.ts'
import { hasSubscribers } from '../../kit/write/events.ts'
import type { Written } from '../../kit/write/write.ts'
import type { Change, NewNotification } from '../../kit/ground/event.ts'
import { Document } from './document.ts'

type Told = {
  name: string
  project_id?: string | null
  changes?: Change[]
  notify?: NewNotification[]
  more?: { [key: string]: unknown }
}

/** Events that subscribers may ask for. */
const events: { [what: string]: string } = {
  published: 'document_published',
  'signature requested': 'document_signature_requested',
  signed: 'document_signed',
  declined: 'document_declined',
}

/** What happened to a document beside a change of its fields: the log entry, and the event if it is one. */
export async function announceDocument(
  ctx: Context,
  { id, version, json }: Pick<Written, 'id' | 'version' | 'json'>,
  what: string,
  { name, project_id, changes, notify, more }: Told,
) {
  const type = events[what] ?? null
  ctx.emit({
    type,
    title: `Document ${what}`,
    module_id: Document.number,
    reference_id: id,
    project_id,
    changes,
    notify,
    version,
    data: type && (await hasSubscribers(ctx, type)) ? await json() : undefined,
    raw_description: { action: what, module: 'documents', name, ...more },
  })
}
