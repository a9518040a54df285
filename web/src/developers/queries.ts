import { queryOptions } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import type { components } from '../api/schema.d.ts'
import { keys } from '../data/keys.ts'
import { queryClient } from '../data/query-client.ts'

type Schemas = components['schemas']
export type App = Schemas['App']
export type AppWithSecrets = Schemas['AppWithSecrets']
export type Scope = Schemas['Scope']
export type Subscription = Schemas['WebhookSubscription']
export type DeliveryStatus = Schemas['DeliveryStatus']
export type EventName = Schemas['EventName']
export type Inspector = Schemas['WebhookInspector']

export const appsQuery = queryOptions({
  queryKey: keys.setting('apps'),
  queryFn: async () => (await api.get('/api/apps/')).data,
})

export const scopesQuery = queryOptions({
  queryKey: keys.setting('scopes'),
  queryFn: async () => (await api.get('/api/apps/scopes/')).data,
  staleTime: Infinity,
})

export function appConnectionsQuery(id: string) {
  return queryOptions({
    queryKey: keys.setting('apps', { connections: id }),
    queryFn: async () => (await api.get('/api/apps/{id}/connections/', { path: { id } })).data,
  })
}

export const subscriptionsQuery = queryOptions({
  queryKey: keys.setting('subscriptions'),
  queryFn: async () =>
    (await api.get('/api/webhooks/subscriptions/', { query: { limit: 100 } })).data.results,
  refetchInterval: 15_000,
})

/** The filter of deliveries. */
export type DeliveryFilter = {
  subscription_id?: string | undefined
  status?: DeliveryStatus | undefined
  event?: EventName | undefined
}

export function deliveriesQuery(filter: DeliveryFilter, limit: number) {
  return queryOptions({
    queryKey: keys.setting('deliveries', { ...filter, limit }),
    queryFn: async () =>
      (await api.get('/api/webhooks/deliveries/', { query: { ...filter, limit } as never })).data,
    // deliveries are no records, so the stream does not announce them
    refetchInterval: 4000,
    placeholderData: (before) => before,
  })
}

export function deliveryQuery(id: string) {
  return queryOptions({
    queryKey: keys.setting('delivery', { id }),
    queryFn: async () => (await api.get('/api/webhooks/deliveries/{id}/', { path: { id } })).data,
    refetchInterval: 4000,
  })
}

export const eventsQuery = queryOptions({
  queryKey: keys.setting('events'),
  queryFn: async () => (await api.get('/api/webhooks/events/')).data.results,
  staleTime: 600_000,
})

export const inspectorsQuery = queryOptions({
  queryKey: keys.setting('inspectors'),
  queryFn: async () => (await api.get('/api/webhooks/inspector/')).data,
  refetchInterval: 1500,
})

/** Refetches `apps`, `subscriptions`, `deliveries` or `inspectors`. */
export async function refresh(...names: string[]): Promise<void> {
  await Promise.all(
    names.map((name) => queryClient.invalidateQueries({ queryKey: ['settings', name] })),
  )
}
