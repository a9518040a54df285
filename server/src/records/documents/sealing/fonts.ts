import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Font } from 'harfbuzzjs'

/** The hands of a text: those of what is written, and the one of typed signatures. */
export type Hand = 'plain' | 'bold' | 'italic' | 'boldItalic' | 'code' | 'script'
export const hands: readonly Hand[] = ['plain', 'bold', 'italic', 'boldItalic', 'code', 'script']

/** An open font: how to shape with it, and its units per em. */
export type Face = { name: string; font: Font; upem: number }

/** The font for a letter, that is a grapheme with its marks, in a hand; undefined if no font has it. */
export type FaceOf = (letter: string, hand: Hand, language: Language) => Face | undefined

/** Which of the fonts of Chinese characters comes first. */
export type Language = 'chinese' | 'japanese' | 'korean'

/** DejaVu has Latin, Greek, Cyrillic, Armenian, Georgian, Hebrew, Arabic and Lao. */
const dejaVu: { [hand in Hand]: string[] } = {
  plain: ['DejaVuSans'],
  bold: ['DejaVuSans-Bold', 'DejaVuSans'],
  italic: ['DejaVuSans-Oblique', 'DejaVuSans'],
  boldItalic: ['DejaVuSans-BoldOblique', 'DejaVuSans-Bold', 'DejaVuSans'],
  code: ['DejaVuSansMono', 'DejaVuSans'],
  script: ['DejaVuSerif-Italic', 'DejaVuSans'],
}

/** Noto has the others, each in files by ranges of characters. */
const scripts =
  'thai devanagari bengali gurmukhi gujarati tamil telugu kannada malayalam sinhala khmer myanmar ethiopic'
const noto = scripts.split(' ').map((script) => `noto-sans-${script}`)
const others = [...noto, 'noto-serif-tibetan', 'noto-emoji']
const han: { [language in Language]: string[] } = {
  chinese: ['noto-sans-sc', 'noto-sans-jp', 'noto-sans-kr'],
  japanese: ['noto-sans-jp', 'noto-sans-sc', 'noto-sans-kr'],
  korean: ['noto-sans-kr', 'noto-sans-sc', 'noto-sans-jp'],
}

/** The language by which Chinese characters of a text are drawn: that of the letters beside them. */
export function languageOf(text: string): Language {
  if (/\p{Script=Hiragana}|\p{Script=Katakana}/u.test(text)) return 'japanese'
  return /\p{Script=Hangul}/u.test(text) ? 'korean' : 'chinese'
}

/** The letters of a text: graphemes, whose marks stay with their base. */
export function lettersOf(text: string): string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment)
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Opens the fonts that texts need, and none else; the texts are those that will be drawn. */
export async function facesFor(texts: string[]): Promise<FaceOf> {
  const files = new Map<string, Face | null>()
  const chosen = new Map<string, Face | null>()
  const open = async (file: string) => {
    const face = files.get(file) ?? (await opened(file))
    files.set(file, face)
    return face
  }
  const choose = async (letter: string, hand: Hand, language: Language) => {
    for (const name of dejaVu[hand]) {
      const face = await open(`dejavu-fonts-ttf/ttf/${name}.ttf`)
      if (has(face, letter)) return face
    }
    for (const name of [...others, ...han[language]]) {
      for (const file of await filesOf(name, letter)) {
        const face = await open(file)
        if (has(face, letter)) return face
      }
    }
    return null
  }
  for (const text of texts) {
    const language = languageOf(text)
    for (const letter of new Set(lettersOf(text))) {
      for (const hand of hands) {
        const key = `${hand} ${language} ${letter}`
        if (!chosen.has(key)) chosen.set(key, await choose(letter, hand, language))
      }
    }
  }
  // a line of a text may have none of the letters that said which language it is in
  const order = (language: Language) => [language, 'chinese', 'japanese', 'korean'] as const
  return (letter, hand, language) =>
    order(language)
      .map((each) => chosen.get(`${hand} ${each} ${letter}`))
      .find((face) => face) ?? undefined
}

/** The number of the first character of a text. */
export function codePoint(text: string): number {
  return text.codePointAt(0) ?? 0
}

/** Whether a font has all characters of a letter. */
export function has({ font }: Face, letter: string): boolean {
  return Array.from(letter).every(
    (char) => /\p{Default_Ignorable_Code_Point}/u.test(char) || font.nominalGlyph(codePoint(char)),
  )
}

async function opened(file: string): Promise<Face> {
  const { Blob, Face, Font, Variation } = await import('harfbuzzjs')
  const packed = await readFile(fileURLToPath(import.meta.resolve(file)))
  const bytes = file.endsWith('.woff2') ? await unpacked(packed) : packed
  const face = new Face(new Blob(bytes))
  const font = new Font(face)
  // the least weight is what the fonts of Chinese characters have by themselves
  if (file.endsWith('.woff2')) font.setVariations([new Variation('wght', 400)])
  return { name: file, font, upem: face.upem }
}

async function unpacked(bytes: Buffer): Promise<Uint8Array> {
  const { default: decompress } = await import('woff2-encoder/decompress')
  return decompress(bytes)
}

type Ranges = [from: number, to: number][]
const ranges = new Map<string, Promise<{ file: string; ranges: Ranges }[]>>()

/** The files of a font of Noto that may have a letter. */
async function filesOf(name: string, letter: string): Promise<string[]> {
  const read = ranges.get(name) ?? readRanges(name)
  ranges.set(name, read)
  const code = codePoint(letter)
  const found = (await read).filter((each) =>
    each.ranges.some(([from, to]) => from <= code && code <= to),
  )
  return found.map(({ file }) => file)
}

async function readRanges(name: string): Promise<{ file: string; ranges: Ranges }[]> {
  const folder = `@fontsource-variable/${name}`
  const path = fileURLToPath(import.meta.resolve(`${folder}/unicode.json`))
  const read = JSON.parse(await readFile(path, 'utf8')) as { [part: string]: string }
  return Object.entries(read).map(([part, list]) => ({
    file: `${folder}/files/${name}-${part.replaceAll(/[[\]]/g, '')}-wght-normal.woff2`,
    ranges: list.split(',').map((range): [number, number] => {
      const [from = '', to = from] = range.replace('U+', '').split('-')
      return [parseInt(from, 16), parseInt(to, 16)]
    }),
  }))
}
