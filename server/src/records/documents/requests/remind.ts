import type { Context } from '../../../kit/ground/context.ts'
import { conflict } from '../../../kit/ground/errors.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { announce } from '../../../kit/write/announce.ts'
import { lock } from '../../../kit/write/write.ts'
import { Document } from '../../../model/documents/document.ts'
import { auditStep } from './audit.ts'
import { reminder } from './mails.ts'
import { acts, recipientsOf, requestOf } from './request.ts'

/** Mails every signer and approver whose turn it is again; 409 when no signature is pending. */
export async function remindSigners(ctx: Context, id: string): Promise<void> {
  const { row, version } = await lock(ctx, Document, id, 'update')
  const request = await requestOf(ctx, id)
  if (!['pending', 'partial'].includes(row.signature_status) || !request || request.is_external) {
    throw conflict('No signature of this document is pending', 'wrong_move', {
      from: row.signature_status,
      to: 'pending',
    })
  }
  const { document_name: name, project_id } = row
  const pending = (await recipientsOf(ctx, request.id)).filter(
    (person) => acts(person) && ['sent', 'viewed'].includes(person.status),
  )
  for (const person of pending) await reminder(ctx, person, name, request)
  await ctx.run(sql`update signature_requests t set reminders = reminders + 1,
      reminded_at = ${ctx.now().toISOString()} where ${mine(ctx)} and t.id = ${request.id}`)
  await announce(ctx, Document, 'signers reminded', {
    id,
    version,
    name,
    project_id,
    more: auditStep(ctx, { reminded: pending.map(({ email }) => email) }),
  })
}
