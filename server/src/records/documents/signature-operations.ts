import type { Context } from '../../kit/ground/context.ts'
import { crud } from '../../kit/crud.ts'
import type { Input, Operation } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { checkReadable, readOne, written } from '../../kit/write/write.ts'
import { Document } from './document.ts'
import { chainOf } from './operations.ts'
import { remindSigners, requestSignatures, voidSignatures } from './signatures.ts'
import type { JSONSchema } from '../../kit/ground/json-schema.ts'

const plain = crud(Document)
const params = plain.read.input.params!

const recipient: JSONSchema = {
  type: 'object',
  properties: {
    name: { type: ['string', 'null'], maxLength: 255 },
    email: { type: 'string', format: 'email', maxLength: 320 },
    role: { type: 'string', enum: ['signer', 'approver', 'viewer', 'cc'], description: 'signer' },
    order: {
      type: 'integer',
      minimum: 0,
      maximum: 1000,
      description: 'whose turn it is where they sign in order; as given',
    },
  },
  required: ['email'],
}

/** Asking for signatures, taking that back, reminding, and what happened. */
export const signatures = {
  request: {
    ...plain.update,
    name: 'request_signatures',
    summary: 'Ask people to sign a document, in order or all at once',
    description:
      'Each gets a mail with a link of their own. Until everybody has signed the content is locked.',
    aliases: undefined,
    input: {
      params,
      body: {
        type: 'object',
        properties: {
          recipients: { type: 'array', items: recipient, minItems: 1, maxItems: 50 },
          sequential: { type: 'boolean', description: 'one after the other; all at once' },
          expires_at: { type: ['string', 'null'], format: 'date-time' },
          message: { type: ['string', 'null'], maxLength: 2000 },
        },
        required: ['recipients'],
      },
    },
    run: async (ctx: Context, { params: { id }, body }: Input) =>
      written(await requestSignatures(ctx, id, body)),
  } satisfies Operation,
  void: {
    ...plain.update,
    name: 'void_signatures',
    summary: 'Take a request for signatures back',
    aliases: undefined,
    input: {
      params,
      body: {
        type: 'object',
        properties: { reason: { type: ['string', 'null'], maxLength: 2000 } },
      },
    },
    run: async (ctx: Context, { params: { id }, body }: Input) =>
      written(await voidSignatures(ctx, id, body.reason?.trim() || null)),
  } satisfies Operation,
  remind: {
    ...plain.update,
    name: 'remind_signers',
    summary: 'Mail everybody once more who has yet to sign',
    aliases: undefined,
    input: { params },
    async run(ctx: Context, { params: { id } }: Input) {
      await remindSigners(ctx, id)
      return readOne(ctx, Document, id)
    },
  } satisfies Operation,
  audit: {
    name: 'read_signature_audit',
    summary: 'Who did what, when and from where on the way to the signatures; oldest first',
    can: { module: 'documents', action: 'read' },
    writes: false,
    input: { params },
    output: {
      type: 'object',
      properties: {
        attach_id: { type: 'string' },
        document_name: { type: 'string' },
        entries: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              at: { type: 'string', format: 'date-time' },
              title: { type: 'string' },
              name: { type: ['string', 'null'] },
              email: { type: ['string', 'null'] },
              address: { type: ['string', 'null'], description: 'IP address' },
              user_agent: { type: ['string', 'null'] },
              content_hash: { type: ['string', 'null'], description: 'SHA-256 of what was signed' },
            },
            required: ['at', 'title'],
          },
        },
      },
      required: ['attach_id', 'document_name', 'entries'],
    },
    async run(ctx: Context, { params: { id } }: Input) {
      await checkReadable(ctx, Document, id)
      const document = await ctx.one<{ document_name: string }>(
        sql`select t.document_name from documents t where ${mine(ctx)} and t.id = ${id}`,
      )
      return { attach_id: id, ...document, entries: await auditOf(ctx, id) }
    },
  } satisfies Operation,
}

export type AuditEntry = {
  at: string
  title: string
  name?: string | null
  email?: string | null
  address?: string | null
  user_agent?: string | null
  content_hash?: string | null
}

/** The steps that the log keeps of a document's signatures, in all its versions, oldest first. */
export async function auditOf(ctx: Context, id: string): Promise<AuditEntry[]> {
  const rows = await ctx.all<{ title: string; audit: AuditEntry; actor_name: string }>(sql`
    select t.title, t.actor_name, t.raw_description -> 'audit' as audit from events t
    where ${mine(ctx)} and t.module_id = ${Document.number}
      and t.reference_id in (select v.id from documents v where ${mine(ctx, 'v')}
        and v.chain_id = ${chainOf(ctx, id)})
      and t.raw_description -> 'audit' is not null
    order by t.id`)
  return rows.map(({ title, audit, actor_name }) => ({ name: actor_name, ...audit, title }))
}
