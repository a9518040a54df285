import { readFile } from 'node:fs/promises'
import type { PDFDocument, PDFFont, PDFPage } from 'pdf-lib'
import { StandardFonts, rgb } from 'pdf-lib'

/** An A4 page and its margin, in points. */
export const [width, height, edge] = [595, 842, 56]
export const ink = rgb(0.09, 0.13, 0.11)
export const quiet = rgb(0.33, 0.39, 0.36)

/** A PDF that is written from top to bottom: its fonts, the current page and the remaining height. */
export type Paper = {
  pdf: PDFDocument
  font: PDFFont
  bold: PDFFont
  script: PDFFont
  page: PDFPage | undefined
  y: number
}

/**
 * Fonts for everything in a text. Western European texts need no embedded font; for others those of
 * DejaVu are embedded, reduced to the letters used: Greek, Cyrillic, Vietnamese, Armenian, Georgian,
 * Hebrew, Arabic.
 */
export async function fontsFor(pdf: PDFDocument, text: string) {
  const font = await pdf.embedFont(StandardFonts.Helvetica)
  if (Array.from(text).every(charsOf(font))) {
    return {
      font,
      bold: await pdf.embedFont(StandardFonts.HelveticaBold),
      script: await pdf.embedFont(StandardFonts.TimesRomanItalic),
    }
  }
  const { default: fontkit } = await import('@pdf-lib/fontkit')
  pdf.registerFontkit(fontkit)
  const embedded = async (name: string) => {
    const file = new URL(`${name}.ttf`, import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'))
    return pdf.embedFont(await readFile(file), { subset: true })
  }
  return {
    font: await embedded('DejaVuSans'),
    bold: await embedded('DejaVuSans-Bold'),
    script: await embedded('DejaVuSerif-Italic'),
  }
}

/** Whether a font has a character; its set is cached, as a text may have 100,000 paragraphs. */
function charsOf(font: PDFFont): (char: string) => boolean {
  const set = sets.get(font) ?? new Set(font.getCharacterSet())
  sets.set(font, set)
  return (char) => set.has(char.codePointAt(0) ?? NaN)
}

const sets = new WeakMap<PDFFont, Set<number>>()

type Style = {
  font?: PDFFont
  size?: number
  color?: typeof ink
  before?: number
  after?: number
}

/** Writes a paragraph, broken into lines and pages. */
export function write(paper: Paper, text: string, style: Style = {}) {
  const { font = paper.font, size = 10, color = ink, before = 0, after = 0 } = style
  if (paper.page) paper.y -= before
  for (const line of lines(printable(font, text), font, size)) {
    const page = pageWithRoom(paper, size * 1.35)
    paper.y -= size * 1.35
    page.drawText(line, { x: edge, y: paper.y, size, font, color })
  }
  paper.y -= after
}

/** The current page, or a new one where the points needed do not fit any more. */
export function pageWithRoom(paper: Paper, needed: number): PDFPage {
  if (paper.page && paper.y - needed > edge) return paper.page
  paper.y = height - edge
  return (paper.page = paper.pdf.addPage([width, height]))
}

/** Breaks a paragraph into lines at spaces, and words that are too long anywhere. */
function lines(text: string, font: PDFFont, size: number): string[] {
  const most = width - 2 * edge
  const widthOf = (line: string) => font.widthOfTextAtSize(line, size)
  // longer ones never fit, and measuring a word as long as a document again and again takes minutes
  const fits = (line: string) => line.length <= 500 && widthOf(line) <= most
  const all: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line ? `${line} ${word}` : word
    if (fits(longer)) {
      line = longer
      continue
    }
    if (line) all.push(line)
    line = word
    while (!fits(line)) {
      let length = Math.max(1, Math.min(line.length - 1, 500))
      for (let wide = Infinity; length > 1 && wide > most;) {
        wide = widthOf(line.slice(0, length))
        if (wide > most) length = Math.floor(length * Math.min(0.98, most / wide))
      }
      all.push(line.slice(0, length))
      line = line.slice(length)
    }
  }
  return [...all, line]
}

/** The text in characters that the font has; others lose their accents or become question marks. */
export function printable(font: PDFFont, text: string): string {
  const has = charsOf(font)
  const nearest = (char: string) =>
    has(char) ? char : (Array.from(char.normalize('NFKD')).find(has) ?? '?')
  return Array.from(text.replaceAll(/\s+/g, ' '), nearest).join('')
}
