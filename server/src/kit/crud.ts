import { Type } from 'typebox'
import { idInQuery } from './ground/ids.ts'
import type { Schema } from './ground/json-schema.ts'
import { arrayOf } from './ground/json-schema.ts'
import type { Operation } from './ground/operation.ts'
import { operation } from './ground/operation.ts'
import type { CursorQuery } from './read/cursor.ts'
import type { PageQuery } from './read/list.ts'
import { listPage } from './read/list.ts'
import { offsetProperty, pageProperties } from './read/page.ts'
import type { AnyRecord } from './record/record.ts'
import { createSchema, readSchema, updateSchema } from './record/schema.ts'
import { insert, lock, remove, restore, update, written } from './write/write.ts'
import { readOne } from './read/one.ts'

/** The path parameter of operations on one record. */
export const byId = Type.Object({ id: Type.String({ description: 'the id of the record' }) })

/**
 * The ordinary five, and restore. To change one, write a function that calls it, and override it after
 * the spread: `{ ...crud(Survey), create, publish }`. There are no hooks.
 */
export function crud<R extends AnyRecord>(record: R) {
  const { module, word, aliases } = record
  const [one, many] = [readable(word), readable(module)]
  const shape = readSchema(record)
  const operations = {
    list: operation({
      name: `list_${module}`,
      summary: `List ${many}`,
      can: { module, action: 'read' },
      writes: false,
      input: { query: pageQuery() },
      output: arrayOf(shape),
      run: (ctx, { query }) => listPage(ctx, record, query),
    }),
    read: operation({
      name: `read_${word}`,
      summary: `Retrieve ${article(one)}`,
      can: { module, action: 'read' },
      writes: false,
      input: { params: byId },
      output: shape,
      run: (ctx, { params }) => readOne(ctx, record, params.id),
    }),
    create: operation({
      name: `create_${word}`,
      summary: `Create ${article(one)}`,
      can: { module, action: 'create' },
      writes: true,
      input: { body: createSchema(record) },
      aliases,
      output: shape,
      run: async (ctx, { body }) => written(await insert(ctx, record, body)),
    }),
    update: operation({
      name: `update_${word}`,
      summary: `Update ${article(one)}`,
      description:
        'Merges the body into the record: absent fields stay as they are, null clears a field, objects merge one level deep, arrays replace.',
      can: { module, action: 'update' },
      writes: true,
      isVersioned: true,
      input: { params: byId, body: updateSchema(record) },
      aliases,
      output: shape,
      run: async (ctx, { params, body, ifMatch }) =>
        written(await update(ctx, await lock(ctx, record, params.id, 'update', ifMatch), body)),
    }),
    remove: operation({
      name: `delete_${word}`,
      summary: `Delete ${article(one)}`,
      description: 'The record can be restored for 30 days.',
      can: { module, action: 'delete' },
      writes: true,
      isVersioned: true,
      input: { params: byId },
      output: null,
      run: (ctx, { params, ifMatch }) => remove(ctx, record, params.id, ifMatch),
    }),
    restore: operation({
      name: `restore_${word}`,
      summary: `Restore a deleted ${one}`,
      description: 'Possible for 30 days after the deletion.',
      can: { module, action: 'delete' },
      writes: true,
      input: { params: byId },
      output: shape,
      run: async (ctx, { params }) => written(await restore(ctx, record, params.id)),
    }),
  }
  ordinary.add(operations.remove.run)
  return operations
}

const ordinary = new WeakSet<Operation['run']>()

/** Whether an operation is the ordinary deletion, to which its record adds nothing. */
export function isOrdinary(operation: Operation | undefined): boolean {
  return operation !== undefined && ordinary.has(operation.run)
}

function readable(word: string): string {
  return word.replaceAll('_', ' ')
}

function article(word: string): string {
  return `${/^[aeio]/.test(word) ? 'an' : 'a'} ${word}`
}

/** The query of an offset list; `required` where the specification requires page and size. */
export function pageQuery(required = false): Schema<PageQuery> {
  const { page, items_per_page } = pageProperties
  const query = Type.Object({
    page,
    offset: offsetProperty,
    items_per_page,
    sort: Type.Optional(Type.String({ maxLength: 200, description: 'the field to sort by' })),
    reverse: Type.Optional(Type.Boolean({ description: 'sort descending' })),
    q: Type.Optional(Type.String({ maxLength: 200, description: 'text to search for' })),
    filter: Type.Optional(
      Type.String({ maxLength: 20_000, description: 'JSON array of conditions' }),
    ),
    filter_id: Type.Optional(
      idInQuery(
        'a saved filter, combined with the other conditions; its sort applies if none is set',
      ),
    ),
    fields: Type.Optional(
      Type.String({
        maxLength: 2000,
        description:
          'return only these fields, comma-separated: each record has the named members and no others, whatever its schema requires',
      }),
    ),
    include_count: Type.Optional(Type.Boolean({ description: 'adds the header X-Total-Count' })),
  })
  const needed = required ? { required: ['page', 'items_per_page'] } : {}
  return { ...query, ...needed } as unknown as Schema<PageQuery>
}

/** The query of a cursor list on the integration surface. */
export function cursorQuery(): Schema<CursorQuery> {
  const { page } = pageProperties
  const size = (description: string) =>
    Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description }))
  const query = Type.Object({
    limit: size('records per page (20)'),
    items_per_page: size('same as limit'),
    page,
    sort: Type.Optional(
      Type.String({ maxLength: 500, description: 'comma-separated fields, - sorts descending' }),
    ),
    filter: Type.Optional(
      Type.String({ maxLength: 20_000, description: 'JSON array of conditions' }),
    ),
    next_cursor: Type.Optional(
      Type.String({ maxLength: 4000, description: 'from the previous answer' }),
    ),
    include_count: Type.Optional(Type.Boolean({ description: 'adds count' })),
  })
  return query as unknown as Schema<CursorQuery>
}
