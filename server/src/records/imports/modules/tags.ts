import { sql } from '../../../kit/ground/sql.ts'
import type { Draft, Patch } from '../../../kit/record/record.ts'
import { text } from '../../../kit/record/fields.ts'
import { scope } from '../../../kit/record/scope.ts'
import { insert, lock, remove, update } from '../../../kit/write/write.ts'
import { Tag, tags, withNumber } from '../../../model/tags/tag.ts'
import { lowered } from '../importable.ts'
import type { Body, SingleImportable } from '../importable.ts'
import { descriptionWords, nameWords, ownerWords, tagWords } from '../../../model/sheets/header.ts'

export const importTags: SingleImportable = {
  how: 'single',
  record: Tag,
  schema: { ...tags.update.input.body, required: [] },
  more: { tag_type: text(40) },
  keys: [],
  prepare: (body) =>
    withNumber(
      /^\d+$/.test(String(body.tag_type ?? ''))
        ? { ...body, tag_type: Number(body.tag_type) }
        : body,
    ) as Body,
  names: () => [],
  async find(ctx, body) {
    const found = await ctx.one<{ id: string }>(sql`select t.id from tags t
      where ${scope(ctx, Tag, 'read')} and lower(t.tag_name) = ${lowered(body.tag_name)}
      order by t.id limit 1`)
    return found?.id
  },
  create: (ctx, body) => insert(ctx, Tag, body as Draft<typeof Tag>),
  update: async (ctx, id, body) =>
    update(ctx, await lock(ctx, Tag, id, 'update'), body as Patch<typeof Tag>),
  remove: (ctx, id) => remove(ctx, Tag, id),
  headers: {
    tag_name: `tag|tags|tag name|${tagWords}|${nameWords}`,
    description: descriptionWords,
    tag_type: 'type|module|modul|typ|tipo|module name',
    'tag_owner.email': ownerWords,
  },
}
