import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { SMTPServerDataStream, SMTPServerSession } from 'smtp-server'
import { computationOf } from '../../kit/ground/computation.ts'
import { Failure } from '../../kit/ground/errors.ts'
import { newId } from '../../kit/ground/ids.ts'
import type { ReplyTarget } from '../../records/interactions/reply-by-mail.ts'
import { findReplyTarget, replyByMail } from '../../records/interactions/reply-by-mail.ts'
import { tokenOfAddress } from '../../records/mail/reply-address.ts'
import { loadActor } from '../../records/users/actor.ts'
import { isVouchedFor } from '../../records/mail/authentication.ts'
import type { Received } from '../../records/mail/inbound.ts'
import type { Runtime } from '../../runtime.ts'
import type { MeetingTarget } from '../../records/calendar/meeting-address.ts'
import { findMeetingTarget } from '../../records/calendar/meeting-address.ts'
import { takeMailed } from '../../records/calendar/mailed-answers.ts'
import { findOrganization } from '../organization.ts'
import { endIdle } from './idle.ts'
import { anonymousCaller, publicContext, system } from '../../runtime.ts'

/** The maximum bytes of a mail, including attachments, which are ignored. */
const mostBytes = 10 * 2 ** 20
const idleMs = 60_000
/** Connections at once. */
const places = 20

/** Runs in a separate process, because the sender decides how long parsing takes. */
const readingInbound = computationOf(
  import.meta.resolve('../../records/mail/inbound.ts'),
  'readInbound',
  async () => (await import('../../records/mail/inbound.ts')).readInbound,
)

const readingCalendar = computationOf(
  import.meta.resolve('../../records/calendar/calendar-mail.ts'),
  'readCalendarMail',
  async () => (await import('../../records/calendar/calendar-mail.ts')).readCalendarMail,
)

/** The listener for replies by mail. */
export type Replies = { port: number; close(): Promise<void> }

/** An error of SMTP with which a reply is refused. */
class Refusal extends Error {
  responseCode: number

  constructor(responseCode: number, message: string) {
    super(message)
    this.responseCode = responseCode
  }
}

/**
 * Takes replies to mails about comments by SMTP, from the mail server of `MAIL_INBOUND_DOMAIN`. Only
 * addresses from the service's own mails are accepted; a mail becomes a comment of the user to whom that
 * address was sent, if it is from their own address, and the envelope or
 * the results of the mail server in front vouch for it. Automatic replies are accepted and dropped. At the address of a
 * meeting, answers of calendar programs are taken.
 */
