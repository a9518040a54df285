import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { Type } from 'typebox'
import { byId } from '../../kit/crud.ts'
import type { Context } from '../../kit/ground/context.ts'
import { badField, forbidden, notFound } from '../../kit/ground/errors.ts'
import type { Upload } from '../../kit/ground/files.ts'
import { newId } from '../../kit/ground/ids.ts'
import { operation } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { Download, storeFile } from '../../kit/ground/stored-files.ts'
import { temporaryFolder } from '../../kit/ground/interruption.ts'
import { scope } from '../../kit/record/scope.ts'
import { announce } from '../../kit/write/announce.ts'
import { lock } from '../../kit/write/write.ts'
import { Document } from '../../model/documents/document.ts'
import { imageAddress, imageAddresses, imagesLimit } from '../../kit/ground/image-address.ts'
import { pictureIn, pictureInJson } from '../pictures/picture.ts'
import { checkStorage } from './file.ts'
import { chainOf, latestOf, oldVersion } from './versions.ts'

const types = ['image/png', 'image/jpeg']

/** The pictures in the text of a document. */
export const documentImages = {
  create: operation({
    name: 'upload_document_image',
    summary: 'Upload a picture for the text of a document',
    description:
      'A form with a PNG or JPEG of at most 5 MiB and 25 million pixels in the part `file`, or its bytes in `image`. Where and when it was taken is left out. `src` is its address for an `img` of `editor_html_content`. All pictures of a document have at most 40 MiB.',
    can: { module: 'documents', action: 'update' },
    writes: true,
    input: { params: byId, body: Type.Object({ image: pictureInJson }) },
    output: Type.Object(
      {
        src: Type.String({ description: 'its address, for the text of this document' }),
        width: Type.Integer({ description: 'in pixels' }),
        height: Type.Integer({ description: 'in pixels' }),
      },
      { title: 'DocumentImage' },
    ),
    before: storePicture,
    run: (ctx, { params, body }) => addImage(ctx, params.id, stored.get(body)),
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

/** A picture as it was sent: a file of a form, or in JSON. */
type Sent = { file?: Upload; params: { id: string }; body: { image?: string | undefined } }

type Kept = {
  storage_key: string
  type: string
  width: number
  height: number
  hash: string
  size: number
}

/** What was stored of a picture, between the two parts of the request. */
const stored = new WeakMap<Sent['body'], Kept>()

/** Stores the picture of a form without what cameras write beside it, before the transaction that refers to it. */
async function storePicture(ctx: Context, input: Sent): Promise<void> {
  const { file, params, body } = input
  // what nobody may add is neither decoded nor stored
  await checkMay(ctx, params.id)
  if (!file && body.image === undefined) throw badField('file', 'is required, in a multipart form')
  const sent = file ? await readFile(file.path) : Buffer.from(body.image ?? '', 'base64')
  const { type, content, width, height } = pictureIn(sent, types, file ? 'file' : 'image')
  await checkStorage(ctx, content.length)
  const folder = await temporaryFolder()
  try {
    const path = join(folder.path, 'picture')
    await writeFile(path, content, { mode: 0o600 })
    const storage_key = await storeFile(ctx, path, 'document-images', type)
    if (file) file.storedKey = storage_key
    const hash = createHash('sha256').update(content).digest('hex')
    stored.set(input.body, { storage_key, type, width, height, hash, size: content.length })
  } finally {
    await folder.remove()
  }
}

/** 404 and 403 as for a change of the document. */
async function checkMay(ctx: Context, document: string): Promise<void> {
  const found = await ctx.one<{ may: boolean }>(sql`
    select (${scope(ctx, Document, 'update')}) as may from documents t
    where ${scope(ctx, Document, 'read')} and t.id = ${document}`)
  if (!found) throw notFound('Document')
  if (!found.may) throw forbidden('Your role may not update this document')
}

async function addImage(ctx: Context, document: string, picture: Kept | undefined) {
  if (!picture) throw badField('file', 'is required, in a multipart form')
  const { row } = await lock(ctx, Document, document, 'update')
  if (!row.latest_version) throw oldVersion(await latestOf(ctx, document))
  const chain = row.original_attach_id ?? document
  const used = await ctx.one<{ bytes: number }>(sql`
    select coalesce(sum(t.file_size), 0)::bigint as bytes from document_images t
    where ${mine(ctx)} and t.chain_id = ${chain}`)
  if (Number(used?.bytes ?? 0) + picture.size > imagesLimit) {
    throw badField('file', 'is too much: the pictures of a document have at most 40 MiB')
  }
  const id = newId()
  const { storage_key, type, width, height, hash, size } = picture
  await ctx.run(sql`insert into document_images (organization_id, chain_id, id, storage_key, media_type,
      file_size, width, height, hash, created_by, creation_time)
    values (${ctx.organization.id}, ${chain}, ${id}, ${storage_key}, ${type}, ${size}, ${width},
      ${height}, ${hash}, ${ctx.actor.user_id ?? null}, ${ctx.now().toISOString()})`)
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
