import type { Draft } from '../../kit/record/record.ts'
import type { Context } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import type { Upload } from '../../kit/ground/files.ts'
import { newId } from '../../kit/ground/ids.ts'
import type { Written } from '../../kit/write/write.ts'
import { insert } from '../../kit/write/write.ts'
import { accountFor } from '../projects/customer.ts'
import { Document } from './document.ts'
import { fileColumns, withoutFile } from './file.ts'
import type { Body } from './input.ts'
import { accountOfProject, flat, sorted } from './input.ts'
import { announceDocument } from './announce.ts'

/** Makes a document, of a file or without one, with the account that its body names or describes. */
export async function createDocument(ctx: Context, given: Body, file?: Upload): Promise<Written> {
  const body = flat(ctx, given)
  if (file && !body.document_name) body.document_name = file.name.slice(0, 255)
  if (typeof body.document_name !== 'string' || !body.document_name.trim()) {
    throw badField(given.document ? 'document.document_name' : 'document_name', 'is required')
  }
  body.document_name = body.document_name.trim()
  const { fields, set } = await sorted(ctx, body)
  const account = await accountFor(ctx, body.account)
  if (account) set.account_id = account.id
  else if (!fields.account_id) {
    const account_id = await accountOfProject(ctx, fields.project_id)
    if (account_id) set.account_id = account_id
  }
  const id = newId()
  const now = ctx.now().toISOString()
  const isPublished = body.document_status === 'published'
  const made = await insert(
    ctx,
    Document,
    (file ? withoutFile(fields) : fields) as Draft<typeof Document>,
    {
      id,
      set: {
        chain_id: id,
        document_status: isPublished ? 'published' : 'draft',
        published_at: isPublished ? now : null,
        ...set,
        ...(file ? fileColumns(ctx, file) : {}),
      },
    },
  )
  if (isPublished) await announceDocument(ctx, made, 'published', { name: body.document_name })
  return made
}
