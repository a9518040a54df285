import type { Context } from '../../kit/ground/context.ts'
import type { Quota } from '../../kit/write/quota.ts'
import { reserveOrRefuse } from '../../kit/write/quota.ts'
import type { Mail } from './mail.ts'

const hour = 3600
const day = 86_400

/** The mails of the organization in a day. */
export function mailsOfDay({ services }: Context): Quota {
  return { name: 'mails', key: '', limit: services.quotas.mailsPerDay, seconds: day }
}

/**
 * What a mail counts against: its address in the hour, and the organization's day unless it was
 * counted when it was requested, or is about an account, which nobody else's mails may hold back.
 */
export function quotasOf(ctx: Context, { to, isCounted, isAccount }: Mail): Quota[] {
  const limit = ctx.services.quotas.mailsPerAddress
  const toAddress = { name: 'mails to', key: to.address.toLowerCase(), limit, seconds: hour }
  return isCounted || isAccount ? [toAddress] : [toAddress, mailsOfDay(ctx)]
}

/**
 * Counts many mails of one request against the organization's day, whole or not at all: 429
 * `mail_quota_exceeded`. They are sent with `isCounted`.
 */
export function reserveMails(ctx: Context, amount: number): Promise<void> {
  const quota = mailsOfDay(ctx)
  return reserveOrRefuse(ctx, quota, {
    amount,
    code: 'mail_quota_exceeded',
    message: `These are ${amount} mails, and the organization has not that many left today (${quota.limit} a day)`,
  })
}

/** One reminder by hand about a record: 429 `reminder_quota_exceeded` when the day has had enough. */
export function reserveReminder(ctx: Context, word: string, id: string): Promise<void> {
  const limit = ctx.services.quotas.remindersPerRecord
  const quota = { name: 'reminders', key: `${word} ${id}`, limit, seconds: day }
  return reserveOrRefuse(ctx, quota, {
    code: 'reminder_quota_exceeded',
    message: `This was mailed ${limit} times today; that is enough for one day`,
  })
}
