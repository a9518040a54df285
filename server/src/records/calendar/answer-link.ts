import type { Context } from '../../kit/ground/context.ts'

/** Whose answer to which meeting a link gives. */
export type AnswerTicket = { organization: string; meeting: string; email: string }

const purpose = 'meeting'

/** The address at which whoever is invited by this e-mail answers, without an account. */
export function answerUrl(ctx: Context, meeting: string, email: string): string {
  const ticket: AnswerTicket = { organization: ctx.organization.id, meeting, email }
  return `${ctx.public_url}/meeting/${ctx.secrets.seal(ticket, purpose)}`
}

/** What a token of such an address holds; undefined for one that this service did not make. */
export function readAnswerTicket(
  secrets: Context['secrets'],
  token: string,
): AnswerTicket | undefined {
  return secrets.unseal(token, purpose) as AnswerTicket | undefined
}
