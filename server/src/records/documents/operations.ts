import { Type } from 'typebox'
import { idInQuery } from '../../kit/ground/ids.ts'
import { byId, crud } from '../../kit/crud.ts'
import { arrayOf, enumeration } from '../../kit/ground/json-schema.ts'
import type { Context } from '../../kit/ground/context.ts'
import type { Input } from '../../kit/ground/operation.ts'
import { operation } from '../../kit/ground/operation.ts'
import { sql } from '../../kit/ground/sql.ts'
import { listWhole } from '../../kit/read/list.ts'
import { offsetProperty, pageProperties } from '../../kit/read/page.ts'
import { readSchema } from '../../kit/record/schema.ts'
import { written } from '../../kit/write/write.ts'
import { entrySchema } from '../activity/entry.ts'
import { documentActivities } from './activities.ts'
import { analyticsQuery, analyticsSchema, documentAnalytics } from './analytics.ts'
import { createDocument } from './create.ts'
import { deleteDocument, restoreDocument } from './delete.ts'
import { Document } from '../../model/documents/document.ts'
import { downloadDocument } from './download.ts'
import { storeFile } from './file.ts'
import type { DocumentInput } from './input.ts'
import { documentCreate, documentInput, sanitizeInput } from './input.ts'
import { joinBody, joinDocuments, storeJoined } from './join.ts'
import { documentFolders, foldersQuery, foldersSchema, setFavourite } from './folders.ts'
import { listDocuments, listQuery } from './list.ts'
import { refuseLocked } from './locked.ts'
import { keepBody, keepReusable, useBody, useDocument } from './reusable/reusable.ts'
import { documentPdf } from './text-pdf.ts'
import { keepVersion, publishDocument, updateDocument } from './update.ts'
import { chainOf } from './versions.ts'
import { checkReadable, readOne } from '../../kit/read/one.ts'

const plain = crud(Document)
const disposition = Type.Optional(enumeration(['attachment', 'inline'], { title: 'Disposition' }))

async function prepare(ctx: Context, input: Pick<Input, 'file'> & { body: DocumentInput }) {
  await sanitizeInput(ctx, input)
  await refuseLocked(ctx, input)
  await storeFile(ctx, input)
}

