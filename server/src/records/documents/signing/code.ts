import { randomInt, timingSafeEqual } from 'node:crypto'
import type { Context } from '../../../kit/ground/context.ts'
import { mine, sql } from '../../../kit/ground/sql.ts'
import { reserveOrRefuse } from '../../../kit/write/quota.ts'
import { codeMail } from '../requests/mails.ts'
import type { Recipient } from '../requests/request.ts'
import type { Signing } from './signing.ts'
import { lockSigning } from './signing.ts'
import type { Client } from './step.ts'
import { logStep } from './step.ts'

const minutes = 60_000
/** How long a code is good, how often one may be guessed, and how many are mailed an hour. */
const most = { age: 10 * minutes, tries: 5, anHour: 5 }
/** How long a browser is known that has entered a code. */
const passAge = 12 * 60 * minutes

/** Whether the page of a request opens only for whoever has entered a mailed code. */
export function asksCode({ request, state }: Signing): boolean {
  return request.check_by === 'email_code' && !['withdrawn', 'expired', 'declined'].includes(state)
}

/** Mails a recipient a code for their page. 429 for too many of them. */
export async function sendCode(ctx: Context, id: string): Promise<void> {
  const { recipient, document } = await lockSigning(ctx, id)
  await reserveOrRefuse(
    ctx,
    { name: 'signing codes', key: id, limit: most.anHour, seconds: 3600 },
    { code: 'code_quota_exceeded', message: `At most ${most.anHour} codes are mailed an hour` },
  )
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const until = new Date(+ctx.now() + most.age).toISOString()
  await ctx.run(sql`update signature_recipients t set code_hash = ${hashOf(ctx, id, code)},
      code_until = ${until}, code_tries = 0 where ${mine(ctx)} and t.id = ${id}`)
  await codeMail(ctx, recipient, document.document_name, code)
}

/** Whether a code is the one that was mailed; a few wrong ones, and it is good no longer. */
export async function confirmCode(
  ctx: Context,
  id: string,
  code: string,
  client: Client,
): Promise<boolean> {
  const { recipient, document } = await lockSigning(ctx, id)
  const { code_hash, code_until, code_tries } = recipient
  if (!code_hash || !code_until || new Date(code_until) <= ctx.now() || code_tries >= most.tries) {
    return false
  }
  const isRight = timingSafeEqual(code_hash, hashOf(ctx, id, code.replace(/\s/g, '')))
  await ctx.run(sql`update signature_recipients t set code_tries = code_tries + 1,
      code_hash = case when ${!isRight} then code_hash end where ${mine(ctx)} and t.id = ${id}`)
  if (isRight) {
    const { version } = document
    const title = `Mailed code confirmed by ${recipient.name}`
    await logStep(ctx, document, title, 'confirmed', { recipient, client, version })
  }
  return isRight
}

/** What a browser keeps that has entered the code of a link: until when, and that it is so. */
export function passFor(
  ctx: Pick<Context, 'secrets' | 'now'>,
  recipient: Recipient,
): { value: string; seconds: number } {
  const until = +ctx.now() + passAge
  return { value: `${until}.${sealOf(ctx, recipient, until)}`, seconds: passAge / 1000 }
}

/** Whether a browser has entered the code of this link. */
export function isPass(
  ctx: Pick<Context, 'secrets' | 'now'>,
  recipient: Recipient,
  value: string,
): boolean {
  const [, time = '', seal = ''] = /^(\d{1,16})\.([\da-f]{64})$/.exec(value) ?? []
  const until = Number(time)
  if (!seal || until <= +ctx.now()) return false
  return timingSafeEqual(
    Buffer.from(seal, 'hex'),
    Buffer.from(sealOf(ctx, recipient, until), 'hex'),
  )
}

function hashOf({ secrets }: Pick<Context, 'secrets'>, id: string, code: string): Buffer {
  return secrets.hash(`signing code ${id} ${code}`)
}

/** It is of the link: whoever gets the place after a correction enters a code of their own. */
function sealOf(
  { secrets }: Pick<Context, 'secrets'>,
  { id, token_sealed }: Recipient,
  until: number,
): string {
  return secrets
    .hash(`signing pass ${id} ${secrets.decrypt(token_sealed)} ${until}`)
    .toString('hex')
}
