import { LRUCache } from 'lru-cache'

type Entries = Map<string, Promise<unknown>>

/**
 * What is cached per organization: actors, roles, field definitions. Everything of an organization is
 * evicted when anything of it changes, but for a session that is merely refreshed; every process is notified of that by NOTIFY, and while
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
    // a load that began before a change lands in the map that the change threw away
    const loading = load()
    entries.set(name, loading)
    loading.catch(() => entries.delete(name))
    return loading
  }

  evict(organization: string) {
    this.entries.delete(organization)
  }

  /** Evicts one thing of an organization: a load of it that began before does not come back. */
  evictOne(organization: string, name: string) {
    this.entries.get(organization)?.delete(name)
  }

  clear() {
    this.entries.clear()
  }
}
