import type { IHookFunctions } from 'n8n-workflow'
import { NodeOperationError } from 'n8n-workflow'
import { request, requestUnless } from '../transport.ts'

type Subscription = { id: string; url: string; events: string[]; status: string; secret?: string }
type Page = { results: Subscription[]; next_cursor: string | null }

/** Whether this workflow's subscription still matches the node's events and address. */
export async function findSubscription(caller: IHookFunctions): Promise<boolean> {
  const { id, secret } = caller.getWorkflowStaticData('node')
  if (!id || !secret) return false
  const wanted = eventsWanted(caller).join()
  for (let cursor = ''; ;) {
    const query = { limit: 100, ...(cursor && { next_cursor: cursor }) }
    const page = await request<Page>(caller, 'GET', '/webhook/subscriptions', { query })
    const own = page.results.find((each) => each.id === id)
    if (own) {
      const { url, status, events } = own
      if (url !== addressOf(caller)) return false
      return status === 'active' && events.toSorted().join() === wanted
    }
    if (!page.next_cursor) return false
    cursor = page.next_cursor
  }
}

/** Subscribes, and stores the id and the secret with the workflow; replaces an earlier subscription. */
export async function subscribe(caller: IHookFunctions): Promise<void> {
  await unsubscribe(caller)
  const { name } = caller.getWorkflow()
  const body = {
    url: addressOf(caller),
    events: eventsWanted(caller),
    // shown in the list of subscriptions in Perennial
    ...(name && { name: `n8n: ${name}`.slice(0, 255) }),
  }
  const { id, secret } = await request<Subscription>(caller, 'POST', '/webhook/subscribe', { body })
  Object.assign(caller.getWorkflowStaticData('node'), { id, secret })
}

/** Deletes the subscription; succeeds if it no longer exists. */
export async function unsubscribe(caller: IHookFunctions): Promise<void> {
  const stored = caller.getWorkflowStaticData('node')
  if (!stored.id) return
  const query = { subscriptionId: String(stored.id) }
  await requestUnless(404, caller, 'DELETE', '/webhook/unsubscribe', { query })
  delete stored.id
  delete stored.secret
}

function eventsWanted(caller: IHookFunctions): string[] {
  // an expression may return a single event
  const events = [caller.getNodeParameter('events', []) as string | string[]].flat().filter(Boolean)
  if (!events.length) throw new NodeOperationError(caller.getNode(), 'Choose at least one event')
  return events.toSorted()
}

function addressOf(caller: IHookFunctions): string {
  const url = caller.getNodeWebhookUrl('default')
  if (!url) throw new NodeOperationError(caller.getNode(), 'n8n has no address for this webhook')
  return url
}
