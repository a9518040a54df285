import { normalDomain } from '../companies/domain.ts'

/** Hosts where many companies have a page, so that an address there is not a company's domain. */
const shared =
  /(^|\.)(facebook|linkedin|instagram|xing|twitter|x|youtube|tiktok|wordpress|blogspot|wixsite|jimdosite|jimdofree|squarespace|weebly|github|medium|business|site|google|etsy|amazon|ebay)\.(com|io|de|net|site)$/

/** The domain of a company by its web address; undefined for a page on such a host. */
export function ownDomain(website: unknown): string | undefined {
  if (typeof website !== 'string' || website.length > 2048 || !website.trim()) return undefined
  const domain = normalDomain(website)
  return domain && !shared.test(domain) ? domain : undefined
}

/** A web address as people write it, with a scheme: `www.acme.de` gets https. */
export function withScheme(text: string): string {
  return /^[\w-]+(\.[\w-]+)+([/?#:].*)?$/.test(text) ? `https://${text}` : text
}
