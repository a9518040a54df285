import { randomInt } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { Config } from '../config.ts'
import { NoSuchFile } from '../kit/ground/files.ts'
import type { Job, Work } from '../kit/ground/job.ts'
import { retriesOfADay } from '../kit/ground/job.ts'
import { headerText } from '../kit/ground/one-line.ts'
import type { Context } from '../kit/ground/context.ts'
import { mine, sql } from '../kit/ground/sql.ts'
import { reserve, usedOf } from '../kit/write/quota.ts'
import type { Mail, SealedMail } from '../records/mail/mail.ts'
import { counters, sendingAccountMail, sendingMail, sendingOf } from '../records/mail/mail.ts'
import { whyNotNeeded } from '../records/mail/needed.ts'
import { quotasOf, waitingFor } from '../records/mail/quota.ts'

const waitMs = 20_000
/** Milliseconds between the mails of an organization that have waited for a quota. */
const spacingMs = 100

/** The folder of mails that are not sent because no server is configured. */
export function outboxOf({ dataDir }: Config): string {
  return join(dataDir, 'outbox')
}

/**
 * The jobs that send a mail by SMTP, or store it as a file in the data folder's `outbox` if no server is
 * configured: one for mails about accounts, one for all others. A mail above a quota of the organization waits for the
 * next window. Each is sent once: that it
 * was sent is recorded under the job's id before the job ends. A process that dies between the server's
 * acceptance and that record sends twice, with the same Message-ID, by which mail programs recognise it.
 * After a permanent refusal it is not retried, and mails that are no longer needed are not sent.
 */
export function sendMails(config: Config): Job<SealedMail>[] {
  const send = config.smtpUrl ? bySmtp(config.smtpUrl) : intoOutbox(outboxOf(config))
  const host = new URL(config.publicUrl).hostname
  const job = {
    atOnce: 4,
    retries: retriesOfADay,
    async run({ id, reads, write }: Work, { sealed }: SealedMail) {
      const mail = opened(reads, sealed)
      if (!(await write((ctx) => admit(ctx, id, mail, sealed)))) return
      const { to, subject } = mail
      let refusal: string | null = null
      let storedAs: string | undefined
      try {
        const attachments = await attached(reads, mail)
        const message = composed(mail, attachments, config.mailFrom, `<${id}@${host}>`)
        storedAs = await send(id, message)
        const shown = { to: to.address, subject, ...(storedAs ? { file: storedAs } : {}) }
        reads.log.info(shown, storedAs ? 'mail stored in the outbox' : 'mail sent')
      } catch (error) {
        refusal = refusalOf(error)
        if (refusal === null) throw error
        reads.log.warn({ to: to.address, subject, refusal }, 'mail refused')
      }
      const isRecorded = await write((ctx) => recordDone(ctx, id, refusal))
      // its recipient was erased meanwhile
      if (!isRecorded && storedAs) await rm(storedAs, { force: true })
    },
  }
  return [sendingAccountMail, sendingMail].map((name) => ({ ...name, ...job }))
}

/** What versions before the kinds wrote instead: whether it is about an account, and for which user it is. */
type Earlier = Mail & { isAccount?: boolean; user_id?: string }

/** A mail as it was enqueued, by this version or an earlier one. */
function opened({ secrets }: Context, sealed: string): Mail {
  const { isAccount, user_id, ...mail } = JSON.parse(
    secrets.decrypt(Buffer.from(sealed, 'base64')),
  ) as Earlier
  if (mail.kind in counters) return mail
  // of those without a kind, none may be dropped
  const kind = isAccount ? 'account' : 'invitation'
  return { ...mail, kind, ...(user_id === undefined ? {} : { needed: { user: user_id } }) }
}

/**
 * Whether to send the mail now. At each attempt it must still be needed. At the first it is counted against its quotas;
 * if one is used up, a job in the next window takes it over in the same transaction, so that it is neither lost nor sent
 * twice. Automatic mails alone are dropped if more wait already than the next windows will take.
 */
