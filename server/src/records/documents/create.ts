import type { Context } from '../../kit/ground/context.ts'
import { cut } from '../../kit/ground/cut.ts'
import { badField } from '../../kit/ground/errors.ts'
import type { Upload } from '../../kit/ground/files.ts'
import { newId } from '../../kit/ground/ids.ts'
import { announce } from '../../kit/write/announce.ts'
import type { Written } from '../../kit/write/write.ts'
import { insert } from '../../kit/write/write.ts'
import { accountFor } from '../projects/customer.ts'
import { sharedByDefault } from '../../model/organizations/settings.ts'
import { idOf } from '../tasks/place.ts'
import { belongingOf } from './belonging.ts'
import { Document } from '../../model/documents/document.ts'
import { uploadColumns, withoutFile } from './file.ts'
import type { DocumentInput } from './input.ts'
import { flatInput, splitInput } from './input.ts'
import { frozenText } from './reusable/values.ts'

/**
 * Creates a document, with or without a file, and with the account that its body names or describes. `columns` are set
 * beside those that a body may set, such as those of a file that is stored already.
 */
export async function createDocument(
  ctx: Context,
  input: DocumentInput,
  file?: Upload,
  columns: { [column: string]: unknown } = {},
): Promise<Written> {
  const body = flatInput(ctx, input)
  const document_name = (body.document_name || (file && cut(file.name, 255)))?.trim()
  if (!document_name) {
    throw badField(input.document ? 'document.document_name' : 'document_name', 'is required')
  }
  const { fields, set } = await splitInput(ctx, { ...body, document_name })
  const account = await accountFor(ctx, body.account, body.account_id)
  const project_id = idOf(fields.project_id, 'project_id')
  const place = await belongingOf(ctx, { ...set, project_id })
  if (!project_id && place.project_id) set.project_id = place.project_id
  const account_id = account?.id ?? (fields.account_id ? null : place.account_id)
  if (account_id) set.account_id = account_id
  const id = newId()
  const isPublished = body.document_status === 'published'
  if (isPublished) {
    const of = {
      id,
      account_id: account_id ?? idOf(fields.account_id, 'account_id') ?? null,
      project_id: set.project_id ?? project_id ?? null,
    }
    const frozen = await frozenText(ctx, of, fields.editor_html_content)
    if (frozen !== undefined) fields.editor_html_content = frozen
  }
  const own = await sharedByDefault(ctx, 'documents', file ? withoutFile(fields) : fields)
  const created = await insert(
    ctx,
    Document,
    { ...own, document_name },
    {
      id,
      set: {
        chain_id: id,
        document_status: isPublished ? 'published' : 'draft',
        published_at: isPublished ? ctx.now().toISOString() : null,
        ...set,
        ...(file ? await uploadColumns(ctx, file) : {}),
        ...columns,
      },
    },
  )
  if (isPublished) {
    await announce(ctx, Document, 'document_published', {
      ...created,
      name: document_name,
      action: 'published',
    })
  }
  return created
}
