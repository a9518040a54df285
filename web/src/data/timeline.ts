import { infiniteQueryOptions } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import type { components } from '../api/schema.d.ts'
import { keys } from './keys.ts'

/** Something that happened, as a sentence with names. */
export type TimelineEntry = components['schemas']['TimelineEntry']
export type TimelineKind = components['schemas']['TimelineKind']
type Page = components['schemas']['Timeline']

/** By which parameter a module's records have a timeline. */
const parameters: { [module: string]: 'account_id' | 'company_id' | 'contact_id' | 'project_id' } =
  {
    accounts: 'account_id',
    companies: 'company_id',
    contacts: 'contact_id',
    projects: 'project_id',
    deals: 'project_id',
  }

/** What happened to a record and what belongs to it, newest first, page by page; of some kinds alone. */
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
  const parameter = parameters[module]
  if (!parameter) return readLog(module, id)
  const { data } = await api.get('/api/timeline/', {
    query: {
      [parameter]: id,
      limit,
      ...(cursor ? { cursor } : {}),
      ...(kinds.length ? { kinds: kinds.join(',') } : {}),
    },
  })
  return data
}

/** The log alone, for records that have no timeline of their own. */
async function readLog(module: string, id: string): Promise<Page> {
  const { data } = await api.get('/api/activity/log/{module_id}/{reference_id}/', {
    path: { module_id: module, reference_id: id },
  })
  const entries = data as unknown as {
    log_id: string
    description: string
    creation_time: string
    created_by: { user_id: string; full_name: string } | null
  }[]
  const results = (Array.isArray(entries) ? entries : []).map((entry) => ({
    kind: 'change' as const,
    at: entry.creation_time,
    text: entry.description,
    actor: {
      user_id: entry.created_by?.user_id ?? null,
      contact_id: null,
      full_name: entry.created_by?.full_name ?? null,
    },
    record: null,
    log_id: entry.log_id,
    comment: null,
  }))
  return { results, next_cursor: null }
}
