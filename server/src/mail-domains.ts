import { Resolver } from 'node:dns/promises'
import { LRUCache } from 'lru-cache'
import type { Log } from './kit/ground/context.ts'
import { unavailable } from './kit/ground/errors.ts'
import type { MailDomains } from './kit/ground/services.ts'
import { domainRecord } from './records/organizations/openid.ts'

/** The texts of the TXT records of a name, each in its parts; rejects with `ENOTFOUND` or `ENODATA` if it has none. */
export type ResolveTxt = (name: string) => Promise<string[][]>

/** How long an answer is used again, in milliseconds: a record that was just published is soon found. */
const fresh = 30_000

/** Organizations to which mail domains say that they belong, in their TXT records. */
export function mailDomains(log: Log, resolve: ResolveTxt = overNetwork()): MailDomains {
  const known = new LRUCache<string, Promise<string[]>>({ max: 10_000, ttl: fresh })

  async function textsOf(domain: string): Promise<string[]> {
    try {
      return (await resolve(`_perennial.${domain}`)).map((parts) => parts.join(''))
    } catch (err) {
      const { code } = err as NodeJS.ErrnoException
      if (code === 'ENOTFOUND' || code === 'ENODATA') return []
      log.warn({ err, domain }, 'the record of a mail domain cannot be read')
      throw unavailable('The records of the mail domain cannot be read now', 5)
    }
  }

  return {
    async names(domain, organization_id) {
      const texts = known.get(domain) ?? textsOf(domain)
      known.set(domain, texts, { noUpdateTTL: true })
      texts.catch(() => known.delete(domain))
      return (await texts).includes(domainRecord(organization_id))
    },
  }
}

function overNetwork(): ResolveTxt {
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  return (name) => resolver.resolveTxt(name)
}
