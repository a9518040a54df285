import type { Context } from '../../../kit/ground/context.ts'
import { conflict, notFound } from '../../../kit/ground/errors.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { announce } from '../../../kit/write/announce.ts'
import type { LockedRecord } from '../../../kit/write/write.ts'
import { lock } from '../../../kit/write/write.ts'
import { hoursAndMinutes } from '../../activity/said.ts'
import { Document } from '../../../model/documents/document.ts'
import { auditStep } from './audit.ts'
import { reminder } from './mails.ts'
import type { Recipient, SignatureRequest } from './request.ts'
import { acts, recipientsOf, requestOf } from './request.ts'

const hour = 3_600_000

/** Hours until somebody can be reminded alone again, and how often that is possible in one request. */
const pause = 4
const most = 10

type Pending = {
  document: LockedRecord<typeof Document>
  request: SignatureRequest
}

/** Mails every signer and approver whose turn it is again; 409 when no signature is pending. */
export async function remindSigners(ctx: Context, id: string): Promise<void> {
  const found = await lockPending(ctx, id)
  const pending = (await recipientsOf(ctx, found.request.id)).filter(isWaitedFor)
  await ctx.run(sql`update signature_requests t set reminders = reminders + 1,
      reminded_at = ${ctx.now().toISOString()} where ${mine(ctx)} and t.id = ${found.request.id}`)
  await remind(ctx, found, pending)
}

/**
 * Mails one of them again: 409 for somebody who is not waited for, was reminded ten times, or in the last four hours.
 */
export async function remindRecipient(ctx: Context, id: string, recipient: string): Promise<void> {
  const found = await lockPending(ctx, id)
  const person = (await recipientsOf(ctx, found.request.id)).find((each) => each.id === recipient)
  if (!person) throw notFound('Recipient')
  if (!isWaitedFor(person)) {
    throw conflict('This recipient is not waited for', 'wrong_move', {
      from: person.status,
      to: 'sent',
    })
  }
  checkPause(ctx, person)
  await ctx.run(sql`update signature_recipients t set reminders = t.reminders + 1
    where ${mine(ctx)} and t.id = ${recipient}`)
  await remind(ctx, found, [person])
}

function checkPause(ctx: Context, { name, reminded_at, reminders }: Recipient): void {
  if (reminders >= most) {
    throw conflict(`${name} was reminded ${most} times: that is enough for one request`, 'enough')
  }
  const until = reminded_at === null ? 0 : Date.parse(reminded_at) + pause * hour
  const left = until - +ctx.now()
  if (left <= 0) return
  const wait = hoursAndMinutes(Math.ceil(left / 60_000))
  const words = `${name} was reminded less than ${pause} hours ago: again in ${wait}`
  throw conflict(words, 'reminded_lately', { resets_at: new Date(until).toISOString() })
}

/** The document, locked, with its request if signatures are pending that are asked for here. */
async function lockPending(ctx: Context, id: string): Promise<Pending> {
  const document = await lock(ctx, Document, id, 'update')
  const { signature_status: from } = document.row
  const request = await requestOf(ctx, id)
  if (!['pending', 'partial'].includes(from) || !request || request.is_external) {
    throw conflict('No signature of this document is pending', 'wrong_move', {
      from,
      to: 'pending',
    })
  }
  return { document, request }
}

function isWaitedFor(person: Recipient): boolean {
  return acts(person) && ['sent', 'viewed'].includes(person.status)
}

async function remind(ctx: Context, { document, request }: Pending, people: Recipient[]) {
  const { id, document_name: name, project_id } = document.row
  for (const person of people) await reminder(ctx, person, name, request)
  await ctx.run(sql`update signature_recipients t set reminded_at = ${ctx.now().toISOString()}
    where ${mine(ctx)} and t.id = any(${people.map((each) => each.id)})`)
  await announce(ctx, Document, 'signers reminded', {
    id,
    version: document.version,
    name,
    project_id,
    more: auditStep(ctx, { reminded: people.map(({ email }) => email) }),
  })
}
