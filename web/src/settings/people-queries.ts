import { queryOptions } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { request } from '../api/request.ts'
import type { components } from '../api/schema.d.ts'
import { keys } from '../data/keys.ts'
import type { Person } from '../ui/avatar.tsx'

type Schemas = components['schemas']
export type Role = Schemas['Role']

/** A user as the list of people shows them. */
export type User = Pick<
  Schemas['User'],
  | 'profile_id'
  | 'user_id'
  | 'full_name'
  | 'email'
  | 'role'
  | 'role_id'
  | 'designation'
  | 'is_active'
  | 'is_invited'
  | 'is_team_head'
  | 'reports_to'
  | 'profile_image'
  | 'version'
> & { [field: string]: unknown }

const fields =
  'profile_id,user_id,full_name,email,role,role_id,designation,is_active,is_invited,is_team_head,reports_to,profile_image,version'

/** People, a page at a time; the key belongs to the module, so that changes are followed. */
export function peopleQuery(q: string, page: number) {
  return queryOptions({
    queryKey: keys.list('users', { settings: true, q, page }),
    queryFn: async ({ signal }) => {
      const { data, headers } = await request<User[]>('GET', '/api/users/profile/', {
        signal,
        query: { page, items_per_page: 50, sort: 'full_name', q, fields, include_count: true },
      })
      return { rows: data, total: Number(headers.get('x-total-count') ?? data.length) }
    },
    placeholderData: (before) => before,
  })
}

/** Finds people by name or e-mail. */
export async function findPeople(q: string, signal: AbortSignal): Promise<Person[]> {
  const { data } = await request<User[]>('GET', '/api/users/profile/', {
    signal,
    query: {
      page: 1,
      items_per_page: 20,
      q,
      sort: 'full_name',
      fields: 'user_id,full_name,email,profile_image',
      filter: JSON.stringify([{ field: 'is_active', operator: 'eq', value: true }]),
    },
  })
  return data.map(({ user_id, full_name, email, profile_image }) => ({
    id: user_id,
    name: full_name,
    email,
    image: profile_image,
  }))
}

export const rolesQuery = queryOptions({
  queryKey: keys.list('roles', { settings: true }),
  queryFn: async () =>
    (await api.get('/api/users/role/', { query: { sort: 'role_name' } as never })).data,
})

/** What belongs to a user, before they leave. */
export function linksQuery(id: string) {
  return queryOptions({
    queryKey: keys.setting('links', { id }),
    queryFn: async () => (await api.get('/api/users/profile/{id}/links/', { path: { id } })).data,
    staleTime: 0,
  })
}