export async function listenForReplies(runtime: Runtime): Promise<Replies | undefined> {
  const { inboundDomain: domain, inboundPort, host } = runtime.config
  if (!domain) return undefined
  const { SMTPServer } = await import('smtp-server')
  const server = new SMTPServer({
    name: domain,
    banner: 'Perennial',
    authOptional: true,
    // the mail server in front handles TLS with the outside
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: mostBytes,
    maxClients: places,
    socketTimeout: idleMs,
    onRcptTo: ({ address }, _session, done) => {
      targetOf(runtime, domain, address).then(
        (target) => done(target ? null : new Refusal(550, 'No such address')),
        (error: unknown) => done(later(runtime, error)),
      )
    },
    onData: (stream, session, done) => {
      receive(runtime, domain, stream, session).then(
        () => done(),
        (error: unknown) => done(error instanceof Refusal ? error : later(runtime, error)),
      )
    },
  })
  const stopLooking = endIdle(server.server, places)
  server.on('error', (error) => {
    // an error about the port is thrown below
    if (server.server.listening) runtime.log.warn({ err: error }, 'connection for replies failed')
  })
  server.listen(inboundPort, host)
  await once(server.server, 'listening')
  return {
    port: (server.server.address() as AddressInfo).port,
    close: () => {
      stopLooking()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

async function targetOf(
  runtime: Runtime,
  domain: string,
  address: string,
): Promise<Target | undefined> {
  const found = tokenOfAddress(address, domain)
  if (!found) return undefined
  const { lookup, secrets } = publicContext(runtime, anonymousCaller(newId()))
  const hash = secrets.hash(found.token)
  return found.word === 'meeting'
    ? findMeetingTarget(lookup, hash)
    : findReplyTarget(lookup, hash, runtime.now())
}

type Target = ReplyTarget | MeetingTarget

async function receive(
  runtime: Runtime,
  domain: string,
  stream: SMTPServerDataStream,
  { envelope, hostNameAppearsAs }: SMTPServerSession,
): Promise<void> {
  const bytes = await bytesOf(stream)
  // only the mail server in front connects here, and signs its results by its own name or by that of the domain
  const servers = [domain, hostNameAppearsAs].map((name) => name.toLowerCase())
  for (const { address } of envelope.rcptTo) {
    const target = await targetOf(runtime, domain, address)
    if (!target) throw new Refusal(550, 'No such address')
    const envelopeFrom = envelope.mailFrom ? envelope.mailFrom.address : ''
    await store(runtime, target, { bytes, servers }, envelopeFrom)
  }
}

async function bytesOf(stream: SMTPServerDataStream): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    length += chunk.length
    // the protocol requires to read it to the end
    if (length <= mostBytes) chunks.push(chunk)
    else chunks.length = 0
  }
  if (length > mostBytes) throw new Refusal(552, `A reply has at most ${mostBytes} bytes`)
  return new Uint8Array(Buffer.concat(chunks))
}

async function store(runtime: Runtime, target: Target, received: Received, envelopeFrom: string) {
  try {
    if ('calendar_id' in target) await storeAnswer(runtime, target, received, envelopeFrom)
    else await storeReply(runtime, target, received, envelopeFrom)
  } catch (error) {
    if (isPoison(error)) {
      runtime.log.warn({ err: error }, 'a reply by mail can never be stored')
      throw new Refusal(554, 'This mail can never be stored as a reply')
    }
    if (error instanceof Failure && error.status < 500 && error.status !== 429) {
      throw new Refusal(550, error.message.replaceAll(/\s+/g, ' ').slice(0, 200))
    }
    throw error
  }
}

/** Whether PostgreSQL refuses the values of a mail, as it would each time (classes 22 and 23 of its errors). */
function isPoison(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && /^2[23]\w{3}$/.test(code)
}

async function storeReply(
  runtime: Runtime,
  target: ReplyTarget,
  received: Received,
  envelopeFrom: string,
) {
  const ctx = publicContext(runtime, anonymousCaller(newId()))
  const { organization_id, user_id, email } = target
  const { from, results, message_id, text, isAutomatic } = await ctx.services.computations.run(
    organization_id,
    readingInbound,
    received,
  )
  // no answer to an automatic reply, or two programs would never stop
  if (isAutomatic || !envelopeFrom) return
  if (from !== email.toLowerCase()) {
    throw new Refusal(550, 'Reply from the address to which the mail was sent')
  }
  if (!isVouchedFor(from, envelopeFrom, results)) {
    throw new Refusal(550, 'Nothing shows that the sender is who the mail says')
  }
  if (!text) throw new Refusal(550, 'The reply has no text of its own')
  const loaded = await loadActor(ctx.lookup, organization_id, user_id)
  if (!loaded?.is_active) throw new Refusal(550, 'No such address')
  const message = createHash('sha256')
    .update(`${target.interaction_id} ${user_id} `)
    .update(message_id ?? received.bytes)
    .digest()
  await ctx.actAs(loaded).write((own) => replyByMail(own, target, { message, text }))
}

/** Takes the answer of a calendar program, also one that says that it is automatic, as those of Google do. */
async function storeAnswer(
  runtime: Runtime,
  { organization_id, calendar_id }: MeetingTarget,
  received: Received,
  envelopeFrom: string,
) {
  const ctx = publicContext(runtime, anonymousCaller(newId()))
  const organization = await findOrganization(ctx.lookup, organization_id)
  if (!organization) throw new Refusal(550, 'No such address')
  const { from, results, message_id, message } = await ctx.services.computations.run(
    organization_id,
    readingCalendar,
    { ...received, zone: organization.timezone },
  )
  if (!message) throw new Refusal(550, 'Only answers of calendar programs are read here')
  const hash = createHash('sha256')
    .update(message_id ?? received.bytes)
    .digest()
  // the address is the same for everybody invited, so that a weak result of SPF does not do
  const isWeak = results.dmarc !== 'pass' && results.spf !== undefined && results.spf !== 'pass'
  const isVouched = from !== '' && !isWeak && isVouchedFor(from, envelopeFrom, results)
  const actor = { ...system, full_name: from }
  await ctx
    .actAs({ organization, actor })
    .write((own) => takeMailed(own, calendar_id, { from, isVouched, hash, message }))
}

/** A temporary failure, not caused by the mail: its server retries. */
function later({ log }: Runtime, error: unknown): Refusal {
  log.error({ err: error }, 'reply by mail failed')
  return new Refusal(451, 'Try again later')
}
