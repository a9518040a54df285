import type { dragging } from './dragging.ts'

type Dragging = typeof dragging

/**
 * Attaches dragging once its code has loaded, which is as large as the board itself; returns a function that detaches it.
 * Until then a card's menu and keys move it.
 */
export function withDragging(attach: (dragging: Dragging) => () => void): () => void {
  let isOver = false
  let detach: (() => void) | undefined
  import('./dragging.ts').then(
    ({ dragging: loaded }) => {
      if (!isOver) detach = attach(loaded)
    },
    // the code could not be loaded, for example without a network: cards can still be moved by menu and keys
    () => {},
  )
  return () => {
    isOver = true
    detach?.()
  }
}
