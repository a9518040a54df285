import { normalDomain } from '../../companies/domain.ts'

/** Hosts at which many have a page: an address there is nobody's own domain. */
const shared =
  /(^|\.)(facebook|linkedin|instagram|xing|twitter|x|youtube|tiktok|wordpress|blogspot|wixsite|jimdosite|jimdofree|squarespace|weebly|github|medium|business|site|google|etsy|amazon|ebay)\.(com|io|de|net|site)$/

/** The domain of a company by its web address; undefined for a page at a site of others. */
export function ownDomain(website: unknown): string | undefined {
  if (typeof website !== 'string' || website.length > 2048 || !website.trim()) return undefined
  const domain = normalDomain(website)
  return domain && !shared.test(domain) ? domain : undefined
}

/** A web address as people write it, with the scheme that it needs: `www.acme.de` is one of https. */
export function withScheme(text: string): string {
  return /^[\w-]+(\.[\w-]+)+([/?#:].*)?$/.test(text) ? `https://${text}` : text
}