/** Documents, their files and versions, and how they are used. */
export const documents = {
  ...plain,
  list: operation({
    ...plain.list,
    description: 'Returns the latest version of each document.',
    input: { query: listQuery },
    run: (ctx, { query }) => listDocuments(ctx, query),
  }),
  create: operation({
    ...plain.create,
    description: 'The body is JSON, or a multipart form with the file in the part `file`.',
    input: { body: documentCreate },
    aliases: undefined,
    within: 'document',
    before: prepare,
    run: async (ctx, { body, file }) => written(await createDocument(ctx, body, file)),
  }),
  update: operation({
    ...plain.update,
    description:
      'Replacing the content (the file, text or address) of a published, signed or declined document creates a new version, which is returned.',
    input: { params: byId, body: documentInput },
    aliases: undefined,
    within: 'document',
    before: prepare,
    run: async (ctx, { params, body, file, ifMatch }) =>
      written(await updateDocument(ctx, params.id, body, { file, ifMatch })),
  }),
  publish: operation({
    ...plain.update,
    name: 'publish_document',
    isVersioned: false,
    summary: 'Publish a document',
    description: 'A document that is already published stays as it is.',
    input: { params: byId },
    aliases: undefined,
    run: async (ctx, { params }) => written(await publishDocument(ctx, params.id)),
  }),
  keep: operation({
    ...plain.create,
    name: 'save_reusable_document',
    summary: 'Save a document as reusable',
    description:
      'Makes a copy of its file or text and of what is prepared for signature, with roles in place of people, except those of the organization. Nothing is sent from it; `use/` makes documents of it.',
    input: { params: byId, body: keepBody },
    aliases: undefined,
    run: async (ctx, { params, body }) => written(await keepReusable(ctx, params.id, body)),
  }),
  use: operation({
    ...plain.create,
    name: 'use_document',
    summary: 'Use a reusable document',
    description:
      'Makes a draft of it, with people in its roles and values in its placeholders, such as `{{account.account_name}}`, `{{project.start_date | long}}`, `{{today}}` or `{{Customer.name | "the customer"}}`. What is prepared for signature goes along and is not sent yet. Placeholders that are empty and have no text for that are refused (400 `values.…`), and can be said in `values`.',
    input: { params: byId, body: useBody },
    aliases: undefined,
    run: async (ctx, { params, body }) => written(await useDocument(ctx, params.id, body)),
  }),
  join: operation({
    ...plain.create,
    name: 'join_documents',
    summary: 'Join documents into one',
    description:
      'Makes a draft whose pages are those of all of them, in their order, so that they are sent for signature as one request. They stay as they are. Recipients and fields that are prepared go along; whoever has the same address or role is one recipient.',
    input: { body: joinBody },
    aliases: undefined,
    lane: 'heavy',
    before: storeJoined,
    run: async (ctx, { body }) => written(await joinDocuments(ctx, body)),
  }),
  folders: operation({
    name: 'read_document_folders',
    summary: 'Retrieve the folders of documents',
    description:
      'Counts the documents that you can see, in their latest versions: by account with their folders (`menu_type`) and projects, and those of no account.',
    can: { module: 'documents', action: 'read' },
    writes: false,
    lane: 'heavy',
    input: { query: foldersQuery },
    output: foldersSchema,
    run: (ctx, { query }) => documentFolders(ctx, query),
  }),
  favourite: operation({
    name: 'set_favourite_document',
    summary: 'Make a document a favourite of yours',
    description: 'Or no longer one. Nobody else sees it, and it holds for every version.',
    can: { module: 'documents', action: 'read' },
    writes: true,
    input: {
      params: byId,
      body: Type.Object(
        { is_favourite: Type.Boolean({ description: 'whether it is one' }) },
        { additionalProperties: false },
      ),
    },
    output: readSchema(Document),
    async run(ctx, { params, body }) {
      await setFavourite(ctx, params.id, body.is_favourite)
      return readOne(ctx, Document, params.id)
    },
  }),
  remove: operation({
    ...plain.remove,
    description: 'Deletes all its versions. They can be restored for 30 days.',
    run: (ctx, { params, ifMatch }) => deleteDocument(ctx, params.id, ifMatch),
  }),
  restore: operation({
    ...plain.restore,
    description: 'Restores all its versions. Possible for 30 days after the deletion.',
    run: async (ctx, { params }) => written(await restoreDocument(ctx, params.id)),
  }),
  versions: operation({
    name: 'list_document_versions',
    summary: 'List the versions of a document',
    description: 'Returns the latest version first.',
    can: { module: 'documents', action: 'read' },
    writes: false,
    input: { params: byId },
    output: arrayOf(readSchema(Document)),
    async run(ctx, { params }) {
      await checkReadable(ctx, Document, params.id)
      const condition = sql`t.chain_id = ${chainOf(ctx, params.id)}`
      return listWhole(ctx, Document, { items_per_page: 500, sort: '-version' }, condition)
    },
  }),
  file: operation({
    name: 'read_document_file',
    summary: 'Download the file of a document',
    description:
      'Counts a download, or a view with `disposition=inline`, which shows PDF, images and text in the browser. `Range` returns 206, `If-None-Match` 304.',
    can: { module: 'documents', action: 'read' },
    writes: false,
    input: {
      params: Type.Object({ id: Type.String({ description: 'the document' }) }),
      query: Type.Object({ disposition }),
    },
    output: {},
    gives: '*/*',
    run: (ctx, { params, query }) =>
      downloadDocument(ctx, params.id, query.disposition === 'inline'),
  }),
  keepVersion: operation({
    ...plain.create,
    name: 'create_document_version',
    summary: 'Keep a document as a version',
    description:
      'The version as it is stays, and is not changed any more; the next, which is returned, begins as a draft like it. 409 while signatures are awaited.',
    can: { module: 'documents', action: 'update' },
    input: { params: byId },
    aliases: undefined,
    run: async (ctx, { params }) => written(await keepVersion(ctx, params.id)),
  }),
  pdf: operation({
    name: 'read_document_pdf',
    summary: 'Download a document as PDF',
    description:
      'Its file if that is a PDF, else the pages of its own text, as they will be signed. 404 if it has neither.',
    can: { module: 'documents', action: 'read' },
    writes: false,
    lane: 'heavy',
    input: {
      params: Type.Object({ id: Type.String({ description: 'the document' }) }),
      query: Type.Object({ disposition }),
    },
    output: {},
    gives: 'application/pdf',
    run: (ctx, { params, query }) => documentPdf(ctx, params.id, query.disposition === 'inline'),
  }),
  activities: operation({
    name: 'list_document_activities',
    summary: 'List document activities',
    description: 'Returns what happened to documents, newest first.',
    can: { module: 'documents', action: 'read' },
    writes: false,
    input: {
      query: Type.Object({
        ...pageProperties,
        offset: offsetProperty,
        document_id: Type.Optional(
          idInQuery('only activities of this document, in all its versions'),
        ),
      }),
    },
    output: arrayOf(entrySchema),
    run: (ctx, { query }) => documentActivities(ctx, query),
  }),
  analytics: operation({
    name: 'read_document_analytics',
    summary: 'Retrieve document analytics',
    description:
      'Counts views, downloads, shares and signatures of the documents that you can see.',
    can: { module: 'documents', action: 'read' },
    writes: false,
    lane: 'heavy',
    input: { query: analyticsQuery },
    output: analyticsSchema,
    run: (ctx, { query }) => documentAnalytics(ctx, query),
  }),
}
