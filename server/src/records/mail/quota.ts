import type { Context } from '../../kit/ground/context.ts'
import type { Quota, Spent } from '../../kit/write/quota.ts'
import { reserveOrRefuse } from '../../kit/write/quota.ts'
import type { Mail, MailKind } from './mail.ts'
import { counters } from './mail.ts'

const hour = 3600
const day = 86_400

/** The organization's quota of mails per day. */
export function mailsOfDay({ services }: Context): Quota {
  return { name: 'mails', key: '', limit: services.quotas.mailsPerDay, seconds: day }
}

/**
 * The quotas of a mail: that of its counter for its address per hour, and the organization's per day unless it was
 * already counted when it was requested, or is about an account. What anybody may cause takes at most half of the day.
 */
export function quotasOf(ctx: Context, { kind, to, isCounted }: Mail): Quota[] {
  const { mailsPerAddress } = ctx.services.quotas
  const counter = counters[kind]
  const key = to.address.toLowerCase()
  const toAddress = { name: `${counter} mails to`, key, limit: mailsPerAddress, seconds: hour }
  if (isCounted || counter === 'account') return [toAddress]
  const ofDay = mailsOfDay(ctx)
  const half = { ...ofDay, name: 'automatic mails', limit: Math.ceil(ofDay.limit / 2) }
  return [toAddress, ofDay, ...(counter === 'automatic' ? [half] : [])]
}

/** The windows in which automatic mails may wait for their turn: those above what these take are dropped. */
const mostWindows = ({ seconds }: Quota) => (seconds === day ? 3 : 24)

/**
 * The mails of a counter that wait for the next window of a quota; each has a place in it. There is always one for what
 * a person sent or asked for.
 */
export function waitingFor({ quota, until }: Spent, kind: MailKind): Quota {
  const counter = counters[kind]
  return {
    name: 'waiting',
    key: `${counter}\n${quota.name}\n${quota.key}\n${until.toISOString()}`,
    limit: counter === 'automatic' ? quota.limit * mostWindows(quota) : Infinity,
    seconds: quota.seconds,
  }
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
