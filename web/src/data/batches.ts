import { queryOptions } from '@tanstack/react-query'
import type { BodyOf } from '../api/client.ts'
import { api } from '../api/client.ts'
import type { components } from '../api/schema.d.ts'
import { keys } from './keys.ts'
import { queryClient } from './query-client.ts'

const path = '/api/documents/{id}/signature/batches/'
/** Whom a document is sent to. */
export type BatchBody = BodyOf<typeof path, 'post'>
/** What a batch comes to, with what is wrong with its lines. */
export type BatchPlan = components['schemas']['SignatureBatchPlan']
/** Something that is sent to many, or was. */
export type Batch = components['schemas']['SignatureBatch']

const keyOf = (id: string) => [...keys.record('documents', id), 'batches']

/** Whether more of a batch is going to leave. */
export function goesOn({ status }: Pick<Batch, 'status'>): boolean {
  return status === 'held' || status === 'running'
}

/** What a batch would come to; nothing is sent. */
export function batchPlanQuery(id: string, body: BatchBody | undefined) {
  return queryOptions({
    queryKey: [...keyOf(id), 'plan', body],
    queryFn: async ({ signal }) =>
      (await api.post(path, { path: { id }, body: { ...body, dry_run: true }, signal })).data,
    enabled: body !== undefined,
    retry: false,
    gcTime: 60_000,
  })
}

/** What was sent to many of a document, the latest first. */
export function batchesQuery(id: string) {
  return queryOptions({
    queryKey: keyOf(id),
    queryFn: async ({ signal }) => (await api.get(path, { path: { id }, signal })).data,
    refetchInterval: ({ state }) => (state.data?.some(goesOn) ? 2000 : false),
  })
}

/** One of them with its lines. */
export function batchQuery(id: string, batch: Pick<Batch, 'batch_id' | 'status' | 'sent_count'>) {
  const { batch_id, status, sent_count } = batch
  return queryOptions({
    queryKey: [...keyOf(id), batch_id, status, sent_count],
    queryFn: async ({ signal }) =>
      (await api.get(`${path}{batch_id}/`, { path: { id, batch_id }, signal })).data,
  })
}

/** Starts a batch; nothing leaves for as long as it is held. */
export async function startBatch(id: string, body: BatchBody): Promise<BatchPlan> {
  const { data } = await api.post(path, { path: { id }, body })
  void queryClient.invalidateQueries({ queryKey: keyOf(id) })
  return data
}

/** Stops a batch: what has left stays. */
export async function cancelBatch(id: string, batch_id: string): Promise<void> {
  await api.post(`${path}{batch_id}/cancel/`, { path: { id, batch_id } })
  void queryClient.invalidateQueries({ queryKey: keyOf(id) })
}
