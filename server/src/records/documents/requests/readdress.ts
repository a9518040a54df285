import { randomBytes } from 'node:crypto'
import type { Context } from '../../../kit/ground/context.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { dropFiles } from '../signing/attach.ts'
import type { Recipient } from './request.ts'

/**
 * Gives the place of a recipient to a name and an address: the old link ends, there is a new one, and what somebody at
 * another address attached goes.
 */
export async function readdress(
  ctx: Context,
  person: Recipient,
  { name, email, isDelegated = false }: { name: string; email: string; isDelegated?: boolean },
): Promise<Recipient> {
  const token = randomBytes(32).toString('base64url')
  const token_sealed = ctx.secrets.encrypt(token)
  const isInvited = person.status !== 'waiting'
  if (email.toLowerCase() !== person.email.toLowerCase()) await dropFiles(ctx, person.id)
  await ctx.run(sql`update signature_recipients t set name = ${name}, email = ${email},
      token_hash = ${ctx.secrets.hash(token)}, token_sealed = ${token_sealed}, viewed_at = null,
      reminded_at = null, reminders = 0, is_delegated = t.is_delegated or ${isDelegated},
      code_hash = null, code_until = null, code_tries = 0,
      status = ${isInvited ? 'sent' : 'waiting'},
      sent_at = ${isInvited ? ctx.now().toISOString() : null}
    where ${mine(ctx)} and t.id = ${person.id}`)
  return { ...person, name, email, token_sealed }
}

/** Whether an address is that of another recipient. */
export function isTaken(recipients: Recipient[], person: Recipient, email: string): boolean {
  return recipients.some(
    (each) => each.id !== person.id && each.email.toLowerCase() === email.toLowerCase(),
  )
}
