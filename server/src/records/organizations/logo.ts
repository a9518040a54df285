import { readFile } from 'node:fs/promises'
import { Type } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { badField } from '../../kit/ground/errors.ts'
import { newId } from '../../kit/ground/ids.ts'
import { operation } from '../../kit/ground/operation.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { pictureIn } from '../pictures/picture.ts'
import { requireAdmin } from '../../model/users/guards.ts'
import { changeLogo } from '../../model/organizations/settings.ts'

/** The maximum size of a logo in bytes: mails and pages load it each time. */
export const logoLimit = 256 * 1024

/** Formats that mail programs and browsers show; not SVG, since it can contain scripts. */
const types = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

const common = { topic: 'organization', can: { module: 'roles', action: 'update' } } as const
const notAdmin = 'Only admins change the logo of the organization'

/** The uploaded logo of the organization. */
export const logo = {
  update: operation({
    ...common,
    name: 'upload_organization_logo',
    summary: 'Upload the logo of the organization',
    description:
      'For admins: a form with a PNG, JPEG, GIF or WebP of at most 256 KiB in the part `file`, or its bytes in `image`. Everybody who has its address can load it.',
    writes: true,
    input: {
      body: Type.Object({
        image: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: Math.ceil((logoLimit / 3) * 4) + 4,
            pattern: '^[A-Za-z0-9+/]+={0,2}$',
            description: 'the picture in base64, in place of a form',
          }),
        ),
      }),
    },
    output: Type.Object(
      { logo_url: Type.String({ description: 'where everybody can load it' }) },
      { title: 'OrganizationLogo' },
    ),
    before: (ctx) => requireAdmin(ctx, notAdmin),
    async run(ctx, { body, file }) {
      await requireAdmin(ctx, notAdmin)
      const sent = file ? await readFile(file.path) : Buffer.from(body.image ?? '', 'base64')
      const field = file || body.image === undefined ? 'file' : 'image'
      if (!sent.length) throw badField(field, 'is required, in a multipart form')
      const { type, content } = pictureIn(sent, types, field)
      return { logo_url: await storeLogo(ctx, type, content) }
    },
  }),
  remove: operation({
    ...common,
    name: 'remove_organization_logo',
    summary: 'Remove the logo of the organization',
    description: 'For admins. An uploaded file is no longer shown.',
    writes: true,
    input: {},
    output: null,
    async run(ctx) {
      await requireAdmin(ctx, notAdmin)
      await ctx.run(sql`delete from organization_logos t where ${mine(ctx)}`)
      await changeLogo(ctx, null)
    },
  }),
}

/** Replaces the picture; a new one has another address, so that no cached one is shown. */
async function storeLogo(ctx: Context, type: string, content: Buffer): Promise<string> {
  const id = newId()
  await ctx.run(sql`delete from organization_logos t where ${mine(ctx)}`)
  await ctx.run(sql`insert into organization_logos (organization_id, id, media_type, content)
    values (${ctx.organization.id}, ${id}, ${type}, ${content})`)
  const url = `${ctx.public_url}/logo/${ctx.organization.id}/${id}`
  await changeLogo(ctx, url)
  return url
}
