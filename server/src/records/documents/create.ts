import type { Context } from '../../kit/context.ts'
import { badField } from '../../kit/errors.ts'
import type { Upload } from '../../kit/files.ts'
import { newId } from '../../kit/ids.ts'
import type { Written } from '../../kit/write.ts'
import { insert } from '../../kit/write.ts'
import { accountFor } from '../projects/given.ts'
import { Document } from './document.ts'
import { fileColumns, withoutFile } from './file.ts'
import type { Body } from './given.ts'
import { accountOfProject, flat, sorted } from './given.ts'
import { tellDocument } from './tell.ts'

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
  const made = await insert(ctx, Document, file ? withoutFile(fields) : fields, {
    id,
    set: {
      chain_id: id,
      document_status: isPublished ? 'published' : 'draft',
      published_at: isPublished ? now : null,
      ...set,
      ...(file ? fileColumns(ctx, file) : {}),
    },
  })
  if (isPublished) await tellDocument(ctx, made, 'published', { name: body.document_name })
  return made
}
