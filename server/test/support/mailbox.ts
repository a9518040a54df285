import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Email } from 'postal-mime'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { atEnd } from './finally.ts'

/** A received mail. */
export type Received = Email & { from_address: string; to_addresses: string[] }

export type Mailbox = {
  /** for SMTP_URL */
  url: string
  received: Received[]
  /** the next mail to an address that has not been returned yet */
  next(address: string): Promise<Received>
  /** what the server says to a recipient instead of taking the mail: a status and how often */
  refuse(address: string, status: number, times: number): void
  /** whether it still has to say so */
  refuses(address: string): boolean
  /** lets the mails to an address hang until they are released */
  hold(address: string): () => void
  /** how many mails hang */
  held(): number
}

/** A real SMTP server on a free port, closed when the test file is done. */
export async function startMailbox(): Promise<Mailbox> {
  const received: Received[] = []
  const returned = new Set<Received>()
  const refusals = new Map<string, { status: number; left: number }>()
  const waiting = new Set<() => void>()
  const held = new Map<string, (() => void)[]>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo({ address }, _session, done) {
      const hanging = held.get(address)
      if (hanging) return void hanging.push(() => done())
      const refusal = refusals.get(address)
      if (!refusal?.left) return done()
      refusal.left--
      done(Object.assign(new Error('not now'), { responseCode: refusal.status }))
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', async () => {
        const mail = await PostalMime.parse(Buffer.concat(chunks))
        const { mailFrom, rcptTo } = session.envelope
        const from_address = mailFrom ? mailFrom.address : ''
        const to_addresses = rcptTo.map(({ address }) => address)
        received.push({ ...mail, from_address, to_addresses })
        done()
        for (const look of waiting) look()
      })
    },
  })
  // a client that died
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  atEnd(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    received,
    refuse: (address, status, times) => void refusals.set(address, { status, left: times }),
    refuses: (address) => Boolean(refusals.get(address)?.left),
    hold(address) {
      held.set(address, [])
      return () => {
        const hanging = held.get(address) ?? []
        held.delete(address)
        for (const release of hanging) release()
      }
    },
    held: () => [...held.values()].flat().length,
    async next(address) {
      for (;;) {
        const found = received.find(
          (mail) => mail.to_addresses.includes(address) && !returned.has(mail),
        )
        if (found) {
          returned.add(found)
          return found
        }
        await new Promise<void>((resolve) => {
          const look = () => {
            waiting.delete(look)
            resolve()
          }
          waiting.add(look)
        })
      }
    },
  }
}

/** The address of the one thing to do that a mail links to. */
export function linkIn({ text }: Received): string {
  // what people write comes first, the link to what is to be done later, and how to be mailed less last
  const links = text?.match(/https?:\/\/\S+/g) ?? []
  const link = links.findLast((each) => !/\/(unsubscribe|settings)\//.test(each))
  if (!link) throw new Error(`no link in: ${text}`)
  return link
}
