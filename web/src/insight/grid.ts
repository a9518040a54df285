/** Cells of a grid of twelve columns. */
export type Cells = { x: number; y: number; w: number; h: number }

type Placed = { position: { x?: number; y?: number; w?: number; h?: number } }
type Named = Placed & { widget_id: string }

/** How many columns a dashboard has. */
export const columns = 12

/** The least and the most cells of a widget. */
const least = { w: 2, h: 2 }
const tallest = 12

/**
 * Where widgets stand: as stored, moved up as far as there is room, so that none lies upon another and no row is
 * empty. A widget without a place comes after the others.
 */
export function layOut<W extends Placed>(widgets: W[]): { widget: W; cells: Cells }[] {
  const far = Number.MAX_SAFE_INTEGER
  const ordered = widgets
    .map((widget, at) => ({ widget, at, y: widget.position.y ?? far, x: widget.position.x ?? 0 }))
    .toSorted((a, b) => a.y - b.y || a.x - b.x || a.at - b.at)
  return packed(ordered.map(({ widget }) => widget))
}

/** Widgets one after the other, each as far up as there is room in its columns. */
function packed<W extends Placed>(widgets: W[]): { widget: W; cells: Cells }[] {
  const bottoms = Array.from({ length: columns }, () => 0)
  return widgets.map((widget) => {
    const w = within(widget.position.w ?? 6, 1, columns)
    const h = within(widget.position.h ?? 4, 1, tallest)
    const wanted = widget.position.x
    const x = within(wanted ?? lowest(bottoms, w), 0, columns - w)
    const y = Math.max(...bottoms.slice(x, x + w))
    bottoms.fill(y + h, x, x + w)
    return { widget, cells: { x, y, w, h } }
  })
}

/** Widgets with the places at which they stand, in their order. */
export function settled<W extends Placed>(widgets: W[]): W[] {
  return withCells(widgets, layOut(widgets))
}

function withCells<W extends Placed>(widgets: W[], placed: { widget: W; cells: Cells }[]): W[] {
  const cellsOf = new Map(placed.map(({ widget, cells }) => [widget, cells]))
  return widgets.map((widget) => {
    const cells = cellsOf.get(widget)
    return cells ? { ...widget, position: cells } : widget
  })
}

/**
 * Widgets after one was put to other cells, in the order that they have. It comes before what it was moved up over the
 * middle of, and after what it was moved down over the middle of; the others make room.
 */
export function placed<W extends Named>(widgets: W[], id: string, to: Cells): W[] {
  const all = layOut(widgets)
  const found = all.find(({ widget }) => widget.widget_id === id)
  if (!found) return widgets
  const w = within(to.w, least.w, columns)
  const h = within(to.h, least.h, tallest)
  const cells = { x: within(to.x, 0, columns - w), y: Math.max(0, Math.round(to.y)), w, h }
  const isDown = cells.y > found.cells.y
  const edge = isDown ? cells.y + found.cells.h : cells.y
  const others = all.filter((each) => each !== found)
  const isAfter = (other: Cells) =>
    cells.y === found.cells.y
      ? other.y > cells.y || (other.y === cells.y && other.x >= cells.x)
      : other.y + other.h / 2 > edge
  const at = others.findIndex((each) => isAfter(each.cells))
  const order = others.map(({ widget, cells: own }) => ({ ...widget, position: own, was: widget }))
  const moved = { ...found.widget, position: cells, was: found.widget }
  order.splice(at < 0 ? others.length : at, 0, moved)
  return withCells(
    widgets,
    packed(order).map((each) => ({ widget: each.widget.was as W, cells: each.cells })),
  )
}

/** A step of a widget by keys: as many rows up or down as it takes until something changes. */
export function stepped<W extends Named>(widgets: W[], id: string, by: Partial<Cells>): W[] {
  const cells = layOut(widgets).find(({ widget }) => widget.widget_id === id)?.cells
  if (!cells) return widgets
  const before = placesOf(widgets)
  for (let times = 1; times <= 2 * tallest; times++) {
    const next = placed(widgets, id, {
      x: cells.x + (by.x ?? 0),
      y: cells.y + (by.y ?? 0) * times,
      w: cells.w + (by.w ?? 0),
      h: cells.h + (by.h ?? 0),
    })
    if (placesOf(next) !== before) return next
    if (!by.y) break
  }
  return widgets
}

function placesOf(widgets: Named[]): string {
  return JSON.stringify(settled(widgets).map(({ widget_id, position }) => [widget_id, position]))
}

/** Widgets with another one below all others. */
export function added<W extends Placed>(widgets: W[], widget: W): W[] {
  const all = layOut(widgets)
  const end = all.reduce((bottom, { cells }) => Math.max(bottom, cells.y + cells.h), 0)
  const { w = 6, h = 4 } = widget.position
  const bottoms = Array.from({ length: columns }, (_, column) =>
    all.reduce(
      (bottom, { cells: { x, y, w: wide, h: high } }) =>
        column >= x && column < x + wide ? Math.max(bottom, y + high) : bottom,
      0,
    ),
  )
  return [...settled(widgets), { ...widget, position: { x: lowest(bottoms, w), y: end, w, h } }]
}

/**
 * What I made of widgets that somebody else has changed, too: each widget that I have not touched is theirs, and one that
 * both have changed is mine. `both` are the ids of those.
 */
export function merged<W extends Named>(
  base: W[],
  mine: W[],
  theirs: W[],
): { widgets: W[]; both: string[] } {
  const text = (widget: W | undefined) => JSON.stringify(widget ?? null)
  const of = (list: W[]) => new Map(list.map((widget) => [widget.widget_id, widget]))
  const [was, own, other] = [of(base), of(mine), of(theirs)]
  const ids = [...new Set([...theirs, ...mine].map(({ widget_id }) => widget_id))]
  const both: string[] = []
  const widgets = ids.flatMap((id) => {
    const isMine = text(own.get(id)) !== text(was.get(id))
    const isTheirs = text(other.get(id)) !== text(was.get(id))
    if (isMine && isTheirs && text(own.get(id)) !== text(other.get(id))) both.push(id)
    return (isMine ? own.get(id) : other.get(id)) ?? []
  })
  return { widgets: settled(widgets), both }
}

/** The first column from which so many have the most room. */
function lowest(bottoms: number[], w: number): number {
  const heights = bottoms
    .slice(0, columns - w + 1)
    .map((_, at) => Math.max(...bottoms.slice(at, at + w)))
  return heights.indexOf(Math.min(...heights))
}

function within(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, Math.round(value)))
}
