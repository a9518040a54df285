/** Whether callers reach the service over TLS, so that cookies may be restricted to TLS. */
export function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith('https:')
}

/** A cookie's name with the prefix that makes browsers refuse it from a sibling host or over plain http. */
export function cookieName(publicUrl: string, name: string): string {
  return isSecure(publicUrl) ? `__Host-${name}` : name
}
