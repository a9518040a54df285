/** Whether callers reach the service over TLS, so that cookies may be restricted to TLS. */
export function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith('https:')
}

/** The value of `Set-Cookie` for a cookie that only this service reads, valid for so many seconds; 0 removes it. */
export function ownCookie(
  publicUrl: string,
  name: string,
  { value, seconds }: { value: string; seconds: number },
): string {
  const secure = isSecure(publicUrl) ? '; Secure' : ''
  return `${cookieName(publicUrl, name)}=${value}; Max-Age=${seconds}; Path=/; HttpOnly${secure}; SameSite=Lax`
}

/** A cookie's name with the prefix that makes browsers refuse it from a sibling host or over plain http. */
export function cookieName(publicUrl: string, name: string): string {
  return isSecure(publicUrl) ? `__Host-${name}` : name
}
