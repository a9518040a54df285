import { Type } from 'typebox'
import { byId, crud } from '../../kit/crud.ts'
import { badField } from '../../kit/ground/errors.ts'
import { extend, schema } from '../../kit/ground/json-schema.ts'
import { operation } from '../../kit/ground/operation.ts'
import { sql } from '../../kit/ground/sql.ts'
import { moduleChoices, moduleNumber } from '../../kit/record/modules.ts'
import { record } from '../../kit/record/record.ts'
import { insert, lock, update, written } from '../../kit/write/write.ts'
import { person } from '../people/person.ts'
import { boolean, integer, key, stamp, text } from '../../kit/record/fields.ts'

/** A label for records (specification 2.3). */
export const Tag = record(
  {
    module: 'tags',
    word: 'tag',
    title: 'tag_name',
    page: { strip: ['tag_owner'], rail: ['description', 'tag_type'] },
    aliases: { name: 'tag_name' },
    rights: {
      owners: ['created_by', 'tag_owner'],
      attached: () => sql`t.is_shared`,
    },
    find: {
      searchable: true,
    },
  },
  {
    tag_id: key(),
    tag_name: text(100, { required: true }),
    description: text(),
    tag_type: integer({ choices: moduleChoices }),
    tag_owner: person(),
    // customers and partners see it on the records that they see
    is_shared: boolean({ default: false }),
    is_predefined: boolean({
      isSystem: true,
      readOnly: true,
      default: false,
      refusal: 'marks the tags that come with the product',
    }),
    creation_time: stamp(),
    last_update_time: stamp(),
  },
)

const plain = crud(Tag)
const typeInput = {
  tag_type: Type.Optional(
    schema<string | number | null>({
      type: ['string', 'integer', 'null'],
      description: 'a module, such as tasks, or its number',
    }),
  ),
}

export const tags = {
  ...plain,
  create: operation({
    ...plain.create,
    input: { body: extend(plain.create.input.body, typeInput) },
    run: async (ctx, { body }) => written(await insert(ctx, Tag, withNumber(body))),
  }),
  update: operation({
    ...plain.update,
    input: { params: byId, body: extend(plain.update.input.body, typeInput) },
    run: async (ctx, { params, body, ifMatch }) =>
      written(
        await update(ctx, await lock(ctx, Tag, params.id, 'update', ifMatch), withNumber(body)),
      ),
  }),
}

type Numbered<B> = Omit<B, 'tag_type'> & { tag_type?: number | null }

/** The body with `tag_type` as the module's number, as in reads; 400 for an unknown module. */
export function withNumber<B extends { tag_type?: string | number | null }>(body: B): Numbered<B> {
  if (body.tag_type === undefined || body.tag_type === null) return body as Numbered<B>
  const tag_type = moduleNumber(body.tag_type)
  if (tag_type === undefined)
    throw badField('tag_type', 'must be a module, such as tasks, or its number')
  return { ...body, tag_type }
}
