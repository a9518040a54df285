import { useState } from 'react'

/** A state that begins anew, with `initial`, whenever `key` is another; by default it follows `initial` itself. */
export function useStateFor<T>(initial: T, key: unknown = initial): [T, (value: T) => void] {
  const [state, setState] = useState({ key, value: initial })
  const isCurrent = Object.is(state.key, key)
  // during rendering, so that the value of before is never shown
  if (!isCurrent) setState({ key, value: initial })
  return [isCurrent ? state.value : initial, (value) => setState({ key, value })]
}
