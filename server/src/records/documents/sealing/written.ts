import type { PDF } from '@libpdf/core'
import { PdfDict } from '@libpdf/core'
import { fixed } from './glyph-fonts.ts'
import type { Node } from './html-tree.ts'
import { hasClass, partOf, textIn, treeOf } from './html-tree.ts'
import type { Layout, Line, Picture, Style } from './inline.ts'
import { box, textLines } from './inline.ts'
import type { Letters } from './letters.ts'
import { orientationOf } from './orientation.ts'
import type { Paper, Sheet } from './paper.ts'
import { edge, ground, height, ink, quiet, rule, sheetWithRoom, width } from './paper.ts'
import { tableLines } from './table.ts'

/** The pictures of a text by their addresses. */
export type Pictures = { [address: string]: Uint8Array }

/** A document's own text: its name, safe HTML, and the pictures in it. */
export type Text = { title: string; html: string; pictures: Pictures }

const text: Style = { hand: 'plain', size: 10.5, color: ink }
const headings: { [name: string]: { size: number; before: number } } = {
  h1: { size: 18, before: 20 },
  h2: { size: 14, before: 18 },
  h3: { size: 12, before: 14 },
  h4: { size: 10.5, before: 12 },
  h5: { size: 10.5, before: 10 },
  h6: { size: 10.5, before: 10 },
}
/** Elements that stand in lines; all others are blocks. */
const inline = new Set(
  '|a|abbr|b|bdi|bdo|br|cite|code|data|del|dfn|em|i|ins|kbd|mark|q|s|samp|small|span|strong|sub|sup|time|u|var|wbr'.split(
    '|',
  ),
)

/**
 * Writes a document's own text as pages: headings, lists, tables, quotes, pictures, page breaks and places for
 * signatures, with the number of each page. Its name stands above, unless the text begins with it. Returns the
 * pictures, by the names that the pages use.
 */
export function writeText(paper: Paper, pdf: PDF, { title, html, pictures }: Text): PdfDict {
  const images = new PdfDict()
  const layout = layoutOf(paper.letters, pdf, images, pictures)
  const tree = treeOf(html)
  const first = tree.find(({ name, text: its }) => name || its.trim())
  const isNamed = first?.name === 'h1' && textIn([first]).trim() === title.trim()
  const above = isNamed ? [] : blockLines(layout, [heading(title)], width - 2 * edge)
  flow(paper, [...above, ...blockLines(layout, tree, width - 2 * edge)])
  const { letters, sheets } = paper
  for (const [at, { operators }] of sheets.entries()) {
    const number = `${at + 1} / ${sheets.length}`
    const x = (width - letters.width(number, 'plain', 8)) / 2
    operators.push(quiet, letters.draw(number, 'plain', { x, y: 30, size: 8 }))
  }
  return images
}

function heading(title: string): Node {
  const inner = { name: '', text: title, attributes: {}, children: [] }
  return { name: 'h1', text: '', attributes: {}, children: [inner] }
}

/** Puts lines below one another, on as many pages as they need. */
function flow(paper: Paper, lines: Line[]) {
  let isNew = false
  // a text without anything is a page, too
  sheetWithRoom(paper, 0)
  for (const each of lines) {
    if (each.breaks) {
      isNew = true
      continue
    }
    if (isNew) paper.sheet = undefined
    const before = paper.sheet
    const top = paper.y === height - edge
    if (each.isGap) {
      if (before && !top) paper.y -= each.height
      continue
    }
    isNew = false
    const sheet = sheetWithRoom(
      paper,
      Math.min(each.height + (each.keeps ?? 0), height - 2 * edge - 1),
    )
    if (each.head && sheet !== before && before) {
      each.head.draw(sheet, edge, paper.y)
      paper.y -= each.head.height
    }
    each.draw(sheet, edge, paper.y)
    paper.y -= each.height
  }
}

const gap = (points: number): Line => ({ height: points, isGap: true, draw: () => {} })

