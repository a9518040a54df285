import type { PDFPage } from 'pdf-lib'
import type { StoredField } from '../../../model/documents/requests/placed-fields.ts'
import type { Recipient } from '../requests/request.ts'
import type { Paper } from './paper.ts'
import { ink, printable } from './paper.ts'

/** Writes what recipients filled in at its place on the pages; fields on missing pages are skipped. */
export function stampFields(paper: Paper, recipients: Recipient[], pages: number) {
  for (const { fields = [], signature_path } of recipients) {
    for (const field of fields) {
      if (field.value === null || field.page > pages) continue
      stamp(paper, paper.pdf.getPage(field.page - 1), field, signature_path)
    }
  }
}

function stamp(paper: Paper, page: PDFPage, field: StoredField, path: string | null) {
  const size = page.getSize()
  const box = {
    left: field.x * size.width,
    top: size.height - field.y * size.height,
    width: Math.max(1, field.width * size.width),
    height: Math.max(1, field.height * size.height),
  }
  if (field.kind === 'signature' && path) {
    // drawn in a box of 600 × 200
    const scale = Math.min(box.width / 600, box.height / 200)
    page.drawSvgPath(path, {
      x: box.left,
      y: box.top,
      scale,
      borderColor: ink,
      borderWidth: 6,
    })
    return
  }
  const isHand = field.kind === 'signature' || field.kind === 'initials'
  const font = isHand ? paper.script : paper.font
  const text = printable(font, field.value ?? '')
  const wide = font.widthOfTextAtSize(text, 1) || 1
  const fontSize = Math.max(4, Math.min(box.height * 0.8, isHand ? 28 : 12, box.width / wide))
  const y = box.top - box.height / 2 - fontSize * 0.35
  page.drawText(text, { x: box.left, y, size: fontSize, font, color: ink })
}
