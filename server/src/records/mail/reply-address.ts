import { randomBytes } from 'node:crypto'
import type { Context } from '../../kit/ground/context.ts'
import { sql } from '../../kit/ground/sql.ts'

/** How many days such an address can be answered at. */
export const replyDays = 30

/**
 * The address at which a user's reply to a mail about a comment becomes a comment: valid only for this user
 * and this comment. Undefined if no domain for replies is configured.
 */
export async function replyAddress(
  ctx: Context,
  user_id: string,
  interaction_id: string,
): Promise<{ name: string; address: string } | undefined> {
  const { inboundDomain } = ctx.services
  if (!inboundDomain) return undefined
  // hexadecimal, because some mail programs convert addresses to lower case
  const token = randomBytes(16).toString('hex')
  await ctx.run(sql`insert into reply_addresses (organization_id, token_hash, user_id,
      interaction_id, creation_time)
    values (${ctx.organization.id}, ${ctx.secrets.hash(token)}, ${user_id}, ${interaction_id},
      ${ctx.now().toISOString()})`)
  return { name: ctx.organization.name, address: `reply+${token}@${inboundDomain}` }
}

/** What an address of ours takes, replies to comments or answers of calendar programs, and its token; undefined for any other address. */
export function tokenOfAddress(
  address: string,
  domain: string,
): { word: 'reply' | 'meeting'; token: string } | undefined {
  const [, word, token, at] = /^(reply|meeting)\+([\da-f]{32})@([^@]+)$/i.exec(address.trim()) ?? []
  if (!word || !token || at?.toLowerCase() !== domain.toLowerCase()) return undefined
  return { word: word.toLowerCase() as 'reply' | 'meeting', token: token.toLowerCase() }
}
