import { createWriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { computationOf } from '../../../kit/ground/computation.ts'
import type { Context } from '../../../kit/ground/context.ts'
import type { FieldError } from '../../../kit/ground/errors.ts'
import { badField, badFields, notFound } from '../../../kit/ground/errors.ts'
import { withTemporaryFile } from '../../../kit/ground/files.ts'
import { all, sql } from '../../../kit/ground/sql.ts'
import { scope } from '../../../kit/record/scope.ts'
import type { StoredDocument } from '../../../model/documents/document.ts'
import { Document } from '../../../model/documents/document.ts'
import type { anchoredField, placedField } from '../../../model/documents/requests/placed-fields.ts'
import { mostFields } from '../../../model/documents/requests/placed-fields.ts'
import { textPdfOf } from '../text-pdf.ts'
import type { TextPlace } from './texts.ts'

const finding = computationOf(
  import.meta.resolve('./texts.ts'),
  'textPlaces',
  async () => (await import('./texts.ts')).textPlaces,
)

const part = (description: string) => Type.Number({ description })

/** Where a text stands in the file of a document. */
export const textPlaces = Type.Object(
  {
    places: Type.Array(
      Type.Object({
        page: Type.Integer({ description: 'counted from 1' }),
        x: part('of its left edge, as a part of the width of the page'),
        y: part('of its upper edge, as a part of the height of the page'),
        width: part('as a part of the width of the page'),
        height: part('as a part of the height of the page'),
      }),
      { description: 'in the order of reading, 500 at most' },
    ),
  },
  { title: 'TextPlaces' },
)

/** Where a text stands in the file of a document that the caller may read. 400 `text` where it does not. */
export async function locateText(
  ctx: Context,
  id: string,
  text: string,
): Promise<Static<typeof textPlaces>> {
  const found = await placesOf(ctx, id, 'read', [text])
  if (!found) throw notFound('PDF')
  const places = found.get(text) ?? []
  if (!places.length) throw badField('text', missing(text))
  return {
    places: places.map(({ page, x, y, width, height }) => ({ page, x, y, width, height })),
  }
}

type Recipient = { fields?: Static<typeof anchoredField>[] }

/**
 * Recipients whose fields all have a place: those that are anchored to a text stand beside it, once or wherever it
 * stands. 400 naming `recipients.<i>.fields.<n>.anchor` where the text is not in the file.
 */
export async function withPlaces<R extends Recipient>(
  ctx: Context,
  id: string,
  recipients: R[],
): Promise<(R & { fields?: Static<typeof placedField>[] })[]> {
  const texts = recipients.flatMap(({ fields = [] }) =>
    fields.flatMap((each) => textOf(each) ?? []),
  )
  const found = texts.length ? await placesOf(ctx, id, 'update', [...new Set(texts)]) : undefined
  const errors: FieldError[] = []
  const placed = recipients.map((recipient, i) => {
    const { fields } = recipient
    if (!fields) return recipient as R & { fields?: undefined }
    const next = fields.flatMap((field, n): Static<typeof placedField>[] => {
      const name = `recipients.${i}.fields.${n}`
      const { anchor, page, x, y, ...rest } = field
      if (!anchor) {
        if (page !== undefined && x !== undefined && y !== undefined)
          return [{ ...rest, page, x, y }]
        const lacking = Object.entries({ page, x, y }).filter(([, value]) => value === undefined)
        const message = 'is required, or an anchor'
        errors.push(...lacking.map(([each]) => ({ field: `${name}.${each}`, message })))
        return []
      }
      const text = anchor.text.trim()
      const places = found?.get(text) ?? []
      if (!places.length) errors.push({ field: `${name}.anchor`, message: missing(text) })
      const chosen = anchor.at === 'all' ? places : places.slice(0, 1)
      return chosen.map((place, copy) => ({
        ...rest,
        // a key is that of one field
        ...(copy && rest.key ? { key: undefined } : {}),
        ...beside(place, { ...rest, ...anchor }),
      }))
    })
    if (next.length > mostFields) {
      const message = `would be ${next.length}, and ${mostFields} are possible`
      errors.push({ field: `recipients.${i}.fields`, message })
    }
    return { ...recipient, fields: next }
  })
  if (errors.length) throw badFields(errors)
  return placed
}

function textOf({ anchor }: Static<typeof anchoredField>): string | undefined {
  return anchor?.text.trim()
}

function missing(text: string): string {
  return `“${text}” does not stand in the file`
}

/** Millimetres between a text and the field beside it. */
const gap = (2 / 25.4) * 72

/** A place beside a text, or above it where there is no room; `dx` and `dy` move it, as parts of the page. */
function beside(
  place: TextPlace,
  {
    width = 0.25,
    height = 0.04,
    dx = 0,
    dy = 0,
  }: { width?: number; height?: number; dx?: number; dy?: number },
): { page: number; x: number; y: number } {
  const after = place.x + place.width + gap / place.pageWidth
  const hasRoom = after + width <= 1
  const x = hasRoom ? after : place.x
  const y = hasRoom ? place.y + place.height / 2 - height * 0.6 : place.y - height
  const within = (at: number, size: number) =>
    Math.round(Math.max(0, Math.min(1 - size, at)) * 1e6) / 1e6
  return { page: place.page, x: within(x + dx, width), y: within(y + dy, height) }
}

/** Where texts stand, by text; undefined for a document without a PDF, 404 without the right to it. */
async function placesOf(ctx: Context, id: string, action: 'read' | 'update', texts: string[]) {
  const row = await ctx.one<StoredDocument>(sql`
    select t.* from documents t
    where ${all(scope(ctx, Document, action), sql`t.id = ${id}`)}`)
  if (!row) throw notFound('Document')
  const { storage_key: key, file_type } = row
  const written = await textPdfOf(ctx, row)
  if (!written && (!key || file_type !== 'application/pdf')) return undefined
  return withTemporaryFile(async (path) => {
    if (written) await writeFile(path, written.bytes, { mode: 0o600 })
    else if (key) await pipeline(await ctx.files.get(key), createWriteStream(path, { mode: 0o600 }))
    const computed = ctx.services.computations.run(ctx.organization.id, finding, { path, texts })
    return new Map(Object.entries(await computed))
  })
}
