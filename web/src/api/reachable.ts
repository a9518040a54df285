/** Whether the service can be reached. */
export function isReachable(): Promise<boolean> {
  return fetch('/livez', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )
}
