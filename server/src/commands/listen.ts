import { createInterface } from 'node:readline'
import { connect } from 'node:net'
import { ConfigError } from '../kit/ground/errors.ts'
import { accessOf, accessOptions } from './access.ts'
import { type Call, type Command, type Terminal, UsageError } from './command.ts'
import { type Connection, connectTo, succeeded } from './integration.ts'
import { sentenceOf } from '../tour/connector.ts'
import { type Arrival, openListener } from './listener.ts'

/** The maximum number of events of a subscription. */
const mostEvents = 50

/** The path of addresses that this command subscribes, by which it recognizes subscriptions left by a killed process. */
const ownPath = '/perennial-listen'

/** `perennial listen` */
export const listen: Command = {
  summary: 'receive events at an address of your own machine',
  about: `Subscribes a receiver on this machine to events of the app's organization, checks the signature of each
delivery and prints it with the answer. With --forward each delivery is forwarded with its headers and body
unchanged, and the answer is returned: a failure is retried as it would be in production. "r ID" and Enter resends a
delivery, "r" the last one. The subscription is removed when the command ends. The server must be able to deliver
to this machine, as it is when its own address is local; otherwise name a tunnel with --receiver-url.`,
  examples: [
    'perennial listen --forward http://127.0.0.1:8080/webhooks',
    'perennial listen --event company_created --event deal_won',
    'perennial listen --resend 03h9vqz0k4m2x7c5t8b1n6r3d',
  ],
  options: {
    ...accessOptions,
    forward: {
      value: 'URL',
      about: 'where deliveries are forwarded to (they are answered with 204)',
    },
    event: {
      value: 'EVENT',
      multiple: true,
      about: "an event; may be repeated (all that the app's scopes allow)",
    },
    resend: { value: 'ID', about: 'resend one delivery of the app, and end' },
    body: { about: 'prints the bodies, too' },
    'receiver-port': { value: 'PORT', about: 'where deliveries are received (a free one)' },
    'receiver-url': {
      value: 'URL',
      about: 'the public address of the receiver, if the server is on another machine',
    },
  },
  environment: ['DATA_DIR', 'PUBLIC_URL', 'AUTOMATION_SEGMENT'],
  async run(call) {
    const places = { port: portOf(call), forward: forwardOf(call), receiver: receiverOf(call) }
    const connection = connectTo(accessOf(call))
    const delivery = call.text('resend')
    if (delivery !== undefined) {
      await resend(connection, delivery)
      return { json: { resent: delivery }, text: `${delivery} is sent again` }
    }
    const received = await receive(call, connection, places)
    return { json: { received }, text: `Received ${received}; the subscription is removed` }
  },
}

/** Where deliveries arrive, and where they are forwarded to. */
type Places = { port: number; forward: URL | undefined; receiver: string | undefined }

/** Receives until the process is stopped; returns the number of deliveries. */
async function receive(
  call: Call,
  connection: Connection,
  { port, forward, receiver }: Places,
): Promise<number> {
  const { terminal, isJson } = call
  const ending = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => resolve())
  })
  const secrets = new Map<string, string>()
  let received = 0
  let last: string | undefined
  const listener = await openListener({
    port,
    path: ownPath,
    forward,
    secrets,
    arrived(arrival) {
      received++
      last = arrival.id
      terminal.out(isJson ? JSON.stringify(jsonOf(arrival)) : lineOf(arrival, terminal))
      if (call.flag('body') && !isJson) terminal.out(arrival.text)
    },
  })
  const lines = createInterface({ input: process.stdin })
  lines.on('line', (line) => {
    const [, id = last] = /^r(?:\s+(\S+))?\s*$/.exec(line.trim()) ?? []
    if (!line.trim().startsWith('r') || !id) return terminal.note('"r ID" sends a delivery again')
    resend(connection, id).then(
      () => terminal.note(`${id} is sent again`),
      (error: unknown) => terminal.note(`perennial: ${(error as Error).message}`),
    )
  })
  const subscriptions: string[] = []
  try {
    await removeAbandoned(connection)
    const events = await wantedEvents(call, connection)
    const url = receiver ?? `http://127.0.0.1:${listener.port}${ownPath}/${process.pid}`
    for (let at = 0; at < events.length; at += mostEvents) {
      const json = { events: events.slice(at, at + mostEvents), url }
      const { body } = succeeded(await connection.send('POST', '/webhook/subscribe', { json }))
      const { id = '', secret = '' } = body
      subscriptions.push(id)
      secrets.set(id, secret)
    }
    terminal.note(
      `Listening to ${events.length === 1 ? events[0] : `${events.length} events`} at ${url}; Ctrl-C ends it`,
    )
    await ending
  } finally {
    lines.close()
    try {
      await unsubscribe(connection, subscriptions, terminal)
    } finally {
      // even if the server is gone: an open port would keep the program running
      await listener.close()
    }
  }
  return received
}

