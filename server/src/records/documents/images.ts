import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { Type } from 'typebox'
import { byId } from '../../kit/crud.ts'
import type { Context } from '../../kit/ground/context.ts'
import { badField, notFound } from '../../kit/ground/errors.ts'
import type { Upload } from '../../kit/ground/files.ts'
import { newId } from '../../kit/ground/ids.ts'
import { operation } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { Download, storeUpload } from '../../kit/ground/stored-files.ts'
import { scope } from '../../kit/record/scope.ts'
import { announce } from '../../kit/write/announce.ts'
import { lock } from '../../kit/write/write.ts'
import { Document } from '../../model/documents/document.ts'
import { imageAddress, imageAddresses, imagesLimit } from '../../kit/ground/image-address.ts'
import { pictureIn } from '../pictures/picture.ts'
import { checkStorage } from './file.ts'
import { chainOf, latestOf, oldVersion } from './versions.ts'

const types = ['image/png', 'image/jpeg']

/** The pictures in the text of a document. */
export const documentImages = {
  create: operation({
    name: 'upload_document_image',
    summary: 'Upload a picture for the text of a document',
    description:
      'A form with a PNG or JPEG of at most 5 MiB and 25 million pixels in the part `file`. Where and when it was taken is left out. `src` is its address for an `img` of `editor_html_content`. All pictures of a document have at most 40 MiB.',
    can: { module: 'documents', action: 'update' },
    writes: true,
    input: { params: byId, body: Type.Object({}) },
    output: Type.Object(
      {
        src: Type.String({ description: 'its address, for the text of this document' }),
        width: Type.Integer({ description: 'in pixels' }),
        height: Type.Integer({ description: 'in pixels' }),
      },
      { title: 'DocumentImage' },
    ),
    before: storePicture,
    run: (ctx, { params, file }) => addImage(ctx, params.id, file),
  }),
  read: operation({
    name: 'read_document_image',
    summary: 'Download a picture in the text of a document',
    description: 'For everybody who may read a version of the document in which it stands.',
    can: { module: 'documents', action: 'read' },
    writes: false,
    input: {
      params: Type.Object({
        id: Type.String({ description: 'the document, in any version' }),
        image_id: Type.String({ description: 'the picture' }),
      }),
    },
    output: {},
    gives: '*/*',
    async run(ctx, { params: { id, image_id } }) {
      const found = await ctx.one<Stored>(sql`select i.* from document_images i
        where ${mine(ctx, 'i')} and i.id = ${image_id} and i.chain_id = ${chainOf(ctx, id)}
          and exists (select from documents t where ${mine(ctx)} and t.chain_id = i.chain_id
            and (${scope(ctx, Document, 'update')} or ${scope(ctx, Document, 'read')}
              and position(i.id in coalesce(t.editor_html_content, '')) > 0))`)
      if (!found) throw notFound('Picture')
      return download(ctx, found)
    },
  }),
}

type Stored = {
  id: string
  storage_key: string
  media_type: string
  file_size: number
  hash: string
  creation_time: string
}

function download(ctx: Context, image: Stored): Download {
  return new Download({
    name: `${image.id}.${image.media_type.slice('image/'.length)}`,
    type: image.media_type,
    size: image.file_size,
    hash: image.hash,
    modified: new Date(image.creation_time),
    isInline: true,
    open: (range) => ctx.files.get(image.storage_key, range),
  })
}

/** The size of an uploaded picture in pixels, between the two parts of the request. */
const sizes = new WeakMap<Upload, { type: string; width: number; height: number }>()

/** Stores the picture of a form without what cameras write beside it, before the transaction that refers to it. */
async function storePicture(ctx: Context, { file }: { file?: Upload }): Promise<void> {
  if (!file) throw badField('file', 'is required, in a multipart form')
  const { type, content, width, height } = pictureIn(await readFile(file.path), types, 'file')
  await checkStorage(ctx, content.length)
  await writeFile(file.path, content, { mode: 0o600 })
  file.size = content.length
  file.hash = createHash('sha256').update(content).digest('hex')
  sizes.set(file, { type, width, height })
  await storeUpload(ctx, file, 'document-images', type)
}

async function addImage(ctx: Context, document: string, file: Upload | undefined) {
  const size = file && sizes.get(file)
  if (!file?.storedKey || !size) throw badField('file', 'is required, in a multipart form')
  const { row } = await lock(ctx, Document, document, 'update')
  if (!row.latest_version) throw oldVersion(await latestOf(ctx, document))
  const chain = row.original_attach_id ?? document
  const used = await ctx.one<{ bytes: number }>(sql`
    select coalesce(sum(t.file_size), 0)::bigint as bytes from document_images t
    where ${mine(ctx)} and t.chain_id = ${chain}`)
  if (Number(used?.bytes ?? 0) + file.size > imagesLimit) {
    throw badField('file', 'is too much: the pictures of a document have at most 40 MiB')
  }
  const id = newId()
  const { type, width, height } = size
  await ctx.run(sql`insert into document_images (organization_id, chain_id, id, storage_key, media_type,
      file_size, width, height, hash, created_by, creation_time)
    values (${ctx.organization.id}, ${chain}, ${id}, ${file.storedKey}, ${type}, ${file.size}, ${width},
      ${height}, ${file.hash}, ${ctx.actor.user_id ?? null}, ${ctx.now().toISOString()})`)
  const { document_name: name, project_id } = row
  await announce(ctx, Document, 'picture added', {
    id: document,
    name,
    project_id,
    title: `A picture was added to ${name}`,
  })
  return { src: addressOf(chain, id), width, height }
}

function addressOf(chain: string, id: string): string {
  return `/api/documents/${chain}/images/${id}/`
}

/** A picture of a document's own text as a file; 404 if it does not stand in it. */
export async function imageOf(
  ctx: Context,
  { id, editor_html_content: html }: { id: string; editor_html_content: string | null },
  image: string,
): Promise<Download> {
  const found = html?.includes(image)
    ? await ctx.one<Stored>(sql`select t.* from document_images t
        where ${mine(ctx)} and t.id = ${image} and t.chain_id = ${chainOf(ctx, id)}`)
    : undefined
  if (!found) throw notFound('Picture')
  return download(ctx, found)
}

/** The pictures that stand in a document's text, by their addresses. */
export async function picturesOf(
  ctx: Context,
  id: string,
  html: string,
): Promise<{ [address: string]: Uint8Array }> {
  const addresses = imageAddresses(html)
  if (!addresses.length) return {}
  const ids = addresses.map((each) => imageAddress.exec(each)?.[2] ?? '')
  const found = await ctx.all<Stored & { chain_id: string }>(sql`select t.* from document_images t
    where ${mine(ctx)} and t.chain_id = ${chainOf(ctx, id)} and t.id = any(${ids}::varchar[])`)
  const read = found.map(async ({ chain_id, id: its, storage_key }) => {
    const bytes = await buffer(await ctx.files.get(storage_key))
    return [addressOf(chain_id, its), new Uint8Array(bytes)] as const
  })
  return Object.fromEntries(await Promise.all(read))
}
