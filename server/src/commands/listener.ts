import { createServer, request as requestHttp } from 'node:http'
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { AddressInfo } from 'node:net'
import { verifyWebhook } from '../tour/receiver.ts'
import { listenFailure } from './failure.ts'

/** A received delivery, whether it is valid, and how it was answered. */
export type Arrival = {
  /** the webhook-id */
  id: string
  event: string
  isTest: boolean
  isVerified: boolean
  /** of the answer: that of the address to which it was forwarded, if any */
  status: number
  /** why there was no answer from there */
  error?: string
  ms: number
  text: string
}

type Listening = {
  /** 0 takes a free one */
  port: number
  path: string
  forward: URL | undefined
  /** of the subscriptions, by their ids */
  secrets: ReadonlyMap<string, string>
  arrived(arrival: Arrival): void
}

/** Deliveries are smaller. */
const mostBytes = 32 * 1024 * 1024
/** The server waits for 15 s. */
const patienceMs = 14_000
/** Headers of a single connection, which are not forwarded. */
const ofConnection = ['connection', 'host', 'keep-alive', 'transfer-encoding', 'upgrade']

/** Receives deliveries on 127.0.0.1, and forwards those with a valid signature. */
export async function openListener(options: Listening) {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > mostBytes) request.destroy()
      else chunks.push(chunk)
    })
    request.on('error', () => {})
    request.on('end', () => {
      void take(options, request, Buffer.concat(chunks)).then(({ status, headers, body }) =>
        response.writeHead(status, headers).end(body),
      )
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(listenFailure(error, '127.0.0.1', options.port) as Error),
    )
    server.listen(options.port, '127.0.0.1', resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

type Answered = {
  status: number
  headers?: OutgoingHttpHeaders
  body?: Buffer | string
  error?: string
}

async function take(
  { forward, secrets, arrived }: Listening,
  request: IncomingMessage,
  bytes: Buffer,
): Promise<Answered> {
  const began = performance.now()
  const text = bytes.toString()
  const body = parsed(text)
  const secret = secrets.get(String(body.subscription_id))
  const isVerified = secret !== undefined && isSigned(request, text, secret)
  const answered = isVerified ? await passOn(forward, request, bytes) : { status: 401 }
  arrived({
    id: String(request.headers['webhook-id'] ?? ''),
    event: String(body.type ?? 'no event'),
    isTest: body.test === true,
    isVerified,
    status: answered.status,
    ...('error' in answered ? { error: answered.error } : {}),
    ms: Math.round(performance.now() - began),
    text,
  })
  return answered
}

function isSigned({ headers }: IncomingMessage, text: string, secret: string): boolean {
  try {
    verifyWebhook({ headers: headers as { [name: string]: string }, text, body: {} }, secret)
    return true
  } catch {
    return false
  }
}

/** Forwards the request unchanged to another address; returns its answer, or 502 or 504 if there is none. */
function passOn(
  forward: URL | undefined,
  { method = 'POST', headers }: IncomingMessage,
  bytes: Buffer,
): Promise<Answered> {
  if (!forward) return Promise.resolve({ status: 204 })
  const same = Object.fromEntries(
    Object.entries(headers).filter(([name]) => !ofConnection.includes(name)),
  )
  const send = forward.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve) => {
    const failed = (status: number, error: string) => resolve({ status, body: error, error })
    const request = send(forward, { method, headers: same, timeout: patienceMs }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', (error) => failed(502, error.message))
      response.on('end', () => {
        const type = response.headers['content-type']
        resolve({
          status: response.statusCode ?? 502,
          headers: type ? { 'content-type': type } : {},
          body: Buffer.concat(chunks),
        })
      })
    })
    request.on('timeout', () => {
      failed(504, `${forward.href} did not answer within ${patienceMs / 1000} s`)
      request.destroy()
    })
    request.on('error', (error: NodeJS.ErrnoException) =>
      failed(502, `${forward.href} cannot be reached (${error.code ?? error.message})`),
    )
    request.end(bytes)
  })
}

function parsed(text: string): { type?: unknown; subscription_id?: unknown; test?: unknown } {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
