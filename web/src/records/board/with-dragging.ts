/** What makes boards, lanes and cards take part in dragging: as large as the board itself, so it comes after it. */
type Dragging = typeof import('./dragging.ts')

/** Attaches dragging once its code has come; returns what detaches it. Until then a card's menu and keys move it. */
export function withDragging(attach: (dragging: Dragging) => () => void): () => void {
  let isOver = false
  let detach: (() => void) | undefined
  import('./dragging.ts').then(
    (dragging) => {
      if (!isOver) detach = attach(dragging)
    },
    // the code could not be read, as without a network: cards still move by menu and keys
    () => {},
  )
  return () => {
    isOver = true
    detach?.()
  }
}
