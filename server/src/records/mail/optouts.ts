import type { Context } from '../../kit/ground/context.ts'
import { mine, sql } from '../../kit/ground/sql.ts'

/** The addresses among these that have unsubscribed from a topic, as passed in. */
export async function optedOut(
  ctx: Context,
  topic: 'surveys',
  addresses: string[],
): Promise<Set<string>> {
  const hashes = new Map(
    addresses.map((address) => [addressHash(ctx, address).toString('hex'), address]),
  )
  const rows = await ctx.all<{ hash: string }>(sql`
    select encode(t.address_hash, 'hex') as hash from mail_optouts t
    where ${mine(ctx)} and t.topic = ${topic}
      and t.address_hash in (select decode(h, 'hex')
        from unnest(${[...hashes.keys()]}::text[]) as h)`)
  return new Set(rows.flatMap(({ hash }) => hashes.get(hash) ?? []))
}

/** What is stored of an address that has unsubscribed. */
export function addressHash(ctx: Context, address: string): Buffer {
  return ctx.secrets.hash(`address ${address.toLowerCase()}`)
}