/** Blocks below one another, in a width; text between blocks is one of its own. */
function blockLines(layout: Layout, nodes: Node[], wide: number, style = text): Line[] {
  const lines: Line[] = []
  let loose: Node[] = []
  const add = (more: Line[], before: number) => {
    if (!more.length) return
    if (lines.length) lines.push(gap(before))
    lines.push(...more)
  }
  const close = () => {
    if (loose.some(({ name, text: its }) => name || its.trim())) {
      add(textLines(layout.letters, loose, { style, width: wide }), 6)
    }
    loose = []
  }
  for (const node of nodes) {
    if (inline.has(node.name)) {
      loose.push(node)
      continue
    }
    close()
    const before = headings[node.name]?.before ?? (node.name === 'li' ? 3 : 7)
    add(linesOf(layout, node, wide, style), before)
  }
  close()
  return lines
}

function linesOf(layout: Layout, node: Node, wide: number, style: Style): Line[] {
  const { letters } = layout
  const { name, children } = node
  const align = hasClass(node, 'align-right')
    ? 'right'
    : hasClass(node, 'align-center')
      ? 'center'
      : 'start'
  const head = headings[name]
  if (head) {
    const own: Style = { ...style, hand: 'bold', size: head.size }
    const lines = textLines(letters, children, { style: own, width: wide, align })
    return lines.map((each) => ({ ...each, keeps: 46 }))
  }
  switch (name) {
    case 'p': {
      // pictures may stand in paragraphs
      if (children.some((each) => !inline.has(each.name)))
        return blockLines(layout, children, wide, style)
      const lines = textLines(letters, children, { style, width: wide, align })
      return lines.length ? lines : [{ height: style.size * 1.45, draw: () => {} }]
    }
    case 'ul':
    case 'ol':
      return listLines(layout, node, wide, style)
    case 'blockquote': {
      const lines = blockLines(layout, children, wide - 16, { ...style, color: quiet })
      return lines.map((each) =>
        beside(each, 16, ({ operators }, x, top) => {
          operators.push(
            `${rule} 2 w ${fixed(x + 3)} ${fixed(top)} m ${fixed(x + 3)} ${fixed(top - each.height)} l S`,
          )
        }),
      )
    }
    case 'pre': {
      const own: Style = { ...style, hand: 'code', size: 9 }
      const lines = textLines(letters, children, {
        style: own,
        width: wide - 16,
        keepsSpaces: true,
      })
      return lines.map((each) =>
        beside(each, 8, ({ operators }, x, top) => {
          operators.push(`${ground} ${box(x, top - each.height - 2, wide, each.height + 0.5)} f`)
        }),
      )
    }
    case 'hr':
      if (hasClass(node, 'page-break')) return [{ height: 0, breaks: true, draw: () => {} }]
      return [
        {
          height: 12,
          draw({ operators }, x, top) {
            operators.push(
              `${rule} 0.7 w ${fixed(x)} ${fixed(top - 6)} m ${fixed(x + wide)} ${fixed(top - 6)} l S`,
            )
          },
        },
      ]
    case 'table':
      return tableLines(layout, node, wide, style)
    case 'img':
      return pictureLines(layout, node, wide, style)
    case 'dd':
      return blockLines(layout, children, wide - 18, style).map((each) => beside(each, 18))
    default:
      return blockLines(layout, children, wide, style)
  }
}

/** A line with something before it. */
function beside(
  inner: Line,
  indent: number,
  also?: (sheet: Sheet, x: number, top: number) => void,
): Line {
  return {
    ...inner,
    isGap: inner.isGap === true && !also,
    draw(sheet, x, top) {
      also?.(sheet, x, top)
      inner.draw(sheet, x + indent, top)
    },
  }
}

