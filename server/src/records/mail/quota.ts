import type { Context } from '../../kit/ground/context.ts'
import type { Quota } from '../../kit/write/quota.ts'
import { reserveOrRefuse } from '../../kit/write/quota.ts'
import type { Mail } from './mail.ts'

const hour = 3600
const day = 86_400

/** The organization's quota of mails per day. */
export function mailsOfDay({ services }: Context): Quota {
  return { name: 'mails', key: '', limit: services.quotas.mailsPerDay, seconds: day }
}

/**
 * The quotas of a mail: that of its address per hour, and the organization's per day unless it was already
 * counted when it was requested, or is about an account, which other mails must not delay.
 */
export function quotasOf(ctx: Context, { to, isCounted, isAccount }: Mail): Quota[] {
  const limit = ctx.services.quotas.mailsPerAddress
  const toAddress = { name: 'mails to', key: to.address.toLowerCase(), limit, seconds: hour }
  return isCounted || isAccount ? [toAddress] : [toAddress, mailsOfDay(ctx)]
}

/**
 * Counts the mails of one request against the organization's daily quota, all or none: 429
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

/** Counts one manual reminder about a record: 429 `reminder_quota_exceeded` above the daily quota. */
export function reserveReminder(ctx: Context, word: string, id: string): Promise<void> {
  const limit = ctx.services.quotas.remindersPerRecord
  const quota = { name: 'reminders', key: `${word} ${id}`, limit, seconds: day }
  return reserveOrRefuse(ctx, quota, {
    code: 'reminder_quota_exceeded',
    message: `This was mailed ${limit} times today; that is enough for one day`,
  })
}
