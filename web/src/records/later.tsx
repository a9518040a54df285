import type { ComponentType } from 'react'
import { lazy, Suspense } from 'react'

/**
 * A component whose code comes a moment after the page stands, or when it is first shown: what is not
 * needed for the first look must not delay it, and must be there when it is wanted.
 */
export function later<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
): ComponentType<P> {
  let loading: Promise<{ default: ComponentType<P> }> | undefined
  const once = () => (loading ??= load())
  const wait = 'requestIdleCallback' in window ? requestIdleCallback : setTimeout
  // a failure is shown where the component is shown
  wait(() => void once().catch(() => (loading = undefined)))
  const Loaded = lazy(once)
  return function Later(props: P) {
    return (
      <Suspense>
        <Loaded {...props} />
      </Suspense>
    )
  }
}
