import type { Context } from '../../kit/ground/context.ts'
import { crud } from '../../kit/crud.ts'
import { badField, notFound } from '../../kit/ground/errors.ts'
import { listPage } from '../../kit/read/list.ts'
import type { Input, Operation } from '../../kit/ground/operation.ts'
import { Answer } from '../../kit/ground/operation.ts'
import { readSchema } from '../../kit/record/schema.ts'
import { arrayOf } from '../../kit/ground/json-schema.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'
import { checkReadable, remove, restore, written } from '../../kit/write/write.ts'
import { isKnown, subjectModule } from '../activity/subject.ts'
import { entrySchema, readEntries } from '../activity/entry.ts'
import { pageOf, pageProperties } from '../../kit/read/page.ts'
import { visibleEntries } from '../activity/visible.ts'
import { Account } from '../accounts/account.ts'
import { ProjectOrDeal } from '../projects/project.ts'
import { createDocument } from './create.ts'
import { Document } from './document.ts'
import { storeFile } from './file.ts'
import type { Body } from './input.ts'
import { bodySchema } from './input.ts'
import { publishDocument, updateDocument } from './update.ts'
import type { JSONSchema } from '../../kit/ground/json-schema.ts'

const plain = crud(Document)
const item = readSchema(Document)
const id = { type: 'string', minLength: 1, maxLength: 25 }

const listed: { [name: string]: JSONSchema } = {
  project_id: id,
  account_id: id,
  module_id: { type: 'string', minLength: 1, maxLength: 40, description: 'number or word' },
  module_name: { type: 'string', minLength: 1, maxLength: 40, description: 'the same' },
  reference_id: { ...id, description: 'the record of that module' },
  menu_type: { type: 'string', minLength: 1, maxLength: 100, description: 'the folder' },
  document_status: { type: 'string', enum: ['draft', 'published'] },
  signature_status: {
    type: 'string',
    enum: ['none', 'pending', 'partial', 'signed', 'declined'],
  },
}

