import type { ComponentType } from 'react'
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'

/**
 * A component whose code is loaded a moment after the page is shown, or when it is first used: what is not
 * needed at first must not delay the page, but be there when it is used. Something that has been opened is
 * closed by Escape (`onClose`, `onCancel`) even before its code has loaded. `when` says that its code is loaded only
 * when it is shown, because most visits do not show it.
 */
export function later<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  when: 'soon' | 'shown' = 'soon',
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
  if (when === 'soon') wait(() => void once().catch(() => (loading = undefined)))
  const Lazy = lazy(once)
  return function Later(props: P) {
    // React delays what it had to wait for, even briefly, by at least 300 ms: letters typed until then
    // would be lost. An instance that began with one of the two stays with it, or its state would be lost.
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
  const escape = useEffectEvent(onClose)
  useEffect(() => {
    const close = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing) return
      event.preventDefault()
      event.stopPropagation()
      escape()
    }
    addEventListener('keydown', close, { capture: true })
    return () => removeEventListener('keydown', close, { capture: true })
  }, [])
  return null
}
