import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Context } from '../../../kit/ground/context.ts'
import { hasEncodedWord } from '../../../kit/ground/email-address.ts'
import { conflict } from '../../../kit/ground/errors.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import type { Row } from '../../../kit/record/record.ts'
import { announce } from '../../../kit/write/announce.ts'
import { recordActivity } from '../../health/activity.ts'
import type { Voice } from '../../../model/languages/language.ts'
import { post } from '../../mail/post.ts'
import type { Brand } from '../../mail/brand.ts'
import { reserveMails } from '../../mail/quota.ts'
import type { Reader } from '../../mail/readers.ts'
import { known } from '../../mail/readers.ts'
import { mailDefaultsOf } from '../../../model/organizations/settings.ts'
import { optedOut } from '../../mail/optouts.ts'
import { unsubscribeUrl } from '../../notifications/unsubscribe.ts'
import { sealTicket } from '../links/ticket.ts'
import { limitsOf } from '../responses/limits.ts'
import { quietUntil } from './quiet-hours.ts'
import { Survey } from '../../../model/surveys/survey.ts'

export const sentSchema = Type.Object(
  {
    schedule_id: Type.String({ description: 'the mailing, as the schedules list it' }),
    sent: Type.Integer({ description: 'recipients who are mailed a link of their own' }),
    skipped: Type.Integer({ description: 'recipients who opted out of contact, and repetitions' }),
    invalid: Type.Integer({ description: 'entries that are not e-mail addresses' }),
    waiting: Type.Integer({
      description: 'of those sent, whose mail leaves once their `survey_quiet_hours` end',
    }),
    rested: Type.Integer({
      description:
        'recipients whom a survey was mailed within `survey_rest_days` of the mail defaults',
    }),
    skipped_addresses: Type.Array(Type.String()),
    invalid_addresses: Type.Array(Type.String()),
    rested_addresses: Type.Array(Type.String()),
  },
  { title: 'SurveySent' },
)

type Sendable = Pick<
  Row<typeof Survey>,
  | 'survey_id'
  | 'name'
  | 'status'
  | 'is_active'
  | 'end_date'
  | 'response_limit'
  | 'response_count'
  | 'item_type'
>

type Mailing = {
  schedule_id: string
  email_addresses: string[]
  message?: string | null | undefined
  refuses?: boolean
}

/**
 * Mails each address once with a personal link, unless its contact opted out of being contacted or
 * it has unsubscribed, or a survey was mailed to it within the days that the organization says.
 * With `refuses` it is 429 for more than the organization may mail today; otherwise those wait.
 */
export async function sendTo(
  ctx: Context,
  survey: Sendable,
  { schedule_id, email_addresses, message, refuses = false }: Mailing,
): Promise<Static<typeof sentSchema>> {
  const { recipients, skipped_addresses, invalid_addresses, rested_addresses } = await sorted(
    ctx,
    email_addresses,
  )
  const { survey_id } = survey
  if (refuses) await reserveMails(ctx, recipients.length)
  const links = { schedule_id, message, addresses: recipients, isCounted: refuses }
  const leaving = await mailLinks(ctx, survey, links)
  await storeRecipients(ctx, { survey_id, schedule_id }, leaving)
  recordActivity(ctx, {
    kind: 'mail',
    source_id: survey_id,
    module_id: Survey.number,
    reference_id: survey_id,
    at: ctx.now().toISOString(),
    emails: recipients,
  })
  await logSending(ctx, survey, 'sent', { sent: recipients.length })
  return {
    schedule_id,
    sent: recipients.length,
    waiting: leaving.filter(({ at }) => at > ctx.now()).length,
    skipped: skipped_addresses.length,
    invalid: invalid_addresses.length,
    rested: rested_addresses.length,
    skipped_addresses,
    invalid_addresses,
    rested_addresses,
  }
}

type Links = {
  schedule_id: string
  addresses: string[]
  message?: string | null | undefined
  /** whether the quota of the day has counted them */
  isCounted?: boolean
  isReminder?: boolean
}

/** An address, and when its mail leaves. */
type Leaving = { address: string; at: Date }

/**
 * Mails each address the personal link that it has of a mailing: now, or when its quiet hours end. Returns when each
 * leaves.
 */
export async function mailLinks(
  ctx: Context,
  { survey_id, name, end_date }: Sendable,
  { schedule_id, addresses, message, isCounted = false, isReminder = false }: Links,
): Promise<Leaving[]> {
  const { survey_quiet_hours: quiet } = await mailDefaultsOf(ctx)
  const leaving: Leaving[] = []
  const expires = end_date ? new Date(end_date).toISOString() : null
  const readers = await known<Reader>(
    ctx,
    addresses.map((address) => ({ address })),
  )
  for (const reader of readers) {
    const { address } = reader
    const zone = reader.timezone ?? ctx.organization.timezone
    const at = quiet ? quietUntil(ctx.now(), quiet, zone) : undefined
    leaving.push({ address, at: at ?? ctx.now() })
    const ticket = { survey: survey_id, email: address, expires, schedule: schedule_id }
    const token = sealTicket(ctx, ticket)
    const unsubscribe = unsubscribeUrl(ctx, { address, topic: 'surveys' })
    const compose = (voice: Voice, { name: organization }: Brand) => ({
      subject: isReminder
        ? voice.say('survey.reminder', { survey: name, organization })
        : `${name} · ${organization}`,
      paragraphs: [
        ...(isReminder ? [voice.say('survey.reminder_text', { organization })] : []),
        message?.trim() || voice.say('survey.text', { organization }),
        ...(expires ? [voice.say('survey.until', { date: voice.instant(expires) })] : []),
      ],
      actions: [{ label: voice.say('survey.action'), url: `${ctx.public_url}/s/${token}` }],
      note: voice.say('survey.note'),
      footers: [{ label: voice.say('mail.unsubscribe'), url: unsubscribe }],
    })
    await post(ctx, reader, compose, {
      kind: 'survey',
      unsubscribe,
      isCounted,
      needed: {
        survey: survey_id,
        until: expires,
        ...(at ? { unanswered: { schedule: schedule_id, address } } : {}),
      },
      ...(at ? { at } : {}),
    })
  }
  return leaving
}

