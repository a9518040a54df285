import type { ComponentType } from 'react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'

/**
 * A component whose code comes a moment after the page stands, or when it is first shown: what is not
 * needed for the first look must not delay it, and must be there when it is wanted. What has been opened is
 * closed by Escape (`onClose`, `onCancel`) before its code has come, too.
 */
export function later<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
): ComponentType<P> {
  let loading: Promise<{ default: ComponentType<P> }> | undefined
  let loaded: ComponentType<P> | undefined
  const once = () =>
    (loading ??= load().then((found) => {
      loaded = found.default
      return found
    }))
  const wait = 'requestIdleCallback' in window ? requestIdleCallback : setTimeout
  // a failure is shown where the component is shown
  wait(() => void once().catch(() => (loading = undefined)))
  const Lazy = lazy(once)
  return function Later(props: P) {
    // React shows what it had to wait for, even an instant, 300 ms later at the earliest: letters typed until then
    // would be lost. One that has begun with either stays with it, or its state would be gone.
    const [Shown] = useState(() => loaded ?? Lazy)
    const { onClose, onCancel } = props as { onClose?: () => void; onCancel?: () => void }
    const close = onClose ?? onCancel
    return (
      <Suspense fallback={close ? <Pending onClose={close} /> : <span hidden data-loading />}>
        <Shown {...props} />
      </Suspense>
    )
  }
}

function Pending({ onClose }: { onClose: () => void }) {
  const latest = useRef(onClose)
  latest.current = onClose
  useEffect(() => {
    const close = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing) return
      event.preventDefault()
      event.stopPropagation()
      latest.current()
    }
    addEventListener('keydown', close, { capture: true })
    return () => removeEventListener('keydown', close, { capture: true })
  }, [])
  return null
}
