import type { Size, PlacedText } from '../view/pdf.ts'
import type { Kind, Placed } from './preparation.ts'
import { fromMm, inside, kinds, newKey } from './preparation.ts'

/** Words before a place to fill in, in six languages. */
const words: [Kind, RegExp][] = [
  ['initials', /^(initials|paraphe|kürzel|paraaf|rubrica|rúbrica|iniciales)\b/i],
  [
    'signature',
    /^(signatures?|signed( by)?|sign here|unterschrift|handtekening|firma|assinatura)\b/i,
  ],
  ['date', /^(date|datum|fecha|data|signed on)\b/i],
]

/** A word of a page that looks as if something should be filled in beside it. */
export type Found = { kind: Kind; text: string; page: number; place: PlacedText }

/** The words of a page that look like a place to fill in. */
export function foundIn(texts: PlacedText[], page: number): Found[] {
  return texts.flatMap((place) => {
    const text = place.text.trim()
    // a sentence is no label
    const isLabel = text.length <= 40 && (/[:_.…]\s*$/.test(text) || text.split(/\s+/).length <= 2)
    const kind = isLabel ? words.find(([, pattern]) => pattern.test(text))?.[0] : undefined
    return kind ? [{ kind, text: text.replace(/[:_.…\s]+$/, ''), page, place }] : []
  })
}

/** A field beside the words that were found, or above them where there is no room. */
export function fieldAt({ kind, page, place }: Found, signer: string, size: Size): Placed {
  const usual = kinds[kind]
  const [width, height] = [fromMm(usual.width, size.width), fromMm(usual.height, size.height)]
  const gap = fromMm(2, size.width)
  // the line of a label may go on as dots or underscores
  const beside = place.x + place.width * labelShare(place.text) + gap
  const hasRoom = beside + width <= 1
  const middle = place.y + place.height / 2
  return inside({
    key: newKey(),
    signer,
    kind,
    page,
    label: '',
    required: true,
    width,
    height,
    x: hasRoom ? beside : place.x,
    y: hasRoom ? middle - height * 0.6 : place.y - height,
  })
}

function labelShare(text: string): number {
  const whole = text.length || 1
  return text.replace(/[_.…\s]+$/, '').length / whole
}