function storeRecipients(
  ctx: Context,
  { survey_id, schedule_id }: { survey_id: string; schedule_id: string },
  leaving: Leaving[],
) {
  return ctx.run(sql`insert into survey_recipients
      (organization_id, schedule_id, survey_id, email, email_key, sent_at)
    select ${ctx.organization.id}, ${schedule_id}, ${survey_id}, l.email, lower(l.email), l.at
    from unnest(${leaving.map(({ address }) => address)}::text[],
      ${leaving.map(({ at }) => at.toISOString())}::timestamptz[]) l (email, at)
    on conflict do nothing`)
}

/** 409 for a template and for a survey that does not accept responses. */
export function checkSendable(ctx: Context, survey: Sendable) {
  refuseTemplate(survey)
  const { reason } = limitsOf(ctx, survey)
  if (reason) {
    const text = `Only a survey that accepts responses can be sent; this one is: ${reason}`
    throw conflict(text, reason)
  }
}

/** 409 for a template, which nobody can answer. */
export function refuseTemplate({ item_type }: Pick<Sendable, 'item_type'>) {
  if (item_type !== 'survey_template') return
  throw conflict('A template cannot be sent: duplicate it', 'template')
}

/** Writes a log entry about a mailing, without an event. */
export async function logSending(
  ctx: Context,
  { survey_id, name }: Pick<Sendable, 'survey_id' | 'name'>,
  what: 'sent' | 'scheduled' | 'unscheduled',
  more: { [field: string]: unknown },
): Promise<void> {
  const changes = Object.entries(more).map(([field, to]) => ({ field, from: null, to }))
  await announce(ctx, Survey, what, { id: survey_id, changes, name, more })
}

/** Divides addresses by whether they are mailed: each only once, and none that opted out. */
async function sorted(ctx: Context, addresses: string[]) {
  const recipients = new Map<string, string>()
  const invalid_addresses: string[] = []
  const skipped_addresses: string[] = []
  for (const each of addresses) {
    const address = each.trim()
    const folded = address.toLowerCase()
    if (!isAddress(address)) invalid_addresses.push(each)
    else if (recipients.has(folded)) skipped_addresses.push(address)
    else recipients.set(folded, address)
  }
  for (const email of await refusedOf(ctx, [...recipients.keys()])) {
    skipped_addresses.push(recipients.get(email) ?? email)
    recipients.delete(email)
  }
  const rested_addresses: string[] = []
  for (const email of await askedLately(ctx, [...recipients.keys()])) {
    rested_addresses.push(recipients.get(email) ?? email)
    recipients.delete(email)
  }
  return {
    recipients: [...recipients.values()],
    skipped_addresses,
    invalid_addresses,
    rested_addresses,
  }
}

/** Those of these addresses, in lower case, that want no contact or no surveys. */
export async function refusedOf(ctx: Context, emails: string[]): Promise<Set<string>> {
  const refused = await ctx.all<{ email: string }>(sql`
    select distinct t.primary_email_key as email from contacts t
    where ${mine(ctx)} and t.deleted_at is null and t.do_not_contact = 'yes'
      and t.primary_email_key = any(${emails})`)
  const unsubscribed = await optedOut(ctx, 'surveys', emails)
  return new Set([...refused.map((each) => each.email), ...unsubscribed])
}

/**
 * Those of these addresses, in lower case, whom a survey was mailed within the days that the organization says. Its
 * mailings wait for each other, so that two of them do not ask the same person.
 */
async function askedLately(ctx: Context, emails: string[]): Promise<string[]> {
  const rest = await ctx.one<{ days: number }>(sql`select t.survey_rest_days as days
    from mail_defaults t where ${mine(ctx)} and t.survey_rest_days is not null for update`)
  if (!rest) return []
  const since = new Date(+ctx.now() - rest.days * 86_400_000).toISOString()
  const found = await ctx.all<{ email: string }>(sql`
    select distinct r.email_key as email from survey_recipients r
    where ${mine(ctx, 'r')} and r.email_key = any(${emails}) and r.sent_at > ${since}`)
  return found.map(({ email }) => email)
}

function isAddress(text: string): boolean {
  return (
    text.length <= 320 &&
    !hasEncodedWord(text) &&
    /^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+\.[^\s@<>,;:"()[\]\\.]+$/.test(text)
  )
}
