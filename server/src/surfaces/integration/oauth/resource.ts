import type { Config } from '../../../config.ts'
import type { AppAudience } from './grants.ts'
import { IdentityFailure } from './errors.ts'

/**
 * The surface that a `resource` parameter names (RFC 8707): the address of MCP, or that of the service
 * or of its automation routes. Without one it is `usual`. 400 `invalid_target` for any other address.
 */
export function audienceOf(
  { publicUrl, automationSegment }: Pick<Config, 'publicUrl' | 'automationSegment'>,
  resource: string | undefined,
  usual: AppAudience = 'integration',
): AppAudience {
  if (resource === undefined) return usual
  const named = canonical(resource)
  if (named === canonical(`${publicUrl}/mcp`)) return 'mcp'
  const others = [publicUrl, `${publicUrl}/${automationSegment}`].map(canonical)
  if (named !== undefined && others.includes(named)) return 'integration'
  throw invalidTarget(`resource must be ${publicUrl}/mcp or ${publicUrl}`)
}

/** 400: tokens are not issued for this resource. */
export function invalidTarget(message: string): IdentityFailure {
  return new IdentityFailure(400, 'invalid_target', message)
}

/** The address with its host in lower case and without a trailing slash; undefined for any other text. */
function canonical(address: string): string | undefined {
  if (!URL.canParse(address) || address.includes('#')) return undefined
  return new URL(address).href.replace(/\/+$/, '')
}
