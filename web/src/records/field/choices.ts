import type { Field } from '../../data/modules.ts'
import { request } from '../../api/request.ts'
import type { AnyRecord } from '../../data/record.ts'
import { sessionNow } from '../../data/session.ts'
import type { Person } from '../../ui/avatar.tsx'
import type { Option } from '../../ui/option.tsx'

const few = { page: 1, items_per_page: 20 }

/** Finds people of the organization by name or address: oneself, then colleagues, then people of customers. */
export async function searchPeople(q: string, signal: AbortSignal): Promise<Person[]> {
  const { data } = await request<AnyRecord[]>('GET', '/api/users/profile/', {
    query: { ...few, q, fields: 'user_id,full_name,email,profile_image,account_id' },
    signal,
  })
  const me = sessionNow()?.user.user_id
  const distance = (user: AnyRecord) => (user.user_id === me ? 0 : user.account_id ? 2 : 1)
  const nearest = data.toSorted((one, other) => distance(one) - distance(other))
  return nearest.map((user) => ({
    id: String(user.user_id),
    name: String(user.full_name),
    email: (user.email as string | null | undefined) ?? null,
    image: (user.profile_image as string | null) ?? null,
  }))
}

/** Finds the records that a field may link to. */
export function searchLinked(field: Field) {
  return async (q: string, signal: AbortSignal): Promise<Option[]> => {
    const { reference } = field
    if (!reference?.path) return []
    const { path, key, title_field: title, module } = reference
    const isProject = module === 'projects' || module === 'deals'
    const { data } = await request<AnyRecord[]>('GET', path, {
      query: {
        ...few,
        q,
        fields: `${key},${title}`,
        ...(isProject ? { project_type: module.slice(0, -1) } : {}),
      },
      signal,
    })
    return data.map((record) => ({ value: String(record[key]), label: String(record[title]) }))
  }
}

/** The organization's tags, to choose from. */
export async function readTags(): Promise<Option[]> {
  const { data } = await request<AnyRecord[]>('GET', '/api/tags/info/', {
    query: { page: 1, items_per_page: 200, fields: 'tag_id,tag_name' },
  })
  return data.map(({ tag_name }) => ({ value: String(tag_name), label: String(tag_name) }))
}
