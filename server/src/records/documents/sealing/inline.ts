import type { Hand } from './fonts.ts'
import type { Node } from './html-tree.ts'
import { fixed } from './glyph-fonts.ts'
import type { Letters } from './letters.ts'
import type { Sheet } from './paper.ts'
import { accent, ground, ink, quiet } from './paper.ts'

/** A piece of a page as high as a line: text, a row of a table, a picture. Heights are in points. */
export type Line = {
  height: number
  /** how much of what follows has to be on the same page */
  keeps?: number
  /** only a distance, which is left out at the top of a page */
  isGap?: boolean
  /** the next one begins a page */
  breaks?: boolean
  /** what is repeated above it at the top of a page: the first row of its table */
  head?: Line
  draw(sheet: Sheet, x: number, top: number): void
}

export type Style = {
  hand: Hand
  size: number
  color: string
  isUnderlined?: boolean
  isStruck?: boolean
  isCode?: boolean
}

/** A part of a word in one style, or a place for a signature. */
type Fragment = { text: string; style: Style; width: number; place?: true }
/** What is not broken: fragments, and whether a space comes before them. */
type Word = { fragments: Fragment[]; isSpaced: boolean; width: number; ends?: true }

/** What a text is laid out with. */
export type Layout = {
  letters: Letters
  /** a picture by its address; undefined if it cannot be shown */
  picture(address: string): Picture | undefined
  /** blocks below one another, in a width */
  blocks(nodes: Node[], wide: number, style?: Style): Line[]
}
/** A picture as it stands upright, in pixels, and how it is drawn from its lower left corner in a width. */
export type Picture = {
  width: number
  height: number
  draw(sheet: Sheet, x: number, y: number, wide: number): void
}

type Align = 'start' | 'center' | 'right'

/** The size of a place for a signature, in points. */
const place = { width: 190, height: 52 }

/** The text of inline nodes, broken into lines of a width. */
export function textLines(
  letters: Letters,
  nodes: Node[],
  {
    style,
    width,
    align = 'start',
    keepsSpaces = false,
  }: {
    style: Style
    width: number
    align?: Align
    keepsSpaces?: boolean
  },
): Line[] {
  const words = wordsOf(letters, nodes, style, { width, keepsSpaces })
  const all = nodes.map(({ text, children }) => text || children.map((each) => each.text).join(''))
  const isRightToLeft = /^[^\p{L}]*[\p{Script=Hebrew}\p{Script=Arabic}]/u.test(all.join(''))
  const lines: Word[][] = []
  let line: Word[] = []
  let used = 0
  const spaceOf = (word: Word) =>
    word.isSpaced && line.length
      ? letters.width(
          ' ',
          word.fragments[0]?.style.hand ?? 'plain',
          word.fragments[0]?.style.size ?? style.size,
        )
      : 0
  for (const word of words) {
    const space = spaceOf(word)
    if (line.length && used + space + word.width > width + 0.01) {
      lines.push(line)
      line = []
      used = 0
    }
    used += (line.length ? space : 0) + word.width
    line.push(word)
    if (word.ends) {
      lines.push(line)
      line = []
      used = 0
    }
  }
  if (line.length) lines.push(line)
  return lines.map((each) => drawnLine(letters, each, { style, width, align, isRightToLeft }))
}

