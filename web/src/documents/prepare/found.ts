import type { Size, PlacedText } from '../view/pdf.ts'
import type { Kind, Placed, Signer } from './preparation.ts'
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

/**
 * A word of a page that looks as if something should be filled in beside it, or a place for a signature that was written
 * into the text, which the field takes.
 */
export type Found = {
  kind: Kind
  text: string
  page: number
  place: PlacedText
  isWritten?: boolean
}

/** Places for signatures in a text, with the recipients whose names or roles they say. */
export function foundPlaces(places: (PlacedText & { page: number })[], signers: Signer[]) {
  const normal = (text = '') => text.trim().toLowerCase()
  return places.map((place) => {
    const { text, page } = place
    const found: Found = { kind: 'signature', text, page, place, isWritten: true }
    const whose = signers.find((each) =>
      [each.role_name, each.name, each.email].some((own) => own && normal(own) === normal(text)),
    )
    return { found, signer: whose?.key }
  })
}

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
export function fieldAt(
  { kind, page, place, isWritten }: Found,
  signer: string,
  size: Size,
): Placed {
  const usual = kinds[kind]
  const [width, height] = [fromMm(usual.width, size.width), fromMm(usual.height, size.height)]
  const gap = fromMm(2, size.width)
  // the line of a label may go on as dots or underscores
  const beside = place.x + place.width * labelShare(place.text) + gap
  const hasRoom = beside + width <= 1
  const middle = place.y + place.height / 2
  const field = { key: newKey(), signer, kind, page, label: '', required: true }
  if (isWritten) {
    const { x, y, width: wide, height: high } = place
    return inside({ ...field, x, y, width: wide, height: high })
  }
  return inside({
    ...field,
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
