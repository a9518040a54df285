import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Context } from '../../../kit/ground/context.ts'
import { badField, conflict, notFound } from '../../../kit/ground/errors.ts'
import { announce } from '../../../kit/write/announce.ts'
import { lock } from '../../../kit/write/write.ts'
import { Document } from '../../../model/documents/document.ts'
import { auditStep } from './audit.ts'
import { invitation } from './mails.ts'
import { isTaken, readdress } from './readdress.ts'
import { recipientsOf, requestOf } from './request.ts'

export const correction = Type.Object({
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  email: Type.Optional(Type.String({ format: 'email', maxLength: 320 })),
})

/**
 * Corrects whom a request is addressed to, until they have signed or declined: the old link ends, and
 * whoever was invited gets a new one. 409 for a request that has ended.
 */
export async function correctRecipient(
  ctx: Context,
  id: string,
  recipient_id: string,
  body: Static<typeof correction>,
): Promise<void> {
  const { row, version } = await lock(ctx, Document, id, 'update')
  const request = await requestOf(ctx, id)
  const all = request ? await recipientsOf(ctx, request.id) : []
  const person = all.find((each) => each.id === recipient_id)
  if (!request || !person) throw notFound('Recipient')
  if (request.status !== 'open' || request.is_external || person.acted_at) {
    throw conflict('This recipient can no longer be corrected', 'wrong_move', {
      from: person.status,
      to: 'sent',
    })
  }
  const name = body.name?.trim() || person.name
  const email = body.email?.trim() || person.email
  if (isTaken(all, person, email)) throw badField('email', 'is that of another recipient')
  if (name === person.name && email === person.email) return
  const corrected = await readdress(ctx, person, { name, email })
  const { document_name, project_id } = row
  await announce(ctx, Document, 'signature recipient corrected', {
    id,
    version,
    name: document_name,
    project_id,
    more: auditStep(ctx, { action: 'corrected', email, former_email: person.email }),
  })
  if (person.status !== 'waiting') await invitation(ctx, corrected, document_name, request)
}
