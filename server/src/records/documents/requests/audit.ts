import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Context } from '../../../kit/ground/context.ts'
import { quoted } from '../../../kit/ground/cut.ts'
import { notFound } from '../../../kit/ground/errors.ts'
import { enumeration, orNull } from '../../../kit/ground/json-schema.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { Document } from '../../../model/documents/document.ts'
import { chainOf } from '../versions.ts'
import { checkReadable } from '../../../kit/read/one.ts'

const textOrNull = (description?: string) =>
  Type.Optional(orNull(Type.String(description ? { description } : {})))

const steps = [
  'requested',
  'reminded',
  'corrected',
  'delegated',
  'confirmed',
  'viewed',
  'attached',
  'signed',
  'approved',
  'declined',
  'completed',
  'withdrawn',
  'expired',
  'reported',
] as const
type Step = (typeof steps)[number]

const auditEntry = Type.Object(
  {
    at: Type.String({ format: 'date-time' }),
    title: Type.String(),
    step: enumeration(steps, {
      title: 'SignatureStep',
      description:
        '`confirmed` by a mailed code, `completed` by the last signature, `reported` by an external signing service',
    }),
    name: textOrNull(),
    email: textOrNull(),
    former_email: textOrNull('e-mail address before it was corrected, or of who handed it over'),
    former_name: textOrNull('name of who handed it over'),
    address: textOrNull('IP address'),
    user_agent: textOrNull(),
    file_name: textOrNull('of what was attached'),
    file_size: Type.Optional(Type.Integer({ description: 'of what was attached, in bytes' })),
    file_hash: textOrNull('SHA-256 of what was attached'),
    content_hash: textOrNull('SHA-256 of what was signed'),
    reason: textOrNull('why it was declined or withdrawn'),
    reminded: Type.Optional(
      Type.Array(Type.String(), { description: 'e-mail addresses of those who were reminded' }),
    ),
    asked: Type.Optional(Type.Integer({ description: 'number of those who were asked to sign' })),
  },
  { title: 'SignatureAuditEntry' },
)
export type AuditEntry = Static<typeof auditEntry>

export const signatureAudit = Type.Object(
  {
    attach_id: Type.String(),
    document_name: Type.String(),
    entries: Type.Array(auditEntry),
  },
  { title: 'SignatureAudit' },
)

/** The audit trail of a document's signatures, over all its versions, oldest first. */
export async function readAudit(ctx: Context, id: string): Promise<Static<typeof signatureAudit>> {
  await checkReadable(ctx, Document, id)
  const document = await ctx.one<{ document_name: string }>(
    sql`select t.document_name from documents t where ${mine(ctx)} and t.id = ${id}`,
  )
  if (!document) throw notFound('Document')
  return { attach_id: id, ...document, entries: await auditOf(ctx, id) }
}

/** The steps of a document's signatures in the log, over all its versions, oldest first. */
export async function auditOf(ctx: Context, id: string): Promise<AuditEntry[]> {
  const rows = await ctx.all<Logged>(sql`
    select t.type, t.title, t.actor_name, t.raw_description ->> 'action' as action,
      t.raw_description -> 'audit' as audit from events t
    where ${mine(ctx)} and t.module_id = ${Document.number}
      and t.reference_id in (select v.id from documents v where ${mine(ctx, 'v')}
        and v.chain_id = ${chainOf(ctx, id)})
      and t.raw_description -> 'audit' is not null
    order by t.id`)
  const entries = rows.flatMap((row): AuditEntry[] => {
    const { title, audit, actor_name } = row
    const { attached = [], ...own } = audit
    const who = { name: own.name ?? actor_name, email: own.email ?? null }
    const files = attached.map((file): AuditEntry => {
      const said = `${who.name} attached ${quoted(file.file_name)}`
      return { ...who, ...file, title: said, step: 'attached' }
    })
    return [...files, { name: actor_name, ...own, title, step: stepOf(row) }]
  })
  // files are logged once they are signed
  return entries.toSorted((a, b) => +new Date(a.at) - +new Date(b.at))
}

/** A file as the audit trail has it, from when it was attached. */
export type LoggedFile = { at: string; file_name: string; file_size: number; file_hash: string }

type Logged = {
  type: string | null
  title: string
  actor_name: string
  action: string | null
  audit: AuditEntry & { action?: string; attached?: LoggedFile[] }
}

/** What the log calls the steps that no event or recipient names. */
const logged: { [action: string]: Step } = {
  'signers reminded': 'reminded',
  'signature request withdrawn': 'withdrawn',
  'signature request expired': 'expired',
}

function stepOf({ type, action, audit }: Logged): Step {
  const own = steps.find((step) => step === audit.action)
  if (own) return own
  if (type === 'document_signature_requested') return 'requested'
  if (type === 'document_signed') return 'completed'
  if (type === 'document_declined') return 'declined'
  return logged[action ?? ''] ?? 'reported'
}

/** A step of the audit trail, as part of a log entry's `raw_description`. */
export function auditStep(ctx: Context, step: { [key: string]: unknown }) {
  return { audit: { at: ctx.now().toISOString(), ...step } }
}