function drawnLine(
  letters: Letters,
  words: Word[],
  {
    style,
    width,
    align,
    isRightToLeft,
  }: {
    style: Style
    width: number
    align: Align
    isRightToLeft: boolean
  },
): Line {
  // neighbours of one style are drawn as one text, so that its direction is right
  const runs: (Fragment & { before?: number })[] = []
  for (const [at, { fragments, isSpaced }] of words.entries()) {
    for (const [n, fragment] of fragments.entries()) {
      const space = n === 0 && at > 0 && isSpaced ? ' ' : ''
      const last = runs.at(-1)
      if (last && !last.place && !fragment.place && last.style === fragment.style) {
        last.text += space + fragment.text
      } else {
        const { hand, size } = fragment.style
        runs.push({ ...fragment, before: space ? letters.width(space, hand, size) : 0 })
      }
    }
  }
  for (const run of runs) {
    if (!run.place) run.width = letters.width(run.text, run.style.hand, run.style.size)
  }
  if (isRightToLeft) runs.reverse()
  const wide = runs.reduce((sum, { width: its, before = 0 }) => sum + its + before, 0)
  const size = Math.max(style.size, ...runs.map((run) => run.style.size))
  const hasPlace = runs.some((run) => run.place)
  const height = hasPlace ? place.height + 14 : size * 1.45
  const room = Math.max(0, width - wide)
  const toRight = align === 'right' || (align === 'start' && isRightToLeft)
  const indent = align === 'center' ? room / 2 : toRight ? room : 0
  return {
    height,
    draw(sheet, x, top) {
      const { operators } = sheet
      const y = hasPlace ? top - place.height : top - size * 1.1
      let at = x + indent
      for (const run of runs) {
        at += run.before ?? 0
        if (run.place) drawPlace(letters, sheet, run.text, at, y)
        else drawRun(letters, operators, run, at, y)
        at += run.width
      }
    },
  }
}

function drawRun(letters: Letters, operators: string[], run: Fragment, x: number, y: number) {
  const { style, width, text } = run
  if (style.isCode && text.trim()) {
    operators.push(`${ground} ${box(x - 1, y - style.size * 0.25, width + 2, style.size * 1.25)} f`)
  }
  operators.push(style.color, letters.draw(text, style.hand, { x, y, size: style.size }))
  const rule = (height: number) =>
    operators.push(
      `${style.color.replaceAll('rg', 'RG')} 0.6 w ${fixed(x)} ${fixed(y + height)} m ${fixed(x + width)} ${fixed(y + height)} l S`,
    )
  if (style.isUnderlined) rule(-1.6)
  if (style.isStruck) rule(style.size * 0.28)
}

/** A line to sign on, with whose it is below. */
function drawPlace(letters: Letters, sheet: Sheet, whose: string, x: number, y: number) {
  const { operators } = sheet
  const [width, height] = [place.width - 10, place.height - 8]
  sheet.places = [...(sheet.places ?? []), { whose, x, y, width, height }]
  operators.push(`${ink} 0.7 w ${fixed(x)} ${fixed(y)} m ${fixed(x + width)} ${fixed(y)} l S`)
  operators.push(quiet, letters.draw(whose, 'plain', { x, y: y - 10, size: 8 }))
}

/** A rectangle as operators. */
export function box(x: number, y: number, width: number, height: number): string {
  return `${[x, y, width, height].map(fixed).join(' ')} re`
}

