import type { PDF, PdfObject } from '@libpdf/core'
import { PdfArray, PdfDict, PdfName, PdfNumber, PdfStream } from '@libpdf/core'
import type * as HarfBuzz from 'harfbuzzjs'
import type { Face } from './fonts.ts'

type Glyph = { code: number; width: number; outline: string; box: number[]; text: string }
type Shaped = { glyph: Glyph; font: number }
/** A glyph of a cluster, in units of its font. */
type Part = { id: number; xAdvance: number; yAdvance: number; xOffset: number; yOffset: number }

const codes = 256

/**
 * Fonts of a PDF that are made of the outlines of the glyphs that are used (Type 3), with what each says, so
 * that the text can be found and copied. Their size is that of their glyphs, whatever the fonts were.
 */
export class GlyphFonts {
  static readonly none = new GlyphFonts(undefined)
  readonly #harfBuzz: typeof HarfBuzz | undefined
  readonly #fonts: Glyph[][] = []
  readonly #known = new Map<string, Shaped>()

  private constructor(harfBuzz: typeof HarfBuzz | undefined) {
    this.#harfBuzz = harfBuzz
  }

  static async load(): Promise<GlyphFonts> {
    return new GlyphFonts(await import('harfbuzzjs'))
  }

  /** A text of one font and direction: its width in thousandths, and the operators that draw it. */
  run(text: string, face: Face, isRightToLeft: boolean) {
    const shaped = this.#shape(text, face, isRightToLeft)
    const width = shaped.reduce((sum, { glyph }) => sum + glyph.width, 0)
    const draw = (x: number, y: number, size: number) => {
      let at = 0
      return shaped
        .map(({ glyph, font }) => {
          const left = fixed(x + (at * size) / 1000)
          at += glyph.width
          const code = glyph.code.toString(16).padStart(2, '0')
          return `/Pg${font} ${fixed(size)} Tf 1 0 0 1 ${left} ${fixed(y)} Tm <${code}> Tj`
        })
        .join('\n')
    }
    return { width, draw }
  }

  /** Registers the fonts with a PDF, by the names that the operators use. */
  register(pdf: PDF): { [name: string]: PdfObject } {
    return Object.fromEntries(
      this.#fonts.map((glyphs, i) => [`Pg${i}`, pdf.register(fontOf(pdf, glyphs))]),
    )
  }

  /** The clusters of a text, which are what can be said to be one letter: each is one glyph of the PDF. */
  #shape(text: string, face: Face, isRightToLeft: boolean): Shaped[] {
    if (!this.#harfBuzz) return []
    const { Buffer, Direction, shape } = this.#harfBuzz
    const buffer = new Buffer()
    buffer.addText(text)
    buffer.guessSegmentProperties()
    buffer.setDirection(isRightToLeft ? Direction.RTL : Direction.LTR)
    shape(face.font, buffer)
    const positions = buffer.getGlyphPositions()
    const clusters = new Map<number, Part[]>()
    for (const [i, { codepoint: id, cluster }] of buffer.getGlyphInfos().entries()) {
      const position = positions[i]
      if (position) clusters.set(cluster, [...(clusters.get(cluster) ?? []), { id, ...position }])
    }
    const starts = [...clusters.keys()].toSorted((x, y) => x - y)
    return Array.from(clusters, ([start, parts]) => {
      const end = starts[starts.indexOf(start) + 1] ?? text.length
      return this.#glyph(face, parts, text.slice(start, end))
    })
  }

  #glyph(face: Face, parts: Part[], text: string): Shaped {
    const key = `${face.name} ${text} ${JSON.stringify(parts)}`
    const known = this.#known.get(key)
    if (known) return known
    let glyphs = this.#fonts.at(-1)
    if (!glyphs || glyphs.length === codes) this.#fonts.push((glyphs = []))
    const font = this.#fonts.length - 1
    const glyph = { code: glyphs.length, text, ...drawnOf(face, parts) }
    glyphs.push(glyph)
    this.#known.set(key, { glyph, font })
    return { glyph, font }
  }
}

