import type { ComponentType } from 'react'
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { queryClient } from '../data/query-client.ts'
import { useStateFor } from '../ui/use-state-for.ts'

/**
 * A component whose code is loaded once the page stands, or when it is first used: what is not needed at
 * first must not delay the page, but be there when it is used. Something that has been opened is
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
  // a failure is shown where the component is shown
  if (when === 'soon') whenStanding(() => void once().catch(() => (loading = undefined)))
  const Lazy = lazy(once)
  // a part of a page that is just opened gives way to its rows
  const Part = when === 'soon' ? lazy(() => new Promise<void>(afterFirst).then(once)) : Lazy
  return function Later(props: P) {
    // React delays what it had to wait for, even briefly, by at least 300 ms: letters typed until then
    // would be lost. An instance that began with one of the two stays with it, or its state would be lost.
    const { onClose, onCancel } = props as { onClose?: () => void; onCancel?: () => void }
    const close = onClose ?? onCancel
    const [Shown] = useState(() => loaded ?? (close ? Lazy : Part))
    return (
      <Suspense fallback={close ? <Pending onClose={close} /> : <span hidden data-loading />}>
        <Shown {...props} />
      </Suspense>
    )
  }
}

type Declaration<P> = () => Promise<{ default: ComponentType<P> }>
/** Of each declaration one component, otherwise it would be loaded again each time. */
const declared = new WeakMap<object, unknown>()

function partOf<P extends object>(load: Declaration<P>): ComponentType<P> {
  const part = (declared.get(load) as ComponentType<P> | undefined) ?? later(load, 'shown')
  declared.set(load, part)
  return part
}

/** The component of a declaration, which is loaded when it is shown. */
export function Declared<P extends object>({ load, props }: { load: Declaration<P>; props: P }) {
  // an instance keeps its component while another is loaded, or its state would be lost
  const [Part] = useStateFor(partOf(load), load)
  return <Part {...props} />
}

/** Calls when the browser is idle, or after 2 s: some find a page never idle, though nothing runs in it. */
function wait(run: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(run, { timeout: 2000 })
  else setTimeout(run)
}

/** Calls once the page has nothing to do and waits for no answer, which what is loaded then would delay. */
function whenStanding(run: () => void): void {
  wait(() => {
    if (!queryClient.isFetching()) return run()
    const stop = queryClient.getQueryCache().subscribe(() => {
      if (queryClient.isFetching()) return
      stop()
      whenStanding(run)
    })
  })
}

let hasStood = false

/** Calls once the first page has stood. */
function afterFirst(run: () => void): void {
  if (hasStood) return run()
  whenStanding(() => {
    hasStood = true
    run()
  })
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