/** The words of inline nodes, those that are too long cut. */
function wordsOf(
  letters: Letters,
  nodes: Node[],
  style: Style,
  { width, keepsSpaces }: { width: number; keepsSpaces: boolean },
): Word[] {
  const words: Word[] = []
  let isSpaced = false
  let isOpen = false
  const add = (fragment: Fragment, cuts: boolean) => {
    const last = words.at(-1)
    if (isOpen && last && !cuts) {
      last.fragments.push(fragment)
      last.width += fragment.width
    } else words.push({ fragments: [fragment], isSpaced, width: fragment.width })
    isOpen = true
    isSpaced = false
  }
  const end = () => {
    const last = words.at(-1)
    if (last && !last.ends && isOpen) last.ends = true
    else
      words.push({
        fragments: [{ text: '', style, width: 0 }],
        isSpaced: false,
        width: 0,
        ends: true,
      })
    isOpen = false
    isSpaced = false
  }
  const write = (text: string, own: Style) => {
    for (const part of text.split(/(\n|\s+)/)) {
      if (!part) continue
      if (keepsSpaces && part.includes('\n')) {
        for (const _ of part.matchAll(/\n/g)) end()
      } else if (/^[^\S\u00a0]+$/.test(part)) {
        if (keepsSpaces)
          add({ text: part, style: own, width: letters.width(part, own.hand, own.size) }, true)
        isOpen = false
        isSpaced = !keepsSpaces && words.length > 0 && !words.at(-1)?.ends
      } else {
        for (const [n, piece] of unbroken(part).entries()) {
          for (const [m, cut] of cuts(letters, piece, own, width).entries()) {
            add(
              { text: cut, style: own, width: letters.width(cut, own.hand, own.size) },
              n > 0 || m > 0,
            )
          }
        }
      }
    }
  }
  const walk = (inner: Node[], own: Style) => {
    for (const node of inner) {
      const whose = node.attributes['data-place']
      if (!node.name) write(node.text, own)
      else if (node.name === 'br') end()
      else if (whose !== undefined) {
        add({ text: whose, style: own, width: place.width, place: true }, false)
        isOpen = false
      } else walk(node.children, styleIn(node, own))
    }
  }
  walk(nodes, style)
  return words
}

/** A word as parts between which a line may end: one, except in scripts that are written without spaces. */
function unbroken(word: string): string[] {
  if (
    !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u.test(
      word,
    )
  )
    return [word]
  return Array.from(segments.segment(word), ({ segment }) => segment)
}

const segments = new Intl.Segmenter('en', { granularity: 'word' })

/** A word in parts that fit into a width. */
function cuts(letters: Letters, word: string, { hand, size }: Style, most: number): string[] {
  const parts: string[] = []
  let rest = word
  const fits = (text: string) => text.length <= 500 && letters.width(text, hand, size) <= most
  while (!fits(rest)) {
    let length = Math.max(1, Math.min(rest.length - 1, 500))
    for (let wide = Infinity; length > 1 && wide > most;) {
      wide = letters.width(rest.slice(0, length), hand, size)
      if (wide > most) length = Math.floor(length * Math.min(0.98, most / wide))
    }
    length = Math.max(1, length)
    // both halves of a letter stay together
    if (length < rest.length && /[\udc00-\udfff]/.test(rest[length] ?? '')) length++
    parts.push(rest.slice(0, length))
    rest = rest.slice(length)
    if (!rest) return parts
  }
  return [...parts, rest]
}

const bold = { plain: 'bold', italic: 'boldItalic' } as const
const italic = { plain: 'italic', bold: 'boldItalic' } as const
const known = new WeakMap<Style, Map<string, Style>>()

/** The style of an element in a text of another; the same object for the same, so that neighbours are one text. */
function styleIn({ name }: Node, style: Style): Style {
  const change = changes[name]
  if (!change) return style
  const own = known.get(style) ?? new Map<string, Style>()
  known.set(style, own)
  const changed = own.get(name) ?? { ...style, ...change(style) }
  own.set(name, changed)
  return changed
}

const strong = ({ hand }: Style) => ({ hand: bold[hand as 'plain'] ?? hand })
const slanted = ({ hand }: Style) => ({ hand: italic[hand as 'plain'] ?? hand })
const code = ({ size }: Style): Partial<Style> => ({
  hand: 'code',
  size: size * 0.95,
  isCode: true,
})
const struck = () => ({ isStruck: true })
const underlined = () => ({ isUnderlined: true })
const small = ({ size }: Style) => ({ size: size * 0.8 })
const changes: { [name: string]: (style: Style) => Partial<Style> } = {
  b: strong,
  strong,
  i: slanted,
  em: slanted,
  cite: slanted,
  u: underlined,
  ins: underlined,
  a: () => ({ color: accent, isUnderlined: true }),
  s: struck,
  del: struck,
  code,
  kbd: code,
  samp: code,
  small,
  sub: small,
  sup: small,
}
