import { listPage } from './read/list.ts'
import type { Input, Operation } from './ground/operation.ts'
import { pageProperties } from './read/page.ts'
import type { AnyRecord } from './record/record.ts'
import { createSchema, readSchema, updateSchema, arrayOf } from './record/schema.ts'
import { insert, readOne, remove, restore, update, written } from './write/write.ts'
import type { JSONSchema } from './ground/json-schema.ts'

export type Crud = {
  list: Operation
  read: Operation
  create: Operation
  update: Operation
  remove: Operation
  restore: Operation
}

const byId = {
  type: 'object',
  properties: { id: { type: 'string', description: 'the record' } },
  required: ['id'],
}

/**
 * The ordinary five, and restore. To change one, write a function that calls it and put that in
 * the spread: `{ ...crud(Survey), create, publish }`. There are no hooks.
 */
export function crud(record: AnyRecord): Crud {
  const { module, word, aliases } = record
  const shape = readSchema(record)
  return {
    list: {
      name: `list_${module}`,
      summary: `List ${module}`,
      can: { module, action: 'read' },
      writes: false,
      input: { query: pageQuery() },
      output: arrayOf(shape),
      run: (ctx, { query }) => listPage(ctx, record, query),
    },
    read: {
      name: `read_${word}`,
      summary: `Read one ${word}`,
      can: { module, action: 'read' },
      writes: false,
      input: { params: byId },
      output: shape,
      run: (ctx, { params }) => readOne(ctx, record, params.id),
    },
    create: {
      name: `create_${word}`,
      summary: `Create a ${word}`,
      can: { module, action: 'create' },
      writes: true,
      input: { body: createSchema(record) },
      aliases,
      output: shape,
      run: async (ctx, { body }) => written(await insert(ctx, record, body)),
    },
    update: {
      name: `update_${word}`,
      summary: `Update a ${word}: absent keys stay, null clears, objects merge, arrays replace`,
      can: { module, action: 'update' },
      writes: true,
      input: { params: byId, body: updateSchema(record) },
      aliases,
      output: shape,
      run: async (ctx, { params, body }) => written(await update(ctx, record, params.id, body)),
    },
    remove: {
      name: `delete_${word}`,
      summary: `Delete a ${word}`,
      can: { module, action: 'delete' },
      writes: true,
      input: { params: byId },
      output: null,
      run: (ctx, { params }: Input) => remove(ctx, record, params.id),
    },
    restore: {
      name: `restore_${word}`,
      summary: `Bring back a ${word} deleted less than 30 days ago`,
      can: { module, action: 'delete' },
      writes: true,
      input: { params: byId },
      output: shape,
      run: async (ctx, { params }) => written(await restore(ctx, record, params.id)),
    },
  }
}

/** The query of an offset list; `required` where the specification marks page and size so. */
export function pageQuery(required = false) {
  return {
    type: 'object',
    properties: {
      page: pageProperties.page,
      items_per_page: { type: 'integer', minimum: 1, maximum: 500, description: 'records a page' },
      sort: { type: 'string', maxLength: 200, description: 'the field to sort by' },
      reverse: { type: 'boolean', description: 'sort descending' },
      q: { type: 'string', maxLength: 200, description: 'text to look for' },
      filter: { type: 'string', maxLength: 20_000, description: 'JSON array of conditions' },
      filter_id: {
        type: 'string',
        minLength: 1,
        maxLength: 25,
        description: 'a saved filter, joined to the others; its sort where none is given',
      },
      fields: {
        type: 'string',
        maxLength: 2000,
        description: 'only these fields, comma-separated; the others are then absent',
      },
      include_count: { type: 'boolean', description: 'adds X-Total-Count' },
    },
    ...(required ? { required: ['page', 'items_per_page'] } : {}),
  }
}

/** The query of a list without some of its parts, such as filters where nobody saves any. */
export function withoutQuery(schema: JSONSchema, ...left: string[]): JSONSchema {
  const properties = Object.entries(schema.properties as object)
  const kept = properties.filter(([name]) => !left.includes(name))
  return { ...schema, properties: Object.fromEntries(kept) }
}

/** The query of a cursor list on the integration surface. */
export function cursorQuery() {
  return {
    type: 'object',
    properties: {
      limit: { type: 'integer', minimum: 1, maximum: 500, description: 'records a page (20)' },
      items_per_page: { type: 'integer', minimum: 1, maximum: 500, description: 'same as limit' },
      page: pageProperties.page,
      sort: { type: 'string', maxLength: 500, description: 'comma list, - descends' },
      filter: { type: 'string', maxLength: 20_000, description: 'JSON array of conditions' },
      next_cursor: { type: 'string', maxLength: 4000, description: 'from the answer before' },
      include_count: { type: 'boolean', description: 'adds count' },
    },
  }
}
