import type { Context } from '../../kit/ground/context.ts'

/** The attendee and the meeting of an answer link. */
export type AnswerTicket = { organization: string; meeting: string; email: string }

const purpose = 'meeting'

/** The address where the attendee with this e-mail can answer without an account. */
export function answerUrl(ctx: Context, meeting: string, email: string): string {
  const ticket: AnswerTicket = { organization: ctx.organization.id, meeting, email }
  return `${ctx.public_url}/meeting/${ctx.secrets.seal(ticket, purpose)}`
}

/** The content of the token in such an address; undefined if this service did not create it. */
export function readAnswerTicket(
  secrets: Context['secrets'],
  token: string,
): AnswerTicket | undefined {
  return secrets.unseal(token, purpose) as AnswerTicket | undefined
}