async function unsubscribe(connection: Connection, ids: string[], { note }: Terminal) {
  for (const id of ids) {
    const query = new URLSearchParams({ subscriptionId: id })
    const reply = await connection.send('DELETE', '/webhook/unsubscribe', { query })
    // 404: removed by somebody else meanwhile
    if (reply.status !== 404 && reply.status >= 300)
      note(`perennial: The subscription ${id} stays: ${sentenceOf(reply)}`)
  }
}

/** Removes subscriptions left by a killed process of this command: those whose address has no listener. */
async function removeAbandoned(connection: Connection) {
  const query = new URLSearchParams({ limit: '100' })
  const { body } = succeeded(await connection.send('GET', '/webhook/subscriptions', { query }))
  for (const { id, url } of (body.results ?? []) as { id: string; url: string }[]) {
    const { hostname, port, pathname } = new URL(url)
    if (hostname !== '127.0.0.1' || !pathname.startsWith(`${ownPath}/`)) continue
    if (await isOpen(Number(port))) continue
    await connection.send('DELETE', '/webhook/unsubscribe', {
      query: new URLSearchParams({ subscriptionId: id }),
    })
  }
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const end = (open: boolean) => {
      socket.destroy()
      resolve(open)
    }
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
  })
}

async function resend(connection: Connection, id: string): Promise<void> {
  const path = `/webhook/deliveries/${encodeURIComponent(id)}/resend`
  succeeded(await connection.send('POST', path))
}

/** The requested events, or all that the app may receive for its user. */
async function wantedEvents(call: Call, connection: Connection): Promise<string[]> {
  const named = call.list('event').flatMap((each) => each.split(/[\s,]+/).filter(Boolean))
  if (named.length) return named
  const { body } = succeeded(await connection.send('GET', '/webhook/events'))
  const events = (body.results ?? []) as { event?: string; allowed?: boolean }[]
  const allowed = events.flatMap(({ event, allowed: isAllowed }) => (isAllowed && event) || [])
  if (allowed.length) return allowed
  throw new ConfigError("The app's scopes allow no event: issue it with more scopes")
}

function portOf({ text }: Call): number {
  const port = Number(text('receiver-port') ?? 0)
  if (Number.isInteger(port) && port >= 0 && port <= 65535) return port
  throw new UsageError('--receiver-port must be a port')
}

function forwardOf({ text }: Call): URL | undefined {
  return addressOf('forward', text('forward'))
}

function receiverOf({ text }: Call): string | undefined {
  return addressOf('receiver-url', text('receiver-url'))?.href
}

function addressOf(option: string, value: string | undefined): URL | undefined {
  if (value === undefined) return undefined
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url && ['http:', 'https:'].includes(url.protocol)) return url
  throw new UsageError(`--${option} "${value}" is not a URL such as http://127.0.0.1:8080/webhooks`)
}

function jsonOf({ id, event, isTest, isVerified, status, error, ms }: Arrival) {
  return { id, event, is_test: isTest, verified: isVerified, status, error, ms }
}

function lineOf(arrival: Arrival, { hasColors }: Terminal): string {
  const { id, event, isTest, isVerified, status, error, ms } = arrival
  const isWell = isVerified && status < 300
  const mark = isWell ? '✔' : '✘'
  const painted = hasColors ? `\u001B[${isWell ? 32 : 31}m${mark}\u001B[0m` : mark
  const time = new Date().toTimeString().slice(0, 8)
  const what = isVerified ? `${status} in ${ms} ms` : 'the signature is wrong'
  return [painted, time, event + (isTest ? ' (test)' : ''), id, what, error ?? ''].join('  ').trim()
}
