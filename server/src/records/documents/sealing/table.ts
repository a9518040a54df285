import type { Node } from './html-tree.ts'
import { partOf, textIn } from './html-tree.ts'
import type { Layout, Line, Style } from './inline.ts'
import { box } from './inline.ts'
import { edge, ground, height, rule } from './paper.ts'

type Cell = { node: Node; column: number; columns: number; lines: Line[] }
type Row = { cells: Cell[]; isHead: boolean }

/** The distance between the border of a cell and its text, in points. */
const [beside, above] = [7, 5]
/** Columns of a table at most: others would be narrower than a letter. */
const mostColumns = 40

/** A table as lines, one a row; rows that are higher than a page, and those of a page's end, go on on the next. */
export function tableLines(layout: Layout, table: Node, wide: number, style: Style): Line[] {
  const rows = rowsOf(table)
  const count = Math.min(
    mostColumns,
    Math.max(1, ...rows.flatMap(({ cells }) => cells.map((cell) => cell.column + cell.columns))),
  )
  const widths = widthsOf(layout, rows, count, wide, style)
  const starts = widths.map((_, at) => widths.slice(0, at).reduce((sum, each) => sum + each, 0))
  const widthOf = ({ column, columns }: Cell) =>
    widths.slice(column, column + columns).reduce((sum, each) => sum + each, 0)
  const lines: Line[] = []
  let head: Line | undefined
  for (const [number, row] of rows.entries()) {
    const cells = row.cells.filter(({ column }) => column < count)
    const own: Style = row.isHead ? { ...style, hand: 'bold', size: style.size * 0.95 } : style
    for (const cell of cells) {
      const inner = [contentOf(cell.node)]
      cell.lines = layout.blocks(
        inner,
        Math.max(8, widthOf(cell) - 2 * beside),
        row.isHead || cell.node.name === 'th' ? { ...own, hand: 'bold' } : own,
      )
    }
    // a page has room for so much of a row
    const most = height - 2 * edge - 2 * above - 40
    const first = lines.length
    do {
      const parts = cells.map((cell) => ({ cell, lines: taken(cell.lines, most) }))
      const high =
        2 * above + Math.max(style.size * 1.45, ...parts.map(({ lines: its }) => sum(its)))
      lines.push({
        height: high,
        ...(row.isHead ? { keeps: 30 } : {}),
        draw(sheet, x, top) {
          for (const { cell, lines: its } of parts) {
            const left = x + (starts[cell.column] ?? 0)
            const frame = box(left, top - high, widthOf(cell), high)
            if (row.isHead || cell.node.name === 'th') sheet.operators.push(`${ground} ${frame} f`)
            sheet.operators.push(`${rule} 0.6 w ${frame} S`)
            let at = top - above
            for (const each of its) {
              each.draw(sheet, left + beside, at)
              at -= each.height
            }
          }
        },
      })
    } while (cells.some((cell) => cell.lines.length))
    if (number === 0 && row.isHead && lines.length === 1) head = lines[0]
    else if (head) for (const each of lines.slice(first)) each.head = head
  }
  return lines
}

/** Takes as many lines from the beginning as fit into a height, at least one. */
function taken(lines: Line[], most: number): Line[] {
  let high = 0
  let count = 0
  for (const each of lines) {
    if (count && high + each.height > most) break
    high += each.height
    count++
  }
  return lines.splice(0, count)
}

function sum(lines: Line[]): number {
  return lines.reduce((all, each) => all + each.height, 0)
}

/** What is in a cell as a block: a text alone is a paragraph, and paragraphs are aligned as their cell is. */
function contentOf(cell: Node): Node {
  const { children, attributes } = cell
  const hasBlocks = children.some(({ name }) =>
    /^(p|ul|ol|table|h\d|blockquote|pre|div|img)$/.test(name),
  )
  if (!hasBlocks) return { ...cell, name: 'p' }
  const aligned = children.map((each) =>
    each.name === 'p' && attributes.class && !each.attributes.class
      ? { ...each, attributes: { class: attributes.class } }
      : each,
  )
  return { ...cell, name: 'div', children: aligned }
}

function rowsOf(table: Node): Row[] {
  const rows: Row[] = []
  /** how many more rows a cell from above takes of a column */
  const spanned: number[] = []
  const walk = (nodes: Node[], isHead: boolean) => {
    for (const node of nodes) {
      if (node.name === 'tr') rows.push(rowOf(node, isHead, spanned))
      else if (/^(thead|tbody|tfoot)$/.test(node.name)) walk(node.children, node.name === 'thead')
    }
  }
  walk(table.children, false)
  return rows
}

function rowOf(node: Node, isHead: boolean, spanned: number[]): Row {
  const cells: Cell[] = []
  const found = node.children.filter(({ name }) => name === 'td' || name === 'th')
  let column = 0
  const skip = () => {
    while ((spanned[column] ?? 0) > 0) {
      spanned[column] = (spanned[column] ?? 0) - 1
      column++
    }
  }
  for (const cell of found) {
    skip()
    const columns = Math.min(mostColumns, Math.max(1, Number(cell.attributes.colspan) || 1))
    const rows = Math.min(1000, Math.max(1, Number(cell.attributes.rowspan) || 1))
    cells.push({ node: cell, column, columns, lines: [] })
    for (let at = column; at < column + columns; at++) spanned[at] = rows - 1
    column += columns
  }
  skip()
  const isAllHead = found.length > 0 && found.every(({ name }) => name === 'th')
  return { cells, isHead: isHead || isAllHead }
}

/** The widths of the columns: those that are stated, and the others by what is in them. */
function widthsOf(
  { letters }: Layout,
  rows: Row[],
  count: number,
  wide: number,
  { size }: Style,
): number[] {
  const stated: number[] = []
  const wanted = Array.from({ length: count }, () => 24)
  for (const { cells } of rows.slice(0, 200)) {
    for (const { node, column, columns } of cells) {
      if (columns !== 1 || column >= count) continue
      const part = partOf(node)
      if (part) stated[column] ??= part * wide
      const text = textIn([node]).slice(0, 80)
      const its = Math.min(220, letters.width(text, 'bold', size) + 2 * beside)
      wanted[column] = Math.max(wanted[column] ?? 0, its)
    }
  }
  const fixedWidth = stated.reduce((all, each) => all + (each ?? 0), 0)
  const free = wanted.filter((_, at) => stated[at] === undefined)
  const room = Math.max(wide * 0.1, wide - fixedWidth)
  const all = free.reduce((together, each) => together + each, 0) || 1
  const widths = wanted.map((each, at) => stated[at] ?? (each / all) * room)
  const total = widths.reduce((together, each) => together + each, 0) || 1
  return widths.map((each) => (each / total) * wide)
}
