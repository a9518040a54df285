/** Cells of a grid of twelve columns. */
export type Cells = { x: number; y: number; w: number; h: number }

type Placed = { position: { x?: number; y?: number; w?: number; h?: number } }

/** How many columns a dashboard has. */
export const columns = 12

/**
 * Where widgets stand: as stored, moved up as far as there is room, so that none lies upon another and no row is
 * empty. A widget without a place comes after the others.
 */
export function layOut<W extends Placed>(widgets: W[]): { widget: W; cells: Cells }[] {
  const bottoms = Array.from({ length: columns }, () => 0)
  const far = Number.MAX_SAFE_INTEGER
  return widgets
    .map((widget, at) => ({ widget, at, y: widget.position.y ?? far, x: widget.position.x ?? 0 }))
    .toSorted((a, b) => a.y - b.y || a.x - b.x || a.at - b.at)
    .map(({ widget }) => {
      const w = within(widget.position.w ?? 6, 1, columns)
      const h = within(widget.position.h ?? 4, 1, 12)
      const wanted = widget.position.x
      const x = within(wanted ?? lowest(bottoms, w), 0, columns - w)
      const y = Math.max(...bottoms.slice(x, x + w))
      bottoms.fill(y + h, x, x + w)
      return { widget, cells: { x, y, w, h } }
    })
}

/** The first column from which so many have the most room. */
function lowest(bottoms: number[], w: number): number {
  const heights = bottoms
    .slice(0, columns - w + 1)
    .map((_, at) => Math.max(...bottoms.slice(at, at + w)))
  return heights.indexOf(Math.min(...heights))
}

function within(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, Math.round(value)))
}
