import type { Room } from './limits.ts'
import type { Transport } from './transport.ts'
import type { Due } from './queue.ts'

/** How many of a subscription's due deliveries to claim. */
export type ClaimShare = { subscription_id: string; most: number }

/**
 * Shares out a claim among subscriptions: everyone gets a share of the batch, as far as its host has
 * room now, so that one receiver's backlog or silence takes nothing from the others. Where the batch is
 * smaller than the list, hosts with the fewest requests in flight come first.
 */
export function planClaim(
  organization: string,
  due: readonly Due[],
  size: number,
  { limits }: Transport,
): ClaimShare[] {
  const rooms = new Map<string, Room>()
  const shares = new Map<string, number>()
  let left = size
  const give = (subscription: Due, most: number) => {
    const host = hostOf(subscription)
    const room = rooms.get(host) ?? limits.room(organization, host, size)
    rooms.set(host, room)
    const taken = Math.min(most, room.free, left)
    if (taken <= 0) return
    room.free -= taken
    left -= taken
    shares.set(subscription.id, (shares.get(subscription.id) ?? 0) + taken)
  }
  const share = Math.max(1, Math.floor(size / due.length))
  // from another place each time, so that a batch smaller than the list reaches all of it
  const first = Math.floor(Math.random() * due.length)
  const turned = [...due.slice(first), ...due.slice(0, first)]
    .map((each) => ({ each, busy: limits.inFlight(organization, hostOf(each)) }))
    .toSorted((a, b) => a.busy - b.busy)
    .map(({ each }) => each)
  for (const subscription of turned) give(subscription, share)
  for (const subscription of turned) give(subscription, left)
  return [...shares].map(([subscription_id, most]) => ({ subscription_id, most }))
}

/** The host whose limits count for a subscription. */
export function hostOf({ url }: { url: string }): string {
  return new URL(url).hostname
}
