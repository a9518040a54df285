import type { Context } from '../../kit/ground/context.ts'

/** A mail to one person; recipients do not see each other. */
export type Mail = {
  to: { name?: string; address: string }
  /** the name beside the service's address, such as `Ada Lovelace via Acme`; by default that of `MAIL_FROM` */
  from?: string
  /** the reply address */
  replyTo?: { name?: string; address: string }
  subject: string
  text: string
  html: string
  /** an iCalendar part that mail clients show as an invitation */
  calendar?: { method: 'REQUEST' | 'CANCEL'; content: string }
  /** files of the store, attached when the mail is sent */
  attachments?: { filename: string; storedKey: string; type: string }[]
  /** the address that ends mails of this kind by one POST (RFC 8058) */
  unsubscribe?: string
  /** whether it has already been counted against the organization's daily quota */
  isCounted?: boolean
  /** the recipient's user id: it is not sent if they have left or were deactivated */
  user_id?: string
  /** whether it is about the recipient's own account: such mails do not wait for the organization's quota */
  isAccount?: boolean
}

/** The job that sends a mail; its data are encrypted, since mails contain links that grant access. */
export const sendingMail = { name: 'send-mail' }
export type SealedMail = { sealed: string }

/** Sends a mail once this write is committed, or `at` a later time. */
export function mail(ctx: Context, message: Mail, at?: Date): void {
  const sealed = ctx.secrets.encrypt(JSON.stringify(message)).toString('base64')
  ctx.enqueue<SealedMail>(sendingMail, { sealed }, at ? { at } : {})
}
