import { LRUCache } from 'lru-cache'

type Entries = Map<string, Promise<unknown>>

/**
 * What is remembered per organization: actors, roles, field definitions. Everything of an
 * organization is forgotten when anything of it changes; every process hears of that by NOTIFY,
 * and while none can be heard nothing is remembered at all.
 */
export class OrganizationCache {
  entries = new LRUCache<string, Entries>({ max: 5000 })
  isTrusted: () => boolean

  constructor(isTrusted: () => boolean) {
    this.isTrusted = isTrusted
  }

  get<T>(organization: string, name: string, load: () => Promise<T>): Promise<T> {
    if (!this.isTrusted()) return load()
    let entries = this.entries.get(organization)
    if (!entries || entries.size > 10_000) this.entries.set(organization, (entries = new Map()))
    const known = entries.get(name) as Promise<T> | undefined
    if (known) return known
    // a load that began before a change lands in the map that the change threw away
    const loading = load()
    entries.set(name, loading)
    loading.catch(() => entries.delete(name))
    return loading
  }

  forget(organization: string) {
    this.entries.delete(organization)
  }

  clear() {
    this.entries.clear()
  }
}
