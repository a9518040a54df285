import type { Context } from '../../kit/ground/context.ts'

/** Whose answer to which meeting a link gives. */
export type AnswerTicket = {
  kind: 'meeting'
  organization: string
  meeting: string
  email: string
}

/** The address at which whoever is invited by this e-mail answers, without an account. */
export function answerUrl(ctx: Context, meeting: string, email: string): string {
  const ticket: AnswerTicket = {
    kind: 'meeting',
    organization: ctx.organization.id,
    meeting,
    email,
  }
  const token = ctx.secrets.encrypt(JSON.stringify(ticket)).toString('base64url')
  return `${ctx.public_url}/meeting/${token}`
}

/** What a token of such an address holds; undefined for one that this service did not make. */
export function readAnswerTicket(
  secrets: Context['secrets'],
  token: string,
): AnswerTicket | undefined {
  try {
    const ticket = JSON.parse(secrets.open(token)) as AnswerTicket
    return ticket.kind === 'meeting' ? ticket : undefined
  } catch {
    return undefined
  }
}