async function admit(ctx: Context, id: string, mail: Mail, sealed: string): Promise<boolean> {
  const isFirst = await ctx.run(sql`insert into sent_mails (organization_id, id, is_done, sent_at)
    values (${ctx.organization.id}, ${id}, false, ${ctx.now().toISOString()})
    on conflict do nothing`)
  if (!isFirst) {
    const known = await ctx.one<{ is_done: boolean }>(sql`
      select t.is_done from sent_mails t where ${mine(ctx)} and t.id = ${id}`)
    if (known?.is_done) return false
  }
  const reason = await whyNotNeeded(ctx, mail.needed)
  if (reason !== undefined) return drop(ctx, id, reason)
  if (!isFirst) return true
  const spent = await reserve(ctx, quotasOf(ctx, mail))
  if (!spent) return true
  const { quota, until } = spent
  const waiting = waitingFor(spent, mail.kind)
  if (await reserve(ctx, [waiting])) return drop(ctx, id, `too many wait for ${quota.name}`)
  const { used: place } = await usedOf(ctx, waiting)
  await ctx.run(sql`update sent_mails t set is_done = true,
      deferred_until = ${until.toISOString()}
    where ${mine(ctx)} and t.id = ${id}`)
  // one after the other, so that mails of others are sent in between; not at once if the database's clock is ahead
  const at = new Date(+until + randomInt(1000, 2000) + place * spacingMs)
  ctx.enqueue<SealedMail>(sendingOf(mail.kind), { sealed }, { at })
  ctx.log.info({ quota: quota.name, limit: quota.limit, until }, 'mail waits for its quota')
  return false
}

/** Records why a mail is never sent. */
async function drop(ctx: Context, id: string, reason: string): Promise<false> {
  await recordDone(ctx, id, reason)
  ctx.log.info({ reason }, 'mail dropped')
  return false
}

/** Records that a mail was sent, or why it will not be; 0 if it was withdrawn meanwhile. */
function recordDone(ctx: Context, id: string, refusal: string | null): Promise<number> {
  return ctx.run(sql`update sent_mails t set is_done = true, refusal = ${refusal},
      sent_at = ${ctx.now().toISOString()}
    where ${mine(ctx)} and t.id = ${id} and not t.is_withdrawn`)
}

type Composed = ReturnType<typeof composed>
/** returns the file in which the mail was stored, if it was not sent */
type Send = (id: string, mail: Composed) => Promise<string | undefined>

function composed(mail: Mail, attachments: Attached[], sender: string, messageId: string) {
  const { to, from, replyTo, subject, text, html, calendar, unsubscribe } = mail
  return {
    from: from === undefined ? sender : named({ name: from, address: addressIn(sender) }),
    to: named(to),
    ...(replyTo ? { replyTo: named(replyTo) } : {}),
    subject,
    text,
    html,
    messageId,
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribe
        ? {
            // encoded, because it must be in one line
            'List-Unsubscribe': { prepared: true, value: `<${unsubscribe}>` },
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          }
        : {}),
    },
    ...(calendar ? { icalEvent: { ...calendar, filename: 'invite.ics' } } : {}),
    ...(attachments.length ? { attachments } : {}),
    // the library must not read files or fetch addresses for a mail
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** With a name of one line: encoded line breaks are line breaks again to whoever decodes the header. */
function named({ name = '', address }: { name?: string; address: string }) {
  return { name: headerText(name), address }
}

/** The address of a sender such as `Perennial <no-reply@crm.example.com>`. */
function addressIn(sender: string): string {
  return /<([^<>]+)>\s*$/.exec(sender)?.[1] ?? sender
}

type Attached = { filename: string; content: Buffer; contentType: string }

/** The files of a mail. A file that was removed meanwhile is left out, since the mail also links to it. */
async function attached({ files, log }: Context, { attachments = [] }: Mail): Promise<Attached[]> {
  const found: Attached[] = []
  for (const { filename, storedKey, type: contentType } of attachments) {
    try {
      const content = await buffer(await files.get(storedKey))
      found.push({ filename, content, contentType })
    } catch (error) {
      if (!(error instanceof NoSuchFile)) throw error
      log.warn({ filename }, 'file of a mail is missing')
    }
  }
  return found
}

// loaded by the first mail
const library = () => import('nodemailer')

function bySmtp(url: string): Send {
  const open = async () =>
    (await library()).createTransport({
      url,
      connectionTimeout: waitMs,
      greetingTimeout: waitMs,
      socketTimeout: waitMs,
    })
  let transport: ReturnType<typeof open> | undefined
  return async (_id, mail) => {
    await (await (transport ??= open())).sendMail(mail)
    return undefined
  }
}

function intoOutbox(folder: string): Send {
  return async (id, mail) => {
    const { createTransport } = await library()
    const transport = createTransport({ streamTransport: true, buffer: true })
    const { message } = await transport.sendMail(mail)
    const file = join(folder, `${id}.eml`)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(`${file}.part`, message as Buffer, { mode: 0o600 })
    await rename(`${file}.part`, file)
    return file
  }
}

/** The server's message, if it will never accept this mail (RFC 5321, 4.2.1). */
function refusalOf(error: unknown): string | null {
  const { responseCode, response, code } = error as {
    responseCode?: number
    response?: string
    code?: string
  }
  // the operator must correct wrong credentials; until then the mail waits
  if (code === 'EAUTH' || !responseCode || responseCode < 500) return null
  return (response ?? String(responseCode)).slice(0, 500)
}
