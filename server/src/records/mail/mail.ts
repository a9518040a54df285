import type { Context } from '../../kit/ground/context.ts'

/** A mail to one person; recipients do not see each other. */
export type Mail = {
  to: { name?: string; address: string }
  /** the name beside the service's address, such as `Ada Lovelace via Acme`; that of `MAIL_FROM` without */
  from?: string
  /** where an answer goes */
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
  /** counted against the organization's mails of the day already */
  isCounted?: boolean
  /** the user whom it is for: it is not sent once they have left or were deactivated */
  user_id?: string
  /** about the recipient's own account: other mails of the organization do not hold it back */
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
