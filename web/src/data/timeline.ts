import { infiniteQueryOptions } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import type { components } from '../api/schema.d.ts'
import { keys } from './keys.ts'

/** Something that happened, as a sentence with names. */
export type TimelineEntry = components['schemas']['TimelineEntry']
export type TimelineKind = components['schemas']['TimelineKind']
type Page = components['schemas']['Timeline']

/** The timeline of a record and what belongs to it, newest first, page by page; optionally only some kinds. */
export function timelineQuery(module: string, id: string, kinds: TimelineKind[], limit: number) {
  return infiniteQueryOptions({
    queryKey: [...keys.timeline(module, id), kinds, limit],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => readPage(module, id, kinds, limit, pageParam),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  })
}

async function readPage(
  module: string,
  id: string,
  kinds: TimelineKind[],
  limit: number,
  cursor: string | undefined,
): Promise<Page> {
  const { data } = await api.get('/api/timeline/{module}/{id}/', {
    path: { module, id },
    query: {
      limit,
      ...(cursor ? { cursor } : {}),
      ...(kinds.length ? { kinds: kinds.join(',') } : {}),
    },
  })
  return data
}
