import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Mismatch } from './connector.ts'

/** The fields of a webhook's body that the tour uses; empty if it is no JSON object. */
export type Delivery = { id?: string; type?: string; data?: { company_id?: string } }

/** A received webhook. */
export type Arrived = {
  headers: { [name: string]: string }
  text: string
  body: Delivery
}

/** A receiver of webhooks on this machine. */
export type Receiver = {
  port: number
  /** the first webhook that matches, within so many milliseconds */
  wait(fits: (arrived: Arrived) => boolean, what: string, ms: number): Promise<Arrived>
  close(): Promise<void>
}

/** Listens on 127.0.0.1; port 0 takes a free one. Answers every POST with 204. */
export async function openReceiver(port = 0): Promise<Receiver> {
  const arrived: Arrived[] = []
  const waiting = new Set<() => void>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      response.writeHead(204).end()
      arrived.push({ headers: request.headers as Arrived['headers'], text, body: parsed(text) })
      for (const look of waiting) look()
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    wait(fits, what, ms) {
      return new Promise((resolve, reject) => {
        const end = () => {
          clearTimeout(timer)
          waiting.delete(look)
        }
        const look = () => {
          const found = arrived.find(fits)
          if (found) resolve(found)
          if (found) end()
        }
        const timer = setTimeout(() => {
          end()
          const others = arrived.map(({ body }) => String(body.type)).join(', ')
          reject(new Mismatch(`${what} within ${ms / 1000} s`, others || 'no webhook at all'))
        }, ms)
        waiting.add(look)
        look()
      })
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/**
 * Checks the signature of a webhook by the Standard Webhooks scheme: HMAC-SHA256 over
 * `id.timestamp.body`, keyed with the decoded secret. Throws a Mismatch.
 */
export function verifyWebhook({ headers, text }: Arrived, secret: string): void {
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature = '' } = headers
  const age = Math.abs(Date.now() / 1000 - Number(at))
  if (!(age < 300)) throw new Mismatch('a webhook-timestamp within 5 minutes', String(at))
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${at}.${text}`).digest()
  const isValid = signature.split(' ').some((part) => {
    const [version, value = ''] = part.split(',')
    const bytes = Buffer.from(value, 'base64')
    return version === 'v1' && bytes.length === expected.length && timingSafeEqual(bytes, expected)
  })
  if (!isValid) {
    throw new Mismatch('a webhook-signature that the secret makes', signature || 'none')
  }
}

function parsed(text: string): Delivery {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
