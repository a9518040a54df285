import type { PDF, PdfDict, PdfObject } from '@libpdf/core'
import type { StoredField } from '../../../model/documents/requests/placed-fields.ts'
import type { Recipient } from '../requests/request.ts'
import type { Letters } from './letters.ts'
import { drawOver, strokes } from './overlay.ts'
import { ink } from './paper.ts'
import { seenPage } from './seen.ts'

/** Writes what recipients filled in at its place on the pages as they are seen; fields on missing pages are skipped. */
export function stampFields(
  pdf: PDF,
  pages: PdfDict[],
  {
    recipients,
    letters,
    resources,
  }: { recipients: Recipient[]; letters: Letters; resources: PdfObject },
) {
  const filled = recipients.flatMap(({ fields, signature_path }) =>
    fields.filter(({ value }) => value !== null).map((field) => ({ field, path: signature_path })),
  )
  for (const [i, page] of pages.entries()) {
    const here = filled.filter(({ field }) => field.page === i + 1)
    if (!here.length) continue
    const size = seenPage(pdf, page)
    const drawn = here.map(({ field, path }) => stamp(letters, size, field, path))
    drawOver(pdf, page, [ink, ...drawn].join('\n'), resources)
  }
}

/** A tick in a box of 60 × 60. */
const tick = 'M14 32L26 44L48 16'

function stamp(
  letters: Letters,
  size: { width: number; height: number },
  field: StoredField,
  path: string | null,
): string {
  const box = {
    left: field.x * size.width,
    top: size.height - field.y * size.height,
    width: Math.max(1, field.width * size.width),
    height: Math.max(1, field.height * size.height),
  }
  if (field.kind === 'signature' && path) {
    return strokes(path, box.left, box.top, Math.min(box.width / 600, box.height / 200))
  }
  if (field.kind === 'checkbox') {
    const side = Math.min(box.width, box.height)
    return strokes(
      tick,
      box.left + (box.width - side) / 2,
      box.top - (box.height - side) / 2,
      side / 60,
    )
  }
  const isHand = field.kind === 'signature' || field.kind === 'initials'
  const hand = isHand ? 'script' : 'plain'
  const text = field.value ?? ''
  const wide = letters.width(text, hand, 1) || 1
  const fontSize = Math.max(4, Math.min(box.height * 0.8, isHand ? 28 : 12, box.width / wide))
  const y = box.top - box.height / 2 - fontSize * 0.35
  return letters.draw(text, hand, { x: box.left, y, size: fontSize })
}
