import type { Context } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import type { Upload } from '../../kit/ground/files.ts'
import { newId } from '../../kit/ground/ids.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { announce } from '../../kit/write/announce.ts'
import type { Written } from '../../kit/write/write.ts'
import { insert } from '../../kit/write/write.ts'
import { accountFor } from '../projects/customer.ts'
import { sharedByDefault } from '../organizations/settings.ts'
import { Document } from './document.ts'
import { uploadColumns, withoutFile } from './file.ts'
import type { DocumentInput } from './input.ts'
import { flatInput, splitInput } from './input.ts'

/** Creates a document, with a file or without, and with the account that its body names or describes. */
export async function createDocument(
  ctx: Context,
  input: DocumentInput,
  file?: Upload,
): Promise<Written> {
  const body = flatInput(ctx, input)
  const document_name = (body.document_name || file?.name.slice(0, 255))?.trim()
  if (!document_name) {
    throw badField(input.document ? 'document.document_name' : 'document_name', 'is required')
  }
  const { fields, set } = await splitInput(ctx, { ...body, document_name })
  const account = await accountFor(ctx, body.account, body.account_id)
  if (account) set.account_id = account.id
  else if (!fields.account_id) {
    const account_id = await accountOfProject(ctx, fields.project_id)
    if (account_id) set.account_id = account_id
  }
  const id = newId()
  const isPublished = body.document_status === 'published'
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

/** The account of a project, for a document that names the project alone. */
async function accountOfProject(ctx: Context, project: unknown): Promise<string | null> {
  if (typeof project !== 'string') return null
  const found = await ctx.one<{ account_id: string | null }>(
    sql`select t.account_id from projects t where ${mine(ctx)} and t.id = ${project}`,
  )
  return found?.account_id ?? null
}
