import type { Context } from '../../kit/ground/context.ts'
import type { Job } from '../../kit/ground/job.ts'
import type { Needed } from './needed.ts'

/**
 * The counter to which the mails of each kind belong: about the recipient's own account; sent by a member of the
 * organization; caused by what anybody does. What fills one of them keeps no mail of another waiting.
 */
export const counters = {
  account: 'account',
  invitation: 'personal',
  signature: 'personal',
  survey: 'personal',
  meeting: 'personal',
  insight: 'personal',
  notification: 'automatic',
  digest: 'automatic',
  automation: 'automatic',
  subscription: 'automatic',
} as const satisfies { [kind: string]: 'account' | 'personal' | 'automatic' }

export type MailKind = keyof typeof counters

/** A mail to one person; recipients do not see each other. */
export type Mail = {
  kind: MailKind
  to: { name?: string; address: string }
  /** the name beside the service's address, such as `Ada Lovelace via Acme`; by default that of `MAIL_FROM` */
  from?: string
  /** the reply address */
  replyTo?: { name?: string; address: string }
  subject: string
  text: string
  html: string
  /** an iCalendar part that mail clients show as an invitation */
  calendar?: { method: 'REQUEST' | 'CANCEL' | 'DECLINECOUNTER'; content: string }
  /** files of the store, attached when the mail is sent */
  attachments?: { filename: string; storedKey: string; type: string }[]
  /** the address that ends mails of this kind by one POST (RFC 8058) */
  unsubscribe?: string
  /** whether it has already been counted against the organization's daily quota */
  isCounted?: boolean
  /** what must still be so when it is sent: otherwise it is dropped */
  needed?: Needed
}

/** The job that sends a mail; its data are encrypted, since mails contain links that grant access. */
export const sendingMail = { name: 'send-mail' }
/** The same for mails about accounts, which have workers of their own: they wait for no other mail. */
export const sendingAccountMail = { name: 'send-account-mail' }
export type SealedMail = { sealed: string }

/** The job that sends mails of a kind. */
export function sendingOf(kind: MailKind): Pick<Job<SealedMail>, 'name'> {
  return counters[kind] === 'account' ? sendingAccountMail : sendingMail
}

/** Sends a mail once this write is committed, or `at` a later time. */
export function mail(ctx: Context, message: Mail, at?: Date): void {
  const sealed = ctx.secrets.encrypt(JSON.stringify(message)).toString('base64')
  ctx.enqueue<SealedMail>(sendingOf(message.kind), { sealed }, at ? { at } : {})
}