/** The outlines of a cluster as operators, in thousandths of its size, the box around them, and its width. */
function drawnOf({ font, upem }: Face, parts: Part[]) {
  const scale = 1000 / upem
  const [xs, ys]: [number[], number[]] = [[0], [0]]
  const operators: string[] = []
  let [pen, up] = [0, 0]
  for (const { id, xAdvance, yAdvance, xOffset, yOffset } of parts) {
    let at: number[] = []
    for (const { type, values } of font.glyphToJson(id)) {
      const points = values.map(
        (value, i) => (value + (i % 2 ? up + yOffset : pen + xOffset)) * scale,
      )
      for (const [i, value] of points.entries()) (i % 2 ? ys : xs).push(value)
      operators.push(operator(type, type === 'Q' ? raised(at, points) : points))
      at = points.slice(-2)
    }
    pen += xAdvance
    up += yAdvance
  }
  const box = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
  const outline = operators.length ? `${operators.join('\n')}\nf` : ''
  return { outline, box, width: pen * scale }
}

function operator(type: string, points: number[]): string {
  if (type === 'Z') return 'h'
  const letter = type === 'M' ? 'm' : type === 'L' ? 'l' : 'c'
  return `${points.map(fixed).join(' ')} ${letter}`
}

/** A quadratic curve as a cubic one. */
function raised([x0 = 0, y0 = 0]: number[], [x1 = 0, y1 = 0, x = 0, y = 0]: number[]): number[] {
  return [
    x0 + (2 / 3) * (x1 - x0),
    y0 + (2 / 3) * (y1 - y0),
    x + (2 / 3) * (x1 - x),
    y + (2 / 3) * (y1 - y),
    x,
    y,
  ]
}

function fontOf(pdf: PDF, glyphs: Glyph[]): PdfDict {
  const number = (value: number) => PdfNumber.of(Math.round(value * 1000) / 1000)
  const procedures = glyphs.map(({ code, width, outline, box }) => {
    const head = `${fixed(width)} 0 ${box.map(fixed).join(' ')} d1\n`
    return [`g${code}`, pdf.register(new PdfStream([], Buffer.from(head + outline)))] as const
  })
  const box = [0, 1].map((i) => Math.min(0, ...glyphs.map((each) => each.box[i] ?? 0)))
  const far = [2, 3].map((i) => Math.max(0, ...glyphs.map((each) => each.box[i] ?? 0)))
  const names = glyphs.map(({ code }) => PdfName.of(`g${code}`))
  return PdfDict.of({
    Type: PdfName.of('Font'),
    Subtype: PdfName.of('Type3'),
    FontBBox: new PdfArray([...box, ...far].map(number)),
    FontMatrix: new PdfArray([0.001, 0, 0, 0.001, 0, 0].map((value) => PdfNumber.of(value))),
    CharProcs: PdfDict.of(Object.fromEntries(procedures)),
    Encoding: PdfDict.of({
      Type: PdfName.of('Encoding'),
      Differences: new PdfArray([PdfNumber.of(0), ...names]),
    }),
    FirstChar: PdfNumber.of(0),
    LastChar: PdfNumber.of(glyphs.length - 1),
    Widths: new PdfArray(glyphs.map(({ width }) => number(width))),
    Resources: PdfDict.of({}),
    ToUnicode: pdf.register(new PdfStream([], Buffer.from(unicodeMap(glyphs)))),
  })
}

/** What the codes of a font say (ISO 32000, 9.10.3). */
function unicodeMap(glyphs: Glyph[]): string {
  const hex = (text: string) => Buffer.from(text, 'utf16le').swap16().toString('hex').toUpperCase()
  const lines = glyphs
    .filter(({ text }) => text)
    .map(({ code, text }) => `<${code.toString(16).padStart(2, '0')}> <${hex(text)}>`)
  // at most 100 in one table
  const tables = Array.from({ length: Math.ceil(lines.length / 100) }, (_, i) => {
    const part = lines.slice(i * 100, i * 100 + 100)
    return `${part.length} beginbfchar\n${part.join('\n')}\nendbfchar`
  })
  return `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CMapName /Perennial def
/CMapType 2 def
1 begincodespacerange
<00> <FF>
endcodespacerange
${tables.join('\n')}
endcmap
end
end`
}

/** A number as a PDF writes it. */
export function fixed(value: number): string {
  return String(Math.round(value * 1000) / 1000)
}
