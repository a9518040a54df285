import type { PDF, PdfObject, PdfRef } from '@libpdf/core'
import { PdfDict, PdfName, measureText } from '@libpdf/core'
import { inVisualOrder } from './bidi.ts'
import type { Face, FaceOf, Hand } from './fonts.ts'
import { codePoint, facesFor, has, languageOf, lettersOf } from './fonts.ts'
import { GlyphFonts, fixed } from './glyph-fonts.ts'

const standard = {
  plain: 'Helvetica',
  bold: 'Helvetica-Bold',
  italic: 'Helvetica-Oblique',
  boldItalic: 'Helvetica-BoldOblique',
  code: 'Courier',
  script: 'Times-Italic',
} as const

/** A run of one font: operators that draw it at a size, and its width in thousandths of the size. */
type Run = { width: number; draw(x: number, y: number, size: number): string }

/**
 * The letters of a PDF. Western European ones are those of the fonts that every reader has; all others are
 * drawn with the first font that has them, letter for letter, shaped by HarfBuzz, right to left where they are
 * read so.
 */
export class Letters {
  readonly #pdf: PDF
  readonly #faceOf: FaceOf
  readonly #glyphs: GlyphFonts
  readonly #cache = new Map<string, Run[]>()
  readonly #standard = new Map<Hand, PdfRef>()

  private constructor(pdf: PDF, faceOf: FaceOf, glyphs: GlyphFonts) {
    this.#pdf = pdf
    this.#faceOf = faceOf
    this.#glyphs = glyphs
  }

  /** Letters for texts that are to be drawn; no font is opened where all are Western European. */
  static async of(pdf: PDF, texts: string[]): Promise<Letters> {
    const shown = texts.map(plain).filter((text) => !isWestern(text))
    const faceOf = shown.length ? await facesFor(shown) : () => undefined
    const glyphs = shown.length ? await GlyphFonts.load() : GlyphFonts.none
    return new Letters(pdf, faceOf, glyphs)
  }

  /** The width of a text, in points. */
  width(text: string, hand: Hand, size: number): number {
    return this.#runs(text, hand).reduce((sum, { width }) => sum + (width * size) / 1000, 0)
  }

  /** The operators that draw a text from a point. */
  draw(text: string, hand: Hand, { x, y, size }: { x: number; y: number; size: number }): string {
    let at = x
    const drawn = this.#runs(text, hand).map((run) => {
      const operators = run.draw(at, y, size)
      at += (run.width * size) / 1000
      return operators
    })
    return `BT\n${drawn.join('\n')}\nET`
  }

  /** The fonts used so far, by the names that the operators use. */
  fonts(): PdfDict {
    const fonts: { [name: string]: PdfObject } = this.#glyphs.register(this.#pdf)
    for (const [hand, ref] of this.#standard) fonts[nameOf(hand)] = ref
    return PdfDict.of(fonts)
  }

  #runs(text: string, hand: Hand): Run[] {
    const key = `${hand} ${text}`
    const known = this.#cache.get(key)
    if (known) return known
    const written = plain(text)
    const runs = isWestern(written)
      ? [this.#western(written, hand)]
      : inVisualOrder(lettersOf(written)).flatMap((piece) => this.#piece(piece, hand))
    // lines are measured again and again while they are broken
    if (this.#cache.size > 2000) this.#cache.clear()
    this.#cache.set(key, runs)
    return runs
  }

  #piece({ text, isRightToLeft }: { text: string; isRightToLeft: boolean }, hand: Hand): Run[] {
    const language = languageOf(text)
    const parts: { text: string; face: Face | undefined }[] = []
    for (const letter of lettersOf(text)) {
      const last = parts.at(-1)
      const joins = isWestern(letter) && isRightToLeft
      const face =
        joins && last?.face && has(last.face, letter)
          ? last.face
          : isWestern(letter)
            ? undefined
            : this.#faceOf(letter, hand, language)
      const turned = isRightToLeft && !face ? (mirrored[letter] ?? letter) : letter
      const shown = face || isWestern(letter) ? turned : codeOf(letter)
      if (last && last.face === face) last.text += shown
      else parts.push({ text: shown, face })
    }
    if (isRightToLeft) parts.reverse()
    return parts.map((part) =>
      part.face
        ? this.#glyphs.run(part.text, part.face, isRightToLeft)
        : this.#western(part.text, hand),
    )
  }

  #western(text: string, hand: Hand): Run {
    if (!this.#standard.has(hand)) {
      const font = PdfDict.of({
        Type: PdfName.of('Font'),
        Subtype: PdfName.of('Type1'),
        BaseFont: PdfName.of(standard[hand]),
        Encoding: PdfName.of('WinAnsiEncoding'),
      })
      this.#standard.set(hand, this.#pdf.register(font))
    }
    const codes = Array.from(text, (char) => (western.get(char) ?? 0).toString(16).padStart(2, '0'))
    return {
      width: measureText(text, standard[hand], 1000),
      draw: (x, y, size) =>
        `/${nameOf(hand)} ${fixed(size)} Tf 1 0 0 1 ${fixed(x)} ${fixed(y)} Tm <${codes.join('')}> Tj`,
    }
  }
}

/** A text on one line, in its composed form and without what no reader would see. */
function plain(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\p{Cc}\p{Cs}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu, '')
}

/** Brackets that open where they close, in a line that is read from the right. */
const mirrored: { [bracket: string]: string } = {
  '(': ')',
  ')': '(',
  '[': ']',
  ']': '[',
  '{': '}',
  '}': '{',
  '<': '>',
  '>': '<',
}

/** A letter that no font has, by its number in Unicode. */
function codeOf(letter: string): string {
  const codes = Array.from(letter, (char) => codePoint(char).toString(16).toUpperCase())
  return codes.map((code) => `[U+${code.padStart(4, '0')}]`).join('')
}

function nameOf(hand: Hand): string {
  return `Pn${hand}`
}

/** The codes of WinAnsi by their characters. */
const western = new Map(
  Array.from({ length: 256 }, (_, code) => code)
    .filter(
      (code) => code >= 32 && ![0x7f, 0x81, 0x8d, 0x8f, 0x90, 0x9d, 0xa0, 0xad].includes(code),
    )
    .map((code) => [new TextDecoder('windows-1252').decode(Uint8Array.of(code)), code]),
)

function isWestern(text: string): boolean {
  return Array.from(text).every((char) => western.has(char))
}