function listLines(layout: Layout, list: Node, wide: number, style: Style): Line[] {
  const isTask = hasClass(list, 'task')
  const items = list.children.filter(({ name }) => name === 'li')
  const start = Number(list.attributes.start) || 1
  const indent = list.name === 'ol' && items.length + start > 100 ? 28 : 20
  const lines: Line[] = []
  for (const [at, item] of items.entries()) {
    if (at) lines.push(gap(3))
    const inner = blockLines(layout, item.children, wide - indent, style)
    const shown = inner.length ? inner : [{ height: style.size * 1.45, draw: () => {} }]
    const isDone = hasClass(item, 'done')
    lines.push(
      ...shown.map((each, n) =>
        beside(
          each,
          indent,
          n > 0
            ? undefined
            : ({ operators }, x, top) => {
                const y = top - style.size * 1.1
                if (isTask) operators.push(tickBox(x + 2, y - 1, isDone))
                else if (list.name === 'ul') operators.push(`${ink} ${box(x + 7, y + 2.4, 3, 3)} f`)
                else {
                  const number = `${start + at}.`
                  const left = x + indent - 5 - layout.letters.width(number, 'plain', style.size)
                  operators.push(
                    style.color,
                    layout.letters.draw(number, 'plain', { x: left, y, size: style.size }),
                  )
                }
              },
        ),
      ),
    )
  }
  return lines
}

/** A box to tick, as operators. */
function tickBox(x: number, y: number, isDone: boolean): string {
  const frame = `${ink} 0.8 w ${box(x, y, 9, 9)} S`
  if (!isDone) return frame
  return `${frame} 1.2 w ${fixed(x + 2)} ${fixed(y + 4.5)} m ${fixed(x + 4)} ${fixed(y + 2.2)} l ${fixed(x + 7.4)} ${fixed(y + 7)} l S`
}

function pictureLines(layout: Layout, node: Node, wide: number, style: Style): Line[] {
  const { src = '', alt = '' } = node.attributes
  const picture = layout.picture(src)
  if (!picture) {
    const inner = { name: '', text: `[${alt || 'Picture'}]`, attributes: {}, children: [] }
    return textLines(layout.letters, [inner], { style: { ...style, color: quiet }, width: wide })
  }
  // as large as it is at 96 dots an inch, unless a part of the width is stated
  const part = partOf(node)
  const most = part ? wide * part : Math.min(wide, picture.width * 0.75)
  const scale = Math.min(most / picture.width, (height - 2 * edge - 8) / picture.height)
  const high = picture.height * scale
  return [
    {
      height: high + 4,
      draw: (sheet, x, top) => picture.draw(sheet, x, top - high - 2, picture.width * scale),
    },
  ]
}

function layoutOf(letters: Letters, pdf: PDF, images: PdfDict, pictures: Pictures): Layout {
  const known = new Map<string, Picture | undefined>()
  const layout: Layout = {
    letters,
    blocks: (nodes, wide, style) => blockLines(layout, nodes, wide, style),
    picture(address) {
      if (!known.has(address)) {
        const bytes = Object.hasOwn(pictures, address) ? pictures[address] : undefined
        known.set(address, bytes && embedded(pdf, images, `Im${known.size}`, bytes))
      }
      return known.get(address)
    },
  }
  return layout
}

/** A picture as it stands upright. Undefined if it cannot be read. */
function embedded(pdf: PDF, images: PdfDict, name: string, bytes: Uint8Array): Picture | undefined {
  try {
    const image = pdf.embedImage(bytes)
    images.set(name, image.ref)
    const { matrix, isTurned } = orientationOf(bytes)
    const [wide, high] = isTurned ? [image.height, image.width] : [image.width, image.height]
    return {
      width: wide,
      height: high,
      draw({ operators }, x, y, to) {
        const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = matrix
        const [w, h] = [to, (high * to) / wide]
        const placed = [a * w, b * h, c * w, d * h, e * w + x, f * h + y].map(fixed)
        operators.push(`q ${placed.join(' ')} cm /${name} Do Q`)
      },
    }
  } catch {
    return undefined
  }
}
