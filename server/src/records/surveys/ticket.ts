import type { Context } from '../../kit/ground/context.ts'
import { conflict, notFound } from '../../kit/ground/errors.ts'

/** What the token of a link holds: the survey, for whom, until when. */
export type Ticket = {
  survey: string
  organization: string
  email: string | null
  expires: string | null
}

/** A token for a survey of the caller's organization: authenticated encryption, so nobody makes one up. */
export function sealTicket(ctx: Context, given: Omit<Ticket, 'organization'>): string {
  const ticket: Ticket = { ...given, organization: ctx.organization.id }
  return ctx.secrets.encrypt(JSON.stringify(ticket)).toString('base64url')
}

/** What a token holds, whosever it is; undefined for what is no token of ours. */
export function readTicket(secrets: Context['secrets'], token: string): Ticket | undefined {
  try {
    const ticket = JSON.parse(secrets.open(token)) as Ticket
    return typeof ticket.survey === 'string' ? ticket : undefined
  } catch {
    return undefined
  }
}

/** The same for the caller's organization: 404 for a foreign or broken one, 409 for an expired one. */
export function openTicket(ctx: Context, token: string): Ticket {
  const ticket = readTicket(ctx.secrets, token)
  if (ticket?.organization !== ctx.organization.id) throw notFound('Survey')
  if (isExpired(ticket, ctx.now())) throw conflict('This link has expired', 'expired')
  return ticket
}

export function isExpired({ expires }: Ticket, now: Date): boolean {
  return expires !== null && new Date(expires) <= now
}
