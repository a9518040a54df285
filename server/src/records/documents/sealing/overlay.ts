import type { PDF, PdfObject } from '@libpdf/core'
import { PdfArray, PdfDict, PdfName, PdfNumber, PdfRef, PdfStream } from '@libpdf/core'
import { fixed } from './glyph-fonts.ts'
import { inherited, resolverOf, seenPage } from './seen.ts'

/** Draws over a page as it is seen, whatever state its own content ends in; nothing of that changes. */
export function drawOver(pdf: PDF, page: PdfDict, operators: string, resources: PdfObject): void {
  const { width, height, matrix } = seenPage(pdf, page)
  const form = new PdfStream(
    [
      ['Type', PdfName.of('XObject')],
      ['Subtype', PdfName.of('Form')],
      ['BBox', new PdfArray([0, 0, width, height].map((value) => PdfNumber.of(value)))],
      ['Resources', resources],
    ],
    Buffer.from(operators),
  )
  const resolve = resolverOf(pdf)
  const own = inherited(pdf, page, 'Resources')
  const known = own instanceof PdfDict ? own.clone() : new PdfDict()
  const objects = known.getDict('XObject', resolve)?.clone() ?? new PdfDict()
  const name = freeName(objects)
  objects.set(name, pdf.register(form))
  known.set('XObject', objects)
  page.set('Resources', known)
  const contents = contentsOf(pdf, page)
  const { before, after } = balance(pdf, contents)
  const stream = (text: string) => pdf.register(new PdfStream([], Buffer.from(text)))
  const drawn = `${'Q\n'.repeat(after)}q\n${matrix.map(fixed5).join(' ')} cm\n/${name} Do\nQ\n`
  page.set(
    'Contents',
    new PdfArray([stream('q\n'.repeat(before)), ...contents, stream(`\n${drawn}`)]),
  )
}

function fixed5(value: number): string {
  return value.toFixed(5)
}

function freeName(objects: PdfDict): string {
  const taken = new Set(Array.from(objects.keys(), ({ value }) => value))
  let number = 1
  while (taken.has(`Signed${number}`)) number++
  return `Signed${number}`
}

function contentsOf(pdf: PDF, page: PdfDict): PdfObject[] {
  const own = page.get('Contents')
  if (!own) return []
  const value = own instanceof PdfRef ? pdf.context.resolve(own) : own
  if (value instanceof PdfArray) return value.toArray()
  return value ? [own] : []
}

/**
 * How often the state has to be saved before a content and restored after it, so that it is the page's own
 * again: a content may restore more or fewer states than it saves.
 */
function balance(pdf: PDF, contents: PdfObject[]): { before: number; after: number } {
  let depth = 0
  let least = 0
  for (const each of contents) {
    const stream = each instanceof PdfRef ? pdf.context.resolve(each) : each
    if (!(stream instanceof PdfStream)) continue
    for (const step of stateSteps(Buffer.from(stream.getDecodedData()).toString('latin1'))) {
      depth += step
      least = Math.min(least, depth)
    }
  }
  const before = 1 - least
  return { before, after: before + depth }
}

/** 1 for every saved state of a content, -1 for every restored one. */
function* stateSteps(content: string): Generator<1 | -1> {
  for (let i = 0; i < content.length;) {
    const char = content.charAt(i)
    if (char === '%') i = endOf(content, /[\r\n]/g, i)
    else if (char === '(') i = afterString(content, i)
    else if (char === '<' && content[i + 1] !== '<') i = endOf(content, />/g, i)
    else if (isDelimiter(char)) i += 1
    else {
      const end = endOf(content, /[\s()<>[\]{}/%]/g, i + 1, false)
      const word = content.slice(i, end)
      i = end
      if (char === '/') continue
      if (word === 'q') yield 1
      else if (word === 'Q') yield -1
      else if (word === 'ID') i = endOf(content, /\sEI(?=\s|$)/g, i)
    }
  }
}

function isDelimiter(char: string): boolean {
  return /[\s)<>[\]{}\0]/.test(char)
}

function endOf(content: string, pattern: RegExp, from: number, isPassed = true): number {
  pattern.lastIndex = from
  const found = pattern.exec(content)
  if (!found) return content.length
  return isPassed ? found.index + found[0].length : found.index
}

function afterString(content: string, from: number): number {
  let depth = 0
  for (let i = from; i < content.length; i++) {
    const char = content[i]
    if (char === '\\') i++
    else if (char === '(') depth++
    else if (char === ')' && --depth === 0) return i + 1
  }
  return content.length
}

/** The operators of a signature drawn in a box of 600 × 200, from its upper left corner, at a scale. */
export function strokes(path: string, left: number, top: number, scale: number): string {
  const lines = Array.from(path.matchAll(/([ML])(\d+) (\d+)/g), ([, kind, x, y]) => {
    const point = `${fixed(left + Number(x) * scale)} ${fixed(top - Number(y) * scale)}`
    return `${point} ${kind === 'M' ? 'm' : 'l'}`
  })
  return `q\n${fixed(6 * scale)} w 1 J 1 j\n${lines.join('\n')}\nS\nQ`
}