export const documents = {
  ...plain,
  list: {
    ...plain.list,
    summary: 'List documents, each as its latest version',
    input: { query: withProperties(plain.list.input.query!, listed) },
    async run(ctx: Context, { query }: Input) {
      const { project_id, account_id, module_id, module_name, reference_id, ...others } = query
      const { menu_type, document_status, signature_status, ...page } = others
      if (project_id) await checkReadable(ctx, ProjectOrDeal, project_id)
      if (account_id) await checkReadable(ctx, Account, account_id)
      const is = (column: string, value: unknown) =>
        value === undefined ? undefined : sql`${sql.ref(`t.${column}`)} = ${value}`
      const condition = all(
        sql`t.latest_version`,
        is('project_id', project_id),
        is('account_id', account_id),
        is('module_id', await moduleOf(ctx, { module_id, module_name, reference_id })),
        is('reference_id', reference_id),
        is('menu_type', menu_type),
        is('document_status', document_status),
        is('signature_status', signature_status),
      )
      return listPage(ctx, Document, page, condition)
    },
  } satisfies Operation,
  create: {
    ...plain.create,
    summary: 'Create a document, as JSON or as a form with its file',
    input: { body: bodySchema },
    aliases: undefined,
    before: storeFile,
    run: async (ctx: Context, { body, file }: Input) =>
      written(await createDocument(ctx, body as Body, file)),
  } satisfies Operation,
  update: {
    ...plain.update,
    description:
      'Other content (a file, text or address) of a published, signed or declined document makes a new version, which the answer is.',
    input: { ...plain.update.input, body: bodySchema },
    aliases: undefined,
    before: storeFile,
    run: async (ctx: Context, { params, body, file, ifMatch }: Input) =>
      written(await updateDocument(ctx, params.id, body as Body, { file, ifMatch })),
  } satisfies Operation,
  publish: {
    ...plain.update,
    name: 'publish_document',
    summary: 'Publish a draft',
    input: { params: plain.read.input.params! },
    aliases: undefined,
    run: async (ctx: Context, { params }: Input) => written(await publishDocument(ctx, params.id)),
  } satisfies Operation,
  remove: {
    ...plain.remove,
    summary: 'Delete a document with all its versions',
    async run(ctx: Context, { params, ifMatch }: Input) {
      const answer = await remove(ctx, Document, params.id, ifMatch)
      await ctx.run(sql`update documents t set deleted_at = ${ctx.now().toISOString()}
        where ${mine(ctx)} and t.deleted_at is null and t.chain_id = ${chainOf(ctx, params.id)}`)
      return answer
    },
  } satisfies Operation,
  restore: {
    ...plain.restore,
    summary: 'Bring back a document deleted less than 30 days ago, with all its versions',
    async run(ctx: Context, { params }: Input) {
      const gone = await ctx.one<{ deleted_at: string | null }>(
        sql`select t.deleted_at from documents t where ${mine(ctx)} and t.id = ${params.id}`,
      )
      const answer = written(await restore(ctx, Document, params.id))
      await ctx.run(sql`update documents t set deleted_at = null where ${mine(ctx)}
        and t.deleted_at = ${gone?.deleted_at ?? null}
        and t.chain_id = ${chainOf(ctx, params.id)}`)
      return answer
    },
  } satisfies Operation,
  versions: {
    name: 'list_document_versions',
    summary: 'Every version of a document, the latest first',
    can: { module: 'documents', action: 'read' },
    writes: false,
    input: { params: plain.read.input.params! },
    output: arrayOf(item),
    async run(ctx: Context, { params }: Input) {
      await checkReadable(ctx, Document, params.id)
      const condition = sql`t.chain_id = ${chainOf(ctx, params.id)}`
      return listPage(ctx, Document, { items_per_page: 500, sort: '-version' }, condition)
    },
  } satisfies Operation,
  activities: {
    name: 'list_document_activities',
    summary: 'What happened to documents, newest first',
    can: { module: 'documents', action: 'read' },
    writes: false,
    input: {
      query: {
        type: 'object',
        properties: {
          ...pageProperties,
          document_id: { ...id, description: 'only this document’s, in all its versions' },
        },
      },
    },
    output: arrayOf(entrySchema),
    async run(ctx: Context, { query }: Input) {
      const { number, size, ...slice } = pageOf(query)
      if (query.document_id) await checkReadable(ctx, Document, query.document_id)
      const one = query.document_id
        ? sql`e.reference_id in (select t.id from documents t
            where ${mine(ctx)} and t.chain_id = ${chainOf(ctx, query.document_id)})`
        : undefined
      const condition = all(visibleEntries(ctx), sql`e.module_id = ${Document.number}`, one)
      const entries = await readEntries(ctx, condition, slice)
      const more = entries.length > size
      if (more) entries.pop()
      return new Answer(entries, { page: { number, size, more } })
    },
  } satisfies Operation,
}

/** The first version of the document that a version belongs to. */
export function chainOf(ctx: Context, id: string) {
  return sql`(select d.chain_id from documents d where ${mine(ctx, 'd')} and d.id = ${id})`
}

type Asked = { module_id?: string; module_name?: string; reference_id?: string }

/** The number of the module asked for; 404 for a record of it that the caller does not know. */
async function moduleOf(ctx: Context, { module_id, module_name, reference_id }: Asked) {
  const name = module_id === undefined ? 'module_name' : 'module_id'
  const asked = module_id ?? module_name
  if (asked === undefined) {
    if (reference_id) throw badField('reference_id', 'needs module_id or module_name beside it')
    return undefined
  }
  const subject = subjectModule(asked)
  if (subject?.number === undefined) {
    throw badField(name, 'must be a module, such as projects, or its number')
  }
  if (reference_id && !(await isKnown(ctx, { ...subject, id: reference_id }))) {
    throw notFound('Record')
  }
  return subject.number
}

function withProperties(
  schema: JSONSchema,
  properties: { [name: string]: JSONSchema },
): JSONSchema {
  return { ...schema, properties: { ...(schema.properties as object), ...properties } }
}
