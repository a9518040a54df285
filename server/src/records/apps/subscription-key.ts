import { createHash } from 'node:crypto'

/** The hash by which the same subscription of an app and a user is recognised. */
export function subscriptionKey(of: {
  app_id: string
  user_id?: string | null
  url: string
  events: string[]
  project_id: string | null
  conditions?: unknown[] | null
  fields?: string[] | null
}): Buffer {
  const { app_id, user_id, url, events, project_id, conditions = null, fields = null } = of
  const same = [app_id, user_id, new URL(url).href, events.toSorted(), project_id]
  if (conditions || fields) same.push(JSON.stringify([conditions, fields?.toSorted() ?? null]))
  return createHash('sha256').update(JSON.stringify(same)).digest()
}
