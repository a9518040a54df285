import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { byId } from '../../kit/crud.ts'
import type { Context } from '../../kit/ground/context.ts'
import { badField, notFound } from '../../kit/ground/errors.ts'
import { Download } from '../../kit/ground/stored-files.ts'
import { operation } from '../../kit/ground/operation.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'
import { scope } from '../../kit/record/scope.ts'
import { readSchema } from '../../kit/record/schema.ts'
import { written } from '../../kit/write/write.ts'
import { pictureIn, pictureInJson } from '../pictures/picture.ts'
import { changeUser } from './change.ts'
import { UserProfile } from '../../model/users/user.ts'

/** The maximum size of a user's picture in bytes. */
export const imageLimit = 2 * 1024 * 1024

const types = ['image/png', 'image/jpeg', 'image/webp']
const common = { topic: 'users', can: 'signed_in' } as const
/** The uploaded picture of a user: their own, or with the right to edit users. */
export const userImage = {
  read: operation({
    ...common,
    name: 'read_user_image',
    summary: 'Download the picture of a user',
    description: 'For everybody who may see the profile. `profile_image` of the profile names it.',
    writes: false,
    input: {
      params: byId,
      query: Type.Object({
        v: Type.Optional(Type.String({ description: 'changes with the picture, for caches' })),
      }),
    },
    output: {},
    gives: '*/*',
    run: (ctx, { params }) => download(ctx, params.id),
  }),
  update: operation({
    ...common,
    name: 'upload_user_image',
    summary: 'Upload the picture of a user',
    description:
      'A form with a PNG, JPEG or WebP of at most 2 MiB and 25 million pixels in the part `file`, or its bytes in `image`. Where and when it was taken is left out. Your own, or by the right to edit users. `profile_image` becomes its address.',
    writes: true,
    isVersioned: true,
    input: {
      params: byId,
      body: Type.Object({
        image: pictureInJson,
      }),
    },
    output: readSchema(UserProfile),
    async run(ctx, { params, body, file, ifMatch }) {
      const sent = file ? await readFile(file.path) : Buffer.from(body.image ?? '', 'base64')
      const field = file || body.image === undefined ? 'file' : 'image'
      if (!sent.length) throw badField(field, 'is required, in a multipart form')
      const { type, content } = pictureIn(sent, types, field)
      const hash = createHash('sha256').update(content).digest('hex')
      // the profile first, because its update refuses callers who may not change it
      const profile_image = `${addressOf(ctx, params.id)}?v=${hash.slice(0, 12)}`
      const changed = await changeUser(ctx, params.id, { profile_image }, ifMatch)
      await ctx.run(sql`insert into user_images as t (organization_id, id, media_type, content, hash)
        values (${ctx.organization.id}, ${params.id}, ${type}, ${content}, ${hash})
        on conflict (organization_id, id) do update set media_type = excluded.media_type,
          content = excluded.content, hash = excluded.hash,
          last_update_time = ${ctx.now().toISOString()}`)
      return written(changed)
    },
  }),
  remove: operation({
    ...common,
    name: 'remove_user_image',
    summary: 'Remove the picture of a user',
    writes: true,
    isVersioned: true,
    input: { params: byId },
    output: null,
    async run(ctx, { params, ifMatch }) {
      await changeUser(ctx, params.id, { profile_image: null }, ifMatch)
    },
  }),
}

/** The address of a user's uploaded picture. */
function addressOf(ctx: Context, id: string): string {
  return `${ctx.public_url}/api/users/profile/${id}/image/`
}

async function download(ctx: Context, id: string): Promise<Download> {
  const isSelf = id === ctx.actor.user_id
  const visible = isSelf
    ? all(mine(ctx), sql`t.deleted_at is null`)
    : scope(ctx, UserProfile, 'read')
  const found = await ctx.one<{
    full_name: string
    media_type: string
    content: Buffer
    hash: string
    last_update_time: string
  }>(sql`select t.full_name, i.media_type, i.content, i.hash, i.last_update_time from users t
    join user_images i on i.organization_id = $organization and i.id = t.id
    where ${visible} and t.id = ${id}`)
  if (!found) throw notFound('Picture')
  const { full_name, media_type, content, hash } = found
  return new Download({
    name: `${full_name}.${media_type.slice('image/'.length)}`,
    type: media_type,
    size: content.length,
    hash,
    modified: new Date(found.last_update_time),
    isInline: true,
    open(range) {
      const part = range ? content.subarray(range.start, range.end + 1) : content
      return Promise.resolve(Readable.from([part]))
    },
  })
}
