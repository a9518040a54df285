import { LRUCache } from 'lru-cache'

type Entries = Map<string, Promise<unknown>>

/**
 * The cache per organization: actors, roles, field definitions. All entries of an organization are
 * evicted when any of the data changes, except if a session is only refreshed; every process is notified by NOTIFY, and while
 * notifications cannot be received nothing is cached at all.
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
    // a load that began before a change stores its result in the map that the change discarded
    const loading = load()
    entries.set(name, loading)
    loading.catch(() => entries.delete(name))
    return loading
  }

  evict(organization: string) {
    this.entries.delete(organization)
  }

  /** Evicts one entry of an organization, also if it is currently being loaded. */
  evictOne(organization: string, name: string) {
    this.entries.get(organization)?.delete(name)
  }

  clear() {
    this.entries.clear()
  }
}
