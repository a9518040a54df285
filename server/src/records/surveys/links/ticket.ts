import type { Context } from '../../../kit/ground/context.ts'
import { conflict, notFound } from '../../../kit/ground/errors.ts'

/** The content of a link's token: the survey, its respondent's e-mail, its expiry and its mailing. */
export type Ticket = {
  survey: string
  organization: string
  email: string | null
  expires: string | null
  /** the mailing that has the link */
  schedule?: string | undefined
  /** whoever made the link of no mailing: its page says of its recipient what they may read */
  by?: string | undefined
}

/** A token for a survey of the caller's organization; encrypted and authenticated against forgery. */
export function sealTicket(ctx: Context, contents: Omit<Ticket, 'organization'>): string {
  const ticket: Ticket = { ...contents, organization: ctx.organization.id }
  return ctx.secrets.seal(ticket)
}

/** The content of a token of any organization; undefined if this service did not create it. */
export function readTicket(secrets: Context['secrets'], token: string): Ticket | undefined {
  const ticket = secrets.unseal(token) as Ticket | undefined
  return typeof ticket?.survey === 'string' ? ticket : undefined
}

/** The same for the caller's organization: 404 for a foreign or invalid token, 409 for an expired one. */
export function openTicket(ctx: Context, token: string): Ticket {
  const ticket = readTicket(ctx.secrets, token)
  if (ticket?.organization !== ctx.organization.id) throw notFound('Survey')
  if (isExpired(ticket, ctx.now())) throw conflict('This link has expired', 'expired')
  return ticket
}

/** Whether a ticket can no longer be used; one without an expiry never expires. */
export function isExpired({ expires }: Ticket, now: Date): boolean {
  return expires !== null && new Date(expires) <= now
}
